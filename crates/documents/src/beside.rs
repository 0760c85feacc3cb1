//! Claims beside what this machine measured: one judge for `check-claims --beside`, the report,
//! `fathom reproduce` and the count of coverage.

use fathom_cases::record::{Case, Status};
use fathom_drivers::ops::{Op, Scheme};

use super::coverage::Rule;
use super::evidence::{self, Against, Evidence, Peer, Samples};
use super::figure::figure;
pub use super::figure::{Outcome, efficiency, short};
use super::pairing::{differences, stated_threads};
use super::quantity::{self, Counted, Quantity};
use super::table::Row;

/// A claim beside the case that measured it.
#[derive(Clone, Debug)]
pub struct Beside<'a> {
    /// The row of the document.
    pub row: &'a Row,
    /// The outcome for the figure.
    pub outcome: Outcome,
    /// The case, if there is one.
    pub case: Option<&'a Case>,
    /// The same figure by the case, in the unit of the row.
    pub measured: Option<f64>,
    /// The samples of the case; `None` for sizes and without a case.
    pub samples: Option<Samples>,
    /// The printed figure against the measured one; `None` unless both measure the same, the latter
    /// with enough samples for an interval.
    pub ratio: Option<Against>,
    /// The reason why the time is not ranked, if it is not.
    pub unranked: Option<String>,
    /// The figures of the other libraries that answered the same question.
    pub peers: Vec<Peer<'a>>,
    /// The reason why the outcome is not `verified`, or a remark.
    pub why: String,
}

impl Beside<'_> {
    /// Returns the cells of a table: claim, figure, measured figure, samples, ratio, outcome, case,
    /// remark.
    pub fn cells(&self) -> Vec<String> {
        let unit = self.row.unit.name();
        vec![
            self.row.name(),
            self.row.figure(),
            self.measured.map_or_else(String::new, |figure| format!("{} {unit}", short(figure))),
            self.samples.as_ref().map_or_else(String::new, Samples::text),
            self.ratio.as_ref().map_or_else(String::new, Against::text),
            self.outcome.word().into(),
            self.case.map_or_else(String::new, |case| case.id.clone()),
            self.why.clone(),
        ]
    }
}

impl<'a> Beside<'a> {
    /// Returns a row without a figure.
    pub(super) fn without(
        row: &'a Row,
        outcome: Outcome,
        case: Option<&'a Case>,
        why: String,
    ) -> Self {
        Self {
            row,
            outcome,
            case,
            measured: None,
            samples: None,
            ratio: None,
            unranked: None,
            peers: Vec::new(),
            why,
        }
    }
}

/// Returns a row beside the best of its cases, by its rule.
pub(super) fn by_rule<'a>(
    row: &'a Row,
    rule: Option<&Rule>,
    evidence: &Evidence<'a>,
) -> Beside<'a> {
    let none = |outcome, why: String| Beside::without(row, outcome, None, why);
    let cases = evidence.cases;
    let Some(rule) = rule else { return none(Outcome::NotRun, "no rule covers the row".into()) };
    if let Some(reason) = &rule.reason {
        return none(Outcome::Imported, reason.clone());
    }
    if rule.computed {
        return none(Outcome::NotRun, evidence.absent.to_owned());
    }
    let [own, others] = [rule.cases(row), rule.stand_ins(row)];
    let found =
        |ids: &[String]| ids.iter().flat_map(|id| lanes(id, row, cases)).collect::<Vec<_>>();
    let (own, others) = (found(&own), found(&others));
    let note = rule.note.clone().unwrap_or_default();
    let because = rule.because.clone().unwrap_or_default();
    let judged: Vec<Beside<'a>> = own
        .iter()
        .map(|case| judge(row, case, evidence, String::new()))
        .chain(others.iter().map(|case| judge(row, case, evidence, because.clone())))
        .collect();
    // The set of the document is shown as refused or unsupported unless another stands in.
    let best = judged.iter().min_by_key(|beside| beside.outcome);
    let Some(best) = best else {
        return none(Outcome::NotRun, evidence.absent.to_owned());
    };
    let mut best = best.clone();
    if best.outcome == Outcome::StandsIn && judged.iter().any(|own| own.outcome == Outcome::Refused)
    {
        best.why = format!("{}; the printed set refuses", best.why);
    }
    if best.why.is_empty() {
        best.why = note;
    }
    if let Some(case) = best.case {
        best.peers = evidence::peers(row, case, evidence);
    }
    best
}

/// Returns the case of an id, else those that differ from it in their lane only, the one with the
/// most threads first. More operations at once than the row states are no time of its operation.
fn lanes<'a>(id: &str, row: &Row, cases: &'a [Case]) -> Vec<&'a Case> {
    let id = format!("fathom/{id}");
    if let Some(exact) = cases.iter().find(|case| case.id == id) {
        return vec![exact];
    }
    let stem = |id: &str| id.split('?').next().unwrap_or_default().to_owned();
    let most = stated_threads(row, "threads").unwrap_or(1);
    let fits = |case: &&Case| stem(&case.id) == stem(&id) && case.lane.threads <= most;
    let mut found: Vec<&Case> = cases.iter().filter(fits).collect();
    found.sort_by_key(|case| std::cmp::Reverse(case.lane.threads));
    found
}

/// Judges one case beside a row; `other` says why it stands in, if it cannot do more.
fn judge<'a>(row: &'a Row, case: &'a Case, evidence: &Evidence<'a>, other: String) -> Beside<'a> {
    let outcome = Outcome::of(case.verify.status);
    let reason = case.verify.reason.clone().unwrap_or_default();
    let plain = Beside::without(row, outcome, Some(case), reason);
    if outcome != Outcome::Verified {
        return plain;
    }
    let Some(base) = figure(row, case, evidence.cases) else {
        let why = "the case has no such figure".to_owned();
        return Beside { outcome: Outcome::NotRun, why, ..plain };
    };
    let mut why: Vec<String> = Some(other).filter(|why| !why.is_empty()).into_iter().collect();
    why.extend(differences(row, case));
    let alike = why.is_empty();
    let samples = Samples::of(row, case);
    Beside {
        outcome: if alike { Outcome::Verified } else { Outcome::StandsIn },
        measured: Some(quantity::in_unit(base, row.unit)),
        samples,
        ratio: evidence::against_printed(row, case, evidence.floor).filter(|_| alike),
        unranked: evidence::unranked(case, samples.as_ref()),
        why: why.join("; "),
        ..plain
    }
}

/// Returns the claims of any table for which the engine has a case of the same scheme and
/// operation. If there are several, it is one with the row's parameters, else the one with the
/// claim's depth.
pub fn pairs<'a>(rows: &'a [Row], cases: &'a [Case]) -> Vec<Beside<'a>> {
    rows.iter().filter_map(|row| pair(row, cases)).collect()
}

fn pair<'a>(row: &'a Row, cases: &'a [Case]) -> Option<Beside<'a>> {
    let (scheme, op) = (scheme(&row.scheme), op(row));
    let depth = row.number("depth").unwrap_or(1.0) as u32;
    let evidence = Evidence::of(cases);
    let suits = |case: &&Case| {
        case.scheme == scheme
            && case.op == op
            && case.verify.status == Status::Ok
            && case.lib.name == "fathom"
    };
    let judged = cases.iter().filter(suits).map(|case| judge(row, case, &evidence, String::new()));
    judged.filter(|beside| beside.measured.is_some()).min_by_key(|beside| {
        let case = beside.case.expect("a judged case is its case");
        let own = case.params.as_ref().map_or(0, |params| params.depth);
        (beside.outcome, case.lane.threads, case.lane.op_threads, own.abs_diff(depth))
    })
}

/// Returns the testbed's name of a scheme.
fn scheme(name: &str) -> &str {
    if name == "pvac" { Scheme::Hfhe.name() } else { name }
}

/// Returns the testbed's name of the operation that a figure counts.
fn op(row: &Row) -> String {
    let hfhe = scheme(&row.scheme) == Scheme::Hfhe.name();
    let bits = Scheme::parse(&row.scheme).is_some_and(|scheme| scheme.kind().bootstraps());
    let op = row.op.replace("ilog2", "log2").replace("rotl", "rotate_left");
    let op = op.replace("rotr", "rotate_right");
    let quantity = Quantity::of(row);
    if let (Some(count), Counted::Calls(_)) = (batch(&op), quantity.counted) {
        return format!("mul_batch{count}");
    }
    let op = match op.as_str() {
        "mul_64bit_derived" | "add_64bit_derived" => "nand",
        op if Op::parse(op).is_some() => op,
        op => ["_per_slot_us", "_throughput", "_ct_bytes"]
            .iter()
            .find_map(|ending| op.strip_suffix(ending))
            .unwrap_or(op),
    };
    match op {
        "mul" if row.mode == "simd" || quantity.counted == Counted::Slot => "simd_mul".into(),
        "encrypt" if !hfhe && !bits => "encrypt_pk".into(),
        "encrypt" | "encrypt_1bit" => "encrypt_sk".into(),
        "decrypt_1bit" => "decrypt".into(),
        "ct_size" | "ct_size_est_bytes" => "ct_size_bytes".into(),
        other => other.to_owned(),
    }
}

/// Returns the products of `mul_512_seq_ms`, `mul_512_par_ms` or `mul_512_throughput`.
fn batch(op: &str) -> Option<u64> {
    let ends = ["_seq_ms", "_par_ms", "_throughput"];
    let stem = ends.iter().find_map(|ending| op.strip_suffix(ending))?;
    stem.strip_prefix("mul_")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read;
    use serde_json::{Value, json};

    fn case(id: &str, threads: usize) -> Case {
        let run = include_str!("../../../records/quick-2026-11-20.jsonl");
        let line = run.lines().find(|line| line.contains("\"op\":\"mul\"")).unwrap();
        let mut case: Value = serde_json::from_str(line).unwrap();
        (case["id"], case["lane"]["threads"]) = (json!(id), json!(threads));
        serde_json::from_value(case).unwrap()
    }

    #[test]
    fn a_time_of_one_operation_is_not_that_of_several_at_once() {
        let text = "bfv,scalar,mul,8,,ms,,op_threads=8,\nbfv,batch,mul,8,,ms,,threads=8,\n";
        let rows = read(&format!("{}\n{text}", crate::HEADER)).unwrap();
        let cases = [case("fathom/bfv/e1/mul?threads=2", 2), case("fathom/bfv/e1/mul", 1)];
        let found = |id, row, cases| lanes(id, row, cases).first().map(|case| case.lane.threads);
        assert_eq!(found("bfv/e1/mul?op_threads=8", &rows[0], &cases), Some(1));
        assert_eq!(found("bfv/e1/mul?op_threads=8", &rows[0], &cases[..1]), None);
        assert_eq!(found("bfv/e1/mul?threads=8", &rows[1], &cases), Some(2));
    }
}

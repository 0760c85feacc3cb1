//! `all.csv`: one row for each figure, under the names of document 000 (docs/suites.md), so that a
//! script written for that document reads the results of a run.
//!
//! The key of a row is `scheme,mode,op`, and no key occurs twice. The scheme of another library
//! than the engine carries its name, as in `seal_bfv`. Times are in milliseconds unless the unit
//! says otherwise; [`Quantity`] converts the time of a call to what a name counts. An op that ends
//! in `_derived` was computed from other figures, and one with `_est_` in its name from the
//! parameters; neither was measured.

use std::collections::HashSet;

use fathom_cases::question::Division;
use fathom_cases::record::{Case, Status};
use fathom_cases::stats::without_severe_outliers;
use fathom_documents::Unit;
use fathom_documents::quantity::{self, DERIVED, Quantity, Work};
use fathom_drivers::ops::Scheme;

/// Header of `all.csv`.
pub const CSV_HEADER: &str = "scheme,mode,op,mean,stddev,unit,n";

/// Purposes whose rows have a name in the published table: scheme, purpose, mode.
const MODES: [(&str, &str, &str); 12] = [
    ("bfv", "d5-t65537", "scalar"),
    ("bgv", "d5-t65537", "scalar"),
    ("ckks", "d6-s38", "scalar"),
    ("bfv", "d1-t65537", "shallow"),
    ("bgv", "d1-t65537", "shallow"),
    ("bfv", "d1-t786433", "20bit"),
    ("bgv", "d1-t786433", "20bit"),
    ("bfv", "d1-t2013265921", "31bit"),
    ("bgv", "d1-t2013265921", "31bit"),
    ("tfhe", "u_bool_128", "bit"),
    ("fhew", "fhew_ginx_128", "bit"),
    ("binfhe_ap", "fhew_ap_128", "bit"),
];

/// The rows of a run; remembers their keys, so that none occurs twice.
#[derive(Clone, Debug, Default)]
pub struct AllCsv {
    keys: HashSet<String>,
}

/// One figure: the mode and the op of its key, its mean and deviation, its unit, and the number of
/// samples.
struct Figure {
    mode: String,
    op: String,
    mean: f64,
    deviation: f64,
    unit: &'static str,
    n: usize,
}

impl AllCsv {
    /// Returns the rows of a case. Empty without figures, and for a case whose result was wrong or
    /// missing.
    pub fn rows(&mut self, case: &Case) -> Vec<String> {
        if case.verify.status != Status::Ok {
            return Vec::new();
        }
        let scheme = scheme(case);
        figures(case).iter().map(|figure| self.row(case, &scheme, figure)).collect()
    }

    fn row(&mut self, case: &Case, scheme: &str, figure: &Figure) -> String {
        let Figure { op, mean, deviation, unit, n, .. } = figure;
        let key = |mode: &str| format!("{scheme},{mode},{op}");
        let mode = lanes(case, &figure.mode).find(|mode| !self.keys.contains(&key(mode)));
        let mode = mode.unwrap_or_else(|| figure.mode.clone());
        self.keys.insert(key(&mode));
        format!("{},{mean},{deviation},{unit},{n}", key(&mode))
    }
}

/// Returns the scheme of a row: of another library than the engine, with its name.
fn scheme(case: &Case) -> String {
    let peer = case.division.is_some() && !["fathom", "plain"].contains(&case.lib.name.as_str());
    let name = case.lib.name.replace('-', "_");
    if peer {
        format!("{name}_{}", case.scheme)
    } else if is_pvac(case) {
        "pvac".into()
    } else {
        case.scheme.clone()
    }
}

/// Returns true for the set of HFHE that the published table calls `pvac`.
fn is_pvac(case: &Case) -> bool {
    let set = case.params.as_ref().map(|params| params.name.as_str());
    case.scheme == Scheme::Hfhe.name() && set == Some(PVAC_SET)
}

/// The set of HFHE in the format of PVAC.
const PVAC_SET: &str = "compat-unmerged";

/// Returns the modes under which a row may stand, most common first.
fn lanes<'a>(case: &'a Case, mode: &'a str) -> impl Iterator<Item = String> + 'a {
    let params = case.params.as_ref().map_or("", |params| params.name.as_str());
    let inputs = format!("inputs={:?}", case.lane.inputs).to_lowercase();
    let named = [String::new(), format!("/{params}"), format!("/{params}/{inputs}")];
    named
        .into_iter()
        .chain((2..).map(|number| format!("/{number}")))
        .map(move |end| format!("{mode}{end}"))
}

/// Returns the mode of a case: its purpose by the name of the published table, and every part of
/// the lane that differs from the usual. A name of the published table carries no caution, which
/// `verified.csv` has, because scripts look for the name.
fn mode(case: &Case) -> String {
    let topic = case.topic();
    let named = MODES.iter().find(|(scheme, known, _)| *scheme == case.scheme && *known == topic);
    let params = case.params.as_ref().map_or(topic, |params| params.name.clone());
    let name = match named {
        Some((.., mode)) => (*mode).to_owned(),
        None if is_pvac(case) => "scalar".to_owned(),
        None => params,
    };
    let division = case.division.filter(|division| *division != Division::Equal);
    let lanes = [("threads", case.lane.threads), ("op_threads", case.lane.op_threads)];
    let lanes = lanes.into_iter().filter(|(_, count)| *count > 1);
    let lanes = lanes.map(|(name, count)| format!("{name}={count}"));
    let parts = std::iter::once(name).chain(division.map(|division| division.word().to_owned()));
    let mark = case.caution().filter(|_| named.is_none()).map(|caution| words(&caution));
    parts.chain(lanes).chain(mark).collect::<Vec<_>>().join("/")
}

/// Returns every figure of a verified case.
fn figures(case: &Case) -> Vec<Figure> {
    let mode = mode(case);
    let mut figures = times(case, &mode);
    let size =
        |op: String, bytes: Option<u64>| bytes.map(|bytes| exact(&mode, op, bytes as f64, "bytes"));
    if case.op.strip_prefix("depth").is_some_and(|depth| depth.parse::<u32>().is_ok()) {
        figures.extend(size(format!("{}_ct_bytes", case.op), case.bytes.ct_out));
    }
    if case.op == "ct_size_bytes" {
        figures.extend(size(case.op.clone(), case.bytes.ct_in));
        figures.extend(size("ct_size_est_bytes".into(), case.bytes.ct_theory));
    }
    if case.op == "pk_size_bytes" {
        figures.extend(size(case.op.clone(), case.bytes.bootstrapping.or(case.bytes.pk)));
    }
    // The smallest parameters answer both for a depth of 1 and for 17 bits of plaintext.
    if mode == "shallow" && ["mul", "ct_size_bytes"].contains(&case.op.as_str()) {
        let again = |figure: &Figure| Figure { mode: "17bit".into(), ..figure.copy() };
        let copies: Vec<Figure> = figures.iter().map(again).collect();
        figures.extend(copies);
    }
    figures
}

/// Returns the times of a case, and the figures that follow from them.
fn times(case: &Case, mode: &str) -> Vec<Figure> {
    if case.time_ns.is_none() {
        return Vec::new();
    }
    let of = |mode: &str, op: String, unit| timed(case, mode, op, unit);
    let ms = |op: &str| of(mode, op.to_owned(), Unit::Milliseconds);
    let slots = case.lane.slots;
    // All slots of a ciphertext at once have a mode of their own.
    let simd =
        if mode == "scalar" || slots > 1 { mode.replace("scalar", "simd") } else { mode.into() };
    let figures = match case.op.as_str() {
        "encrypt_pk" => vec![ms("encrypt")],
        "encrypt_sk" if case.scheme == "hfhe" => vec![ms("encrypt")],
        "encrypt_sk" if is_bit(mode) => vec![of(mode, "encrypt_1bit".into(), Unit::Microseconds)],
        "decrypt" if is_bit(mode) => vec![of(mode, "decrypt_1bit".into(), Unit::Microseconds)],
        "nand" if is_bit(mode) => {
            std::iter::once(ms("nand")).chain(DERIVED.iter().map(|(op, _)| ms(op))).collect()
        }
        "simd_mul" => vec![
            of(&simd, "mul".into(), Unit::Milliseconds),
            of(&simd, "mul_per_slot_us".into(), Unit::Microseconds),
        ],
        "dot_slots" => {
            let all = if simd.starts_with("simd") { simd } else { format!("simd/{simd}") };
            let known = case.scheme == "ckks" && slots == 4096;
            let mode = if known { "simd" } else { &all };
            vec![of(mode, format!("dot{slots}"), Unit::Milliseconds)]
        }
        "rotate_keygen" => vec![of(&simd, "rotate_keygen".into(), Unit::Milliseconds)],
        op => match op.strip_prefix("mul_batch").and_then(|count| count.parse::<u64>().ok()) {
            Some(count) => batch(case, count),
            None => vec![ms(op)],
        },
    };
    figures.into_iter().flatten().collect()
}

/// Returns the figure of a timed case under a name, which says what it counts; its deviation is in
/// proportion. `None` for a case without samples.
fn timed(case: &Case, mode: &str, op: String, unit: Unit) -> Option<Figure> {
    let time = case.time_ns.as_ref()?;
    let (mean, deviation) = without_severe_outliers(&time.samples);
    let work = Work::of(case, mean / 1e9);
    let figure = quantity::in_unit(Quantity::named(&op, unit).of_work(work)?, unit);
    Some(Figure {
        mode: mode.to_owned(),
        op,
        mean: rounded(figure),
        deviation: rounded(figure * deviation / mean),
        unit: unit.name(),
        n: time.n,
    })
}

/// Returns the rows of `count` products: on one thread their total time, on several also their
/// throughput.
fn batch(case: &Case, count: u64) -> Vec<Option<Figure>> {
    let threads = case.lane.threads;
    let own = mode(case).replace(&format!("/threads={threads}"), "");
    let mode = if own == "scalar" { "parallel".to_owned() } else { format!("parallel/{own}") };
    if threads == 1 {
        return vec![timed(case, &mode, format!("mul_{count}_seq_ms"), Unit::Milliseconds)];
    }
    vec![
        timed(case, &mode, format!("mul_{count}_par_ms"), Unit::Milliseconds),
        timed(case, &mode, format!("mul_{count}_throughput"), Unit::PerSecond),
    ]
}

impl Figure {
    fn copy(&self) -> Self {
        let Self { mean, deviation, unit, n, .. } = *self;
        Self { mode: self.mode.clone(), op: self.op.clone(), mean, deviation, unit, n }
    }
}

/// Returns a figure without samples of its own.
fn exact(mode: &str, op: String, mean: f64, unit: &'static str) -> Figure {
    Figure { mode: mode.to_owned(), op, mean, deviation: 0.0, unit, n: 1 }
}

fn is_bit(mode: &str) -> bool {
    mode.split('/').next() == Some("bit")
}

/// Rounds to nine significant digits, more than any clock has.
fn rounded(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

/// Converts cautions to parts of a mode name: `less_studied_assumption/ind_cpa_only`.
fn words(caution: &str) -> String {
    let parts = caution.split("; ").map(|part| part.trim_start_matches("a ").to_lowercase());
    parts.collect::<Vec<_>>().join("/").replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::suite::{CaseSpec, Selection, Suite};
    use fathom_documents::Row;
    use fathom_drivers::protocol::KeyKind;
    use std::collections::HashMap;

    /// A result of a case of the suites; the figures are invented.
    fn result(spec: &CaseSpec, lib: &str) -> Case {
        let slots = match spec.params.as_str() {
            "e3s" => 4096,
            "e2" | "e3" => 8192,
            _ => 1,
        };
        let time = serde_json::json!({
            "n": 12, "iterations": 1, "samples": [2_000_000, 2_100_000, 1_900_000], "median": 0,
            "ci95": null, "mad": 0, "min": 0, "p95": 0, "p99": 0, "mean": 0, "stddev": 0,
            "lag1": 0.0, "outliers": { "mild": 0, "severe": 0 }, "cpu": null,
            "involuntary_switches": null, "flags": [],
        });
        let sizes = spec.op.name().ends_with("_bytes");
        let inputs = if spec.inputs == KeyKind::Sk { "sk" } else { "pk" };
        serde_json::from_value(serde_json::json!({
            "kind": "case", "id": spec.id(lib), "scheme": spec.scheme, "op": spec.op.name(),
            "question": spec.question(), "division": "equal", "scenario": "latency",
            "lib": { "name": lib, "version": "1", "build": "", "isa_used": "" },
            "lane": { "pack": "simd", "slots": slots, "threads": spec.threads,
                "op_threads": spec.op_threads, "inputs": inputs },
            "semantics": { "kind": "exact_mod_p", "p": 2 }, "security": null,
            "params": { "name": spec.params, "n": 8192, "log_q": 100.0, "log_qp": 200.0,
                "plain_modulus": 2, "slots": slots, "levels": 1, "secret": "ternary",
                "sigma": 3.2, "depth": 1 },
            "verify": {
                "status": "ok", "expected": true, "checked": 1, "mismatches": 0,
                "noise_budget_bits": { "before": null, "after": null, "predicted_after": null },
                "p_fail_log2": null,
            },
            "time_ns": if sizes { serde_json::Value::Null } else { time },
            "bytes": { "ct_in": 1000, "ct_out": 900, "ct_theory": 980, "pk": 5000 },
            "derived": {}, "provenance": "measured",
        }))
        .unwrap()
    }

    /// All rows of the suites that run the first document, by key.
    fn table(lib: &str) -> HashMap<[String; 3], Row> {
        let mut csv = AllCsv::default();
        let mut text = format!("{CSV_HEADER}\n");
        for name in ["schemes", "tfhe"] {
            let suite = Suite::built_in(name).unwrap();
            for spec in suite.cases("fathom", &Selection::default()) {
                for row in csv.rows(&result(&spec, lib)) {
                    text.push_str(&row);
                    text.push('\n');
                }
            }
        }
        let rows = fathom_documents::read(&text).unwrap();
        let count = rows.len();
        let key = |row: &Row| [&row.scheme, &row.mode, &row.op].map(Clone::clone);
        let table: HashMap<_, _> = rows.into_iter().map(|row| (key(&row), row)).collect();
        assert_eq!(table.len(), count, "a key occurs twice");
        table
    }

    /// Does what a script for the published table does: it looks every row up by its key.
    #[test]
    fn a_script_for_the_published_table_finds_every_row() {
        let table = table("fathom");
        let mut missing = Vec::new();
        for row in
            fathom_documents::read(include_str!("../../tests/data/published-table.csv")).unwrap()
        {
            match table.get(&[row.scheme.clone(), row.mode.clone(), row.op.clone()]) {
                Some(found) if found.unit == row.unit && found.mean > 0.0 => {}
                Some(found) => missing.push(format!("{} in {:?}", row.name(), found.unit)),
                None => missing.push(row.name()),
            }
        }
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn rows_of_other_libraries_carry_their_name_in_the_scheme() {
        let keys: Vec<[String; 3]> = table("fhe-rs").into_keys().collect();
        assert!(keys.contains(&["fhe_rs_bfv", "scalar", "mul"].map(str::to_owned)));
        assert!(keys.iter().all(|[scheme, ..]| scheme.starts_with("fhe_rs_")));
    }

    #[test]
    fn derived_figures_are_named_so_and_follow_from_the_measured_ones() {
        let table = table("fathom");
        let of = |op: &str| table[&["tfhe", "bit", op].map(str::to_owned)].mean;
        assert!((of("nand") - 2.0).abs() < 1e-9);
        assert!((of("mul_64bit_derived") - 2.0 * 24_576.0).abs() < 1e-6);
        assert!((of("add_64bit_derived") - 2.0 * 320.0).abs() < 1e-6);
        assert!((of("encrypt_1bit") - 2000.0).abs() < 1e-6, "in microseconds");
    }

    /// The time of a case is that of one result over all threads: 2 ms in the invented results.
    #[test]
    fn totals_and_rates_of_several_threads_follow_from_the_time_of_one_result() {
        let table = table("fathom");
        let of = |op: &str| table[&["pvac", "parallel", op].map(str::to_owned)].mean;
        for count in [512.0, 2048.0, 8192.0] {
            assert!((of(&format!("mul_{count}_seq_ms")) - 2.0 * count).abs() < 1e-6, "{count}");
            assert!((of(&format!("mul_{count}_par_ms")) - 2.0 * count).abs() < 1e-6, "{count}");
            assert!((of(&format!("mul_{count}_throughput")) - 500.0).abs() < 1e-6, "{count}");
        }
        let slot = table[&["bfv", "simd", "mul_per_slot_us"].map(str::to_owned)].mean;
        assert!((slot - 2000.0 / 8192.0).abs() < 1e-6, "{slot}");
    }

    #[test]
    fn a_wrong_result_has_no_row() {
        let suite = Suite::built_in("schemes").unwrap();
        let spec = suite.cases("fathom", &Selection::default()).remove(0);
        let mut case = result(&spec, "fathom");
        case.verify.status = Status::Wrong;
        assert!(AllCsv::default().rows(&case).is_empty());
    }
}

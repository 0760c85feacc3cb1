//! The evidence for a measured figure: its samples, the interval of its ratio to another figure,
//! and the judge's verdict on that ratio, which is that of reports.

use fathom_cases::question::Division;
use fathom_cases::record::ratio::{self, Answer, Standing};
use fathom_cases::record::{Case, Status};
use fathom_cases::stats::Ratio;

use super::figure::{Outcome, bytes, figure, short};
use super::quantity::{self, Kind, Quantity, Work};
use super::table::Row;

/// Half the width of a normal distribution's 95 % interval in standard deviations.
const NORMAL: f64 = 1.96;

/// The cases of one or several runs, and what is known of the runs.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The cases.
    pub cases: &'a [Case],
    /// Number of the run of each case; all are of one run if empty.
    pub runs: &'a [usize],
    /// Differences below this are noise.
    pub floor: f64,
    /// The reason why a case that a figure asks for is not among them.
    pub absent: &'a str,
}

impl<'a> Evidence<'a> {
    /// Returns the cases of one run, whose noise floor is not known.
    pub fn of(cases: &'a [Case]) -> Self {
        Self { cases, runs: &[], floor: 0.0, absent: "not in these results" }
    }

    /// Returns a case as an answer of its run.
    fn answer(&self, place: usize) -> Answer<'a> {
        let run = self.runs.get(place).copied().unwrap_or(0);
        Answer { run, ..Answer::new(&self.cases[place], place) }
    }

    fn place(&self, case: &Case) -> Option<usize> {
        self.cases.iter().position(|other| std::ptr::eq(other, case))
    }
}

/// The samples of a measured time or rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Samples {
    /// Number of samples.
    pub n: usize,
    /// 95 % interval of the figure, in the unit of its row; `None` below 6 samples.
    pub interval: Option<[f64; 2]>,
}

impl Samples {
    /// Returns the samples of the case of a row; `None` for sizes.
    pub(super) fn of(row: &Row, case: &Case) -> Option<Self> {
        let time = case.time_ns.as_ref()?;
        let quantity = Quantity::of(row);
        let at = |ns: u64| quantity.of_work(Work::of(case, ns as f64 / 1e9));
        let is_timed = matches!(quantity.kind, Kind::Time | Kind::Rate);
        is_timed.then(|| Self {
            n: time.n,
            interval: time.ci95.and_then(|[low, high]| {
                let [a, b] = [at(low)?, at(high)?].map(|base| quantity::in_unit(base, row.unit));
                (a.is_finite() && b.is_finite()).then(|| [a.min(b), a.max(b)])
            }),
        })
    }

    /// Returns the number and half the width of the interval: `n 40, ±0.8 %`.
    pub fn text(&self) -> String {
        let n = self.n;
        match self.interval {
            Some([low, high]) => {
                format!(
                    "n {n}, ±{} %",
                    short((50.0 * (high - low) / low.max(f64::MIN_POSITIVE)).min(999.0))
                )
            }
            None => format!("n {n}"),
        }
    }
}

/// A ratio as the judge sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// The factor by which the other figure is the worse: the longer time, the larger size, the
    /// lower rate.
    pub ratio: f64,
    /// The 95 % interval; `None` for sizes, which are exact.
    pub interval: Option<[f64; 2]>,
    /// The conclusion of the judge of reports.
    pub standing: Standing,
}

impl Against {
    /// Returns the ratio with its interval: `1.52x [1.50, 1.55]`. A `~` means no difference, and a
    /// `?` that the judge does not rank it.
    pub fn text(&self) -> String {
        let mark = match self.standing {
            Standing::Indistinguishable => "~",
            Standing::Unranked => "?",
            Standing::Ahead | Standing::Behind => "",
        };
        let ratio = short(self.ratio);
        match self.interval {
            Some([low, high]) => format!("{mark}{ratio}x [{}, {}]", short(low), short(high)),
            None => format!("{mark}{ratio}x"),
        }
    }

    /// Returns true if the judge ranks the ratio or finds no difference.
    pub fn is_ranked(&self) -> bool {
        self.standing != Standing::Unranked
    }
}

/// The figure of another library for a row.
#[derive(Clone, Debug)]
pub struct Peer<'a> {
    /// The case of the library.
    pub case: &'a Case,
    /// The outcome of the case.
    pub outcome: Outcome,
    /// The figure in the unit of the row.
    pub measured: Option<f64>,
    /// The samples of the case.
    pub samples: Option<Samples>,
    /// The factor by which its figure is worse than the engine's.
    pub against: Option<Against>,
    /// Remarks of the judge on the pair.
    pub notes: Vec<String>,
}

/// Returns true if samples of a case may be ranked: as for reports, but a computation on clear data
/// needs no security.
pub(super) fn is_ranked(case: &Case) -> bool {
    let time = case.time_ns.as_ref();
    let whole =
        time.is_some_and(|time| time.n > 1 && !time.flags.iter().any(|flag| flag == "interrupted"));
    whole && (ratio::is_ranked(case) || case.is_clear())
}

/// Compares a printed figure with a measured one in the same base unit; `None` if they cannot be
/// compared, or if the measured time has too few samples for an interval.
pub(super) fn against_printed(row: &Row, case: &Case, floor: f64) -> Option<Against> {
    let quantity = Quantity::of(row);
    let printed = quantity::base(row);
    let samples = Samples::of(row, case);
    let value = match (quantity.kind, &samples) {
        (Kind::Size, _) => {
            let ratio = quantity.ratio(printed, bytes(case)?)?;
            let standing = sized(ratio);
            return Some(Against { ratio, interval: None, standing });
        }
        (_, Some(_)) => quantity.of_work(Work::median(case)?)?,
        (_, None) => return None,
    };
    let ratio = quantity.ratio(printed, value)?;
    let to_base = |figure: f64| figure * row.unit.seconds().unwrap_or(1.0);
    let ends = samples?.interval?.map(|end| quantity.ratio(printed, to_base(end)));
    let (a, b) = (ends[0]?, ends[1]?);
    let stated = NORMAL * row.standard_error() / row.base().max(f64::MIN_POSITIVE);
    let wider = |end: f64| (end / ratio).ln().hypot(stated);
    let interval = [ratio * (-wider(a.min(b))).exp(), ratio * wider(a.max(b)).exp()];
    let standing = if is_ranked(case) {
        ratio::judge(Ratio { ratio, interval }, floor)
    } else {
        Standing::Unranked
    };
    Some(Against { ratio, interval: Some(interval), standing })
}

fn sized(ratio: f64) -> Standing {
    match ratio.total_cmp(&1.0) {
        std::cmp::Ordering::Less => Standing::Ahead,
        std::cmp::Ordering::Equal => Standing::Indistinguishable,
        std::cmp::Ordering::Greater => Standing::Behind,
    }
}

/// Returns why a measured time has no rank; `None` if it has one.
pub(super) fn unranked(case: &Case, samples: Option<&Samples>) -> Option<String> {
    let samples = samples?;
    let time = case.time_ns.as_ref()?;
    let flagged = |name: &str| time.flags.iter().any(|flag| flag == name);
    match samples {
        _ if flagged("interrupted") => Some("interrupted, not ranked".into()),
        Samples { n: 1, .. } => Some("a single shot, not ranked".into()),
        Samples { n, interval: None } => Some(format!("{n} samples, not ranked")),
        Samples { .. } if !is_ranked(case) => {
            Some("below 128 bits or not estimated, not ranked".into())
        }
        Samples { .. } => None,
    }
}

/// Returns the figures of other libraries that answered the question of a case, one of each.
pub(super) fn peers<'a>(row: &Row, case: &'a Case, evidence: &Evidence<'a>) -> Vec<Peer<'a>> {
    let (Some(question), Some(base)) = (case.question.as_deref(), evidence.place(case)) else {
        return Vec::new();
    };
    let mut found: Vec<Peer<'a>> = Vec::new();
    for (place, other) in evidence.cases.iter().enumerate() {
        let asked = other.question.as_deref() == Some(question)
            && other.lib.name != case.lib.name
            && !other.own
            && other.division.unwrap_or_default() == Division::Equal;
        if !asked {
            continue;
        }
        let peer = peer(row, question, [evidence.answer(base), evidence.answer(place)], evidence);
        match found.iter_mut().find(|known| known.case.lib.name == other.lib.name) {
            Some(known) if rank(&peer) < rank(known) => *known = peer,
            Some(_) => {}
            None => found.push(peer),
        }
    }
    found
}

/// Returns the order of answers of one library, the best first.
fn rank(peer: &Peer<'_>) -> (Outcome, u64) {
    (peer.outcome, peer.case.time_ns.as_ref().map_or(u64::MAX, |time| time.median))
}

fn peer<'a>(
    row: &Row,
    question: &str,
    [base, answer]: [Answer<'a>; 2],
    evidence: &Evidence<'a>,
) -> Peer<'a> {
    let case = answer.case;
    let outcome = Outcome::of(case.verify.status);
    let figures = [base.case, case].map(|case| figure(row, case, evidence.cases));
    let is_verified = |case: &Case| case.verify.status == Status::Ok;
    let both = is_verified(base.case) && is_verified(case);
    let judged = ratio::between(question, base, answer, evidence.floor);
    let timed = judged.ratio.map(|found| Against {
        ratio: 1.0 / found.ratio,
        interval: Some([1.0 / found.interval[1], 1.0 / found.interval[0]]),
        standing: judged.standing,
    });
    let quantity = Quantity::of(row);
    let against = match (quantity.kind, figures) {
        (Kind::Size, [Some(ours), Some(theirs)]) => quantity
            .ratio(theirs, ours)
            .map(|ratio| Against { ratio, interval: None, standing: sized(ratio) }),
        (Kind::Time | Kind::Rate, _) => timed,
        _ => None,
    };
    let measured = figures[1].filter(|_| is_verified(case));
    Peer {
        case,
        outcome,
        measured: measured.map(|base| quantity::in_unit(base, row.unit)),
        samples: Samples::of(row, case).filter(|_| measured.is_some()),
        against: against.filter(|_| both),
        notes: judged.notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read;
    use serde_json::{Value, json};

    /// A measured product of 4 ms, changed.
    fn case(change: impl Fn(&mut Value)) -> Case {
        let run = include_str!("../../../records/quick-2026-11-20.jsonl");
        let line = run.lines().find(|line| line.contains("\"op\":\"mul\"")).unwrap();
        let mut case: Value = serde_json::from_str(line).unwrap();
        case["time_ns"]["n"] = json!(40);
        case["time_ns"]["median"] = json!(4_000_000);
        case["time_ns"]["ci95"] = json!([3_900_000, 4_100_000]);
        case["time_ns"]["flags"] = json!([]);
        change(&mut case);
        serde_json::from_value(case).unwrap()
    }

    fn row(figure: &str) -> Row {
        read(&format!("{}\nbfv,scalar,mul,{figure},,\n", crate::HEADER)).unwrap().remove(0)
    }

    #[test]
    fn a_ratio_has_an_interval_that_a_stated_deviation_widens() {
        let plain = against_printed(&row("8,,ms,"), &case(|_| ()), 0.0).unwrap();
        assert_eq!(plain.text(), "2x [1.951, 2.051]");
        let wide = against_printed(&row("8,4,ms,4"), &case(|_| ()), 0.0).unwrap();
        assert!(wide.interval.unwrap()[0] < 1.3, "{wide:?}");
    }

    #[test]
    fn a_single_shot_has_no_ratio_and_a_difference_below_the_noise_is_none() {
        let single = |case: &mut Value| {
            case["time_ns"]["n"] = json!(1);
            case["time_ns"]["ci95"] = Value::Null;
        };
        let shot = case(single);
        assert_eq!(against_printed(&row("8,,ms,"), &shot, 0.0), None);
        let samples = Samples::of(&row("8,,ms,"), &shot);
        assert_eq!(unranked(&shot, samples.as_ref()).unwrap(), "a single shot, not ranked");
        let noisy = against_printed(&row("8,,ms,"), &case(|_| ()), 16.7).unwrap();
        assert_eq!(noisy.text(), "~2x [1.951, 2.051]");
        let cut = |case: &mut Value| case["time_ns"]["flags"] = json!(["interrupted"]);
        assert!(!against_printed(&row("8,,ms,"), &case(cut), 0.0).unwrap().is_ranked());
    }

    #[test]
    fn a_library_that_answered_the_question_stands_beside_the_figure() {
        let ask = |case: &mut Value| case["question"] = json!("bfv/d5-t65537/mul");
        let theirs = |case: &mut Value| {
            ask(case);
            case["lib"]["name"] = json!("openfhe");
            case["id"] = json!("openfhe/bfv/x/mul");
            case["time_ns"]["median"] = json!(12_000_000);
        };
        let cases = [case(ask), case(theirs)];
        let found = peers(&row("8,,ms,"), &cases[0], &Evidence::of(&cases));
        assert_eq!((found.len(), found[0].measured), (1, Some(12.0)));
        assert_eq!(found[0].outcome, Outcome::Verified);
    }
}

//! The verdict: a summary at the head of the page.

use fathom_cases::record::Status;
use fathom_cases::record::ratio::{self, Standing};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::format;
use crate::report::questions::{Asked, DECIDING, Question};

/// The summary as the page shows it.
pub(crate) struct Verdict {
    pub(crate) counts: Vec<Count>,
    /// Ids of cases with a wrong result, shown in a red box.
    pub(crate) wrong: Vec<String>,
    /// Ids of cases in which peers computed past their noise budget, shown in a note.
    pub(crate) past_budget: Vec<String>,
    pub(crate) noise_floor: Option<String>,
    pub(crate) unranked: usize,
}

/// Number of cases that ended with a status.
pub(crate) struct Count {
    pub(crate) number: usize,
    pub(crate) class: &'static str,
    pub(crate) meaning: &'static str,
}

/// The verdict on one question: who is fastest at its deciding operation, and by how much.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Winner {
    /// The fastest library; empty if no case is ranked.
    pub(crate) lib: String,
    /// Meaning of the operation: `product of two ciphertexts`.
    pub(crate) what: String,
    pub(crate) time: String,
    /// The second fastest library; empty if there is none.
    pub(crate) next: String,
    /// Factor by which it is slower, with its interval; empty if the difference is not significant.
    pub(crate) factor: String,
    pub(crate) interval: String,
}

/// The fastest ranked case of an operation of one question.
pub(crate) struct Headline {
    pub(crate) op: String,
    pub(crate) time: String,
    pub(crate) error: String,
    pub(crate) note: String,
}

impl Verdict {
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let counts = Status::ALL.iter().filter_map(|status| {
            let number = with_status(catalog, *status).filter(|e| !e.case.is_past_budget()).count();
            let always = matches!(status, Status::Ok | Status::Wrong);
            let count = Count { number, class: status.word(), meaning: meaning(*status) };
            (number > 0 || always).then_some(count)
        });
        let floors = catalog.contexts.iter().filter_map(|context| context.noise_floor_rel);
        let wrong = with_status(catalog, Status::Wrong);
        let (past_budget, wrong): (Vec<_>, Vec<_>) =
            wrong.partition(|entry| entry.case.is_past_budget());
        let ids = |of: Vec<&Entry>| of.iter().map(|entry| entry.case.id.clone()).collect();
        let timed = catalog.entries.iter().filter(|entry| entry.median().is_some());
        Self {
            counts: counts.collect(),
            wrong: ids(wrong),
            past_budget: ids(past_budget),
            noise_floor: floors.reduce(f64::max).map(format::percent),
            unranked: timed.filter(|entry| !entry.is_ranked()).count(),
        }
    }
}

fn with_status(catalog: &Catalog, status: Status) -> impl Iterator<Item = &Entry> {
    catalog.entries.iter().filter(move |entry| entry.case.verify.status == status)
}

fn meaning(status: Status) -> &'static str {
    match status {
        Status::Ok => "verified",
        Status::Wrong => "wrong",
        Status::NoiseExhausted => "refused: noise budget exhausted",
        Status::Unsupported => "not supported",
        Status::Failed => "failed to run",
        Status::Unverified => "without a verdict",
    }
}

/// Returns the ranked answers to one operation, fastest first.
fn ranked<'a>(catalog: &'a Catalog, asked: &Asked) -> Vec<(f64, &'a Entry)> {
    let answers = asked.cases.iter().map(|case| &catalog.entries[*case]);
    let answers = answers.filter(|entry| entry.is_ranked());
    let mut ranked: Vec<(f64, &Entry)> =
        answers.filter_map(|entry| Some((entry.median()?, entry))).collect();
    ranked.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    ranked
}

/// Returns the operation that decides a question: the first in the order of [`DECIDING`] that has a
/// ranked answer on the fewest threads, else any.
pub(crate) fn deciding<'a>(catalog: &Catalog, question: &'a Question) -> Option<&'a Asked> {
    let answered = |asked: &&Asked| !ranked(catalog, asked).is_empty();
    let of = |op: &str| question.rows.iter().filter(answered).find(|asked| asked.op == op);
    let integer = || question.rows.iter().filter(answered).find(|a| a.op.starts_with("mul_"));
    let known = DECIDING.iter().find_map(|op| of(op));
    known.or_else(integer).or_else(|| question.rows.iter().find(answered))
}

/// Returns the verdict on one question; differences below `floor` are not significant.
pub(crate) fn winner(catalog: &Catalog, question: &Question, floor: f64) -> Winner {
    let Some(asked) = deciding(catalog, question) else { return Winner::default() };
    let judged = asked.cases.iter().filter_map(|case| catalog.entries[*case].answer(*case));
    let leaders = ratio::leaders(&judged.collect::<Vec<_>>(), floor);
    let Some((best, next)) = leaders else { return Winner::default() };
    let median = best.case.time_ns.as_ref().map_or(0.0, |time| time.median as f64);
    let op = fathom_drivers::ops::Op::parse(&asked.op);
    let what = op.map_or_else(|| asked.label.clone(), |op| op.meaning().to_owned());
    let threads = asked.label.strip_prefix(&asked.op).unwrap_or_default();
    let mut winner = Winner {
        lib: best.lib.to_owned(),
        what: what + threads,
        time: format::time(median),
        ..Winner::default()
    };
    if let Some((row, found)) = next.and_then(|row| Some((row.clone(), row.ratio?))) {
        row.answers[0].lib.clone_into(&mut winner.next);
        if row.standing != Standing::Indistinguishable {
            winner.factor = format!("{}×", format::significant(found.ratio));
            let [low, high] = found.interval.map(format::significant);
            winner.interval = format!("{low}–{high}");
        }
    }
    winner
}

/// Returns a tile for each deciding operation of a question, of the fastest case on the fewest
/// threads.
pub(crate) fn tiles(catalog: &Catalog, question: &Question) -> Vec<Headline> {
    let of = |op: &&str| question.rows.iter().find(|asked| asked.op == **op);
    let known: Vec<&Asked> = DECIDING.iter().filter_map(of).collect();
    let shown = if known.is_empty() { question.rows.iter().take(12).collect() } else { known };
    shown.into_iter().filter_map(|asked| headline(catalog, asked)).collect()
}

fn headline(catalog: &Catalog, asked: &Asked) -> Option<Headline> {
    let ranked = ranked(catalog, asked);
    let (median, best) = *ranked.first()?;
    let slots = Some(best.case.lane.slots).filter(|slots| *slots > 1);
    let slots = slots.filter(|_| asked.op != "keygen" && !asked.op.ends_with("_keygen"));
    let each =
        |slots: usize| format!("{slots} values, {} each", format::time(median / slots as f64));
    Some(Headline {
        op: asked.label.clone(),
        time: format::time(median),
        error: spread(best, median),
        note: slots.map(each).unwrap_or_default(),
    })
}

/// Returns the larger half of the interval, relative to the median; empty without an interval.
pub(crate) fn spread(entry: &Entry, median: f64) -> String {
    let error = entry.interval().map(|[low, high]| (high - median).max(median - low) / median);
    error.map(|error| format!("± {}", format::percent(error))).unwrap_or_default()
}

/// Returns a sentence on the security of the ranked cases of a question.
pub(crate) fn security(catalog: &Catalog, question: &Question) -> Option<String> {
    let cases = question.rows.iter().flat_map(|row| &row.cases).map(|c| &catalog.entries[*c]);
    let ranked = cases.filter(|entry| entry.is_ranked());
    let bits = ranked.filter_map(|entry| Some((entry.security_bits()?, entry)));
    let (least, weakest) = bits.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let whose = if catalog.several_libraries() {
        format!(" ({}, {})", weakest.lib, weakest.params)
    } else {
        String::new()
    };
    Some(format!(
        "Every ranked parameter set has 128 bits of security or more; the lowest estimate is {} \
         bits{whose}.",
        format::bits(least)
    ))
}

/// Returns a sentence on the cases of a question that are not verified; `None` if all are.
pub(crate) fn not_verified(catalog: &Catalog, question: &Question) -> Option<String> {
    let cases = || question.rows.iter().flat_map(|row| &row.cases).map(|c| &catalog.entries[*c]);
    let of = |status: Status, what: &str| {
        let found: Vec<&Entry> =
            cases().filter(|entry| entry.case.verify.status == status).collect();
        let libs = distinct(found.iter().map(|entry| entry.lib.as_str())).join(", ");
        (!found.is_empty()).then(|| format!("{} {what} ({libs})", found.len()))
    };
    let parts = [
        of(Status::Wrong, "wrong"),
        of(Status::Failed, "failed"),
        of(Status::NoiseExhausted, "refused for lack of noise budget"),
        of(Status::Unsupported, "not offered"),
        of(Status::Unverified, "without a verdict"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("Not verified: {}.", parts.join("; ")))
}

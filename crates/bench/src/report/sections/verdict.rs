//! The verdict: a summary at the head of the page.

use crate::report::catalog::{Catalog, Entry};
use crate::report::format;
use crate::report::input::Status;

/// Operations with a headline, in the order shown.
const HEADLINES: [&str; 14] = [
    "mul",
    "add",
    "encrypt",
    "encrypt_pk",
    "decrypt",
    "rotate",
    "dot32",
    "polynomial",
    "bootstrap",
    "pbs",
    "ks_pbs",
    "nand",
    "add_u64",
    "mul_u64",
];

/// The summary as the page shows it.
pub(crate) struct Verdict {
    pub(crate) counts: Vec<Count>,
    pub(crate) headlines: Vec<Headline>,
    /// Ids of cases with a wrong result, shown in a red box.
    pub(crate) wrong: Vec<String>,
    pub(crate) noise_floor: Option<String>,
    pub(crate) unranked: usize,
}

/// Number of cases that ended with a status.
pub(crate) struct Count {
    pub(crate) number: usize,
    pub(crate) class: &'static str,
    pub(crate) meaning: &'static str,
}

/// The fastest ranked case of an operation, among those on the fewest threads.
pub(crate) struct Headline {
    pub(crate) op: &'static str,
    pub(crate) time: String,
    pub(crate) error: String,
    pub(crate) by: String,
    pub(crate) note: String,
}

impl Verdict {
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let counts = Status::ALL.iter().filter_map(|status| {
            let number = with_status(catalog, *status).count();
            let always = matches!(status, Status::Ok | Status::Wrong);
            let count = Count { number, class: status.word(), meaning: meaning(*status) };
            (number > 0 || always).then_some(count)
        });
        let floors = catalog.contexts.iter().filter_map(|context| context.noise_floor_rel);
        let wrong = with_status(catalog, Status::Wrong).map(|entry| entry.case.id.clone());
        let timed = catalog.entries.iter().filter(|entry| entry.median().is_some());
        Self {
            counts: counts.collect(),
            headlines: HEADLINES.iter().filter_map(|op| headline(catalog, op)).collect(),
            wrong: wrong.collect(),
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
        Status::Ok => "verified by decryption",
        Status::Wrong => "wrong",
        Status::NoiseExhausted => "refused: noise budget exhausted",
        Status::Unsupported => "not supported",
        Status::Failed => "failed to run",
        Status::Unverified => "without a verdict",
    }
}

fn headline(catalog: &Catalog, op: &'static str) -> Option<Headline> {
    let mut ranked: Vec<(f64, &Entry)> = catalog
        .entries
        .iter()
        .filter(|entry| entry.case.op == op && entry.is_ranked() && entry.threads() == 1)
        .filter_map(|entry| Some((entry.median()?, entry)))
        .collect();
    let threads = ranked.iter().map(|(_, entry)| entry.op_threads()).min()?;
    ranked.retain(|(_, entry)| entry.op_threads() == threads);
    ranked.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let (median, best) = *ranked.first()?;
    let shared = if threads > 1 { format!(", {threads} threads") } else { String::new() };
    let error = best.interval().map(|[low, high]| (high - median).max(median - low) / median);
    let next = ranked.get(1).filter(|(_, next)| overlap(best, next));
    Some(Headline {
        op,
        time: format::time(median),
        error: error.map(|error| format!("± {}", format::percent(error))).unwrap_or_default(),
        by: catalog.full_name(best) + &shared,
        note: next.map(|(_, next)| format!("~ {}", catalog.full_name(next))).unwrap_or_default(),
    })
}

/// Returns true if the intervals of two cases overlap, so that neither can be called faster.
fn overlap(one: &Entry, other: &Entry) -> bool {
    one.interval().zip(other.interval()).is_some_and(|([_, high], [low, _])| low <= high)
}

//! A table that compares the engine with a peer that computes the same whole program on the same
//! scheme. The ratio of their times is the ratio of the times of one bootstrap multiplied by the
//! ratio of the numbers of bootstraps.

use fathom_cases::record::{Case, Status};

use super::table::{Style, draw, duration};
use crate::report::table::Table;

/// Name of the library that peers are compared with.
const ENGINE: &str = "fathom";

/// Columns of the table.
const COLUMNS: [&str; 11] = [
    "program",
    "size",
    "threads#",
    "peer",
    "engine's time#",
    "peer's time#",
    "times as fast#",
    "engine's bootstraps#",
    "peer's bootstraps#",
    "faster bootstraps#",
    "fewer bootstraps#",
];

/// The factors by which a peer's computation is slower than the engine's.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Factors {
    /// Ratio of the times.
    total: f64,
    /// The factors of which the total is the product; `None` unless both libraries count
    /// bootstraps.
    split: Option<Split>,
}

/// The ratio of two times as a product.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Split {
    /// Ratio of the times of one bootstrap.
    faster: f64,
    /// Ratio of the numbers of bootstraps.
    fewer: f64,
}

/// The figures of a computation that are compared.
#[derive(Clone, Copy, Debug)]
struct Computation {
    /// Time in nanoseconds.
    ns: u64,
    /// Number of bootstraps; `None` if the library does not count them.
    bootstraps: Option<f64>,
}

/// Returns the table of factors; `None` if no program ran on the engine and on a peer.
pub fn factors(cases: &[Case], style: Style) -> Option<String> {
    let mut table = Table::new("", &COLUMNS);
    for (base, peer) in pairs(cases) {
        if let Some(row) = row(base, peer) {
            table.push_texts(row);
        }
    }
    (!table.rows.is_empty()).then(|| draw(&table, style))
}

/// Returns the engine's and a peer's cases of the same question, if both results are right.
fn pairs(cases: &[Case]) -> impl Iterator<Item = (&Case, &Case)> {
    let right = || cases.iter().filter(|case| case.verify.status == Status::Ok);
    right().filter(|case| case.lib.name == ENGINE).flat_map(move |base| {
        let same = |peer: &&Case| peer.question.is_some() && peer.question == base.question;
        let peers = right().filter(|peer| peer.lib.name != ENGINE);
        peers.filter(move |peer| same(peer)).map(move |peer| (base, peer))
    })
}

fn row(base: &Case, peer: &Case) -> Option<[String; COLUMNS.len()]> {
    let [ours, theirs] = [Computation::of(base)?, Computation::of(peer)?];
    let factors = Factors::of(ours, theirs)?;
    let missing = || "-".to_owned();
    let number = |count: Option<f64>| count.map_or_else(missing, |count| format!("{count:.0}"));
    let factor = |factor: f64| format!("{factor:.2}");
    let [faster, fewer] = match factors.split {
        Some(Split { faster, fewer }) => [factor(faster), factor(fewer)],
        None => [missing(), missing()],
    };
    Some([
        base.op.clone(),
        base.id.split('/').nth(2).unwrap_or_default().to_owned(),
        base.lane.op_threads.to_string(),
        peer.lib.name.clone(),
        duration(ours.ns),
        duration(theirs.ns),
        factor(factors.total),
        number(ours.bootstraps),
        number(theirs.bootstraps),
        faster,
        fewer,
    ])
}

impl Computation {
    /// Returns the computation of a case; `None` for single operations.
    fn of(case: &Case) -> Option<Self> {
        let ns = case.application.as_ref()?.phases.compute_warm_ns;
        let bootstraps = case.verify.bootstraps.map(|counted| counted.count);
        Some(Self { ns, bootstraps: bootstraps.filter(|count| *count > 0.0) })
    }
}

impl Factors {
    /// Compares the engine's computation with a peer's; `None` without times.
    fn of(ours: Computation, theirs: Computation) -> Option<Self> {
        if ours.ns == 0 || theirs.ns == 0 {
            return None;
        }
        let total = theirs.ns as f64 / ours.ns as f64;
        let split = ours.bootstraps.zip(theirs.bootstraps).map(|(ours, theirs)| {
            let fewer = theirs / ours;
            Split { faster: total / fewer, fewer }
        });
        Some(Self { total, split })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(lib: &str, size: &str, ms: u64, bootstraps: u64) -> Case {
        let shape = serde_json::json!({ "elements": 16 });
        let phase = ms * 1_000_000;
        serde_json::from_value(serde_json::json!({
            "kind": "case", "id": format!("{lib}/tfhe/{size}/sort-plain?op_threads=2"),
            "question": format!("tfhe/{size}/sort-plain?op_threads=2"),
            "scheme": "tfhe", "op": "sort-plain", "scenario": "latency", "params": null,
            "lib": { "name": lib, "version": "1", "build": "", "isa_used": "" },
            "lane": { "pack": "scalar", "slots": 1, "threads": 1, "op_threads": 2, "inputs": "sk" },
            "semantics": { "kind": "exact_integers" }, "security": null,
            "verify": {
                "status": "ok", "expected": true, "checked": 16, "mismatches": 0,
                "noise_budget_bits": { "before": null, "after": null, "predicted_after": null },
                "bootstraps": { "count": bootstraps, "layers": 0 }, "p_fail_log2": null,
            },
            "time_ns": null, "bytes": {}, "derived": {}, "provenance": "measured",
            "application": {
                "task": { "workload": "sort", "variant": "plain", "size": size, "shape": shape },
                "method": "", "seeds": [1], "parameters": "",
                "phases": {
                    "keygen_ns": 1, "keys_ns": 1, "encrypt_ns": 1, "load_ns": 1,
                    "compute_cold_ns": phase, "compute_warm_ns": phase, "answer_ns": 1,
                    "decrypt_ns": 1,
                },
                "messages": { "keys": 1, "upload": 1, "download": 1 },
                "client_peak_bytes": 1, "server_peak_bytes": 1, "compute_cpu_ns": null,
            },
        }))
        .unwrap()
    }

    #[test]
    fn the_factors_multiply_to_the_ratio_of_times() {
        let ours = Computation { ns: 1_000, bootstraps: Some(10.0) };
        let theirs = Computation { ns: 6_000, bootstraps: Some(40.0) };
        let split = Some(Split { faster: 1.5, fewer: 4.0 });
        assert_eq!(Factors::of(ours, theirs).unwrap(), Factors { total: 6.0, split });
        let uncounted = Computation { bootstraps: None, ..ours };
        assert_eq!(Factors::of(uncounted, theirs).unwrap().split, None);
        assert_eq!(Factors::of(Computation { ns: 0, ..ours }, theirs), None);
    }

    #[test]
    fn only_the_same_task_is_compared() {
        let cases = [case("fathom", "small", 100, 50), case("peer", "small", 600, 200)];
        let text = factors(&cases, Style::Plain).unwrap();
        for said in ["100 ms", "600 ms", "6.00", "1.50", "4.00"] {
            assert!(text.contains(said), "{said} in\n{text}");
        }
        let other = [case("fathom", "small", 100, 50), case("peer", "tiny", 600, 200)];
        assert_eq!(factors(&other, Style::Plain), None);
        assert_eq!(factors(&cases[..1], Style::Plain), None);
    }
}

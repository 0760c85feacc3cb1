//! The JSON of document 004: its keys, with keys of our own beside them.

use fathom_cases::program::Outcome;
use fathom_cases::record::{Case, Context, assess};
use serde_json::{Map, Value, json};

use super::chain::REFRESHED;
use crate::options::{Config, Options};

/// The operations of the document: key, and the case that measures it.
const OPERATIONS: [(&str, &str); 8] = [
    ("encrypt_us", "encrypt_pk"),
    ("decrypt_us", "decrypt"),
    ("add_us", "add"),
    ("sub_us", "sub"),
    ("negate_us", "neg"),
    ("add_plain_us", "add_plain"),
    ("mul_plain_us", "mul_plain"),
    ("mul_us", "mul"),
];

/// Returns the operations that the document times, key generation among them.
pub(super) fn operations() -> impl Iterator<Item = &'static str> {
    std::iter::once("keygen").chain(OPERATIONS.iter().map(|(_, op)| *op))
}

/// The scale tests, in the document's order.
const SCALE_TESTS: [&str; 4] =
    ["deep_arithmetic", "statistical_pipeline", "neural_network", "polynomial_eval"];

/// The bytes that every document starts with, as `serde_json` prints it: its keys are sorted.
pub const DOCUMENT_START: &[u8] = b"{\n  \"depth_chain\"";

/// Returns the document for one configuration, from the cases and programs of a run. Figures that
/// the run lacks are null.
pub fn document(
    context: &Context,
    options: &Options,
    cases: &[Case],
    outcomes: &[Outcome],
) -> Value {
    let config = options.config.unwrap_or(Config::Secure128);
    let set = config.published();
    let median_us = |op: &str| {
        let id = format!("fathom/bfv/{set}/{op}");
        let time = cases.iter().find(|case| case.id == id).and_then(|case| case.time_ns.as_ref());
        time.map_or(Value::Null, |time| json!(time.median as f64 / 1e3))
    };
    let operations: Map<String, Value> =
        OPERATIONS.iter().map(|(key, op)| ((*key).to_owned(), median_us(op))).collect();
    let chain = details(outcomes, set, "depth_chain", Refreshes::None);
    let sized = config.sized();
    let mut document = json!({
        "metadata": metadata(context, config, options, outcomes),
        "keygen_us": median_us("keygen"),
        "operations": operations,
        "depth_chain": chain,
        "depth_chain_sized": details(outcomes, sized, "depth_chain", Refreshes::None),
        "depth_chain_refreshed": details(outcomes, set, "depth_chain", Refreshes::Real),
        "scale_tests": scale_tests(outcomes, set, Refreshes::None),
        "scale_tests_sized": scale_tests(outcomes, sized, Refreshes::None),
        "scale_tests_refreshed": scale_tests(outcomes, set, Refreshes::Real),
        "speedometer_summary": summary(&chain),
    });
    // A quick run has no refreshes: it states none, rather than nulls.
    if let Some(object) = document.as_object_mut() {
        object.retain(|key, value| !key.ends_with(REFRESHED_KEY) || has_any(value));
    }
    document
}

/// The end of the keys of chains with refreshes.
const REFRESHED_KEY: &str = "_refreshed";

/// Returns true if a chain, or one of several, ran.
fn has_any(value: &Value) -> bool {
    match value.as_object() {
        Some(parts) => parts.values().any(|part| part.as_object().is_none_or(|o| !o.is_empty())),
        None => !value.is_null(),
    }
}

/// The kind of a chain: without refreshes, or with real ones where its noise needs them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refreshes {
    None,
    Real,
}

/// Returns the outcome of a chain of any length on a set.
fn outcome<'a>(
    outcomes: &'a [Outcome],
    set: &str,
    op: &str,
    refreshes: Refreshes,
) -> Option<&'a Outcome> {
    outcomes.iter().find(|outcome| {
        let case = &outcome.case;
        let plain = case.op.strip_suffix(REFRESHED);
        let found = if plain.is_some() { Refreshes::Real } else { Refreshes::None };
        let name = plain.unwrap_or(&case.op);
        let own = name == op || name.starts_with(&format!("{op}_")) && !outcome.details.is_null();
        own && found == refreshes && case.id.split('/').nth(2) == Some(set)
    })
}

/// Returns the details of a chain with its outcome.
fn details(outcomes: &[Outcome], set: &str, op: &str, refreshes: Refreshes) -> Value {
    let Some(outcome) = outcome(outcomes, set, op, refreshes) else { return Value::Null };
    let mut details = outcome.details.clone();
    if let Some(object) = details.as_object_mut() {
        let verify = &outcome.case.verify;
        object.insert("status".into(), json!(verify.status.word()));
        object.insert("params".into(), json!(set));
        if let Some(reason) = &verify.reason {
            object.insert("reason".into(), json!(reason));
        }
    }
    details
}

fn scale_tests(outcomes: &[Outcome], set: &str, refreshes: Refreshes) -> Value {
    const KEYS: [&str; 14] = [
        "workload",
        "max_depth",
        "total_ops",
        "total_time_ms",
        "ops_per_sec",
        "refreshes",
        "final_noise_pct",
        "completed",
        "correct",
        "decrypted_result",
        "expected_result",
        "status",
        "params",
        "reason",
    ];
    let tests = SCALE_TESTS.iter().map(|op| {
        let details = details(outcomes, set, op, refreshes);
        let kept =
            KEYS.iter().filter_map(|key| Some(((*key).to_owned(), details.get(key)?.clone())));
        ((*op).to_owned(), Value::Object(kept.collect()))
    });
    Value::Object(tests.collect())
}

fn metadata(context: &Context, config: Config, options: &Options, outcomes: &[Outcome]) -> Value {
    let params = outcome(outcomes, config.published(), "depth_chain", Refreshes::None)
        .and_then(|outcome| outcome.case.params.as_ref());
    let security = params.and_then(assess);
    let set = fathom_drivers::engine::bfv_params(config.published()).ok();
    let primes = set.as_ref().map(|set| set.chain().to_vec()).unwrap_or_default();
    json!({
        "timestamp": context.started,
        "config": config.name(),
        "n": params.map(|params| params.n),
        "q": primes.first(),
        "t": params.map(|params| params.plain_modulus),
        // The error is the centred binomial distribution of 21 pairs of bits.
        "eta": 21,
        "security_bits": security.as_ref().and_then(|security| security.classical),
        "seed": context.seed,
        "max_depth": options.max_depth.unwrap_or(80),
        "nine65_version": format!("fathom {}", context.tool.version),
        "primes": primes,
        "log2_qp": params.map(|params| params.log_qp),
        "security_table": security.map(|security| security.source),
    })
}

/// Returns the document's aggregates of the depth chain.
fn summary(chain: &Value) -> Value {
    let entries = chain["entries"].as_array().map_or(&[][..], Vec::as_slice);
    let total: f64 = entries.iter().filter_map(|entry| entry["elapsed_us"].as_f64()).sum();
    let count = entries.len() as f64;
    let least = entries.iter().filter_map(|entry| entry["noise_budget_pct"].as_f64());
    let average = if count > 0.0 { total / count } else { 0.0 };
    json!({
        "avg_ops_per_sec": if average > 0.0 { 1e6 / average } else { 0.0 },
        "avg_latency_us": average,
        "max_depth_achieved": entries.len(),
        "depth_per_sec": if total > 0.0 { count / total * 1e6 } else { 0.0 },
        "noise_budget_min_pct": least.reduce(f64::min),
        "total_refreshes": chain["total_refreshes"],
    })
}

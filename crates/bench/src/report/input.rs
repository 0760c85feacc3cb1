//! Reads `results.jsonl`: only the fields that the page shows, all of them optional.
//!
//! The reader is tolerant on purpose. A report must open on a file written by an older or a newer
//! testbed, so unknown fields are ignored, `null` counts as absent, and unknown kinds are skipped.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::ReportError;
use crate::drivers::protocol::TorusInfo;
use crate::plan::question::Division;
use crate::record::{self, Refresh, Roofline, caution, exceeds_budget};

/// A context of which nothing is known: separates cases that lost theirs from the run before.
pub(crate) const UNKNOWN_CONTEXT: &str = "{\"kind\":\"context\",\"schema\":\"fathom.result/1\"}\n";

/// The schema that a context line must name; any minor version is accepted.
const SCHEMA: &str = "fathom.result/1";

/// One run: a context line and the cases that follow it.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) context: Context,
    pub(crate) cases: Vec<Case>,
}

/// Facts about the machine and the build, recorded when the run began.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Context {
    pub(crate) started: String,
    pub(crate) command: Command,
    pub(crate) tool: Tool,
    pub(crate) machine: Map<String, Value>,
    pub(crate) warnings: Vec<Warning>,
    /// Smallest relative difference above noise on this machine, from the A/A run.
    pub(crate) noise_floor_rel: Option<f64>,
}

/// The command line, written either as one string or as a list of arguments.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Command {
    Line(String),
    Arguments(Vec<String>),
}

impl Default for Command {
    fn default() -> Self {
        Self::Line(String::new())
    }
}

impl Command {
    /// Returns the command as one line; empty if the file does not say.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Line(line) => line.clone(),
            Self::Arguments(arguments) => arguments.join(" "),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Tool {
    pub(crate) version: String,
    pub(crate) git: String,
    pub(crate) profile: String,
    pub(crate) build: String,
    pub(crate) command: Command,
}

/// A property of the machine that makes the measurements less reliable, and the remedy.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Warning {
    pub(crate) code: String,
    pub(crate) text: String,
    pub(crate) fix: String,
}

/// One measured case. `line` is its place in the text, counted from 0.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Case {
    #[serde(skip)]
    pub(crate) line: usize,
    pub(crate) id: String,
    pub(crate) lib: Library,
    pub(crate) scheme: String,
    pub(crate) op: String,
    /// The question that all libraries were asked.
    pub(crate) question: String,
    /// Rule by which the library's parameters were chosen.
    pub(crate) division: Option<Division>,
    pub(crate) scenario: String,
    pub(crate) lane: Lane,
    pub(crate) semantics: Value,
    pub(crate) params: Map<String, Value>,
    pub(crate) security: Security,
    pub(crate) verify: Verify,
    pub(crate) time_ns: Time,
    pub(crate) bytes: Bytes,
    pub(crate) derived: Derived,
    pub(crate) provenance: Value,
    /// The figures of a whole program.
    pub(crate) application: Value,
    /// The record by which the case is judged; `None` for a line of another version, which is shown
    /// and never ranked.
    #[serde(skip)]
    pub(crate) record: Option<Box<record::Case>>,
}

impl Case {
    /// Reads the value of a line.
    pub(crate) fn read(value: Value) -> serde_json::Result<Self> {
        let record = serde_json::from_value(value.clone()).ok();
        Ok(Self { record, ..serde_json::from_value(without_nulls(value))? })
    }

    /// Returns the caution about the parameters; see [`caution`].
    pub(crate) fn caution(&self) -> Option<String> {
        let torus = self.params.get("torus");
        let torus = torus.and_then(|torus| TorusInfo::deserialize(torus).ok());
        let failure = self.params.get("p_fail_log2").and_then(Value::as_f64);
        caution(torus.as_ref(), failure)
    }

    /// Returns true if a peer computed past its noise budget and returned wrong values without an
    /// error. Peers that do not know their noise cannot do better.
    pub(crate) fn is_past_budget(&self) -> bool {
        let wrong = self.verify.status == Status::Wrong;
        wrong && exceeds_budget(&self.op, &self.question, &self.id)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Library {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) build: String,
    pub(crate) isa_used: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Lane {
    pub(crate) pack: String,
    /// Key that encrypted the inputs, `pk` or `sk`.
    pub(crate) inputs: String,
    /// Number of values in a ciphertext.
    pub(crate) slots: Option<u64>,
    pub(crate) threads: Option<u64>,
    pub(crate) op_threads: Option<u64>,
}

/// Number of bootstraps of one call.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Bootstraps {
    pub(crate) count: Option<f64>,
    /// Number of sequential batches of bootstraps.
    pub(crate) layers: Option<f64>,
}

/// Noise variance of the results, measured and as the library's model predicts it, relative to the
/// modulus.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NoiseVariance {
    pub(crate) n: Option<u64>,
    pub(crate) measured_log2: Option<f64>,
    pub(crate) model_log2: Option<f64>,
}

/// Security in bits, with its source.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Security {
    pub(crate) classical: Option<f64>,
    pub(crate) quantum: Option<f64>,
    pub(crate) model: String,
    pub(crate) source: String,
    pub(crate) badge: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Verify {
    pub(crate) status: Status,
    pub(crate) checked: Option<u64>,
    pub(crate) mismatches: Option<u64>,
    pub(crate) bootstraps: Bootstraps,
    pub(crate) noise_variance: NoiseVariance,
    pub(crate) noise_budget_bits: Budget,
    /// A number, or `{predicted, observed}`.
    pub(crate) p_fail_log2: Value,
    pub(crate) reason: String,
    /// Number of products that succeeded before the library refused the next.
    pub(crate) depth_reached: Option<u64>,
}

/// Outcome of decrypting the result and comparing it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Ok,
    Wrong,
    NoiseExhausted,
    Unsupported,
    /// The driver crashed, hung or broke the protocol.
    Failed,
    /// The file has no verdict, or an unknown one; never ranked.
    #[default]
    #[serde(other)]
    Unverified,
}

impl Status {
    /// Every status, best first.
    pub(crate) const ALL: [Self; 6] = [
        Self::Ok,
        Self::Wrong,
        Self::Failed,
        Self::NoiseExhausted,
        Self::Unsupported,
        Self::Unverified,
    ];

    /// Returns the word used on the page and as a CSS class.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Wrong => "wrong",
            Self::NoiseExhausted => "noise_exhausted",
            Self::Unsupported => "unsupported",
            Self::Failed => "failed",
            Self::Unverified => "unverified",
        }
    }
}

/// Noise budget in bits before and after the operation.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Budget {
    pub(crate) before: Option<f64>,
    pub(crate) after: Option<f64>,
    pub(crate) predicted_after: Option<f64>,
}

/// Robust statistics of the samples, in nanoseconds.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Time {
    pub(crate) n: u64,
    pub(crate) median: Option<f64>,
    pub(crate) ci95: Option<[f64; 2]>,
    pub(crate) samples: Vec<f64>,
    /// Number of samples in each round; empty in older files.
    pub(crate) rounds: Vec<usize>,
    pub(crate) mad: Option<f64>,
    pub(crate) min: Option<f64>,
    pub(crate) flags: Vec<String>,
}

/// Figures the testbed computed from the measured ones.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Derived {
    /// Median in nanoseconds, divided by the values of a call.
    pub(crate) ns_per_slot: Option<f64>,
    /// Operations per second over all threads.
    pub(crate) ops_per_s: Option<f64>,
    /// Work of a kernel beside the limits of its machine.
    pub(crate) roofline: Option<Roofline>,
    /// The levels and the precision that a bootstrapping of CKKS leaves.
    pub(crate) refresh: Option<Refresh>,
}

/// Measured sizes in bytes; `ct_theory` is computed from the parameters.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Bytes {
    pub(crate) ct_in: Option<f64>,
    pub(crate) ct_out: Option<f64>,
    pub(crate) ct_seeded: Option<f64>,
    pub(crate) ct_memory: Option<f64>,
    pub(crate) ct_theory: Option<f64>,
    pub(crate) ct_theory_out: Option<f64>,
    pub(crate) pk: Option<f64>,
    pub(crate) relin: Option<f64>,
    pub(crate) galois: Option<f64>,
    pub(crate) bootstrapping: Option<f64>,
    pub(crate) peak_rss: Option<f64>,
}

/// A line of a result file.
pub(crate) enum Line {
    Context(Box<Context>),
    Case(Box<Case>),
    /// A line of a kind that the page does not show.
    Other,
}

/// Reads the lines of one or more result files.
///
/// # Errors
/// [`ReportError::Json`] for a line that is not the JSON of a context or a case,
/// [`ReportError::Schema`] for another schema, [`ReportError::NoCases`] if nothing was measured.
pub(crate) fn read(jsonl: &str) -> Result<Vec<Run>, ReportError> {
    let mut runs: Vec<Run> = Vec::new();
    for (line, text) in jsonl.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        match read_line(line, text)? {
            Line::Context(context) => runs.push(Run { context: *context, cases: Vec::new() }),
            Line::Case(case) => {
                if runs.is_empty() {
                    runs.push(Run::default());
                }
                if let Some(run) = runs.last_mut() {
                    run.cases.push(*case);
                }
            }
            Line::Other => {}
        }
    }
    if runs.iter().all(|run| run.cases.is_empty()) {
        return Err(ReportError::NoCases);
    }
    Ok(runs)
}

/// Reads the text of one line, of which `line` counts from 0.
///
/// # Errors
/// [`ReportError::Json`] and [`ReportError::Schema`], as in [`read`].
pub(crate) fn read_line(line: usize, text: &str) -> Result<Line, ReportError> {
    let json = |source| ReportError::Json { line: line + 1, source };
    let value: Value = serde_json::from_str(text).map_err(json)?;
    match value.get("kind").and_then(Value::as_str) {
        Some("context") => {
            check_schema(&value, line)?;
            Ok(Line::Context(serde_json::from_value(without_nulls(value)).map_err(json)?))
        }
        Some("case") => {
            let mut case = Box::new(Case::read(value).map_err(json)?);
            case.line = line;
            Ok(Line::Case(case))
        }
        _ => Ok(Line::Other),
    }
}

fn check_schema(context: &Value, line: usize) -> Result<(), ReportError> {
    let found = context.get("schema").and_then(Value::as_str).unwrap_or_default();
    let rest = found.strip_prefix(SCHEMA);
    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
        return Ok(());
    }
    Err(ReportError::Schema { line: line + 1, found: found.to_owned() })
}

/// Removes every `null` field, so that `null` and absent are the same.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, without_nulls(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

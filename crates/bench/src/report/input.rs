//! Reads `results.jsonl` line by line.
//!
//! The reader is tolerant on purpose. A report must open on a file written by an older or a newer
//! testbed, so unknown fields are ignored, `null` counts as absent, and unknown kinds are skipped.

use fathom_cases::record::{SCHEMA, Shown};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::ReportError;

/// A context of which nothing is known: separates cases that lost theirs from the run before.
pub(crate) const UNKNOWN_CONTEXT: &str = "{\"kind\":\"context\",\"schema\":\"fathom.result/1\"}\n";

/// One run: a context line and the cases that follow it.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) context: Context,
    pub(crate) cases: Vec<Placed>,
}

/// A case with its place in the text, counted from 0.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) line: usize,
    pub(crate) shown: Shown,
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

/// A line of a result file.
pub(crate) enum Line {
    Context(Box<Context>),
    Case(Box<Placed>),
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

/// Reads the text of one line, of which `line` counts from 0. A context may name any minor version
/// of the schema.
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
            let shown = Shown::read(value).map_err(json)?;
            Ok(Line::Case(Box::new(Placed { line, shown })))
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

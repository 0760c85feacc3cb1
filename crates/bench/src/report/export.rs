//! Results in the formats of other tools.

use serde_json::{Map, Value, json};

use fathom_cases::record::{Case, Context, Status};

use super::all_csv::{AllCsv, CSV_HEADER};
#[cfg(feature = "parquet")]
use super::parquet;

/// A format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// Bencher Metric Format: `{benchmark: {measure: {value, lower_value, upper_value}}}`
    Bmf,
    /// JSON of Google Benchmark, for its compare.py
    Gbench,
    /// JSON of hyperfine
    Hyperfine,
    /// The rows of all.csv
    Csv,
    /// A Markdown table
    Md,
    /// A table of Apache Parquet, also of the cases that are not verified (if built with it)
    Parquet,
}

/// Returns the results in a format of another tool. Most formats have no place for a refusal or a
/// wrong result, so that cases which are not verified are left out; Parquet has a column for it.
///
/// # Errors
/// [`NoParquet`] for Parquet if the crate was built without its feature `parquet`.
pub fn export(
    context: Option<&Context>,
    cases: &[Case],
    format: ExportFormat,
) -> Result<Vec<u8>, NoParquet> {
    let verified: Vec<&Case> =
        cases.iter().filter(|case| case.verify.status == Status::Ok).collect();
    let text = match format {
        ExportFormat::Bmf => pretty(&bmf(&verified)),
        ExportFormat::Gbench => pretty(&google_benchmark(context, &verified)),
        ExportFormat::Hyperfine => pretty(&hyperfine(&verified)),
        ExportFormat::Csv => {
            let mut csv = AllCsv::default();
            let rows = verified.iter().flat_map(|case| csv.rows(case)).map(|row| row + "\n");
            format!("{CSV_HEADER}\n{}", rows.collect::<String>())
        }
        ExportFormat::Md => markdown(&verified),
        #[cfg(feature = "parquet")]
        ExportFormat::Parquet => {
            return Ok(parquet::file(context, &cases.iter().collect::<Vec<_>>()));
        }
        #[cfg(not(feature = "parquet"))]
        ExportFormat::Parquet => return Err(NoParquet),
    };
    Ok(text.into_bytes())
}

/// This build of the testbed cannot write Parquet, whose library takes a minute to compile.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error(
    "this build writes no Parquet: run it with `cargo run --release --features parquet -- export`"
)]
pub struct NoParquet;

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn bmf(cases: &[&Case]) -> Value {
    let mut benchmarks = Map::new();
    for case in cases {
        let mut measures = Map::new();
        if let Some(time) = &case.time_ns {
            let mut latency = json!({ "value": time.median });
            if let Some([low, high]) = time.ci95 {
                latency["lower_value"] = low.into();
                latency["upper_value"] = high.into();
            }
            measures.insert("latency".into(), latency);
        }
        if let Some(bytes) = case.bytes.ct_out.or(case.bytes.ct_in) {
            measures.insert("file-size".into(), json!({ "value": bytes }));
        }
        if !measures.is_empty() {
            benchmarks.insert(case.id.clone(), Value::Object(measures));
        }
    }
    Value::Object(benchmarks)
}

fn google_benchmark(context: Option<&Context>, cases: &[&Case]) -> Value {
    let mut benchmarks = Vec::new();
    for case in cases {
        let Some(time) = &case.time_ns else { continue };
        for (repetition, sample) in time.samples.iter().enumerate() {
            benchmarks.push(json!({
                "name": case.id, "run_name": case.id, "run_type": "iteration",
                "repetitions": time.samples.len(), "repetition_index": repetition,
                "threads": case.lane.threads, "iterations": time.iterations,
                "real_time": sample, "cpu_time": time.cpu.unwrap_or(*sample), "time_unit": "ns",
            }));
        }
    }
    let context = context.map(|context| {
        json!({
            "date": context.started, "executable": context.command,
            "library_version": context.tool.version,
            "library_build_type": context.tool.profile,
        })
    });
    json!({ "context": context, "benchmarks": benchmarks })
}

fn hyperfine(cases: &[&Case]) -> Value {
    let seconds = |ns: u64| ns as f64 / 1e9;
    let result = |case: &&Case| {
        let time = case.time_ns.as_ref()?;
        let times: Vec<f64> = time.samples.iter().map(|ns| seconds(*ns)).collect();
        let most = times.iter().copied().fold(0.0, f64::max);
        Some(json!({
            "command": case.id, "mean": seconds(time.mean), "stddev": seconds(time.stddev),
            "median": seconds(time.median), "min": seconds(time.min), "max": most,
            "times": times,
        }))
    };
    json!({ "results": cases.iter().filter_map(result).collect::<Vec<_>>() })
}

fn markdown(cases: &[&Case]) -> String {
    let owned: Vec<Case> = cases.iter().map(|case| (*case).clone()).collect();
    super::terminal::table::cases(&owned, super::terminal::table::Style::Markdown) + "\n"
}

//! Results of other tools, as rows of `all.csv`.
//!
//! The mode of every imported row is or begins with `imported`, so that nothing mistakes it for a
//! measurement of this testbed. The scheme is the name of the tool, or that of the row if the tool
//! has rows of this kind itself.

use fathom_cases::stats::mean_and_deviation;
use fathom_documents::{ClaimsError, Row};
use serde_json::Value;

use super::all_csv::CSV_HEADER;

/// A format that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ImportFormat {
    /// JSON of Google Benchmark
    Gbench,
    /// JSON of hyperfine
    Hyperfine,
    /// Output of Criterion as printed, or messages of `cargo criterion --message-format=json`
    Criterion,
    /// `results-N.json` of the FHE benchmarking suite of HomomorphicEncryption.org
    FheBenchmarking,
    /// `all.csv` of the program of document 000, also within its printed output
    AllCsv,
}

/// Text that cannot be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Text that is not JSON; lines count from 1.
    #[error("line {line} is not JSON: {source}")]
    Json {
        /// Number of the line.
        line: usize,
        /// Error of the parser.
        source: serde_json::Error,
    },
    /// A table with a row that is not one.
    #[error("in the table: {0}")]
    Table(ClaimsError),
    /// Text without a result of the stated format.
    #[error("no result of the format {format:?} in it; is it another format?")]
    NoResults {
        /// The format that was expected.
        format: ImportFormat,
    },
}

/// One imported time in milliseconds.
#[derive(Clone, Debug, PartialEq)]
struct Imported {
    op: String,
    mean: f64,
    /// `None` if the tool does not state it.
    deviation: Option<f64>,
    n: Option<usize>,
}

/// Returns the rows of `all.csv` for the results of another tool.
///
/// # Errors
/// [`ImportError::Json`] and [`ImportError::Table`] name the line; [`ImportError::NoResults`] if
/// nothing is recognised.
pub fn import(text: &str, format: ImportFormat) -> Result<String, ImportError> {
    let (tool, rows) = match format {
        ImportFormat::Gbench => ("google_benchmark", google_benchmark(&json(text)?)),
        ImportFormat::Hyperfine => ("hyperfine", hyperfine(&json(text)?)),
        ImportFormat::Criterion if text.trim_start().starts_with('{') => {
            ("criterion", criterion(text)?)
        }
        ImportFormat::Criterion => ("criterion", printed(text)),
        ImportFormat::FheBenchmarking => ("fhe_benchmarking", fhe_benchmarking(&json(text)?)),
        ImportFormat::AllCsv => return all_csv(text),
    };
    let usable = rows.into_iter().filter(|row| row.mean.is_finite() && row.mean > 0.0);
    let lines: Vec<String> = usable
        .map(|Imported { op, mean, deviation, n }| {
            let op = op.replace([',', '\n', '"'], " ");
            let deviation = deviation.map_or_else(String::new, |deviation| deviation.to_string());
            let n = n.map_or_else(String::new, |n| n.to_string());
            format!("{tool},imported,{op},{mean},{deviation},ms,{n}")
        })
        .collect();
    if lines.is_empty() {
        return Err(ImportError::NoResults { format });
    }
    Ok(format!("{CSV_HEADER}\n{}\n", lines.join("\n")))
}

/// Reads the rows that follow the first header in the text, in their own units.
fn all_csv(text: &str) -> Result<String, ImportError> {
    let lines = text.lines().map(str::trim).skip_while(|line| *line != CSV_HEADER);
    let fields = CSV_HEADER.split(',').count();
    let table: Vec<&str> = lines.take_while(|line| line.split(',').count() == fields).collect();
    let rows = match table.len() {
        0 | 1 => Vec::new(),
        _ => fathom_documents::read(&table.join("\n")).map_err(ImportError::Table)?,
    };
    if rows.is_empty() {
        return Err(ImportError::NoResults { format: ImportFormat::AllCsv });
    }
    let line = |row: &Row| {
        let known = |value: Option<String>| value.unwrap_or_default();
        let deviation = known(row.deviation.map(|deviation| deviation.to_string()));
        let n = known(row.n.map(|n| n.to_string()));
        let Row { scheme, mode, op, mean, unit, .. } = row;
        format!("{scheme},imported/{mode},{op},{mean},{deviation},{},{n}\n", unit.name())
    };
    Ok(format!("{CSV_HEADER}\n{}", rows.iter().map(line).collect::<String>()))
}

fn json(text: &str) -> Result<Value, ImportError> {
    serde_json::from_str(text).map_err(|source| ImportError::Json { line: source.line(), source })
}

/// Returns the milliseconds of a unit of time.
fn unit(name: &str) -> Option<f64> {
    Some(match name {
        "ns" => 1e-6,
        "us" | "µs" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        _ => return None,
    })
}

/// Computes mean and sample deviation of times in milliseconds.
fn of_samples(op: String, samples: &[f64]) -> Imported {
    let (mean, deviation) = mean_and_deviation(samples);
    Imported { op, mean, deviation: Some(deviation), n: Some(samples.len()) }
}

fn google_benchmark(document: &Value) -> Vec<Imported> {
    let runs = document["benchmarks"].as_array().into_iter().flatten();
    let mut series: Vec<(String, Vec<f64>)> = Vec::new();
    for run in runs.filter(|run| run["run_type"] != "aggregate") {
        let name = run["run_name"].as_str().or_else(|| run["name"].as_str());
        let scale = run["time_unit"].as_str().map_or(Some(1e-6), unit);
        let (Some(name), Some(time), Some(scale)) = (name, run["real_time"].as_f64(), scale) else {
            continue;
        };
        match series.iter_mut().find(|(known, _)| known == name) {
            Some((_, samples)) => samples.push(time * scale),
            None => series.push((name.to_owned(), vec![time * scale])),
        }
    }
    series.into_iter().map(|(op, samples)| of_samples(op, &samples)).collect()
}

fn hyperfine(document: &Value) -> Vec<Imported> {
    let results = document["results"].as_array().into_iter().flatten();
    let row = |result: &Value| {
        let op = result["command"].as_str()?.to_owned();
        let times = result["times"].as_array().into_iter().flatten();
        let times: Vec<f64> =
            times.filter_map(Value::as_f64).map(|seconds| seconds * 1e3).collect();
        if !times.is_empty() {
            return Some(of_samples(op, &times));
        }
        let ms = |field: &str| result[field].as_f64().map(|seconds| seconds * 1e3);
        Some(Imported { op, mean: ms("mean")?, deviation: ms("stddev"), n: None })
    };
    results.filter_map(row).collect()
}

/// Reads one message a line; other messages than `benchmark-complete` are skipped.
fn criterion(text: &str) -> Result<Vec<Imported>, ImportError> {
    let mut rows = Vec::new();
    for (line, message) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let message: Value = serde_json::from_str(message)
            .map_err(|source| ImportError::Json { line: line + 1, source })?;
        let scale = message["unit"].as_str().and_then(unit);
        let (Some(op), Some(scale)) = (message["id"].as_str(), scale) else { continue };
        let numbers = |field: &str| -> Vec<f64> {
            message[field].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
        };
        let (counts, values) = (numbers("iteration_count"), numbers("measured_values"));
        let each = counts.iter().zip(&values).filter(|(count, _)| **count > 0.0);
        let samples: Vec<f64> = each.map(|(count, value)| value / count * scale).collect();
        if message["reason"] == "benchmark-complete" && !samples.is_empty() {
            rows.push(of_samples(op.to_owned(), &samples));
        }
    }
    Ok(rows)
}

/// Reads `time: [lower estimate upper]`, after the name of the benchmark or under it. The bounds
/// are those of the mean and say nothing of the deviation; the number of samples is in the progress
/// that precedes a result, if that was kept.
fn printed(text: &str) -> Vec<Imported> {
    let (mut rows, mut name, mut n) = (Vec::new(), String::new(), None);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(progress) = line.strip_prefix("Benchmarking ") {
            let count = progress
                .split_once(": Collecting ")
                .and_then(|(_, rest)| rest.split(' ').next().and_then(|count| count.parse().ok()));
            n = count.or(n);
        } else if let Some((before, figures)) = line.split_once("time:") {
            let own = before.trim();
            let op = if own.is_empty() { &name } else { own };
            let figures = figures.trim().strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let words: Vec<&str> = figures.map_or("", |(inside, _)| inside).split(' ').collect();
            if let [_, _, estimate, scale, _, _] = words[..]
                && let (Ok(estimate), Some(scale)) = (estimate.parse::<f64>(), unit(scale))
                && !op.is_empty()
            {
                let (op, mean) = (op.to_owned(), estimate * scale);
                rows.push(Imported { op, mean, deviation: None, n: n.take() });
            }
            name.clear();
        } else if !line.contains(['[', ':']) || line.contains('/') {
            line.clone_into(&mut name);
        }
    }
    rows
}

/// Reads the stages of one submission: a number of seconds, or text such as `1.4031s`. The suite
/// runs each stage once.
fn fhe_benchmarking(document: &Value) -> Vec<Imported> {
    let mut rows = Vec::new();
    let mut objects = vec![(String::new(), document)];
    while let Some((prefix, object)) = objects.pop() {
        for (name, value) in object.as_object().into_iter().flatten() {
            let op = format!("{prefix}{name}");
            let text = value.as_str().and_then(|text| text.trim().strip_suffix('s'));
            let seconds = match text {
                Some(number) => number.parse::<f64>().ok(),
                None => value.as_f64().filter(|_| op.to_lowercase().contains("tim")),
            };
            if let Some(seconds) = seconds {
                rows.push(Imported { op, mean: seconds * 1e3, deviation: Some(0.0), n: Some(1) });
            } else if value.is_object() {
                objects.push((format!("{op}/"), value));
            }
        }
    }
    rows.sort_by(|one, other| one.op.cmp(&other.op));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, format: ImportFormat) -> Vec<String> {
        import(text, format).unwrap().lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn each_tool_gives_times_in_milliseconds_marked_as_imported() {
        let google = r#"{"benchmarks":[
            {"name":"BM_mul/0","run_name":"BM_mul","real_time":2000,"time_unit":"us"},
            {"name":"BM_mul/1","run_name":"BM_mul","real_time":4,"time_unit":"ms"},
            {"name":"BM_mul_mean","run_name":"BM_mul","run_type":"aggregate","real_time":9}]}"#;
        let expected = format!("google_benchmark,imported,BM_mul,3,{},ms,2", 2.0_f64.sqrt());
        assert_eq!(rows(google, ImportFormat::Gbench), [expected]);
        let fine = r#"{"results":[{"command":"a, b","times":[0.5,0.5]}]}"#;
        assert_eq!(rows(fine, ImportFormat::Hyperfine), ["hyperfine,imported,a  b,500,0,ms,2"]);
        let criterion = "{\"reason\":\"group-complete\"}\n{\"reason\":\"benchmark-complete\",\
            \"id\":\"mul\",\"unit\":\"ns\",\"iteration_count\":[1,2],\
            \"measured_values\":[1000000,2000000]}\n";
        assert_eq!(rows(criterion, ImportFormat::Criterion), ["criterion,imported,mul,1,0,ms,2"]);
        let suite = r#"{"Timing":{"compute":"1.4s","keys":2},"Size":{"keys":"125.0M"}}"#;
        let found = rows(suite, ImportFormat::FheBenchmarking);
        assert_eq!(found[0], "fhe_benchmarking,imported,Timing/compute,1400,0,ms,1");
        assert_eq!(found.len(), 2, "a size is not a time: {found:?}");
    }

    #[test]
    fn what_criterion_prints_is_read_with_its_estimate() {
        // The first as document 004 quotes it; the others as Criterion prints short names, names
        // with progress before them, and a second run.
        let output = "k_elimination_ct/extract_k/small\ntime: [12.34 ns 12.56 ns 12.78 ns]\n\n\
            mul                     time:   [1.0000 ms 1.5000 ms 1.6000 ms]\n\
            change: [-2.1234% -0.5678% +1.0123%] (p = 0.10 > 0.05)\n\
            No change in performance detected.\n\
            Found 3 outliers among 50 measurements (6.00%)\n  2 (4.00%) high mild\n\
            Benchmarking bfv/mul, relin: Warming up for 3.0000 s\n\
            Benchmarking bfv/mul, relin: Collecting 50 samples in estimated 5.0 s (1275 times)\n\
            Benchmarking bfv/mul, relin: Analyzing\nbfv/mul, relin\n\
            \x20                       time:   [3.9 us 4.0 us 4.1 us]\n\
            \x20                       thrpt:  [1 Melem/s 2 Melem/s 3 Melem/s]\n";
        let expected = [
            "criterion,imported,k_elimination_ct/extract_k/small,0.00001256,,ms,",
            "criterion,imported,mul,1.5,,ms,",
            "criterion,imported,bfv/mul  relin,0.004,,ms,50",
        ];
        let found = rows(output, ImportFormat::Criterion);
        assert_eq!(found.len(), 3, "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
            let (found, expected) = (fields(found), fields(expected));
            let mean = |fields: &[String]| fields[3].parse::<f64>().unwrap();
            assert!((mean(&found) / mean(&expected) - 1.0).abs() < 1e-12, "{found:?}");
            assert_eq!([&found[..3], &found[4..]], [&expected[..3], &expected[4..]]);
        }
        for nothing in ["mul", "time: [1 ns 2 ns 3 ns]", "mul time: [a b c]", "mul time: [1 2 3]"] {
            assert!(import(nothing, ImportFormat::Criterion).is_err(), "{nothing}");
        }
    }

    #[test]
    fn the_table_of_document_000_is_found_in_its_printed_output() {
        let output = "done. saved to results/all.csv\n# cat results/all.csv\n\
            scheme,mode,op,mean,stddev,unit,n\n\
            bfv,scalar,mul,18.2788,4.11367,ms,50\n\
            ckks,simd,mul_per_slot_us,8.66441,0,us,1\n\
            pvac,scalar,ct_size_bytes,452480,0,bytes,1\n\
            and, six, commas, without, any, figure, x\n";
        let found = import(output, ImportFormat::AllCsv);
        assert!(matches!(found, Err(ImportError::Table(_))), "a row without numbers is refused");
        let output = output.split("and, six").next().unwrap();
        let expected = [
            "bfv,imported/scalar,mul,18.2788,4.11367,ms,50",
            "ckks,imported/simd,mul_per_slot_us,8.66441,0,us,1",
            "pvac,imported/scalar,ct_size_bytes,452480,0,bytes,1",
        ];
        assert_eq!(rows(output, ImportFormat::AllCsv), expected);
        let published = include_str!("../../tests/data/published-table.csv");
        assert_eq!(rows(published, ImportFormat::AllCsv).len(), published.lines().count() - 1);
        let broken = output.replace("18.2788", "nan");
        let error = import(&broken, ImportFormat::AllCsv).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("nan"), "{error}");
        assert!(import("a,b\n1,2\n", ImportFormat::AllCsv).is_err());
    }

    #[test]
    fn what_is_not_a_result_is_refused() {
        let broken = import("{", ImportFormat::Gbench);
        assert!(matches!(broken, Err(ImportError::Json { .. })));
        let second = import("{}\n{", ImportFormat::Criterion);
        assert!(matches!(second, Err(ImportError::Json { line: 2, .. })));
        for format in [ImportFormat::Gbench, ImportFormat::Hyperfine, ImportFormat::FheBenchmarking]
        {
            assert!(matches!(import("{}", format), Err(ImportError::NoResults { .. })));
        }
        let infinite = r#"{"results":[{"command":"a","mean":-1}]}"#;
        assert!(import(infinite, ImportFormat::Hyperfine).is_err());
    }

    #[test]
    fn what_is_exported_can_be_imported() {
        use crate::report::export::{ExportFormat, export};
        let text = crate::report::tests::sample::engine_run();
        let (context, cases) = fathom_cases::record::read(&text).unwrap();
        let timed = cases.iter().filter(|c| c.time_ns.is_some() && c.verify.status.word() == "ok");
        let timed = timed.count();
        for (out, back) in [
            (ExportFormat::Gbench, ImportFormat::Gbench),
            (ExportFormat::Hyperfine, ImportFormat::Hyperfine),
        ] {
            let exported =
                String::from_utf8(export(context.as_ref(), &cases, out).unwrap()).unwrap();
            let rows = fathom_documents::read(&import(&exported, back).unwrap()).unwrap();
            assert_eq!(rows.len(), timed, "{back:?}");
        }
    }
}

//! Whole programs as text: one block for each, and a table of all.

use std::fmt::Write;

use fathom_cases::record::{Accuracy, Application, Case, Predicted, Status, deviation};

use super::table::{Style, draw, duration};
use crate::report::format;
use crate::report::table::Table;

/// Columns of the table of programs.
const COLUMNS: [&str; 11] = [
    "program",
    "size",
    "library",
    "scheme",
    "threads#",
    "compute#",
    "predicted#",
    "bootstraps#",
    "upload#",
    "memory#",
    "result",
];

/// Returns the table of all whole programs among the cases; `None` if there are none.
pub fn programs(cases: &[Case], style: Style) -> Option<String> {
    let programs: Vec<_> = cases.iter().filter(|case| is_program(case)).collect();
    if programs.is_empty() {
        return None;
    }
    let mut table = Table::new("", &COLUMNS);
    for case in programs {
        table.push_texts(row(case));
    }
    let table = draw(&table, style);
    let accuracy = Accuracy::of(cases).sentence();
    Some(accuracy.map_or_else(|| table.clone(), |sentence| format!("{table}\n\n{sentence}")))
}

/// Returns true for a whole program, also for one that was refused.
fn is_program(case: &Case) -> bool {
    case.application.is_some() || fathom_drivers::ops::Op::parse(&case.op).is_none()
}

fn row(case: &Case) -> Vec<String> {
    let missing = || "-".to_owned();
    let application = case.application.as_ref();
    let of = |figure: fn(&Application) -> String| application.map_or_else(missing, figure);
    let size = case.id.split('/').nth(2).unwrap_or_default().to_owned();
    let bootstraps = case.verify.bootstraps;
    let result = match case.verify.status {
        Status::Ok => format!("verified, {} values", case.verify.checked),
        status @ (Status::Wrong
        | Status::NoiseExhausted
        | Status::Unsupported
        | Status::Failed
        | Status::Unverified) => {
            let reason = case.verify.reason.as_deref().unwrap_or_default();
            format!("{}: {reason}", status.word())
        }
    };
    vec![
        case.op.clone(),
        size,
        case.lib.name.clone(),
        case.scheme.clone(),
        case.lane.op_threads.to_string(),
        of(|application| duration(application.phases.compute_warm_ns)),
        of(predicted),
        bootstraps.map_or_else(missing, |counted| format!("{:.0}", counted.count)),
        of(|application| format::bytes(application.messages.upload as f64)),
        of(|application| format::bytes(application.server_peak_bytes as f64)),
        result,
    ]
}

/// Returns the predicted time with its deviation from the measured one.
fn predicted(application: &Application) -> String {
    let Some(predicted) = application.predicted else { return "-".into() };
    beside(duration(predicted.compute_ns), application.deviation())
}

/// Returns the predicted figures with their deviations from the measured ones.
fn predictions(application: &Application, predicted: &Predicted) -> String {
    let (phases, messages) = (application.phases, application.messages);
    let time = |name: &str, predicted: u64, measured: u64| {
        format!("{name} {}", beside(duration(predicted), deviation(predicted, measured)))
    };
    let size = |name: &str, predicted: u64, measured: u64| {
        let text = format::bytes(predicted as f64);
        format!("{name} {}", beside(text, deviation(predicted, measured)))
    };
    [
        time("compute", predicted.compute_ns, phases.compute_warm_ns),
        time("keys", predicted.keygen_ns + predicted.keys_ns, phases.keygen_ns + phases.keys_ns),
        size("upload", predicted.upload_bytes, messages.upload),
        size("download", predicted.download_bytes, messages.download),
        size("memory", predicted.server_peak_bytes, application.server_peak_bytes),
    ]
    .join(", ")
}

fn beside(predicted: String, deviation: Option<f64>) -> String {
    match deviation {
        Some(deviation) => format!("{predicted} ({:+.0} %)", deviation * 100.0),
        None => predicted,
    }
}

/// Returns everything that was measured of one program; the verdict alone if it was refused.
pub fn block(case: &Case) -> String {
    let verify = &case.verify;
    let mut text = format!("{}: ", case.id);
    let Some(application) = &case.application else {
        let reason = verify.reason.as_deref().unwrap_or_default();
        return format!("{text}{}: {reason}", verify.status.word());
    };
    let seeds = application.seeds.len();
    // Writing to a string cannot fail.
    let _ = match &verify.reason {
        Some(reason) if verify.status != Status::Ok => write!(text, "WRONG: {reason}"),
        _ => write!(text, "verified, {} values over {seeds} seeds", verify.checked),
    };
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {name:<11}{value}");
    };
    let shape = application.task.shape.iter();
    let shape: Vec<_> = shape.map(|(name, number)| format!("{name} = {number}")).collect();
    line("task", shape.join(", "));
    line("method", application.method.clone());
    let security = case.security.as_ref().and_then(|security| security.classical);
    let failure = verify
        .p_fail_log2
        .map(|failure| format!(", a bootstrap fails with probability 2^{:.0}", failure.predicted));
    line(
        "parameters",
        format!(
            "{}, {:.0} bits of security{}",
            application.parameters,
            security.unwrap_or_default(),
            failure.unwrap_or_default()
        ),
    );
    phases(application, case, &mut line);
    text
}

fn phases(application: &Application, case: &Case, line: &mut impl FnMut(&str, String)) {
    let (phases, messages) = (application.phases, application.messages);
    let bytes = |bytes: u64| format::bytes(bytes as f64);
    line(
        "keys",
        format!(
            "{} to generate, {} to expand, {}",
            duration(phases.keygen_ns),
            duration(phases.keys_ns),
            bytes(messages.keys)
        ),
    );
    line(
        "upload",
        format!(
            "{} to encrypt, {} to read, {}",
            duration(phases.encrypt_ns),
            duration(phases.load_ns),
            bytes(messages.upload)
        ),
    );
    let cpu = application.compute_cpu_ns;
    let cpu = cpu.map_or_else(String::new, |cpu| format!(", {} of processor time", duration(cpu)));
    let bootstraps = case.verify.bootstraps.map(|counted| match counted.layers {
        layers if layers > 0.0 => {
            format!(", {:.0} bootstraps in {layers:.0} layers", counted.count)
        }
        _ => format!(", {:.0} bootstraps", counted.count),
    });
    line(
        "compute",
        format!(
            "{} cold, {} warm (n = {}) on {} threads{cpu}{}",
            duration(phases.compute_cold_ns),
            duration(phases.compute_warm_ns),
            case.time_ns.as_ref().map_or(0, |time| time.n),
            case.lane.op_threads,
            bootstraps.unwrap_or_default()
        ),
    );
    if let Some(predicted) = &application.predicted {
        line("predicted", predictions(application, predicted));
    }
    line(
        "download",
        format!(
            "{} to write, {} to decrypt, {}",
            duration(phases.answer_ns),
            duration(phases.decrypt_ns),
            bytes(messages.download)
        ),
    );
    line(
        "memory",
        format!(
            "client {}, server {} at most",
            bytes(application.client_peak_bytes),
            bytes(application.server_peak_bytes)
        ),
    );
}

//! A plan as text: the choice with its costs, and a table of all candidates.

use std::fmt::Write;

use super::table::{Style, draw};
use crate::report::table::Table;
use fathom_planner::Prediction;

use crate::planner::{Candidate, Plan, Share, Verdict, nearest};
use crate::report::format::{bytes, long_time, significant, time};

/// Columns of the table of candidates.
const COLUMNS: [&str; 8] =
    ["scheme", "keys#", "request#", "compute#", "memory#", "sent#", "received#", "verdict"];

/// Returns a plan for people.
pub fn plan(plan: &Plan, style: Style) -> String {
    let mut text = format!("{}: predicted for {}", plan.task.id(), threads(plan.threads));
    text += ", not measured";
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {name:<14}{value}");
    };
    let shape = plan.task.shape.iter().map(|(name, number)| format!("{name} = {number}"));
    line("task", shape.collect::<Vec<_>>().join(", "));
    match plan.choice() {
        None => line("choice", format!("none: {}", plan.reason)),
        Some((candidate, prediction, shares)) => {
            line("choice", format!("{}: {}", candidate.scheme, candidate.method));
            line("why", plan.reason.clone());
            costs(prediction, &mut line);
            line("breaks first", breaks_first(shares));
        }
    }
    format!("{text}\n\n{}", candidates(plan, style))
}

fn costs(prediction: &Prediction, line: &mut impl FnMut(&str, String)) {
    let sizes = [prediction.key_bytes, prediction.upload_bytes, prediction.download_bytes];
    let [keys, upload, download] = sizes.map(|size| bytes(size as f64));
    let (keygen, expand) = (time(prediction.keygen_ns), time(prediction.keys_ns));
    line("keys", format!("{keygen} to generate, {expand} to expand, {keys}; once"));
    let (encrypt, load) = (time(prediction.encrypt_ns), time(prediction.load_ns));
    line("upload", format!("{encrypt} to encrypt, {load} to read, {upload}"));
    let bootstraps = prediction
        .bootstraps
        .map(|(bootstraps, layers)| format!(", {bootstraps} bootstraps in {layers} layers"));
    let simulated = (prediction.repeats > 1)
        .then(|| format!(", counted in one of {} repetitions", prediction.repeats));
    let notes = [bootstraps, simulated].map(Option::unwrap_or_default).concat();
    line("compute", long_time(prediction.compute_ns) + &notes);
    let (answer, decrypt) = (time(prediction.answer_ns), time(prediction.decrypt_ns));
    line("download", format!("{answer} to write, {decrypt} to decrypt, {download}"));
    line("memory", format!("server {} at most", bytes(prediction.server_peak_bytes as f64)));
    line("machine", machine(prediction.slowdown));
    let failure =
        prediction.failure_log2.map(|log2| format!(", wrong with probability 2^{log2:.0}"));
    line(
        "parameters",
        format!(
            "{}, {:.1} bits of security{}",
            prediction.parameters,
            prediction.security_bits,
            failure.unwrap_or_default()
        ),
    );
}

/// Says how fast the machine is now, which the times of a prediction contain.
fn machine(slowdown: f64) -> String {
    let percent = 100.0 * (slowdown - 1.0);
    let than = "than when its unit costs were measured; the times above contain it";
    match percent.round() as i64 {
        0 => "as fast as when its unit costs were measured".into(),
        slower @ 1.. => format!("takes {slower} % longer {than}"),
        shorter => format!("takes {} % less time {than}", -shorter),
    }
}

/// Names the limit that a growing task reaches first.
fn breaks_first(shares: &[Share]) -> String {
    let Some((share, growth)) = nearest(shares).and_then(|share| Some((share, share.growth?)))
    else {
        return "nothing: no limit is known".into();
    };
    let times = if growth < 1e6 { significant(growth) } else { "over a million".into() };
    format!("{} ({}), with {times} times the work", share.limit.name(), share.text)
}

fn candidates(plan: &Plan, style: Style) -> String {
    let mut table = Table::new("", &COLUMNS);
    for (place, candidate) in plan.candidates.iter().enumerate() {
        table.push_texts(row(candidate, plan.chosen == Some(place)));
    }
    draw(&table, style)
}

fn row(candidate: &Candidate, chosen: bool) -> Vec<String> {
    let scheme = candidate.scheme.to_owned();
    let prediction = match &candidate.verdict {
        Verdict::Refused { reason } => {
            let missing = (1..COLUMNS.len() - 1).map(|_| "-".to_owned());
            return [scheme].into_iter().chain(missing).chain([reason.clone()]).collect();
        }
        Verdict::Predicted { prediction, .. } => prediction,
    };
    let exceeded: Vec<_> = candidate
        .exceeded()
        .map(|share| format!("{} ({})", share.limit.name(), share.text))
        .collect();
    let verdict = match (chosen, exceeded.is_empty()) {
        (true, _) => "chosen".into(),
        (false, true) => "slower".into(),
        (false, false) => format!("excluded by {}", exceeded.join(", ")),
    };
    vec![
        scheme,
        time(prediction.setup_ns()),
        long_time(prediction.request_ns()),
        long_time(prediction.compute_ns),
        bytes(prediction.server_peak_bytes as f64),
        bytes(prediction.sent_bytes() as f64),
        bytes(prediction.download_bytes as f64),
        verdict,
    ]
}

fn threads(count: usize) -> String {
    if count == 1 { "1 thread".into() } else { format!("{count} threads") }
}

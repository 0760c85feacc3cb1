//! Bootstraps, noise and failures of torus cases, as a table and as CSV.

use fathom_cases::record::Case;

use crate::report::table::Table;
use crate::report::terminal::table::{Style, draw};

/// Columns of the table.
const COLUMNS: [&str; 8] = [
    "case",
    "bootstraps#",
    "layers#",
    "noise variance#",
    "predicted variance#",
    "noise samples#",
    "p_fail at most#",
    "failures#",
];

/// Header of `verified.csv`.
pub const CSV_HEADER: &str = "case,question,division,caution,security_bits,status,median_ns,\
    ci95_low_ns,ci95_high_ns,n,bootstraps,layers,noises,noise_variance_log2,model_variance_log2,\
    p_fail_log2,failures,checked";

/// Returns the table of torus cases, in the order in which they ran; `None` if there are none.
pub fn torus(cases: &[Case], style: Style) -> Option<String> {
    let is_torus =
        |case: &&Case| case.params.as_ref().is_some_and(|found| found.kind().bootstraps());
    let mut table = Table::new("", &COLUMNS);
    for case in cases.iter().filter(is_torus) {
        table.push_texts(row(case));
    }
    (!table.rows.is_empty()).then(|| draw(&table, style))
}

fn row(case: &Case) -> [String; 8] {
    let verify = &case.verify;
    let said = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let power = |log2: f64| format!("2^{log2:.2}");
    let noise = verify.noise_variance;
    let mark = case.caution().map_or_else(String::new, |caution| format!(" ({caution})"));
    [
        case.id.clone() + &mark,
        said(verify.bootstraps.map(|found| format!("{}", found.count))),
        said(verify.bootstraps.map(|found| format!("{}", found.layers))),
        said(noise.map(|noise| power(noise.measured_log2))),
        said(noise.map(|noise| power(noise.model_log2))),
        said(noise.map(|noise| noise.n.to_string())),
        said(verify.p_fail_log2.map(|found| format!("2^{:.0}", found.predicted))),
        format!("{} of {}", verify.mismatches, verify.checked),
    ]
}

/// Returns the row of a case in `verified.csv`; unknown values are left empty.
pub fn csv_row(case: &Case) -> String {
    let verify = &case.verify;
    let time = case.time_ns.as_ref();
    let [low, high] = [0, 1].map(|end| known(time.and_then(|time| time.ci95).map(|ci| ci[end])));
    let noise = verify.noise_variance;
    let security = case.security.as_ref();
    let fields = [
        case.id.clone(),
        case.question.clone().unwrap_or_default(),
        case.division.map_or("", fathom_cases::question::Division::word).into(),
        case.caution().unwrap_or_default(),
        known(security.and_then(|security| security.classical)),
        verify.status.word().into(),
        known(time.map(|time| time.median)),
        low,
        high,
        known(time.map(|time| time.n)),
        known(verify.bootstraps.map(|found| found.count)),
        known(verify.bootstraps.map(|found| found.layers)),
        known(noise.map(|noise| noise.n)),
        known(noise.map(|noise| noise.measured_log2)),
        known(noise.map(|noise| noise.model_log2)),
        known(verify.p_fail_log2.map(|found| found.predicted)),
        verify.mismatches.to_string(),
        verify.checked.to_string(),
    ];
    fields.join(",")
}

fn known<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

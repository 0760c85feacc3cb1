//! This module prints a table of what bootstrappings leave.

use fathom_cases::record::{Case, Refresh, Status};

use crate::report::format;
use crate::report::table::Table;
use crate::report::terminal::table::{Style, draw, duration};

/// Columns of the table.
const COLUMNS: [&str; 11] = [
    "case",
    "median#",
    "slots#",
    "levels left#",
    "usable bits#",
    "worst slot, uniform#",
    "worst slot, ones#",
    "bound#",
    "security of keys#",
    "keys, memory#",
    "usable bits x slots / s#",
];

/// Returns the table of verified bootstrappings, in the order in which they ran; `None` if there
/// are none.
pub fn refreshes(cases: &[Case], style: Style) -> Option<String> {
    let mut table = Table::new("", &COLUMNS);
    for case in cases.iter().filter(|case| case.verify.status == Status::Ok) {
        if let Some(refresh) = &case.derived.refresh {
            table.push_texts(row(case, refresh));
        }
    }
    (!table.rows.is_empty()).then(|| draw(&table, style))
}

fn row(case: &Case, refresh: &Refresh) -> [String; 11] {
    let power = |log2: f64| format!("2^{log2:.1}");
    let security: Vec<String> = refresh.keys.iter().map(ToString::to_string).collect();
    let size = |bytes: Option<u64>| {
        bytes.map_or_else(|| "-".to_owned(), |bytes| format::bytes(bytes as f64))
    };
    [
        case.id.clone(),
        case.time_ns.as_ref().map_or_else(|| "-".into(), |time| duration(time.median)),
        case.lane.slots.to_string(),
        format!("{}", refresh.levels),
        format!("{}", refresh.usable_bits),
        power(refresh.uniform_error_log2),
        power(refresh.ones_error_log2),
        refresh.error_bound_log2.map_or_else(|| "-".into(), power),
        security.join(", "),
        format!("{}, {}", size(case.bytes.bootstrapping), size(case.bytes.peak_rss)),
        format!("{:.2} million", refresh.usable_bits_per_s / 1e6),
    ]
}

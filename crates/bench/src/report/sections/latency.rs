//! Latency: a dot at the median and a whisker over its 95 % interval, one row per operation.

use serde_json::{Value, json};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::table::{Cell, Table};

/// Height of one colour's band in a row, in pixels.
const BAND_PX: u32 = 15;

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let shown: Vec<(usize, &Entry)> =
        catalog.entries.iter().enumerate().filter(|(_, entry)| belongs(entry)).collect();
    if shown.is_empty() {
        return None;
    }
    let threads = distinct(shown.iter().map(|(_, entry)| entry.threads())).len() > 1;
    let label = |entry: &Entry| row_label(catalog, entry, threads);
    let figure = Figure {
        id: "chart-latency".into(),
        title: "Time of one operation".into(),
        legend: chart::legend(catalog, shown.iter().map(|(_, entry)| *entry)),
        spec: spec(catalog, &shown, label),
        table: table(&shown),
    };
    Some(Section {
        id: "latency",
        title: "Latency",
        lead: "Dots are medians and whiskers their 95 % intervals; the scale is logarithmic, so \
               equal distances are equal ratios. Many whiskers are shorter than their dot. Hollow \
               dots are not ranked: single shots, derived numbers, security below 128 bits, or \
               results that failed verification."
            .into(),
        figures: vec![figure],
        ..Section::default()
    })
}

/// Returns true for timed operations that have no chart of their own.
fn belongs(entry: &Entry) -> bool {
    let family = ["depth", "dot"].iter().any(|stem| {
        let number = entry.case.op.strip_prefix(stem).unwrap_or_default();
        !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
    });
    entry.median().is_some() && entry.case.scenario != "batch" && !family
}

fn row_label(catalog: &Catalog, entry: &Entry, threads: bool) -> String {
    let mut label = entry.case.op.clone();
    if catalog.several_libraries() {
        label = format!("{label} · {}", entry.case.scheme);
    }
    if entry.case.scenario == "cold" {
        label += " (cold)";
    }
    if threads && entry.threads() > 1 {
        label = format!("{label} ×{} threads", entry.threads());
    }
    label
}

fn spec(catalog: &Catalog, shown: &[(usize, &Entry)], label: impl Fn(&Entry) -> String) -> Value {
    let order = distinct(shown.iter().map(|(_, entry)| label(entry)));
    let rows = shown.iter().map(|(case, entry)| {
        let mut row = chart::row(*case, entry);
        row.insert("row".into(), label(entry).into());
        row
    });
    let scale = chart::log_scale(10);
    let place = |field: &str| {
        json!({
            "y": chart::items("row", &order),
            "yOffset": { "field": "series", "type": "nominal" },
            "x": chart::time(field, &scale),
        })
    };
    let mut whiskers = place("low");
    whiskers["x2"] = json!({ "field": "high" });
    let layers =
        json!([chart::whiskers(catalog, whiskers), chart::dots(catalog, place("time"), &[])]);
    chart::spec(&rows.collect::<Vec<_>>(), &json!({ "step": BAND_PX }), &layers)
}

fn table(shown: &[(usize, &Entry)]) -> Table {
    let columns =
        ["operation", "library", "scheme", "parameters", "lane", "median#", "95 % interval#", "n#"];
    let mut table = Table::new("Latency", &columns);
    for (case, entry) in shown {
        let cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&entry.lib),
            Cell::text(&entry.case.scheme),
            Cell::text(&entry.params),
            Cell::text(entry.lane()),
            Cell::time(entry.median()),
            Cell::interval(entry),
            Cell::count(Some(entry.case.time_ns.n)),
        ];
        table.push(*case, entry, cells);
    }
    table
}

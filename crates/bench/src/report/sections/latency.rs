//! Latency: a dot at the median and a whisker over its 95 % interval, one row per
//! operation, one chart per question.

use serde_json::{Value, json};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::questions::{self, Question};
use crate::report::table::{Cell, Table};

/// Height of one colour's band in a row, in pixels.
const BAND_PX: u32 = 12;

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let figures: Vec<Figure> =
        questions::all(catalog).iter().filter_map(|question| figure(catalog, question)).collect();
    if figures.is_empty() {
        return None;
    }
    Some(Section {
        id: "latency",
        title: "Latency",
        open: true,
        lead: "The question chosen above. Dots are medians and whiskers their 95 % intervals; the \
               scale is logarithmic, so equal distances are equal ratios. Many whiskers are \
               shorter than their dot. Hollow dots are not ranked: single shots, derived numbers, \
               security below 128 bits, results that failed verification, or the engine through \
               another language."
            .into(),
        figures,
        ..Section::default()
    })
}

fn figure(catalog: &Catalog, question: &Question) -> Option<Figure> {
    let cases = question.rows.iter().flat_map(|row| row.cases.iter().map(move |case| (row, *case)));
    let shown: Vec<Shown<'_>> = cases
        .map(|(row, case)| Shown { case, label: &row.label, entry: &catalog.entries[case] })
        .filter(|shown| shown.entry.median().is_some())
        .collect();
    if shown.is_empty() {
        return None;
    }
    Some(Figure {
        id: format!("chart-latency-{}", question.id),
        title: format!("Time of one operation: {}", question.title()),
        question: question.id.clone(),
        legend: chart::legend(catalog, shown.iter().map(|shown| shown.entry)),
        spec: spec(catalog, &shown),
        table: table(&shown),
    })
}

/// A timed case, with the label of its row.
struct Shown<'a> {
    case: usize,
    label: &'a str,
    entry: &'a Entry,
}

fn spec(catalog: &Catalog, shown: &[Shown<'_>]) -> Value {
    let order = distinct(shown.iter().map(|shown| shown.label));
    let rows = shown.iter().map(|shown| {
        let mut row = chart::row(shown.case, shown.entry);
        row.insert("row".into(), shown.label.into());
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

fn table(shown: &[Shown<'_>]) -> Table {
    let columns = ["operation", "library", "parameters", "lane", "median#", "95 % interval#", "n#"];
    let mut table = Table::new("Latency", &columns);
    for Shown { case, entry, .. } in shown {
        let cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&entry.lib),
            Cell::text(&entry.params),
            Cell::text(entry.lane()),
            Cell::time(entry.median()),
            Cell::interval(entry),
            Cell::count(Some(entry.samples())),
        ];
        table.push(*case, entry, cells);
    }
    table
}

//! Noise: the budget that each operation leaves, and whether the tracked bound held.

use fathom_cases::record::Status;
use serde_json::{Map, Value, json};

use super::bootstraps;
use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::format;
use crate::report::table::{Cell, Table};

const BAND_PX: u32 = 15;
const HEIGHT_PX: u32 = 340;

/// Tolerance when measured budget and bound are compared: both are rounded in the file.
const ROUNDING_BITS: f64 = 0.05;

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let known: Vec<(usize, &Entry)> = catalog
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.case.verify.noise_budget_bits.after.is_some())
        .collect();
    let spending: Vec<(usize, &Entry)> =
        known.iter().filter(|(_, entry)| spends(entry)).copied().collect();
    let rates = failure_rates(catalog);
    if known.is_empty() && rates.rows.is_empty() {
        return None;
    }
    let mut figures = Vec::new();
    if !spending.is_empty() {
        figures.push(left(catalog, &spending));
    }
    figures.extend(tracked(catalog, &known));
    Some(Section {
        id: "noise",
        title: "Noise",
        lead: "The noise budget is the number of bits left before decryption may fail. It is \
               measured with the secret key outside the timer. The tracked budget is the \
               guarantee that the ciphertext carries, computed without a key; it is a lower \
               bound, so every point must lie on or above the diagonal."
            .into(),
        figures,
        warnings: broken_bounds(&known),
        table: (!rates.rows.is_empty()).then_some(rates),
        ..Section::default()
    })
}

/// Returns true for operations that consume budget; products by depth have their own chart.
fn spends(entry: &Entry) -> bool {
    let budget = &entry.case.verify.noise_budget_bits;
    let spent = budget.before.zip(budget.after).map(|(before, after)| before - after);
    spent.is_none_or(|bits| bits > ROUNDING_BITS)
        && !entry.case.op.starts_with("depth")
        && entry.case.verify.status != Status::NoiseExhausted
}

/// Returns the row of a case; its dot is hollow if decryption did not confirm the result.
fn noise_row(case: usize, entry: &Entry) -> Map<String, Value> {
    let mut row = chart::row(case, entry);
    row.insert("hollow".into(), entry.is_unproven().into());
    row
}

fn left(catalog: &Catalog, known: &[(usize, &Entry)]) -> Figure {
    let order = distinct(known.iter().map(|(_, entry)| entry.case.op.as_str()));
    let columns =
        ["operation", "library", "scheme", "parameters", "before (bits)#", "left (bits)#"];
    let mut table = Table::new("Noise budget left", &columns);
    let mut rows = Vec::new();
    for (case, entry) in known {
        let budget = &entry.case.verify.noise_budget_bits;
        let mut row = noise_row(*case, entry);
        row.insert("op".into(), entry.case.op.clone().into());
        row.insert("after".into(), json!(budget.after));
        row.insert("low".into(), json!(budget.before));
        row.insert("before".into(), json!(budget.before.map(format::bits)));
        rows.push(row);
        let mut cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&entry.lib),
            Cell::text(&entry.case.scheme),
            Cell::text(&entry.params),
        ];
        cells.extend([budget.before, budget.after].map(Cell::bits));
        table.push(*case, entry, cells);
    }
    let place = |field: &str| {
        json!({
            "y": chart::items("op", &order),
            "yOffset": { "field": "series", "type": "nominal" },
            "x": chart::from_zero(field, "bits"),
        })
    };
    let mut spent = place("after");
    spent["x2"] = json!({ "field": "low" });
    let layers = json!([
        chart::rule("x", 0.0, &json!({ "color": "var(--bad)", "strokeWidth": 1.5 })),
        chart::whiskers(catalog, spent),
        chart::dots(catalog, place("after"), &[("op", "operation"), ("before", "bits before")]),
    ]);
    let mut legend = chart::marks(catalog, known.iter().map(|(_, entry)| *entry));
    legend.push(chart::line_key("spent by the operation", "solid"));
    legend.push(chart::line_key("decryption fails", "limit"));
    let spec = chart::spec(&rows, &json!({ "step": BAND_PX }), &layers);
    Figure {
        id: "chart-noise-left".into(),
        question: String::new(),
        title: "Noise budget left after each operation".into(),
        legend,
        spec,
        table,
    }
}

fn tracked(catalog: &Catalog, known: &[(usize, &Entry)]) -> Option<Figure> {
    let columns = [
        "operation",
        "scheme",
        "parameters",
        "tracked (bits)#",
        "measured (bits)#",
        "slack (bits)#",
    ];
    let mut table = Table::new("Tracked and measured noise", &columns);
    let mut rows = Vec::new();
    let mut shown = Vec::new();
    for (case, entry) in known {
        let Some((bound, measured)) = bound_and_measured(entry) else { continue };
        let mut row = noise_row(*case, entry);
        row.insert("bound".into(), json!(bound));
        row.insert("measured".into(), json!(measured));
        row.insert("slack".into(), format!("{} bits", format::bits(measured - bound)).into());
        rows.push(row);
        shown.push(*entry);
        let mut cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&entry.case.scheme),
            Cell::text(&entry.params),
        ];
        cells.extend([bound, measured, measured - bound].map(|bits| Cell::bits(Some(bits))));
        table.push(*case, entry, cells);
    }
    if rows.is_empty() {
        return None;
    }
    let points = json!({
        "x": chart::from_zero("bound", "tracked budget left, bits"),
        "y": chart::from_zero("measured", "measured budget left, bits"),
    });
    let mut diagonal = points.clone();
    diagonal["y"]["field"] = "bound".into();
    let stroke = json!({ "color": "var(--muted)", "strokeDash": [4, 3], "strokeWidth": 1.3 });
    let mut line = json!({ "mark": stroke, "encoding": diagonal });
    line["mark"]["type"] = "line".into();
    let layers = json!([line, chart::dots(catalog, points, &[("slack", "measured − tracked")]),]);
    let mut legend = chart::marks(catalog, shown);
    legend.push(chart::line_key("tracked = measured", "dashed"));
    Some(Figure {
        id: "chart-noise-tracked".into(),
        question: String::new(),
        title: "Tracked against measured".into(),
        legend,
        spec: chart::spec(&rows, &HEIGHT_PX.into(), &layers),
        table,
    })
}

fn bound_and_measured(entry: &Entry) -> Option<(f64, f64)> {
    let budget = &entry.case.verify.noise_budget_bits;
    budget.predicted_after.zip(budget.after)
}

fn broken_bounds(known: &[(usize, &Entry)]) -> Vec<String> {
    let broken = |entry: &&Entry| {
        bound_and_measured(entry).is_some_and(|(bound, measured)| measured + ROUNDING_BITS < bound)
    };
    let words = |entry: &Entry| {
        format!("The tracked bound is broken by {}: this is a bug in the library.", entry.case.id)
    };
    known.iter().map(|(_, entry)| *entry).filter(broken).map(words).collect()
}

/// Returns the table of failure probabilities of the schemes that have them.
fn failure_rates(catalog: &Catalog) -> Table {
    let columns =
        ["operation", "scheme", "parameters", "predicted log2 p#", "failures#", "checked#"];
    let mut table = Table::new("Decryption failure", &columns);
    for (case, entry) in catalog.entries.iter().enumerate() {
        // Failure probabilities of torus schemes appear in the section on bootstraps.
        let Some(rate) = entry.case.verify.p_fail_log2.filter(|_| !bootstraps::is_torus(entry))
        else {
            continue;
        };
        let cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&entry.case.scheme),
            Cell::text(&entry.params),
            Cell::bits(Some(rate.predicted)),
            Cell::count(Some(rate.observed.fail)),
            Cell::count(Some(rate.observed.n)),
        ];
        table.push(case, entry, cells);
    }
    table
}

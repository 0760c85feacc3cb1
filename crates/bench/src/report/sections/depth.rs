//! Depth: the cost of each product of a chain in time, in noise budget and in bytes.

use fathom_cases::record::Status;
use serde_json::{Map, Value, json};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::table::{Cell, Table};

const HEIGHT_PX: u32 = 250;

/// Horizontal distance of the outermost series of one level.
const DODGE_LEVELS: f64 = 0.12;

type Level<'a> = (u64, usize, &'a Entry);

/// An operation that is timed at every depth.
struct Timed {
    name: &'static str,
    title: &'static str,
    caption: &'static str,
}

const PRODUCT: Timed =
    Timed { name: "time", title: "Time of the k-th product", caption: "Time by depth" };

const DECRYPTION: Timed = Timed {
    name: "decrypt",
    title: "Decryption after k products",
    caption: "Decryption time by depth",
};

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let products = levels(catalog, "depth");
    let figures: Vec<Figure> = [
        time(catalog, &products, &PRODUCT),
        noise(catalog, &products),
        sizes(catalog, &products),
        time(catalog, &levels(catalog, "decrypt_depth"), &DECRYPTION),
    ]
    .into_iter()
    .flatten()
    .collect();
    if figures.is_empty() {
        return None;
    }
    Some(Section {
        id: "depth",
        title: "Depth",
        lead: "A chain of products, each relinearised: the time of the k-th product alone, the \
               noise budget after it, and the size and decryption time of its result. A library \
               must refuse a product for which no noise budget is left; no point is drawn beyond."
            .into(),
        figures,
        notes: refusals(catalog),
        ..Section::default()
    })
}

/// Returns the cases whose operation is `stem` and a depth, sorted by depth.
fn levels<'a>(catalog: &'a Catalog, stem: &'a str) -> Vec<Level<'a>> {
    let mut levels: Vec<Level> = catalog
        .numbered(stem)
        .filter(|(.., entry)| entry.case.verify.status != Status::NoiseExhausted)
        .collect();
    levels.sort_by_key(|(depth, ..)| *depth);
    levels
}

fn time(catalog: &Catalog, levels: &[Level], what: &Timed) -> Option<Figure> {
    let timed: Vec<&Level> = levels.iter().filter(|(.., e)| e.median().is_some()).collect();
    let scale = chart::fitting_scale(timed.iter().filter_map(|(.., e)| e.median()), 10);
    let mut rows: Vec<_> =
        timed.iter().map(|(depth, case, e)| level_row(catalog, *depth, *case, e)).collect();
    chart::join_lines(&mut rows);
    let place = |field: &str| json!({ "x": depth_axis(levels), "y": chart::time(field, &scale) });
    let mut whiskers = place("low");
    whiskers["y2"] = json!({ "field": "high" });
    let layers = json!([
        line(catalog, place("time"), &[]),
        chart::whiskers(catalog, whiskers),
        chart::dots(catalog, place("time"), &[]),
    ]);
    let mut table = Table::new(
        what.caption,
        &["scheme", "parameters", "depth#", "median#", "95 % interval#", "n#"],
    );
    for (depth, case, entry) in &timed {
        let mut cells = labels(*depth, entry);
        cells.extend([
            Cell::time(entry.median()),
            Cell::interval(entry),
            Cell::count(Some(entry.samples())),
        ]);
        table.push(*case, entry, cells);
    }
    let legend = chart::legend(catalog, timed.iter().map(|(.., entry)| *entry));
    figure(what.name, what.title, legend, &rows, &layers, table)
}

fn noise(catalog: &Catalog, levels: &[Level]) -> Option<Figure> {
    let known: Vec<&Level> = levels
        .iter()
        .filter(|(.., entry)| entry.case.verify.noise_budget_bits.after.is_some())
        .collect();
    let columns =
        ["scheme", "parameters", "depth#", "before (bits)#", "left (bits)#", "predicted (bits)#"];
    let mut table = Table::new("Noise budget by depth", &columns);
    let mut rows = Vec::new();
    for (depth, case, entry) in &known {
        let budget = &entry.case.verify.noise_budget_bits;
        let mut row = level_row(catalog, *depth, *case, entry);
        row.insert("hollow".into(), entry.is_unproven().into());
        for (name, bits) in [
            ("before", budget.before),
            ("after", budget.after),
            ("predicted", budget.predicted_after),
        ] {
            row.extend(bits.map(|bits| (name.to_owned(), json!(bits))));
        }
        rows.push(row);
        let mut cells = labels(*depth, entry);
        cells.extend([budget.before, budget.after, budget.predicted_after].map(Cell::bits));
        table.push(*case, entry, cells);
    }
    chart::join_lines(&mut rows);
    let bits =
        |field: &str| json!({ "x": depth_axis(levels), "y": chart::from_zero(field, "bits") });
    let layers = json!([
        chart::rule("y", 0.0, &json!({ "color": "var(--bad)", "strokeWidth": 1.5 })),
        line(catalog, bits("predicted"), &[4, 3]),
        line(catalog, bits("before"), &[1, 3]),
        line(catalog, bits("after"), &[]),
        chart::dots(catalog, bits("after"), &[]),
    ]);
    let mut legend = chart::marks(catalog, known.iter().map(|(.., entry)| *entry));
    legend.extend([
        chart::line_key("measured", "solid"),
        chart::line_key("predicted bound", "dashed"),
        chart::line_key("before", "dotted"),
        chart::line_key("decryption fails", "limit"),
    ]);
    figure("noise", "Noise budget after the k-th product", legend, &rows, &layers, table)
}

fn sizes(catalog: &Catalog, levels: &[Level]) -> Option<Figure> {
    let known: Vec<&Level> =
        levels.iter().filter(|(.., entry)| entry.case.bytes.ct_out.is_some()).collect();
    let scale = chart::fitting_scale(
        known.iter().filter_map(|(.., e)| e.case.bytes.ct_out.map(|bytes| bytes as f64)),
        2,
    );
    let columns = ["scheme", "parameters", "depth#", "size#", "theory#"];
    let mut table = Table::new("Ciphertext size by depth", &columns);
    let mut rows = Vec::new();
    for (depth, case, entry) in &known {
        let mut row = level_row(catalog, *depth, *case, entry);
        row.insert("hollow".into(), entry.is_unproven().into());
        row.insert("bytes".into(), json!(entry.case.bytes.ct_out.map(|bytes| bytes as f64)));
        rows.push(row);
        let mut cells = labels(*depth, entry);
        let bytes = &entry.case.bytes;
        cells.extend([bytes.ct_out, bytes.ct_theory_out].map(Cell::size));
        table.push(*case, entry, cells);
    }
    chart::join_lines(&mut rows);
    let place = || json!({ "x": depth_axis(levels), "y": chart::size("bytes", &scale) });
    let layers = json!([line(catalog, place(), &[]), chart::dots(catalog, place(), &[])]);
    let legend = chart::marks(catalog, known.iter().map(|(.., entry)| *entry));
    figure("size", "Size of the k-th product", legend, &rows, &layers, table)
}

fn figure(
    name: &str,
    title: &str,
    legend: Vec<chart::Key>,
    rows: &[Map<String, Value>],
    layers: &Value,
    table: Table,
) -> Option<Figure> {
    if rows.is_empty() {
        return None;
    }
    let spec = chart::spec(rows, &HEIGHT_PX.into(), layers);
    let id = format!("chart-depth-{name}");
    Some(Figure { id, title: title.into(), question: String::new(), legend, spec, table })
}

/// Returns the row of a level; series with equal values are drawn slightly apart.
fn level_row(catalog: &Catalog, depth: u64, case: usize, entry: &Entry) -> Map<String, Value> {
    let mut row = chart::row(case, entry);
    let place = depth as f64 + DODGE_LEVELS * catalog.dodge(&entry.series);
    row.insert("depth".into(), place.into());
    row
}

fn depth_axis(levels: &[Level]) -> Value {
    let depths = distinct(levels.iter().map(|(depth, ..)| *depth));
    let ends = [depths.iter().min(), depths.iter().max()].map(|end| end.copied().unwrap_or(1));
    let axis = json!({
        "title": "product k of the chain", "values": depths, "format": "d", "grid": false,
    });
    let domain = [ends[0] as f64 - 0.35, ends[1] as f64 + 0.35];
    let scale = json!({ "domain": domain, "zero": false, "nice": false });
    json!({ "field": "depth", "type": "quantitative", "axis": axis, "scale": scale })
}

fn line(catalog: &Catalog, mut encoding: Value, dash: &[u32]) -> Value {
    encoding["color"] = chart::color(catalog);
    encoding["detail"] = json!({ "field": "line" });
    json!({
        "mark": { "type": "line", "strokeWidth": 1.5, "strokeDash": dash, "opacity": 0.8 },
        "encoding": encoding,
    })
}

fn labels(depth: u64, entry: &Entry) -> Vec<Cell> {
    vec![
        Cell::text(if entry.series == entry.case.scheme {
            entry.case.scheme.clone()
        } else {
            format!("{} · {}", entry.series, entry.case.scheme)
        }),
        Cell::text(&entry.params),
        Cell::count(Some(depth)),
    ]
}

/// Returns a sentence on the chains that were refused, if there are any.
fn refusals(catalog: &Catalog) -> Vec<String> {
    let refused = catalog.entries.iter().filter(|e| e.case.verify.status == Status::NoiseExhausted);
    let names: Vec<String> = refused.map(|entry| refusal(catalog, entry)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "Correctly refused with an error when the noise budget was exhausted: {}.",
        names.join("; ")
    )]
}

fn refusal(catalog: &Catalog, entry: &Entry) -> String {
    let name = format!("{} {}", catalog.full_name(entry), entry.case.op);
    match entry.case.verify.depth_reached {
        Some(1) => format!("{name} after 1 correct product"),
        Some(products) => format!("{name} after {products} correct products"),
        None => name,
    }
}

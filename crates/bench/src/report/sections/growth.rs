//! Growth: the time of a dot product by its length, and of an operation by plaintext modulus.

use serde_json::{Map, Value, json};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::table::{Cell, Table};

const HEIGHT_PX: u32 = 270;

/// Horizontal distance of the outermost series of one modulus.
const DODGE_BITS: f64 = 0.3;

/// A value on the x axis, the number of a case, and its entry.
type Point<'a> = (f64, usize, &'a Entry);

/// The parameters of a chart of this file.
struct Plot<'a> {
    id: &'static str,
    title: String,
    points: &'a [Point<'a>],
    x: Value,
    table: Table,
}

pub(super) fn dot_products(catalog: &Catalog) -> Option<Section> {
    let (packed, separate): (Vec<Point>, Vec<Point>) = catalog
        .numbered("dot")
        .filter(|(.., entry)| entry.median().is_some())
        .map(|(length, case, entry)| (length as f64, case, entry))
        .partition(|(.., entry)| entry.case.op.ends_with("_packed"));
    let figures: Vec<Figure> = [
        ("chart-dot", "Separate ciphertexts", separate),
        ("chart-dot-packed", "Packed in the slots of one ciphertext", packed),
    ]
    .into_iter()
    // A single length shows no growth; it appears among the latencies.
    .filter(|(.., points)| distinct(points.iter().map(|(length, ..)| *length)).len() > 1)
    .map(|(id, title, points)| dot_figure(catalog, id, title, &points))
    .collect();
    (!figures.is_empty()).then(|| Section {
        id: "dot",
        title: "Dot product",
        lead: "The sum of n products of two ciphertexts. If all terms share one relinearisation, \
               the cost per term falls as n grows; it is in the table."
            .into(),
        figures,
        ..Section::default()
    })
}

fn dot_figure(catalog: &Catalog, id: &'static str, title: &str, points: &[Point]) -> Figure {
    let per_term = |entry: &Entry, n: f64| Cell::time(entry.median().map(|median| median / n));
    let table = table("Dot products", ["n#", "per term#"], points, per_term);
    let lengths = distinct(points.iter().map(|(length, ..)| *length));
    let axis = json!({ "title": "terms n", "grid": false, "values": lengths, "format": "d" });
    let scale = json!({ "zero": true, "nice": false });
    let x = json!({ "field": "x", "type": "quantitative", "axis": axis, "scale": scale });
    let mut rows = rows(points);
    chart::join_lines(&mut rows);
    times(catalog, &rows, Plot { id, title: title.into(), points, x, table })
}

/// Operations whose cost may depend on the plaintext modulus, the most informative first.
const TELLING: [&str; 5] = ["mul", "simd_mul", "mul_plain", "encrypt", "decrypt"];

pub(super) fn moduli(catalog: &Catalog) -> Option<Section> {
    let (op, points) =
        TELLING.into_iter().map(|op| (op, swept(catalog, op))).find(|(_, p)| !p.is_empty())?;
    let left = |entry: &Entry, _| Cell::bits(entry.case.verify.noise_budget_bits.after);
    let numbers = || table("Plaintext modulus", ["log2 t#", "noise left (bits)#"], &points, left);
    let ticks = distinct(points.iter().map(|(bits, ..)| *bits));
    let axis = json!({
        "title": "bits of the plaintext modulus t", "grid": false, "values": ticks, "format": ".0f",
    });
    let scale = json!({ "zero": false, "nice": false, "padding": 14 });
    let x = json!({ "field": "x", "type": "quantitative", "axis": axis, "scale": scale });
    let title = format!("Time of {op}");
    let plot =
        Plot { id: "chart-modulus-time", title, points: &points, x: x.clone(), table: numbers() };
    let mut figures = vec![times(catalog, &sweep_rows(catalog, &points), plot)];
    if points.iter().any(|(.., entry)| entry.case.verify.noise_budget_bits.after.is_some()) {
        let title = format!("Noise budget left after {op}");
        let id = "chart-modulus-noise";
        let plot = Plot { id, title, points: &points, x, table: numbers() };
        figures.push(budgets(catalog, plot));
    }
    Some(Section {
        id: "moduli",
        title: "Plaintext modulus",
        lead: format!(
            "The same operation, {op}, for growing plaintext moduli t, each on the smallest ring \
             measured. A larger t costs noise budget at every multiplication, and therefore \
             reduces the depth or requires a larger ring."
        ),
        figures,
        ..Section::default()
    })
}

/// Returns the case with the smallest ring for each plaintext modulus of a scheme, for schemes with
/// three moduli or more.
fn swept<'a>(catalog: &'a Catalog, op: &str) -> Vec<Point<'a>> {
    let points: Vec<Point> = catalog
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.case.op == op && entry.threads() == 1)
        .filter(|(_, entry)| entry.median().is_some())
        .filter_map(|(case, entry)| Some((entry.plaintext_modulus()?.log2(), case, entry)))
        .collect();
    let degree = |entry: &Entry| entry.number(|params| params.n as f64).unwrap_or_default();
    let alike = |one: &Point, other: &Point| line_name(one.2) == line_name(other.2);
    let same_modulus = |one: &Point, other: &Point| one.0.to_bits() == other.0.to_bits();
    let is_smallest = |one: &&Point| {
        let better = |other: &Point| (degree(other.2), other.1) < (degree(one.2), one.1);
        !points.iter().any(|other| alike(one, other) && same_modulus(one, other) && better(other))
    };
    let smallest: Vec<Point> = points.iter().filter(is_smallest).copied().collect();
    let is_swept = |one: &&Point| smallest.iter().filter(|other| alike(one, other)).count() >= 3;
    smallest.iter().filter(is_swept).copied().collect()
}

/// Returns the name of the line of a sweep to which a case belongs.
fn line_name(entry: &Entry) -> String {
    format!("{} {}", entry.series, entry.case.scheme)
}

fn sweep_rows(catalog: &Catalog, points: &[Point]) -> Vec<Map<String, Value>> {
    let mut rows = rows(points);
    for (row, (bits, _, entry)) in rows.iter_mut().zip(points) {
        row.insert("x".into(), json!(bits + DODGE_BITS * catalog.dodge(&entry.series)));
        row.insert("line".into(), line_name(entry).into());
        row.insert("left".into(), json!(entry.case.verify.noise_budget_bits.after));
    }
    rows
}

/// Returns the chart of time against x: a line, intervals and dots.
fn times(catalog: &Catalog, rows: &[Map<String, Value>], plot: Plot) -> Figure {
    let medians = plot.points.iter().filter_map(|(.., entry)| entry.median());
    let scale = chart::fitting_scale(medians, 10);
    let place = |field: &str| json!({ "x": plot.x, "y": chart::time(field, &scale) });
    let mut whiskers = place("low");
    whiskers["y2"] = json!({ "field": "high" });
    let layers = json!([
        line(catalog, place("time")),
        chart::whiskers(catalog, whiskers),
        chart::dots(catalog, place("time"), &[]),
    ]);
    figure(catalog, rows, &layers, plot)
}

/// Returns the chart of noise budget against x.
fn budgets(catalog: &Catalog, plot: Plot) -> Figure {
    let y = chart::from_zero("left", "bits");
    let encoding = json!({ "x": plot.x, "y": y });
    let layers = json!([line(catalog, encoding.clone()), chart::dots(catalog, encoding, &[])]);
    figure(catalog, &sweep_rows(catalog, plot.points), &layers, plot)
}

fn figure(catalog: &Catalog, rows: &[Map<String, Value>], layers: &Value, plot: Plot) -> Figure {
    Figure {
        id: plot.id.into(),
        question: String::new(),
        title: plot.title,
        legend: chart::legend(catalog, plot.points.iter().map(|(.., entry)| *entry)),
        spec: chart::spec(rows, &HEIGHT_PX.into(), layers),
        table: plot.table,
    }
}

fn rows(points: &[Point]) -> Vec<Map<String, Value>> {
    let row = |(at, case, entry): &Point| {
        let mut row = chart::row(*case, entry);
        row.insert("x".into(), json!(at));
        row
    };
    points.iter().map(row).collect()
}

fn line(catalog: &Catalog, mut encoding: Value) -> Value {
    encoding["color"] = chart::color(catalog);
    encoding["detail"] = json!({ "field": "line" });
    json!({ "mark": { "type": "line", "strokeWidth": 1.5, "opacity": 0.8 }, "encoding": encoding })
}

/// Returns a table with one row per point: labels, x, median, interval, and a last cell made from
/// the entry and x.
fn table(
    title: &str,
    [x, last]: [&'static str; 2],
    points: &[Point],
    cell: impl Fn(&Entry, f64) -> Cell,
) -> Table {
    let columns =
        ["operation", "library", "scheme", "parameters", x, "median#", "95 % interval#", last];
    let mut table = Table::new(title, &columns);
    let short = |at: f64| format!("{at:.2}").trim_end_matches(".00").to_owned();
    for (at, case, entry) in points {
        let cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&entry.lib),
            Cell::text(&entry.case.scheme),
            Cell::text(&entry.params),
            Cell::number(Some(*at), short),
            Cell::time(entry.median()),
            Cell::interval(entry),
            cell(entry, *at),
        ];
        table.push(*case, entry, cells);
    }
    table
}

//! Throughput by number of threads, with the line of perfect scaling.

use serde_json::{Map, Value, json};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::format;
use crate::report::table::{Cell, Table};

const HEIGHT_PX: u32 = 250;

/// A line of a chart: the properties that its cases at several thread counts share.
#[derive(PartialEq)]
struct Line<'a> {
    op: &'a str,
    lib: &'a str,
    scheme: &'a str,
    params: &'a str,
    pack: &'a str,
    inputs: &'a str,
}

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let lines: Vec<Line> = distinct(catalog.entries.iter().map(line_of))
        .into_iter()
        .filter(|line| distinct(points(catalog, line).map(|(.., e)| e.threads())).len() > 1)
        .collect();
    let figures: Vec<Figure> = distinct(lines.iter().map(|line| line.op))
        .into_iter()
        .map(|op| {
            let of_op: Vec<&Line> = lines.iter().filter(|line| line.op == op).collect();
            figure(catalog, op, &of_op)
        })
        .collect();
    (!figures.is_empty()).then(|| Section {
        id: "threads",
        title: "Throughput and threads",
        lead: "Operations per second by number of threads. The thin line is perfect scaling \
               from the fewest threads measured."
            .into(),
        figures,
        ..Section::default()
    })
}

fn line_of(entry: &Entry) -> Line<'_> {
    let case = &entry.case;
    Line {
        op: &case.op,
        lib: &entry.lib,
        scheme: &case.scheme,
        params: &entry.params,
        pack: &case.lane.pack,
        inputs: case.lane.inputs.word(),
    }
}

fn points<'a>(catalog: &'a Catalog, line: &Line) -> impl Iterator<Item = (usize, f64, &'a Entry)> {
    catalog.entries.iter().enumerate().filter_map(move |(case, entry)| {
        (line_of(entry) == *line && entry.case.scenario.as_deref() != Some("cold")).then_some(())?;
        Some((case, throughput(entry)?, entry))
    })
}

/// Returns the operations per second: as reported, else the inverse of the latency.
fn throughput(entry: &Entry) -> Option<f64> {
    entry.case.derived.ops_per_s.or_else(|| entry.median().map(|median| 1e9 / median))
}

fn figure(catalog: &Catalog, op: &str, lines: &[&Line]) -> Figure {
    let columns = [
        "library",
        "scheme",
        "parameters",
        "lane",
        "threads#",
        "per second#",
        "of perfect scaling#",
    ];
    let mut table = Table::new(format!("Throughput of {op}"), &columns);
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    let mut shown = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let mut points: Vec<_> = points(catalog, line).collect();
        points.sort_by_key(|(.., entry)| entry.threads());
        let Some((_, base, first)) = points.first() else { continue };
        let per_thread = base / first.threads() as f64;
        for (case, rate, entry) in &points {
            let ideal = per_thread * entry.threads() as f64;
            let mut row = chart::row(*case, entry);
            row.insert("threads".into(), entry.threads().into());
            row.insert("rate".into(), json!(rate));
            row.insert("ideal".into(), json!(ideal));
            row.insert("line".into(), number.into());
            row.insert("rate_text".into(), format::rate(*rate).into());
            row.insert("efficiency".into(), format::percent(rate / ideal).into());
            rows.push(row);
            let cells = vec![
                Cell::text(&entry.lib),
                Cell::text(&entry.case.scheme),
                Cell::text(&entry.params),
                Cell::text(entry.lane()),
                Cell::count(Some(entry.threads())),
                Cell::number(Some(*rate), format::rate),
                Cell::number(Some(rate / ideal), format::percent),
            ];
            table.push(*case, entry, cells);
            shown.push(*entry);
        }
    }
    let mut legend = chart::legend(catalog, shown.iter().copied());
    legend.push(chart::line_key("perfect scaling", "dashed"));
    Figure {
        id: format!("chart-threads-{op}"),
        question: String::new(),
        title: op.to_owned(),
        legend,
        spec: spec(catalog, &rows),
        table,
    }
}

fn spec(catalog: &Catalog, rows: &[Map<String, Value>]) -> Value {
    let rates = rows.iter().filter_map(|row| row["rate"].as_f64());
    let scale = chart::fitting_scale(rates, 10);
    let place = |field: &str| {
        let axis = json!({ "title": "threads", "grid": false, "labelAngle": 0 });
        let mut y = chart::from_zero(field, "operations per second");
        y["axis"]["labelExpr"] = "format(datum.value, '~s')".into();
        y["scale"].clone_from(&scale);
        json!({ "x": { "field": "threads", "type": "ordinal", "axis": axis }, "y": y })
    };
    let line = |field: &str, dash: &[u32], opacity: f64| {
        let mut encoding = place(field);
        encoding["color"] = chart::color(catalog);
        encoding["detail"] = json!({ "field": "line" });
        let mark =
            json!({ "type": "line", "strokeWidth": 1.3, "strokeDash": dash, "opacity": opacity });
        json!({ "mark": mark, "encoding": encoding })
    };
    let extra = [("rate_text", "throughput"), ("efficiency", "of perfect scaling")];
    let layers = json!([
        line("ideal", &[4, 3], 0.5),
        line("rate", &[], 0.9),
        chart::dots(catalog, place("rate"), &extra),
    ]);
    chart::spec(rows, &HEIGHT_PX.into(), &layers)
}

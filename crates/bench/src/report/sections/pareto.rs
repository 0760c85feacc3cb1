//! Pareto: the time of a product against the bytes of its result, per encrypted value, for
//! parameter sets of one security.

use serde_json::{Value, json};

use crate::report::catalog::{Catalog, Entry};
use crate::report::chart::{self, Figure, Section};
use crate::report::format;
use crate::report::table::{Cell, Table};

const HEIGHT_PX: u32 = 340;

/// Security in bits of the sets that are compared.
const SECURITY: std::ops::Range<f64> = 128.0..192.0;

/// A ranked product on one thread.
struct Point<'a> {
    case: usize,
    entry: &'a Entry,
    time: f64,
    bytes: f64,
    /// No other point is both faster and smaller.
    best: bool,
}

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let indexed = catalog.entries.iter().enumerate();
    let mut points: Vec<Point<'_>> = indexed.filter_map(|(c, entry)| point(c, entry)).collect();
    if points.len() < 3 {
        return None;
    }
    mark_best(&mut points);
    let mut legend = chart::marks(catalog, points.iter().map(|point| point.entry));
    legend.push(chart::line_key("nothing is both faster and smaller", "solid"));
    Some(Section {
        id: "pareto",
        title: "Time against bytes",
        lead: "A product of two ciphertexts on one thread: its time and the bytes of its result, \
               each divided by the number of values in a ciphertext, for parameter sets of 128 to \
               191 bits of security. Left and low is better."
            .into(),
        figures: vec![Figure {
            id: "chart-pareto".into(),
            title: "Time and bytes of a product, per value".into(),
            question: String::new(),
            legend,
            spec: spec(catalog, &points),
            table: table(&points),
        }],
        ..Section::default()
    })
}

fn point(case: usize, entry: &Entry) -> Option<Point<'_>> {
    let secure = entry.security_bits().is_some_and(|bits| SECURITY.contains(&bits));
    let alone = entry.threads() == 1 && entry.op_threads() == 1;
    if entry.case.op != "mul" || !entry.is_ranked() || !secure || !alone {
        return None;
    }
    let values = entry.case.lane.slots.max(1) as f64;
    let (time, bytes) = (entry.median()? / values, entry.case.bytes.ct_out? as f64 / values);
    (bytes > 0.0).then_some(Point { case, entry, time, bytes, best: false })
}

/// Marks the points that no other beats in both measures.
fn mark_best(points: &mut [Point<'_>]) {
    points.sort_by(|one, other| one.time.total_cmp(&other.time));
    let mut smallest = f64::INFINITY;
    for point in points {
        point.best = point.bytes < smallest;
        smallest = smallest.min(point.bytes);
    }
}

fn spec(catalog: &Catalog, points: &[Point<'_>]) -> Value {
    let rows: Vec<_> = points
        .iter()
        .map(|point| {
            let mut row = chart::row(point.case, point.entry);
            row.insert("each".into(), json!(point.time));
            row.insert("bytes".into(), json!(point.bytes));
            row.insert("best".into(), json!(point.best));
            row.insert("each_text".into(), format::time(point.time).into());
            row.insert("bytes_text".into(), format::bytes(point.bytes).into());
            row
        })
        .collect();
    let [times, sizes] = [chart::log_scale(10), chart::log_scale(2)];
    let place = || json!({ "x": chart::time("each", &times), "y": chart::size("bytes", &sizes) });
    let mut frontier = place();
    frontier["color"] = json!({ "value": "var(--muted)" });
    let extra = [("each_text", "time per value"), ("bytes_text", "bytes per value")];
    let layers = json!([
        {
            "transform": [{ "filter": "datum.best" }],
            "mark": { "type": "line", "strokeWidth": 1.2, "opacity": 0.7 },
            "encoding": frontier,
        },
        chart::dots(catalog, place(), &extra),
    ]);
    chart::spec(&rows, &HEIGHT_PX.into(), &layers)
}

fn table(points: &[Point<'_>]) -> Table {
    let columns = [
        "library",
        "scheme",
        "parameters",
        "values#",
        "time per value#",
        "bytes per value#",
        "not beaten",
    ];
    let mut table = Table::new("Time against bytes", &columns);
    for Point { case, entry, time, bytes, best } in points {
        let cells = vec![
            Cell::text(&entry.lib),
            Cell::text(&entry.case.scheme),
            Cell::text(&entry.params),
            Cell::count(Some(entry.case.lane.slots as u64)),
            Cell::time(Some(*time)),
            Cell::bytes(Some(*bytes)),
            Cell::text(if *best { "yes" } else { "" }),
        ];
        table.push(*case, entry, cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::catalog_of;

    #[test]
    fn a_point_that_another_beats_in_both_is_not_on_the_frontier() {
        let catalog = catalog_of([json!({})]);
        let entry = &catalog.entries[0];
        let at = |time, bytes| Point { case: 0, entry, time, bytes, best: false };
        let mut points = [at(3.0, 1.0), at(1.0, 4.0), at(2.0, 5.0)];
        mark_best(&mut points);
        let found: Vec<(f64, bool)> = points.iter().map(|p| (p.time, p.best)).collect();
        assert_eq!(found, [(1.0, true), (2.0, false), (3.0, true)]);
    }
}

//! Roofline: the multiplications of kernels against their bytes, below the limits that the machine
//! has shown in the same run (Williams, Waterman, Patterson, CACM 52(4), 2009).

use fathom_cases::record::{Limit, Roofline};
use serde_json::{Map, Value, json};

use crate::report::catalog::{COLORS, Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::format;
use crate::report::table::{Cell, Table};

const HEIGHT_PX: u32 = 360;

/// Factor by which the lines of limits extend beyond the outermost kernels.
const MARGIN: f64 = 1.6;

/// A verified kernel and its limits.
struct Kernel<'a> {
    case: usize,
    entry: &'a Entry,
    /// Instruction set: `avx2` of the parameters `avx2-n4096`.
    set: &'a str,
    ns: f64,
    roofline: Roofline,
}

impl Kernel<'_> {
    /// Returns multiplications per byte, and 10^9 multiplications a second.
    fn place(&self) -> Option<[f64; 2]> {
        Some([self.roofline.intensity()?, self.roofline.multiplications? / self.ns])
    }
}

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let indexed = catalog.entries.iter().enumerate();
    let kernels: Vec<Kernel<'_>> =
        indexed.filter_map(|(case, entry)| kernel(case, entry)).collect();
    let placed: Vec<&Kernel<'_>> = kernels.iter().filter(|k| k.place().is_some()).collect();
    if placed.is_empty() {
        return None;
    }
    let sets = distinct(placed.iter().map(|kernel| kernel.set));
    let mut legend: Vec<chart::Key> = sets
        .iter()
        .enumerate()
        .map(|(at, set)| chart::key(set, chart::SHAPES[0], &format!("s{}", at % COLORS)))
        .collect();
    legend.push(chart::line_key("limits", "solid"));
    Some(Section {
        id: "roofline",
        title: "Roofline",
        lead: "Kernels against the limits of this machine, measured in the same run. The slope of \
               a line is the bandwidth of the second cache, its level the highest rate of \
               multiplications of the instruction set. A kernel on its line cannot be faster with \
               these instructions; its distance below the line is what remains."
            .into(),
        figures: vec![Figure {
            id: "chart-roofline".into(),
            title: "10⁹ multiplications a second, against multiplications per byte".into(),
            question: String::new(),
            legend,
            spec: spec(&placed, &sets),
            table: table(&kernels),
        }],
        notes: vec![
            "A product by a constant counts as three multiplications, a term of a sum of products \
             as two. Rows that lie in the first cache can exceed the bandwidth of the second. The \
             multiplications of floating-point transforms are not counted, so those kernels are in \
             the table only."
                .into(),
        ],
        ..Section::default()
    })
}

fn kernel(case: usize, entry: &Entry) -> Option<Kernel<'_>> {
    let roofline = entry.case.derived.roofline.filter(|_| !entry.is_unproven())?;
    let params = entry.case.id.split('/').nth(2).unwrap_or_default();
    let set = params.split('-').next().unwrap_or_default();
    Some(Kernel { case, entry, set, ns: entry.median()?, roofline })
}

fn spec(kernels: &[&Kernel<'_>], sets: &[&str]) -> Value {
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    for kernel in kernels {
        let Some([intensity, rate]) = kernel.place() else { continue };
        let mut row = chart::row(kernel.case, kernel.entry);
        let (limit, share) = kernel.roofline.nearest(kernel.ns);
        row.insert("set".into(), kernel.set.into());
        row.insert("intensity".into(), json!(intensity));
        row.insert("rate".into(), json!(rate));
        row.insert("rate_text".into(), format!("{} G/s", format::significant(rate)).into());
        let share = format!("{} of {}", format::percent(share), limit.name());
        row.insert("share".into(), share.into());
        rows.push(row);
    }
    let places: Vec<f64> = kernels.iter().filter_map(|k| Some(k.place()?[0])).collect();
    let low = places.iter().copied().fold(f64::INFINITY, f64::min) / MARGIN;
    let high = places.iter().copied().fold(0.0, f64::max) * MARGIN;
    for set in sets {
        let own: Vec<&&Kernel<'_>> = kernels.iter().filter(|kernel| kernel.set == *set).collect();
        let cases: Vec<usize> = own.iter().map(|kernel| kernel.case).collect();
        let Some(first) = own.first() else { continue };
        for [intensity, limit] in line(&first.roofline, low, high) {
            let row = json!({ "c": cases, "set": set, "intensity": intensity, "limit": limit });
            rows.extend(row.as_object().cloned());
        }
    }
    let range: Vec<String> = (0..sets.len()).map(|at| format!("var(--s{})", at % COLORS)).collect();
    let color = json!({
        "field": "set", "type": "nominal", "legend": null,
        "scale": { "domain": sets, "range": range },
    });
    let axis = |field: &str, title: &str| {
        json!({
            "field": field, "type": "quantitative", "scale": chart::log_scale(10),
            "axis": { "title": title, "tickCount": 6, "format": "~g" },
        })
    };
    let x = || axis("intensity", "multiplications per byte");
    let rate = "10⁹ multiplications a second";
    let tooltip =
        chart::tooltip(&[("rate_text", "multiplications"), ("share", "of its nearest limit")]);
    let layers = json!([
        {
            "transform": [{ "filter": "isValid(datum.limit)" }],
            "mark": { "type": "line", "strokeWidth": 1.4, "opacity": 0.75 },
            "encoding": { "x": x(), "y": axis("limit", rate), "color": color },
        },
        {
            "transform": [{ "filter": "isValid(datum.rate)" }],
            "mark": { "type": "point", "filled": true, "size": 42, "opacity": 0.9 },
            "encoding": { "x": x(), "y": axis("rate", rate), "color": color, "tooltip": tooltip },
        },
    ]);
    chart::spec(&rows, &HEIGHT_PX.into(), &layers)
}

/// Returns the corners of the line of the limits between two intensities.
fn line(roofline: &Roofline, low: f64, high: f64) -> Vec<[f64; 2]> {
    let Some(level) = roofline.multiplication_limit else { return Vec::new() };
    let ridge = level / roofline.byte_limit;
    let at = |intensity: f64| [intensity, level.min(intensity * roofline.byte_limit)];
    let mut corners = vec![at(low)];
    corners.extend((low < ridge && ridge < high).then(|| at(ridge)));
    corners.push(at(high));
    corners
}

fn table(kernels: &[Kernel<'_>]) -> Table {
    let columns = [
        "operation",
        "kernel",
        "time#",
        "multiplications a second#",
        "bytes a second#",
        "of multiplication#",
        "of bandwidth#",
        "nearest limit",
    ];
    let mut table = Table::new("Kernels and limits", &columns);
    for Kernel { case, entry, ns, roofline, .. } in kernels {
        let share = |limit| Cell::number(roofline.share(limit, *ns), format::percent);
        let rate = |count: Option<f64>| Cell::number(count.map(|n| n / ns * 1e9), format::rate);
        let cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&entry.params),
            Cell::time(Some(*ns)),
            rate(roofline.multiplications),
            rate(Some(roofline.bytes)),
            share(Limit::Multiplication),
            share(Limit::Bandwidth),
            Cell::text(roofline.nearest(*ns).0.name()),
        ];
        table.push(*case, entry, cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_rises_with_the_bandwidth_to_the_level_of_multiplication() {
        let roofline = Roofline {
            multiplications: None,
            bytes: 1.0,
            multiplication_limit: Some(20.0),
            byte_limit: 100.0,
        };
        assert_eq!(line(&roofline, 0.1, 1.0), [[0.1, 10.0], [0.2, 20.0], [1.0, 20.0]]);
        assert_eq!(line(&roofline, 0.5, 1.0), [[0.5, 20.0], [1.0, 20.0]]);
    }
}

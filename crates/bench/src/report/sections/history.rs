//! History: the times of the most important rows over the runs of one machine.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fathom_cases::record::{Medians, RunStart};
use serde_json::{Map, Value, json};

use crate::report::catalog::{COLORS, Catalog};
use crate::report::chart::{self, Figure, Section};
use crate::report::format;
use crate::report::table::{Cell, Table};

const HEIGHT_PX: u32 = 320;

/// Operations in the order in which the chart prefers them.
const PREFERRED: [&str; 12] = [
    "mul",
    "ks_pbs",
    "nand",
    "mul_u64",
    "mul_u32",
    "add_u64",
    "simd_mul",
    "rotate",
    "encrypt_pk",
    "decrypt",
    "ntt_forward",
    "blind_rotation",
];

/// A case of these results that earlier runs have too.
struct Line<'a> {
    case: usize,
    id: &'a str,
    medians: &'a Medians,
}

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let mut lines: Vec<Line<'_>> = catalog
        .extras
        .history
        .iter()
        .filter(|(_, medians)| medians.len() > 1)
        .filter_map(|(id, medians)| {
            let case = catalog.entries.iter().position(|entry| entry.case.id == id)?;
            Some(Line { case, id, medians })
        })
        .collect();
    if lines.is_empty() {
        return None;
    }
    let runs: BTreeSet<&RunStart> = lines.iter().flat_map(|line| line.medians.keys()).collect();
    let runs = runs.len();
    let table = table(catalog, &lines);
    lines.sort_by_key(|line| {
        let op = &catalog.entries[line.case].case.op;
        let place = PREFERRED.iter().position(|known| known == op);
        (place.unwrap_or(PREFERRED.len()), Reverse(line.medians.len()))
    });
    let shown = spread(catalog, lines);
    let key =
        |(at, line): (usize, &Line<'_>)| chart::key(line.id, chart::SHAPES[0], &format!("s{at}"));
    Some(Section {
        id: "history",
        title: "History",
        lead: format!(
            "Verified medians of {runs} runs on this processor, each relative to the first run of \
             the case: below 1, it became faster. Runs at different load differ without a change \
             of the program."
        ),
        figures: vec![Figure {
            id: "chart-history".into(),
            title: "Time relative to the first run".into(),
            question: String::new(),
            legend: shown.iter().enumerate().map(key).collect(),
            spec: spec(catalog, &shown),
            table,
        }],
        ..Section::default()
    })
}

/// Returns as many lines as there are colours: first one of each scheme and operation, then others.
fn spread<'a>(catalog: &Catalog, lines: Vec<Line<'a>>) -> Vec<Line<'a>> {
    let mut seen = BTreeSet::new();
    let is_first = |line: &Line<'a>| {
        let case = &catalog.entries[line.case].case;
        seen.insert((case.scheme.clone(), case.op.clone()))
    };
    let (mut shown, others): (Vec<_>, Vec<_>) = lines.into_iter().partition(is_first);
    shown.extend(others);
    shown.truncate(COLORS);
    shown
}

fn spec(catalog: &Catalog, lines: &[Line<'_>]) -> Value {
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    for line in lines {
        let first = line.medians.values().next().copied().unwrap_or_default();
        for (run, ns) in line.medians {
            let mut row = chart::row(line.case, &catalog.entries[line.case]);
            row.retain(|name, _| ["c", "case", "params"].contains(&name.as_str()));
            row.insert("started".into(), run.started.clone().into());
            row.insert("relative".into(), json!(*ns as f64 / first.max(1) as f64));
            row.insert("median".into(), format::time(*ns as f64).into());
            rows.push(row);
        }
    }
    let ids: Vec<&str> = lines.iter().map(|line| line.id).collect();
    let range: Vec<String> = (0..ids.len()).map(|at| format!("var(--s{at})")).collect();
    let color = json!({
        "field": "case", "type": "nominal", "legend": null,
        "scale": { "domain": ids, "range": range },
    });
    let days: BTreeSet<Option<&str>> = lines
        .iter()
        .flat_map(|line| line.medians.keys().map(|run| run.started.split('T').next()))
        .collect();
    let format = if days.len() > 1 { "%d %b %Y" } else { "%H:%M" };
    let x = json!({
        "field": "started", "type": "temporal",
        "axis": { "title": null, "tickCount": 5, "format": format },
    });
    let y = chart::from_zero("relative", "relative to the first run");
    let tooltip = chart::tooltip(&[("started", "run")]);
    let one = json!({ "strokeDash": [4, 3], "color": "var(--muted)" });
    let layers = json!([
        chart::rule("y", 1.0, &one),
        {
            "mark": { "type": "line", "strokeWidth": 1.6, "opacity": 0.8 },
            "encoding": { "x": x, "y": y, "color": color },
        },
        {
            "mark": { "type": "point", "filled": true, "size": 42, "opacity": 1 },
            "encoding": { "x": x, "y": y, "color": color, "tooltip": tooltip },
        },
    ]);
    chart::spec(&rows, &HEIGHT_PX.into(), &layers)
}

fn table(catalog: &Catalog, lines: &[Line<'_>]) -> Table {
    let columns = ["case", "runs#", "first#", "last#", "last / first#", "fastest#"];
    let mut table = Table::new("History", &columns);
    for Line { case, id, medians } in lines {
        let time = |ns: Option<&u64>| Cell::time(ns.map(|ns| *ns as f64));
        let (first, last) = (medians.values().next(), medians.values().next_back());
        let change = first.zip(last).map(|(first, last)| *last as f64 / (*first).max(1) as f64);
        let cells = vec![
            Cell::code(*id),
            Cell::count(Some(medians.len() as u64)),
            time(first),
            time(last),
            Cell::number(change, |change| format!("{change:.3}")),
            time(medians.values().min()),
        ];
        table.push(*case, &catalog.entries[*case], cells);
    }
    table
}

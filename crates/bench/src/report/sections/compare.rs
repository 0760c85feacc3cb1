//! Comparison: the ratio of the baseline's time to that of each library, with its interval.

use fathom_cases::question::Division;
use fathom_cases::record::ratio::{self, Row, Standing};
use serde_json::{Value, json};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::format;
use crate::report::questions;
use crate::report::table::{Cell, Table};

const BAND_PX: u32 = 17;

/// A ranked ratio of the time of `base` to that of `peer`; `[low, high]` is its 95 % interval.
pub(super) struct Ratio<'a> {
    case: usize,
    pub(super) peer: &'a Entry,
    pub(super) base: &'a Entry,
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    /// The interval contains 1, or the difference is below the noise floor of the machine.
    pub(super) indistinguishable: bool,
}

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    if !catalog.several_libraries() {
        return None;
    }
    let baseline = catalog.libs.first()?;
    let ratios = ratios(catalog, catalog.noise_floor());
    if ratios.is_empty() {
        return None;
    }
    let mut legend = chart::marks(catalog, ratios.iter().map(|ratio| ratio.peer));
    legend.push(chart::key("~ not distinguishable", chart::SHAPES[0], "hollow"));
    let figure = Figure {
        id: "chart-compare".into(),
        question: String::new(),
        title: format!("Ratio of the time of {baseline} to that of each library"),
        legend,
        spec: spec(catalog, &ratios),
        table: table(&ratios),
    };
    Some(Section {
        id: "compare",
        title: "All ratios",
        lead: format!(
            "The time of {baseline} divided by that of each library for the same question: below \
             1, {baseline} is faster. Libraries of one run are measured in interleaved rounds, \
             and the 95 % interval comes from pairs of rounds; across runs it combines the \
             intervals of both medians. The sign ~ marks a ratio whose interval contains 1 or \
             whose difference is below the noise floor. Rows where {baseline} is not faster come \
             first."
        ),
        figures: vec![figure],
        notes: vec![coverage(catalog, baseline, &ratios)],
        ..Section::default()
    })
}

fn ratios(catalog: &Catalog, floor: f64) -> Vec<Ratio<'_>> {
    let rows = ratio::rows_of(&catalog.answers(), floor);
    rows.iter().filter_map(|row| Ratio::of(catalog, row)).collect()
}

impl<'a> Ratio<'a> {
    /// Returns a row of the judge as the page shows it; `None` if it is not ranked.
    pub(super) fn of(catalog: &'a Catalog, row: &Row<'_>) -> Option<Self> {
        let found = row.ratio.filter(|_| row.standing != Standing::Unranked)?;
        let [base, peer] = row.answers.map(|answer| &catalog.entries[answer.place]);
        let [low, high] = found.interval;
        Some(Ratio {
            case: row.answers[1].place,
            peer,
            base,
            value: found.ratio,
            low,
            high,
            indistinguishable: row.standing == Standing::Indistinguishable,
        })
    }
}

fn label(ratio: &Ratio) -> String {
    let counted = |count: u64, what| {
        if count > 1 { format!(" ×{count} {what}") } else { String::new() }
    };
    let threads = counted(ratio.peer.threads(), "threads")
        + &counted(ratio.peer.op_threads(), "threads per operation");
    let case = &ratio.peer.case;
    // Libraries that answer one question share a row, even if their parameter sets differ in name.
    let params = questions::topic(ratio.peer);
    let division = match case.division.unwrap_or_default() {
        Division::Equal => "",
        Division::Ring => ", same ring",
        Division::Defaults => ", defaults",
        Division::Failure => ", unequal failure probability",
    };
    let caution = [ratio.base, ratio.peer].iter().find_map(|entry| entry.case.caution());
    let mark = caution.map_or_else(String::new, |caution| format!(" ({caution})"));
    format!("{} · {} {params}{mark}{threads}{division}", case.op, case.scheme)
}

fn spec(catalog: &Catalog, ratios: &[Ratio]) -> Value {
    let order = distinct(ratios.iter().map(label));
    let rows = ratios.iter().map(|ratio| {
        let mut row = chart::row(ratio.case, ratio.peer);
        row.insert("row".into(), label(ratio).into());
        row.insert("ratio".into(), json!(ratio.value));
        row.insert("low".into(), json!(ratio.low));
        row.insert("high".into(), json!(ratio.high));
        row.insert("ratio_text".into(), ratio_text(ratio).into());
        row.insert("baseline".into(), ratio.base.case.id.clone().into());
        row.insert("hollow".into(), ratio.indistinguishable.into());
        row
    });
    let place = |field: &str| {
        let scale = chart::log_scale(10);
        let axis = json!({ "title": null, "labelExpr": "format(datum.value, '~r') + '×'" });
        json!({
            "y": chart::items("row", &order),
            "yOffset": { "field": "series", "type": "nominal" },
            "x": { "field": field, "type": "quantitative", "scale": scale, "axis": axis },
        })
    };
    let mut whiskers = place("low");
    whiskers["x2"] = json!({ "field": "high" });
    let extra = [("ratio_text", "baseline over library"), ("baseline", "baseline")];
    let layers = json!([
        chart::rule("x", 1.0, &json!({ "color": "var(--muted)", "strokeDash": [4, 3] })),
        chart::whiskers(catalog, whiskers),
        chart::dots(catalog, place("ratio"), &extra),
    ]);
    chart::spec(&rows.collect::<Vec<_>>(), &json!({ "step": BAND_PX }), &layers)
}

fn ratio_text(ratio: &Ratio) -> String {
    let [value, low, high] = [ratio.value, ratio.low, ratio.high].map(format::significant);
    let sign = if ratio.indistinguishable { "~ " } else { "" };
    format!("{sign}{value}× [{low}, {high}]")
}

fn table(ratios: &[Ratio]) -> Table {
    let columns = [
        "operation",
        "scheme",
        "library",
        "parameters",
        "median#",
        "baseline parameters",
        "baseline median#",
        "division",
        "baseline / library [95 % interval]#",
    ];
    let mut table = Table::new("Comparison", &columns);
    for ratio in ratios {
        let cells = vec![
            Cell::code(&ratio.peer.case.op),
            Cell::text(&ratio.peer.case.scheme),
            Cell::text(&ratio.peer.lib),
            Cell::text(&ratio.peer.params),
            Cell::time(ratio.peer.median()),
            Cell::text(&ratio.base.params),
            Cell::time(ratio.base.median()),
            Cell::text(ratio.peer.case.division.unwrap_or_default().title()),
            Cell::number(Some(ratio.value), |_| ratio_text(ratio)),
        ];
        table.push(ratio.case, ratio.peer, cells);
    }
    table
}

fn coverage(catalog: &Catalog, baseline: &str, ratios: &[Ratio]) -> String {
    let peers = catalog.entries.iter().filter(|entry| entry.lib != baseline).count();
    format!(
        "{} of {peers} cases of other libraries are compared. The others have no counterpart that \
         answers the same question, or are not ranked.",
        ratios.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::input::{Placed, Run};
    use crate::report::tests::sample;
    use fathom_cases::record::Shown;

    /// The engine and a peer in two runs, each with its interval.
    fn catalog(base: [u64; 3], peer: [u64; 3]) -> Catalog {
        let run = |lib: &str, [low, median, high]: [u64; 3]| {
            let mut case = sample::fast(lib, "bfv/d1-t65537/mul", 30);
            case["time_ns"]["median"] = median.into();
            case["time_ns"]["ci95"] = json!([low, high]);
            let placed = Placed { line: 0, shown: Shown::read(case).unwrap() };
            Run { cases: vec![placed], ..Run::default() }
        };
        Catalog::new(vec![run("peer", peer), run("fathom", base)])
    }

    #[test]
    fn the_interval_of_a_ratio_of_two_runs_adds_relative_errors_in_quadrature() {
        let catalog = catalog([28_800, 30_000, 31_200], [9700, 10_000, 10_300]);
        let ratios = ratios(&catalog, 0.0);
        let [ratio] = ratios.as_slice() else { panic!("one pair, found {}", ratios.len()) };
        assert!((ratio.value - 3.0).abs() < 1e-12);
        assert!((ratio.high / 3.0 - 1.05).abs() < 2e-3 && (3.0 / ratio.low - 1.05).abs() < 2e-3);
        assert!(!ratio.indistinguishable);
    }

    #[test]
    fn differences_under_the_noise_floor_are_not_called_differences() {
        let catalog = catalog([9990, 10_000, 10_010], [10_190, 10_200, 10_210]);
        assert!(!ratios(&catalog, 0.0)[0].indistinguishable);
        assert!(ratios(&catalog, 0.031)[0].indistinguishable);
    }
}

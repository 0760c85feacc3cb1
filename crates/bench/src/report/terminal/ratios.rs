//! Ratios between libraries as a table for a terminal or for Markdown.

use fathom_cases::question::Division;
use fathom_cases::record::Case;
use fathom_cases::record::ratio::{Row, Standing, geometric_mean};

use crate::report::table::{Cell, Table};
use crate::report::terminal::table::{Style, draw, duration};

/// Columns of the table.
const COLUMNS: [&str; 9] =
    ["", "question", "base", "median", "peer", "median", "base / peer", "95 % interval", "notes"];

/// Returns one table for each division that has rows; rows where the base is not faster come first.
pub fn ratios(rows: &[Row<'_>], style: Style) -> String {
    let divisions = Division::ALL;
    let tables = divisions.into_iter().filter_map(|division| {
        let own: Vec<&Row<'_>> = rows.iter().filter(|row| row.division == division).collect();
        (!own.is_empty()).then(|| one_table(division, &own, style))
    });
    tables.collect::<Vec<_>>().join("\n\n")
}

fn one_table(division: Division, rows: &[&Row<'_>], style: Style) -> String {
    let mut table = Table::new("", &COLUMNS);
    for row in rows {
        table.push_summary(&[], cells(row));
    }
    let table = draw(&table, style);
    let title = format!("Division: {}", division.title());
    let means = means(rows).join("\n");
    format!("{title}\n{table}\n{means}")
}

fn cells(row: &Row<'_>) -> Vec<Cell> {
    let (ratio, interval) = match row.ratio {
        Some(found) => {
            let [low, high] = found.interval;
            (format!("{:.3}", found.ratio), format!("{low:.3} .. {high:.3}"))
        }
        None => (plain_ratio(row), "-".into()),
    };
    let class = match row.standing {
        Standing::Ahead => "status ok",
        Standing::Behind => "status wrong",
        Standing::Indistinguishable | Standing::Unranked => "",
    };
    let mark = Cell { class, ..Cell::text(row.standing.mark()) };
    let texts = [
        row.question.to_owned(),
        row.base.lib.name.clone(),
        median(row.base),
        row.peer.lib.name.clone(),
        median(row.peer),
        ratio,
        interval,
        row.notes.join("; "),
    ];
    std::iter::once(mark).chain(texts.into_iter().map(Cell::text)).collect()
}

/// Returns the ratio of the medians, for pairs with too few rounds for an interval.
fn plain_ratio(row: &Row<'_>) -> String {
    let of = |case: &Case| case.time_ns.as_ref().map(|time| time.median as f64);
    match (of(row.base), of(row.peer)) {
        (Some(base), Some(peer)) if peer > 0.0 => format!("{:.3}", base / peer),
        _ => "-".into(),
    }
}

fn median(case: &Case) -> String {
    case.time_ns.as_ref().map_or_else(|| "-".into(), |time| duration(time.median))
}

/// Returns one line per peer: the geometric mean of its ranked ratios with the engine.
fn means(rows: &[&Row<'_>]) -> Vec<String> {
    let mut peers: Vec<&str> = rows.iter().map(|row| row.peer.lib.name.as_str()).collect();
    peers.sort_unstable();
    peers.dedup();
    let line = |peer: &str| {
        let own = rows
            .iter()
            .copied()
            .filter(|row| row.peer.lib.name == peer && row.base.lib.name == "fathom");
        let (mean, count) = geometric_mean(own)?;
        Some(format!("fathom / {peer}: geometric mean {mean:.3} over {count} ranked rows"))
    };
    peers.into_iter().filter_map(line).collect()
}

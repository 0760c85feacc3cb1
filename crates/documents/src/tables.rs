//! The tables of the published documents, in their order and with their columns, each cell with the
//! printed and the measured figure.

use std::sync::LazyLock;

use serde::Deserialize;

use super::beside::{Beside, Outcome, short};
use super::quantity::{self, Kind, Quantity};

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        table: Vec<Table>,
    }
    let file: File =
        toml::from_str(include_str!("../data/tables.toml")).expect("a test reads the tables");
    file.table
});

/// A table of a document.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    document: String,
    /// The heading of the table.
    pub title: String,
    pattern: String,
    rows: Vec<[String; 2]>,
    cols: Vec<[String; 2]>,
    #[serde(default)]
    summary: Option<Summary>,
}

/// The content of the last column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Summary {
    /// The figure to that of the first row.
    Vs,
    /// The column with the shortest time, and by what factor the first column leads or lags.
    Fastest,
    /// The size to the first size of the table.
    Growth,
    /// The second column to the first.
    Speedup,
    /// The first column to the second.
    Parallel,
}

/// The printed and the measured figure of a cell, in base units.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    printed: Option<f64>,
    measured: Option<f64>,
}

/// Returns the tables of a document, in its order.
pub fn of(document: &str) -> impl Iterator<Item = &'static Table> {
    TABLES.iter().filter(move |table| table.document == document)
}

impl Table {
    /// Returns the heads of the columns.
    pub fn heads(&self) -> Vec<String> {
        let figures = self
            .cols
            .iter()
            .flat_map(|[label, _]| [format!("{label}: printed"), format!("{label}: here")]);
        let summary = self.summary.map(|summary| {
            let name = match summary {
                Summary::Vs => "to the first row",
                Summary::Fastest => "fastest",
                Summary::Growth => "growth",
                Summary::Speedup | Summary::Parallel => "speedup",
            };
            [format!("{name}: printed"), format!("{name}: here")]
        });
        let first = std::iter::once(String::new());
        first.chain(figures).chain(summary.into_iter().flatten()).collect()
    }

    /// Returns the rows of the table as text. Figures that stand in carry an asterisk.
    pub fn lines(&self, judged: &[Beside<'_>]) -> Vec<Vec<String>> {
        let figures: Vec<Vec<Figures>> = self
            .rows
            .iter()
            .map(|row| self.cols.iter().map(|col| base(&self.cell(row, col, judged))).collect())
            .collect();
        let line = |(place, row): (usize, &[String; 2])| {
            let cells = self.cols.iter().flat_map(|col| {
                let cell = self.cell(row, col, judged);
                [printed(&cell), measured(&cell)]
            });
            let summary = self.summary.map(|summary| self.summary(summary, &figures, place));
            std::iter::once(row[0].clone())
                .chain(cells)
                .chain(summary.into_iter().flatten())
                .collect()
        };
        self.rows.iter().enumerate().map(line).collect()
    }

    /// Returns the claims of a cell that the document has.
    fn cell<'a, 'b>(
        &self,
        row: &[String; 2],
        col: &[String; 2],
        judged: &'b [Beside<'a>],
    ) -> Vec<&'b Beside<'a>> {
        let named = |name: String| judged.iter().find(|beside| is_named(beside, &name));
        self.names(row, col).into_iter().filter_map(named).collect()
    }

    /// Returns the names of the claims of a cell.
    fn names(&self, [_, row]: &[String; 2], [_, col]: &[String; 2]) -> Vec<String> {
        let of = |row: &str| {
            let named = |col| self.pattern.replace("{row}", row).replace("{col}", col);
            col.split('|').map(named).collect::<Vec<_>>()
        };
        row.split('|').flat_map(of).collect()
    }

    fn summary(&self, summary: Summary, figures: &[Vec<Figures>], place: usize) -> [String; 2] {
        let of = |pick: fn(&Figures) -> Option<f64>| {
            let own: Vec<Option<f64>> = figures[place].iter().map(pick).collect();
            let first: Vec<Option<f64>> = figures[0].iter().map(pick).collect();
            let ratio = |a: Option<f64>, b: Option<f64>| {
                a.zip(b).map_or_else(|| "-".into(), |(a, b)| format!("{}x", short(a / b)))
            };
            match summary {
                Summary::Vs => ratio(own[0], first[0]),
                Summary::Speedup => ratio(own[1], own[0]),
                Summary::Parallel => ratio(own[0], own[1]),
                Summary::Growth => ratio(own[1], first[1]),
                Summary::Fastest => self.fastest(&own),
            }
        };
        [of(|figures| figures.printed), of(|figures| figures.measured)]
    }

    /// Names the fastest column, with the factor by which the first leads the second or lags it.
    fn fastest(&self, times: &[Option<f64>]) -> String {
        let known = times.iter().enumerate().filter_map(|(at, time)| Some((at, (*time)?)));
        let best = known.min_by(|(_, one), (_, other)| one.total_cmp(other));
        let (Some((best, time)), Some(first)) = (best, times[0]) else { return "-".into() };
        let factor = if best == 0 { times[1].map(|next| next / first) } else { Some(first / time) };
        let factor = factor.map_or_else(String::new, |factor| format!(" {}x", short(factor)));
        format!("{}{factor}", self.cols[best][0])
    }
}

/// Returns true for the claim of a name such as `a/b/op;cores=16`.
fn is_named(beside: &Beside<'_>, name: &str) -> bool {
    let mut parts = name.split(';');
    let plain = parts.next().is_some_and(|plain| beside.row.name() == plain);
    let has = |condition: &str| {
        let pair = condition.split_once('=');
        pair.is_some_and(|(param, value)| {
            beside.row.params.get(param).is_some_and(|own| own == value)
        })
    };
    plain && parts.all(has)
}

/// Returns the figures of a cell for its summary: those of its first claim.
fn base(cell: &[&Beside<'_>]) -> Figures {
    let Some(first) = cell.first() else { return Figures::default() };
    let unit = first.row.unit;
    let scale = unit.seconds().or_else(|| unit.bytes()).unwrap_or(1.0);
    Figures {
        printed: Some(quantity::base(first.row)),
        measured: first.measured.map(|figure| figure * scale),
    }
}

fn printed(cell: &[&Beside<'_>]) -> String {
    cell.first()
        .map_or_else(|| "-".into(), |beside| format!("{} {}", short(beside.row.mean), unit(beside)))
}

/// Returns the measured figure of a cell, or the range of several; else the worst outcome.
fn measured(cell: &[&Beside<'_>]) -> String {
    let Some(first) = cell.first() else { return "-".into() };
    let found: Vec<f64> = cell.iter().filter_map(|beside| beside.measured).collect();
    let least = found.iter().copied().reduce(f64::min);
    let most = found.iter().copied().reduce(f64::max);
    let (Some(least), Some(most)) = (least, most) else {
        return first.outcome.word().into();
    };
    let text = if short(least) == short(most) {
        short(least)
    } else {
        format!("{} to {}", short(least), short(most))
    };
    let mark = if cell.iter().any(|beside| beside.outcome == Outcome::StandsIn) { "*" } else { "" };
    format!("{text} {}{mark}", unit(first))
}

fn unit(beside: &Beside<'_>) -> &'static str {
    match Quantity::of(beside.row).kind {
        Kind::Rate => "/s",
        Kind::Share => "%",
        Kind::Factor => "x",
        Kind::Time | Kind::Size => beside.row.unit.name(),
    }
}

/// Returns, for every reason why a figure of a document is not verified, the reason with the rows
/// that it concerns, in the order of the document.
pub fn remarks(judged: &[Beside<'_>]) -> Vec<String> {
    let mut reasons: Vec<(Outcome, &str, Vec<String>)> = Vec::new();
    let others = |beside: &&Beside<'_>| beside.outcome != Outcome::Verified;
    for beside in judged.iter().filter(others) {
        let own = |known: &&mut (Outcome, &str, Vec<String>)| {
            (known.0, known.1) == (beside.outcome, beside.why.as_str())
        };
        match reasons.iter_mut().find(own) {
            Some((.., rows)) => rows.push(beside.row.name()),
            None => reasons.push((beside.outcome, &beside.why, vec![beside.row.name()])),
        }
    }
    reasons.sort_by_key(|(outcome, ..)| *outcome);
    let line = |(outcome, why, rows): (Outcome, &str, Vec<String>)| {
        let names = match rows.as_slice() {
            [first, .., last] if rows.len() > 4 => {
                format!("{first} to {last} ({} figures)", rows.len())
            }
            rows => rows.join(", "),
        };
        format!("{} ({}): {why}", outcome.word(), names)
    };
    reasons.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Row, beside, documents};
    use std::collections::HashSet;

    fn all_names(table: &'static Table) -> Vec<String> {
        let of = |row| table.cols.iter().flat_map(move |col| table.names(row, col));
        table.rows.iter().flat_map(of).collect()
    }

    /// Rows that the documents state in their text or repeat, outside the tables.
    fn is_text(row: &Row) -> bool {
        let in_text = ["self_test", "_derived", "rotate_keygen", "dot8192", "dot4096", "_1bit"];
        row.scheme == "ratio"
            || row.op == "speedup"
            || row.scheme == "switching"
            || row.op == "all_total"
            || row.mode == "parallel_table"
            || row.mode.starts_with("gpu_")
            || in_text.iter().any(|part| row.op.contains(part))
    }

    #[test]
    fn every_figure_of_a_document_stands_in_a_table_and_every_cell_has_a_figure() {
        for document in documents::ALL {
            let rows = document.rows();
            let judged = beside::document(document.name, &rows, &[]);
            let names: HashSet<String> = of(document.name).flat_map(all_names).collect();
            for beside in judged.iter().filter(|beside| !is_text(beside.row)) {
                let shown = names.iter().any(|name| is_named(beside, name));
                assert!(shown, "{}: {} is in no table", document.name, beside.row.name());
            }
            for table in of(document.name) {
                let empty = table
                    .lines(&judged)
                    .into_iter()
                    .find(|line| line[1..].iter().step_by(2).all(|cell| cell == "-"));
                assert_eq!(empty, None, "{}", table.title);
                assert!(table.lines(&judged).iter().all(|line| line.len() == table.heads().len()));
            }
        }
    }

    #[test]
    fn the_printed_summaries_are_those_of_the_document() {
        let rows = documents::find("000").unwrap().rows();
        let judged = beside::document("000", &rows, &[]);
        let column = |title: &str| {
            let table = of("000").find(|table| table.title == title).unwrap();
            let lines = table.lines(&judged);
            let at = table.heads().len() - 2;
            lines.into_iter().map(|line| line[at].clone()).collect::<Vec<_>>()
        };
        // Lines 36 to 40, 81 to 86, 96 to 100 and 110 to 113 of the document.
        assert_eq!(
            column("1. scalar mul (ct * ct)"),
            ["1x", "2.921x", "7.388x", "7.119x", "14.24x"]
        );
        let growth = column("PVAC_HFHE ct growth with depth");
        assert_eq!(growth, ["1x", "0.8059x", "3.218x", "10.45x", "32.16x", "97.29x"]);
        let fastest = column("4. depth");
        let expected =
            ["PVAC_HFHE 7.287x", "PVAC_HFHE 1.39x", "BFV 2.25x", "BGV 8.749x", "BGV 30.08x"];
        assert_eq!(fastest, expected);
        let dots = column("5. dot product (scalar vectors)");
        assert_eq!(dots, ["7.618x", "7.847x", "7.716x", "7.462x"]);
    }
}

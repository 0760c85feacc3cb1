//! The tables of the published documents, in their order and with their columns, each cell with the
//! printed and the measured figure.

use std::sync::LazyLock;

use serde::Deserialize;

use fathom_cases::record::ratio::{Standing, judge};
use fathom_cases::stats::Ratio;

use super::beside::{Beside, Outcome, short};
use super::evidence::{Peer, Samples};
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

/// A figure of a cell in base units, with its interval if it is a measured time that has one.
#[derive(Clone, Copy, Debug)]
struct Figure {
    value: f64,
    interval: Option<[f64; 2]>,
    /// True if the figure is a measured time without a rank.
    is_unranked: bool,
}

/// The printed and the measured figure of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    printed: Option<Figure>,
    measured: Option<Figure>,
}

/// The whole of a table, as it is judged: the rows and the noise floor of their run.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// Every row of the document.
    pub rows: &'a [Beside<'a>],
    /// Differences below this are noise.
    pub floor: f64,
}

/// Returns the tables of a document, in its order.
pub fn of(document: &str) -> impl Iterator<Item = &'static Table> {
    TABLES.iter().filter(move |table| table.document == document)
}

impl Table {
    /// Returns the libraries beside the engine that have a figure in a column.
    fn libraries<'a>(&self, col: &[String; 2], judged: Judged<'a>) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        let cells = self.rows.iter().flat_map(|row| self.cell(row, col, judged.rows));
        for peer in cells.flat_map(|beside| &beside.peers) {
            if !names.contains(&peer.case.lib.name.as_str()) {
                names.push(&peer.case.lib.name);
            }
        }
        names
    }

    /// Returns the heads of the columns: of each figure what is printed, what the engine measured,
    /// and what every other library did that answered the same question.
    pub fn heads(&self, judged: Judged<'_>) -> Vec<String> {
        let figures = self.cols.iter().flat_map(|col| {
            let own = ["printed", "fathom"].into_iter().chain(self.libraries(col, judged));
            own.map(|source| format!("{}: {source}", col[0])).collect::<Vec<_>>()
        });
        let summary = self.summary.map(|summary| {
            let name = match summary {
                Summary::Vs => "to the first row",
                Summary::Fastest => "fastest",
                Summary::Growth => "growth",
                Summary::Speedup | Summary::Parallel => "speedup",
            };
            [format!("{name}: printed"), format!("{name}: fathom")]
        });
        let first = std::iter::once(String::new());
        first.chain(figures).chain(summary.into_iter().flatten()).collect()
    }

    /// Returns the rows of the table as text, each measured time with its samples. Figures that
    /// stand in carry an asterisk, and times without a rank a question mark.
    pub fn lines(&self, judged: Judged<'_>) -> Vec<Vec<String>> {
        let figures: Vec<Vec<Figures>> = self
            .rows
            .iter()
            .map(|row| {
                self.cols.iter().map(|col| base(&self.cell(row, col, judged.rows))).collect()
            })
            .collect();
        let line = |(place, row): (usize, &[String; 2])| {
            let cells = self.cols.iter().flat_map(|col| {
                let cell = self.cell(row, col, judged.rows);
                let others = self.libraries(col, judged).into_iter().map(|lib| other(&cell, lib));
                [printed(&cell), measured(&cell)].into_iter().chain(others.collect::<Vec<_>>())
            });
            let summary =
                self.summary.map(|summary| self.summary(summary, &figures, place, judged.floor));
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

    fn summary(
        &self,
        summary: Summary,
        figures: &[Vec<Figures>],
        place: usize,
        floor: f64,
    ) -> [String; 2] {
        let of = |pick: fn(&Figures) -> Option<Figure>| {
            let own: Vec<Option<Figure>> = figures[place].iter().map(pick).collect();
            let first: Vec<Option<Figure>> = figures[0].iter().map(pick).collect();
            let ratio = |a: Option<Figure>, b: Option<Figure>| {
                a.zip(b).map_or_else(|| "-".into(), |(a, b)| quotient(a, b, floor))
            };
            match summary {
                Summary::Vs => ratio(own[0], first[0]),
                Summary::Speedup => ratio(own[1], own[0]),
                Summary::Parallel => ratio(own[0], own[1]),
                Summary::Growth => ratio(own[1], first[1]),
                Summary::Fastest => self.fastest(&own, floor),
            }
        };
        [of(|figures| figures.printed), of(|figures| figures.measured)]
    }

    /// Names the fastest column, with the factor by which the first leads the second or lags it.
    /// Times without a rank name nobody.
    fn fastest(&self, times: &[Option<Figure>], floor: f64) -> String {
        if times.iter().flatten().any(|time| time.is_unranked) {
            return UNRANKED.into();
        }
        let known = times.iter().enumerate().filter_map(|(at, time)| Some((at, (*time)?)));
        let best = known.min_by(|(_, one), (_, other)| one.value.total_cmp(&other.value));
        let (Some((best, time)), Some(first)) = (best, times[0]) else { return "-".into() };
        let pair = if best == 0 { times[1].map(|next| (next, first)) } else { Some((first, time)) };
        let factor = pair.map(|(slow, fast)| format!(" {}", quotient(slow, fast, floor)));
        format!("{}{}", self.cols[best][0], factor.unwrap_or_default())
    }
}

/// The text in place of a ratio of times that the judge does not rank.
const UNRANKED: &str = "not ranked";

/// Returns the ratio of two figures of one source as text: `1.52x`, `~1.02x` if it may be chance or
/// noise, and in words that it has no rank if one of two measured times has none.
fn quotient(a: Figure, b: Figure, floor: f64) -> String {
    if a.is_unranked || b.is_unranked {
        return UNRANKED.into();
    }
    let ratio = a.value / b.value;
    let mark = match (a.interval, b.interval) {
        (Some(above), Some(below)) if a.value.to_bits() != b.value.to_bits() => {
            let distance = |end: usize, other: usize| {
                (above[end] / a.value).ln().hypot((below[other] / b.value).ln())
            };
            let interval = [ratio * (-distance(0, 1)).exp(), ratio * distance(1, 0).exp()];
            let standing = judge(Ratio { ratio, interval }, floor);
            if standing == Standing::Indistinguishable { "~" } else { "" }
        }
        _ => "",
    };
    format!("{mark}{}x", short(ratio))
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
    let interval = first.samples.and_then(|samples| samples.interval);
    let exact = |value| Figure { value, interval: None, is_unranked: false };
    Figures {
        printed: Some(exact(quantity::base(first.row))),
        measured: first.measured.map(|figure| Figure {
            value: figure * scale,
            interval: interval.map(|ends| ends.map(|end| end * scale)),
            is_unranked: first.samples.is_some() && interval.is_none(),
        }),
    }
}

fn printed(cell: &[&Beside<'_>]) -> String {
    let text = |beside: &&Beside<'_>| {
        let n = beside.row.n.map_or_else(String::new, |n| format!(", n {n}"));
        format!("{} {}{n}", short(beside.row.mean), unit(beside))
    };
    cell.first().map_or_else(|| "-".into(), text)
}

/// Returns the figure of another library in a cell, with its samples; else its outcome.
fn other(cell: &[&Beside<'_>], lib: &str) -> String {
    let of = |beside: &&Beside<'_>| {
        let peer: &Peer<'_> = beside.peers.iter().find(|peer| peer.case.lib.name == lib)?;
        let Some(figure) = peer.measured else { return Some(peer.outcome.word().to_owned()) };
        let samples = peer.samples.as_ref().map(sampled).unwrap_or_default();
        Some(format!("{} {}{samples}", short(figure), unit(beside)))
    };
    cell.iter().find_map(of).unwrap_or_else(|| "-".into())
}

/// Returns the samples of a time for a cell, with a question mark if they have no interval.
fn sampled(samples: &Samples) -> String {
    let mark = if samples.interval.is_none() { " ?" } else { "" };
    format!(", {}{mark}", samples.text())
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
    let samples = cell.iter().filter_map(|beside| beside.samples).min_by_key(|samples| samples.n);
    let samples = samples.as_ref().map(sampled).unwrap_or_default();
    format!("{text} {}{mark}{samples}", unit(first))
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
pub fn remarks<'a, 'b: 'a>(judged: impl Iterator<Item = &'a Beside<'b>>) -> Vec<String> {
    let mut reasons: Vec<(Outcome, &str, Vec<String>)> = Vec::new();
    for beside in judged.filter(|beside| beside.outcome != Outcome::Verified) {
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
    use crate::evidence::Evidence;
    use crate::{Row, documents, judged};
    use std::collections::HashSet;

    fn whole<'a>(rows: &'a [Beside<'a>]) -> Judged<'a> {
        Judged { rows, floor: 0.0 }
    }

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
            let judged = judged::document(document.name, &rows, &Evidence::of(&[]));
            let names: HashSet<String> = of(document.name).flat_map(all_names).collect();
            for beside in judged.iter().filter(|beside| !is_text(beside.row)) {
                let shown = names.iter().any(|name| is_named(beside, name));
                assert!(shown, "{}: {} is in no table", document.name, beside.row.name());
            }
            for table in of(document.name) {
                let empty = table
                    .lines(whole(&judged))
                    .into_iter()
                    .find(|line| line[1..].iter().step_by(2).all(|cell| cell == "-"));
                assert_eq!(empty, None, "{}", table.title);
                assert!(
                    table
                        .lines(whole(&judged))
                        .iter()
                        .all(|line| line.len() == table.heads(whole(&judged)).len())
                );
            }
        }
    }

    #[test]
    fn the_printed_summaries_are_those_of_the_document() {
        let rows = documents::find("000").unwrap().rows();
        let judged = judged::document("000", &rows, &Evidence::of(&[]));
        let column = |title: &str| {
            let table = of("000").find(|table| table.title == title).unwrap();
            let lines = table.lines(whole(&judged));
            let at = table.heads(whole(&judged)).len() - 2;
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

    #[test]
    fn a_factor_of_times_without_an_interval_is_not_printed() {
        let exact = |value| Figure { value, interval: Some([value, value]), is_unranked: false };
        let shot = Figure { value: 69e-3, interval: None, is_unranked: true };
        assert_eq!(quotient(exact(4.0), exact(2.0), 0.0), "2x");
        assert_eq!(quotient(exact(4.0), exact(2.0), 16.7), "~2x");
        assert_eq!(quotient(shot, exact(1e-4), 0.0), "not ranked");
        assert_eq!(quotient(exact(1e-4), shot, 0.0), "not ranked");
    }
}

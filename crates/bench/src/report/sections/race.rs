//! The race: for one question at a time, operations by libraries, each cell a ratio with its
//! interval.

use fathom_cases::record::Status;
use fathom_cases::record::ratio::{self, Answer, Standing};

use super::compare::Ratio;
use super::verdict::{self, Headline};
use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::format;
use crate::report::questions::{self, Asked, Question};

/// Number of rows that a panel shows before it is unfolded.
const SHOWN_ROWS: usize = 14;

/// The first screen: a switch between questions and a panel for each.
pub(crate) struct Race {
    pub(crate) switch: Vec<Switch>,
    pub(crate) panels: Vec<Panel>,
    /// Name of the library to which times are relative.
    pub(crate) baseline: String,
}

/// The questions of one scheme.
pub(crate) struct Switch {
    pub(crate) scheme: String,
    pub(crate) choices: Vec<Choice>,
}

/// A question to choose.
pub(crate) struct Choice {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) chosen: bool,
}

/// The answers to one question.
pub(crate) struct Panel {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) verdict: verdict::Winner,
    /// Sentences below the verdict.
    pub(crate) facts: Vec<String>,
    /// Tiles, if one library is present.
    pub(crate) tiles: Vec<Headline>,
    /// Columns, fastest first; empty if one library is present.
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// Rows that are shown only if unfolded.
    pub(crate) more: Vec<Row>,
}

/// A library, with the geometric mean of its ratios.
pub(crate) struct Column {
    pub(crate) lib: String,
    pub(crate) mean: String,
    pub(crate) rows: String,
    pub(crate) baseline: bool,
}

/// An operation, with the ratios of all libraries for it.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) meaning: String,
    /// `behind`, `tie`, `ahead` or empty, for the baseline.
    pub(crate) class: &'static str,
    /// Mark of a row in which the baseline is not ahead.
    pub(crate) mark: &'static str,
    pub(crate) cases: String,
    pub(crate) cells: Vec<Cell>,
}

/// A ratio, or the reason why there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) interval: String,
    pub(crate) class: String,
    pub(crate) title: String,
}

impl Race {
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let questions = questions::all(catalog);
        let first = questions::first(catalog, &questions);
        let choice = |(place, question): (usize, &Question)| Choice {
            id: question.id.clone(),
            label: question.purpose.clone(),
            chosen: place == first,
        };
        let schemes = distinct(questions.iter().map(|question| question.scheme.clone()));
        let of_scheme = |scheme: String| {
            let own = questions.iter().enumerate().filter(|(_, q)| q.scheme == scheme);
            Switch { choices: own.map(choice).collect(), scheme }
        };
        Self {
            switch: schemes.into_iter().map(of_scheme).collect(),
            panels: questions.iter().map(|question| panel(catalog, question)).collect(),
            baseline: catalog.libs.first().cloned().unwrap_or_default(),
        }
    }

    /// Returns true if a cell of the page is a ratio.
    pub(crate) fn has_ratios(&self) -> bool {
        self.panels.iter().any(|panel| !panel.columns.is_empty())
    }

    /// Returns true if more than one question can be chosen.
    pub(crate) fn has_choice(&self) -> bool {
        self.panels.len() > 1
    }
}

fn panel(catalog: &Catalog, question: &Question) -> Panel {
    let floor = catalog.noise_floor();
    let verdict = verdict::winner(catalog, question, floor);
    let several = catalog.several_libraries();
    let lines: Vec<Line<'_>> =
        question.rows.iter().map(|asked| Line::of(catalog, asked, floor)).collect();
    let columns = if several { columns(catalog, &lines) } else { Vec::new() };
    let row = |line: &Line<'_>| line.row(&columns);
    let mut rows: Vec<Row> = if several { lines.iter().map(row).collect() } else { Vec::new() };
    // One row more than the limit is not worth unfolding.
    let shown = if rows.len() > SHOWN_ROWS + 1 { SHOWN_ROWS } else { rows.len() };
    let more = rows.split_off(shown);
    Panel {
        id: question.id.clone(),
        title: question.title(),
        verdict,
        facts: facts(catalog, question, &lines),
        tiles: if several { Vec::new() } else { verdict::tiles(catalog, question) },
        columns,
        rows,
        more,
    }
}

/// The answers to one operation.
struct Line<'a> {
    asked: &'a Asked,
    answers: Vec<(usize, &'a Entry)>,
    /// The rows of the judge, and those that are ranked as the page shows them.
    rows: Vec<ratio::Row<'a>>,
    ratios: Vec<Ratio<'a>>,
    baseline: &'a str,
}

impl<'a> Line<'a> {
    fn of(catalog: &'a Catalog, asked: &'a Asked, floor: f64) -> Self {
        let answers: Vec<(usize, &Entry)> =
            asked.cases.iter().map(|case| (*case, &catalog.entries[*case])).collect();
        let baseline = catalog.libs.first().map_or("", String::as_str);
        let judged: Vec<Answer<'a>> =
            answers.iter().filter_map(|(case, entry)| entry.answer(*case)).collect();
        let rows = ratio::rows_of(&judged, floor);
        let ratios = rows.iter().filter_map(|row| Ratio::of(catalog, row)).collect();
        Self { asked, answers, rows, ratios, baseline }
    }

    fn standing(&self) -> (&'static str, &'static str) {
        if self.ratios.is_empty() {
            return ("", "");
        }
        if self.ratios.iter().any(|ratio| !ratio.indistinguishable && ratio.value > 1.0) {
            return ("behind", "behind");
        }
        if self.ratios.iter().any(|ratio| ratio.indistinguishable) {
            return ("tie", "≈");
        }
        ("ahead", "")
    }

    fn row(&self, columns: &[Column]) -> Row {
        let (class, mark) = self.standing();
        let op = fathom_drivers::ops::Op::parse(&self.asked.op);
        let cases: Vec<String> = self.answers.iter().map(|(case, _)| case.to_string()).collect();
        Row {
            label: self.asked.label.clone(),
            meaning: op.map(|op| op.meaning().to_owned()).unwrap_or_default(),
            class,
            mark,
            cases: cases.join(" "),
            cells: columns.iter().map(|column| self.cell(&column.lib)).collect(),
        }
    }

    fn cell(&self, lib: &str) -> Cell {
        let own = || self.answers.iter().map(|(_, entry)| *entry).filter(|e| e.lib == lib);
        let Some(entry) = own().find(|e| e.is_ranked()).or_else(|| own().next()) else {
            return Cell { text: "–".into(), class: "absent".into(), ..Cell::default() };
        };
        if let Some(ratio) = self.ratios.iter().find(|ratio| ratio.peer.lib == lib) {
            return ratio_cell(ratio);
        }
        let row = self.rows.iter().find(|row| row.answers[1].lib == lib);
        let notes = row.map(|row| row.notes.as_slice()).unwrap_or_default();
        let title = [&[title(entry)], notes].concat().join("; ");
        let Some(median) = entry.median().filter(|_| entry.case.verify.status == Status::Ok) else {
            return refusal(entry, &title);
        };
        let class = if !entry.is_ranked() {
            "unranked"
        } else if lib == self.baseline {
            "base"
        } else {
            "alone"
        };
        let includes_encoding = entry.case.includes_encoding();
        let note = match row {
            Some(row) if row.standing == Standing::Unranked && entry.is_ranked() => {
                if includes_encoding {
                    "with encoding".to_owned()
                } else {
                    row.notes.join("; ")
                }
            }
            _ if entry.is_ranked() => verdict::spread(entry, median),
            _ => doubt(entry),
        };
        Cell { text: format::time(median), interval: note, class: class.into(), title }
    }
}

/// Returns the cell of a library that took part: its time over that of the baseline.
fn ratio_cell(ratio: &Ratio<'_>) -> Cell {
    let [value, low, high] = [1.0 / ratio.value, 1.0 / ratio.high, 1.0 / ratio.low];
    let [shown, low, high] = [value, low, high].map(format::significant);
    let step = (value.log2().abs().floor() as u32).min(3);
    let class = match (ratio.indistinguishable, value > 1.0) {
        (true, _) => "tie".to_owned(),
        (false, true) => format!("slower{step}"),
        (false, false) => format!("faster{step}"),
    };
    let sign = if ratio.indistinguishable { "≈ " } else { "" };
    let title = format!(
        "{}; {} {}",
        title(ratio.peer),
        ratio.base.lib,
        ratio.base.median().map(format::time).unwrap_or_default()
    );
    Cell { text: format!("{sign}{shown}×"), interval: format!("{low}–{high}"), class, title }
}

/// Returns the cell of a case without a verified time: the outcome, with its reason as the title.
fn refusal(entry: &Entry, title: &str) -> Cell {
    let reason = entry.case.verify.reason.as_ref();
    let title = reason.map_or_else(|| title.to_owned(), |reason| format!("{title}; {reason}"));
    let (text, class) = match entry.case.verify.status {
        Status::Wrong => ("wrong", "wrong"),
        Status::Failed => ("failed", "wrong"),
        Status::NoiseExhausted => ("refused", "absent"),
        Status::Unsupported => ("not offered", "absent"),
        Status::Ok | Status::Unverified => ("–", "absent"),
    };
    Cell { text: text.into(), class: class.into(), title, ..Cell::default() }
}

fn title(entry: &Entry) -> String {
    let lane = &entry.case.lane;
    let bits = entry.security_bits();
    let bits = bits.map(|bits| format!("; {} bits of security", format::bits(bits)));
    let time = entry.median().map(|ns| format!(": {}", format::time(ns))).unwrap_or_default();
    let interval = entry
        .interval()
        .map(|[low, high]| format!(" [{}]", format::time_interval(low, high)))
        .unwrap_or_default();
    let (lib, params, n, slots) = (&entry.lib, &entry.params, entry.samples(), lane.slots);
    let bits = bits.unwrap_or_default();
    format!("{lib}{time}{interval}, n = {n}; {params}; {slots} values a ciphertext{bits}")
}

/// Returns why a verified time is not ranked.
fn doubt(entry: &Entry) -> String {
    let weak = entry.security_bits().is_some_and(|bits| bits < 128.0);
    let reason = if entry.case.own {
        "our own"
    } else if entry.samples() == 1 {
        "single shot"
    } else if weak {
        "below 128 bits"
    } else if entry.is_measured() {
        "security not stated"
    } else {
        "not measured"
    };
    reason.to_owned()
}

/// Returns the libraries that answered, in the order of the geometric means of their ratios.
fn columns(catalog: &Catalog, lines: &[Line<'_>]) -> Vec<Column> {
    let answered = lines.iter().flat_map(|line| &line.answers);
    let libs = distinct(answered.map(|(_, entry)| entry.lib.clone()));
    let baseline = catalog.libs.first().cloned().unwrap_or_default();
    let mut columns: Vec<(f64, Column)> = libs
        .into_iter()
        .map(|lib| {
            let own = lines.iter().flat_map(|line| &line.rows).filter(|r| r.answers[1].lib == lib);
            let mean = ratio::geometric_mean(own);
            let is_base = lib == baseline;
            let (place, text) = match (is_base, mean) {
                (true, _) => (1.0, "1×".to_owned()),
                (false, None) => (f64::INFINITY, "–".to_owned()),
                (false, Some((mean, _))) => {
                    (1.0 / mean, format!("{}×", format::significant(1.0 / mean)))
                }
            };
            let rows = if is_base {
                "baseline".to_owned()
            } else {
                let count = mean.map_or(0, |(_, count)| count);
                format!("mean of {count} of {}", lines.len())
            };
            (place, Column { lib, mean: text, rows, baseline: is_base })
        })
        .collect();
    columns.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    columns.into_iter().map(|(_, column)| column).collect()
}

/// Returns the sentences below the verdict: the balance of all rows, and what is not verified.
fn facts(catalog: &Catalog, question: &Question, lines: &[Line<'_>]) -> Vec<String> {
    let mut facts = Vec::new();
    let baseline = catalog.libs.first().map_or("", String::as_str);
    let named = |wanted: &str| {
        let of = lines.iter().filter(|line| line.standing().0 == wanted);
        of.map(|line| line.asked.label.as_str()).collect::<Vec<_>>()
    };
    let [ahead, tie, behind] = ["ahead", "tie", "behind"].map(named);
    let compared = ahead.len() + tie.len() + behind.len();
    if compared > 0 {
        let mut text = format!("{baseline} is ahead in {} of {compared} operations", ahead.len());
        for (what, ops) in [("behind in", &behind), ("no difference in", &tie)] {
            if !ops.is_empty() {
                text = format!("{text}; {what} {}", some(ops));
            }
        }
        facts.push(text + ".");
    }
    facts.extend(verdict::security(catalog, question));
    facts.extend(verdict::not_verified(catalog, question));
    facts
}

/// Lists the first names and the number of the others.
fn some(names: &[&str]) -> String {
    const MOST: usize = 4;
    let shown = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

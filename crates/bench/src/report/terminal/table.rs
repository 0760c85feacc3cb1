//! Results as a table for a terminal or for Markdown.

use comfy_table::{
    Attribute, CellAlignment, Color, ContentArrangement, LineStyle, TableStyle, presets,
};
use fathom_cases::record::{Case, Status};
use fathom_drivers::ops::Op;

use crate::report::table::{Cell, Table};

/// Style of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Rules and colours for a terminal.
    Color,
    /// Rules without colours.
    Plain,
    /// GitHub Markdown.
    Markdown,
}

/// A style with a rule below the header only.
const RULED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Columns of the table of cases.
const COLUMNS: [&str; 10] = [
    "case",
    "semantics#",
    "median#",
    "95 % interval#",
    "n#",
    "per slot#",
    "noise left#",
    "security#",
    "bytes#",
    "result",
];

/// Returns the table of cases, sorted by parameters, operation and scheme.
pub fn cases(cases: &[Case], style: Style) -> String {
    let mut sorted: Vec<&Case> = cases.iter().collect();
    let order: Vec<String> = Op::catalog().iter().map(|op| op.name().to_owned()).collect();
    let place = |case: &Case| order.iter().position(|name| *name == case.op);
    sorted.sort_by_key(|case| {
        let params = case.params.as_ref().map_or(String::new(), |params| params.name.clone());
        (params, place(case).unwrap_or(usize::MAX), case.scheme.clone(), case.id.clone())
    });
    let mut table = Table::new("", &COLUMNS);
    for case in sorted {
        table.push_summary(&[], row(case));
    }
    draw(&table, style)
}

/// Draws a table for a terminal or as Markdown.
pub(crate) fn draw(table: &Table, style: Style) -> String {
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(if style == Style::Markdown { presets::ASCII_MARKDOWN } else { RULED });
    drawn.set_content_arrangement(ContentArrangement::Disabled);
    if style == Style::Color {
        drawn.enforce_styling();
    } else {
        drawn.force_no_tty();
    }
    drawn.set_header(table.columns.iter().map(|column| {
        let cell = comfy_table::Cell::new(&column.title);
        if style == Style::Color { cell.add_attribute(Attribute::Bold) } else { cell }
    }));
    for row in &table.rows {
        drawn.add_row(row.cells.iter().map(|cell| {
            let drawn = comfy_table::Cell::new(&cell.text);
            let color = color(cell.class).filter(|_| style == Style::Color);
            color.map_or_else(|| drawn.clone(), |color| drawn.clone().fg(color))
        }));
    }
    for (column, _) in table.columns.iter().enumerate().filter(|(_, column)| column.numeric) {
        if let Some(column) = drawn.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    drawn.to_string()
}

/// Returns the colour of cells of a class, which the style sheet of the page gives them there.
fn color(class: &str) -> Option<Color> {
    match class {
        "status ok" => Some(Color::Green),
        "status wrong" => Some(Color::Red),
        "status noise_exhausted" | "status unsupported" => Some(Color::Yellow),
        _ => None,
    }
}

fn row(case: &Case) -> Vec<Cell> {
    let missing = || "-".to_owned();
    let (median, interval, n) = match &case.time_ns {
        Some(time) => {
            let interval = match time.ci95 {
                Some([low, high]) => format!("{} .. {}", duration(low), duration(high)),
                None if time.n == 1 => "single shot".into(),
                None => missing(),
            };
            (duration(time.median), interval, time.n.to_string())
        }
        None => (missing(), missing(), missing()),
    };
    let slot = case.derived.ns_per_slot.map_or_else(missing, |ns| format!("{ns:.2} ns"));
    let noise = case.verify.noise_budget_bits;
    let left = noise.after.or(noise.predicted_after).or(noise.before);
    let noise = left.map_or_else(missing, |bits| format!("{bits:.1} bits"));
    let security = case.security.as_ref().map_or_else(missing, |security| match security.level {
        Some(level) => match case.caution() {
            Some(caution) => format!("{level}, {caution}"),
            None => format!("{level}"),
        },
        None => match security.classical {
            Some(bits) => format!("{bits:.0} !"),
            None => format!("{}, {}", security.badge, security.source),
        },
    });
    let bytes = size_of(case).map_or_else(missing, |bytes| bytes.to_string());
    let semantics = case.semantics.words();
    let cells = [case.id.clone(), semantics, median, interval, n, slot, noise, security, bytes];
    cells.into_iter().map(Cell::text).chain([result(case)]).collect()
}

/// Returns the most informative size of a case: that of a key if the case is about keys.
fn size_of(case: &Case) -> Option<u64> {
    match case.op.as_str() {
        "pk_size_bytes" | "keygen" => case.bytes.bootstrapping.or(case.bytes.pk),
        "rotate_keygen" => case.bytes.galois,
        _ => case.bytes.ct_out.or(case.bytes.ct_in),
    }
}

fn result(case: &Case) -> Cell {
    let verify = &case.verify;
    let flags = case.time_ns.iter().flat_map(|time| time.flags.iter().cloned());
    let depth = verify.depth_reached.map(|depth| format!("after {depth} products"));
    let precision = verify
        .precision_bits
        .zip(verify.tolerance)
        .map(|(bits, tolerance)| format!("{bits:.1} bits, {:.1} asked", -tolerance.log2()));
    let notes: Vec<String> = precision.into_iter().chain(depth).chain(flags).collect();
    let expected = verify.expected && verify.status != Status::Ok;
    let word = if expected { "refused as expected" } else { verify.status.word() };
    let text = [vec![word.to_owned()], notes].concat().join(", ");
    let refused = expected && verify.status == Status::NoiseExhausted;
    let class = Cell::status(if refused { Status::Ok } else { verify.status }).class;
    Cell { class, ..Cell::text(text) }
}

/// Formats a time with three digits and a suitable unit.
pub fn duration(ns: u64) -> String {
    let (value, unit) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => (ns as f64 / 1e3, "us"),
        1_000_000..1_000_000_000 => (ns as f64 / 1e6, "ms"),
        _ => (ns as f64 / 1e9, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let shown = [0, 999, 1_234, 52_300, 523_400, 7_000_000, 12_345_678_901].map(duration);
        assert_eq!(shown, ["0 ns", "999 ns", "1.23 us", "52.3 us", "523 us", "7.00 ms", "12.3 s"]);
    }
}

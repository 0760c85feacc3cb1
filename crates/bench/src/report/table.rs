//! Tables of the page and of the terminal: the text shown, the values to sort by, and the cases of
//! each row. `assets/report.html` renders them as HTML, `terminal::table::draw` for a terminal and
//! as Markdown.

use std::borrow::Cow;

use fathom_cases::record::Status;

use super::catalog::Entry;
use super::format;

/// A table; `title` is read by screen readers and precedes the copied CSV.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
}

/// A column heading. Numeric columns are right-aligned and sort from small to large.
pub(crate) struct Column {
    pub(crate) title: Cow<'static, str>,
    pub(crate) numeric: bool,
}

/// A row; the filters hide it when none of its cases is left. Rows without a case always show.
pub(crate) struct Row {
    pub(crate) cases: Vec<usize>,
    pub(crate) class: &'static str,
    pub(crate) cells: Vec<Cell>,
}

/// The text of a cell, the number by which it is sorted, and its CSS class.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) value: String,
    pub(crate) class: &'static str,
}

/// Text of a cell without a value.
const ABSENT: &str = "–";

impl Table {
    /// Makes a table with text columns; a name that ends in `#` is a numeric column.
    pub(crate) fn new(title: impl Into<String>, columns: &[&'static str]) -> Self {
        let column = |name: &&'static str| match name.strip_suffix('#') {
            Some(title) => Column { title: title.into(), numeric: true },
            None => Column { title: (*name).into(), numeric: false },
        };
        let columns = columns.iter().map(column).collect();
        Self { title: title.into(), columns, rows: Vec::new() }
    }

    /// Makes a table with text columns whose titles are known at run time.
    pub(crate) fn of_texts(title: &str, columns: Vec<String>) -> Self {
        let column = |title: String| Column { title: title.into(), numeric: false };
        let columns = columns.into_iter().map(column).collect();
        Self { title: title.into(), columns, rows: Vec::new() }
    }

    /// Adds a row of texts that is about no case of a page.
    pub(crate) fn push_texts<T: Into<String>>(&mut self, texts: impl IntoIterator<Item = T>) {
        self.push_summary(&[], texts.into_iter().map(Cell::text).collect());
    }

    /// Adds the row of a case.
    pub(crate) fn push(&mut self, case: usize, entry: &Entry, cells: Vec<Cell>) {
        let class = match entry.case.verify.status {
            Status::Wrong | Status::Failed => "wrong",
            Status::Ok if !entry.is_unranked_time() => "",
            Status::Ok | Status::NoiseExhausted | Status::Unsupported | Status::Unverified => {
                "unranked"
            }
        };
        self.rows.push(Row { cases: vec![case], class, cells });
    }

    /// Removes the columns without any value, and the one of the given title.
    pub(crate) fn drop_columns(&mut self, title: Option<&str>) {
        let says_nothing = |(place, column): &(usize, &Column)| {
            let silent = |row: &Row| [ABSENT, ""].contains(&row.cells[*place].text.as_str());
            Some(&*column.title) == title || self.rows.iter().all(silent)
        };
        let dropped: Vec<usize> =
            self.columns.iter().enumerate().filter(says_nothing).map(|(place, _)| place).collect();
        for place in dropped.into_iter().rev() {
            self.columns.remove(place);
            self.rows.iter_mut().for_each(|row| drop(row.cells.remove(place)));
        }
    }

    /// Removes the rows of which no numeric column has a value, and returns their number. A table
    /// without numeric columns keeps all rows.
    pub(crate) fn drop_silent_rows(&mut self) -> usize {
        let numeric: Vec<usize> =
            (0..self.columns.len()).filter(|place| self.columns[*place].numeric).collect();
        let before = self.rows.len();
        if !numeric.is_empty() {
            self.rows.retain(|row| numeric.iter().any(|place| row.cells[*place].text != ABSENT));
        }
        before - self.rows.len()
    }

    /// Removes each of the named columns whose text is the same in all rows, and returns a sentence
    /// for it; `columns` are titles and the first words of the sentence.
    pub(crate) fn take_constants(&mut self, columns: &[(&str, &str)]) -> Vec<String> {
        let sentence = |(title, words): &(&str, &str)| {
            let place = self.columns.iter().position(|column| column.title == *title)?;
            let said = self.rows.first().map(|row| row.cells[place].text.clone())?;
            let constant = self.rows.iter().all(|row| row.cells[place].text == said);
            if self.rows.len() < 2 || !constant || said.is_empty() {
                return None;
            }
            self.drop_columns(Some(title));
            Some(format!("{words} of every row: {said}."))
        };
        columns.iter().filter_map(sentence).collect()
    }

    /// Adds a row that summarises several cases, or none.
    pub(crate) fn push_summary(&mut self, cases: &[usize], cells: Vec<Cell>) {
        self.rows.push(Row { cases: cases.to_vec(), class: "", cells });
    }
}

impl Row {
    /// Returns the numbers of the cases, separated by spaces.
    pub(crate) fn case_list(&self) -> String {
        self.cases.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
    }
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(crate) fn code(text: impl Into<String>) -> Self {
        Self { text: text.into(), class: "code", ..Self::default() }
    }

    pub(crate) fn time(ns: Option<f64>) -> Self {
        Self::number(ns, format::time)
    }

    pub(crate) fn bytes(size: Option<f64>) -> Self {
        Self::number(size, format::bytes)
    }

    /// Returns the cell of a size as records state it.
    pub(crate) fn size(bytes: Option<u64>) -> Self {
        Self::bytes(bytes.map(|bytes| bytes as f64))
    }

    pub(crate) fn bits(bits: Option<f64>) -> Self {
        Self::number(bits, format::bits)
    }

    pub(crate) fn count(count: Option<u64>) -> Self {
        Self::number(count.map(|count| count as f64), |count| format!("{count:.0}"))
    }

    pub(crate) fn number(value: Option<f64>, text: impl Fn(f64) -> String) -> Self {
        let Some(number) = value else { return Self::absent() };
        Self { text: text(number), value: number.to_string(), class: "number" }
    }

    pub(crate) fn absent() -> Self {
        Self { text: ABSENT.into(), value: String::new(), class: "number absent" }
    }

    pub(crate) fn status(status: Status) -> Self {
        let class = match status {
            Status::Ok => "status ok",
            Status::Wrong | Status::Failed => "status wrong",
            Status::NoiseExhausted => "status noise_exhausted",
            Status::Unsupported | Status::Unverified => "status unsupported",
        };
        Self { text: status.word().replace('_', " "), class, ..Self::default() }
    }

    /// Returns the interval of the median, or the reason why there is none.
    pub(crate) fn interval(entry: &Entry) -> Self {
        if entry.median().is_some() && entry.samples() == 1 {
            return Self { text: "single shot".into(), class: "number note", ..Self::default() };
        }
        let Some([low, high]) = entry.interval() else { return Self::absent() };
        let value = (high - low).to_string();
        Self { text: format::time_interval(low, high), value, class: "number" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_dashes_is_dropped_and_one_with_a_number_is_kept() {
        let mut table = Table::new("t", &["name", "a#", "b#"]);
        let absent = Cell::absent;
        table.push_summary(&[0], vec![Cell::text("none"), absent(), absent()]);
        table.push_summary(&[1], vec![Cell::text("one"), absent(), Cell::count(Some(0))]);
        assert_eq!(table.drop_silent_rows(), 1);
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.rows[0].cells[0].text, "one");
    }
}

//! Reads a table of published figures.

use std::collections::BTreeMap;

use fathom_drivers::ops::Scheme;

use super::unit::Unit;

/// Header of a table; the last two columns may be absent, as in `all.csv`.
pub const HEADER: &str = "scheme,mode,op,mean,stddev,unit,n,params,line";

/// Header without the optional columns.
const SHORT_HEADER: &str = "scheme,mode,op,mean,stddev,unit,n";

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Line of the table, from 1.
    pub line: usize,
    /// Scheme.
    pub scheme: String,
    /// Mode, set or variant.
    pub mode: String,
    /// Operation.
    pub op: String,
    /// Mean, in `unit`.
    pub mean: f64,
    /// Standard deviation, in `unit`; `None` if not stated.
    pub deviation: Option<f64>,
    /// Unit.
    pub unit: Unit,
    /// Number of samples; `None` if not stated.
    pub n: Option<u64>,
    /// Parameters by name.
    pub params: BTreeMap<String, String>,
    /// Line of the document that the row quotes.
    pub source: Option<u64>,
}

impl Row {
    /// Returns `scheme/mode/op`.
    pub fn name(&self) -> String {
        format!("{}/{}/{}", self.scheme, self.mode, self.op)
    }

    /// Returns a parameter as a number, if the row states it.
    pub fn number(&self, param: &str) -> Option<f64> {
        self.params.get(param)?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Returns the mean in seconds, if it is a time.
    pub fn seconds(&self) -> Option<f64> {
        self.unit.seconds().map(|unit| self.mean * unit)
    }

    /// Returns the mean with its unit, as the table has it.
    pub fn figure(&self) -> String {
        format!("{} {}", self.mean, self.unit.name())
    }

    /// Returns the row of the same scheme and mode with that operation.
    pub fn beside<'a>(&self, rows: &'a [Self], op: &str) -> Option<&'a Self> {
        rows.iter().find(|other| other.is_beside(self, op))
    }

    /// Returns true for that operation in the scheme and mode of the other row.
    pub fn is_beside(&self, other: &Self, op: &str) -> bool {
        (&self.scheme, &self.mode) == (&other.scheme, &other.mode) && self.op == op
    }

    /// Returns the mean in seconds or in bytes; as it is, if it is neither a time nor a size.
    pub fn base(&self) -> f64 {
        self.unit.base(self.mean)
    }

    /// Returns the standard deviation of the samples in units of the mean; 0 if not stated.
    pub fn relative_deviation(&self) -> f64 {
        self.deviation.unwrap_or(0.0) / self.mean.max(f64::MIN_POSITIVE)
    }

    /// Returns the standard error of the mean in the unit of [`Row::base`]; 0 if not stated.
    pub fn standard_error(&self) -> f64 {
        self.base() * self.relative_deviation() / (self.n.unwrap_or(1) as f64).sqrt()
    }

    /// Returns the mean in bytes, if it is a size.
    pub fn bytes(&self) -> Option<f64> {
        self.unit.bytes().map(|unit| self.mean * unit)
    }
}

/// A table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimsError {
    /// The first line after the comments is not the header.
    #[error("the first line must be `{HEADER}`, without the last two columns or with them")]
    Header,
    /// A row has another number of fields than the header, or a field is not what it must be.
    #[error("line {line}: {why}")]
    Row {
        /// Number of the line, from 1.
        line: usize,
        /// Description of the error.
        why: String,
    },
}

/// Reads a table. Lines that begin with `#` are comments; a blank deviation or number of samples is
/// not stated, and a scheme under its earlier name gets the present one.
///
/// # Errors
/// [`ClaimsError`] with the line number.
pub fn read(csv: &str) -> Result<Vec<Row>, ClaimsError> {
    let lines = csv.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let columns = match lines.next() {
        Some((_, HEADER)) => 9,
        Some((_, SHORT_HEADER)) => 7,
        Some(_) | None => return Err(ClaimsError::Header),
    };
    lines
        .map(|(line, text)| row(line, text, columns).map_err(|why| ClaimsError::Row { line, why }))
        .collect()
}

fn row(line: usize, text: &str, columns: usize) -> Result<Row, String> {
    let mut fields: Vec<&str> = text.split(',').map(str::trim).collect();
    if fields.len() != columns {
        return Err(format!("{} fields instead of {columns}", fields.len()));
    }
    fields.resize(9, "");
    let [scheme, mode, op, mean, deviation, unit, n, params, source] = fields[..] else {
        return Err("the row has too many fields".into());
    };
    let n: Option<u64> = stated(n, |text| text.parse().ok().filter(|n| *n > 0))
        .map_err(|()| format!("`{n}` is not a number of samples of at least 1"))?;
    let source = stated(source, |text| text.parse().ok())
        .map_err(|()| format!("`{source}` is not the number of a line"))?;
    Ok(Row {
        line,
        scheme: Scheme::renamed(scheme).unwrap_or(scheme).into(),
        mode: mode.into(),
        op: op.into(),
        mean: number(mean)?,
        deviation: if deviation.is_empty() { None } else { Some(number(deviation)?) },
        unit: Unit::parse(unit)?,
        n,
        params: parameters(params)?,
        source,
    })
}

/// Reads a field that may be blank.
fn stated<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, ()> {
    if text.is_empty() { Ok(None) } else { read(text).map(Some).ok_or(()) }
}

fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        Ok(_) | Err(_) => Err(format!("`{text}` is not a number of at least 0")),
    }
}

/// Reads `name=value;name=value`.
fn parameters(text: &str) -> Result<BTreeMap<String, String>, String> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => Err(format!("`{part}` is not a parameter such as n=4096")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_such_a_table_is_refused_with_the_line() {
        assert_eq!(read("a,b,c\n"), Err(ClaimsError::Header));
        for (row, why) in [
            ("a,b,c", "3 fields"),
            ("a,b,c,x,0,ms,1", "`x`"),
            ("a,b,c,1,0,ms,1.5", "`1.5`"),
            ("a,b,c,1,0,weeks,1", "`weeks`"),
        ] {
            let error = read(&format!("{SHORT_HEADER}\n\n{row}")).unwrap_err();
            let text = error.to_string();
            assert!(text.starts_with("line 3") && text.contains(why), "{text}");
        }
        let wide = format!("# a comment\n{HEADER}\na,b,c,1,,ms,,n=1;odd,\n");
        assert!(read(&wide).unwrap_err().to_string().contains("`odd`"));
    }

    #[test]
    fn a_scheme_under_its_earlier_name_gets_the_present_one() {
        let rows = read(&format!("{SHORT_HEADER}\nexact,e4,mul,2,0,ms,1\nbfv,exact,mul,2,0,ms,1"))
            .unwrap();
        assert_eq!([rows[0].name(), rows[1].name()], ["wide/e4/mul", "bfv/exact/mul"]);
    }

    #[test]
    fn blank_fields_are_not_stated() {
        let rows = read(&format!("{HEADER}\na,b,c,2,,ms,,n=4096;set=x,17\n")).unwrap();
        let row = &rows[0];
        assert_eq!((row.n, row.deviation, row.source), (None, None, Some(17)));
        assert_eq!(
            (row.number("n"), row.number("set"), row.seconds()),
            (Some(4096.0), None, Some(2e-3))
        );
    }
}

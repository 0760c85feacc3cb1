//! Checks of a published table of means and deviations that need only the table itself.

/// One row of a table `scheme,mode,op,mean,stddev,unit,n`.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Line number, from 1.
    pub line: usize,
    /// `scheme/mode/op`.
    pub name: String,
    /// Operation.
    pub op: String,
    /// Mean, in `unit`.
    pub mean: f64,
    /// Standard deviation, in `unit`.
    pub deviation: f64,
    /// Unit.
    pub unit: String,
    /// Number of samples.
    pub n: u64,
}

/// A kind of doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The deviation exceeds the mean, or equals sqrt(n - 1) times the mean: most calls did no
    /// work.
    CachedWork,
    /// The deviation is over 30 % of the mean.
    Unstable,
    /// A time from one sample.
    SingleShot,
    /// Computed from other figures, not measured.
    Derived,
}

impl Doubt {
    /// All kinds, most serious first.
    pub const ALL: [Self; 4] = [Self::CachedWork, Self::Unstable, Self::SingleShot, Self::Derived];

    /// Returns the code that `fathom explain` describes.
    pub fn code(self) -> &'static str {
        match self {
            Self::CachedWork => "cached_work",
            Self::Unstable => "unstable",
            Self::SingleShot => "single_shot",
            Self::Derived => "derived",
        }
    }
}

/// A doubt about one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its kind.
    pub doubt: Doubt,
    /// The row.
    pub row: Row,
}

impl Finding {
    /// Describes the finding in one line, with the figures.
    pub fn text(&self) -> String {
        let Row { line, name, mean, deviation, unit, n, .. } = &self.row;
        let ratio = deviation / mean;
        let what = match self.doubt {
            Doubt::CachedWork => format!(
                "sd/mean = {ratio:.3} with n = {n}: the pattern of a single call that did all the \
                 work, which would have taken about {:.4} {unit}",
                mean * *n as f64
            ),
            Doubt::Unstable => format!("sd is {:.0} % of the mean with n = {n}", 100.0 * ratio),
            Doubt::SingleShot => format!("{mean} {unit} from a single sample"),
            Doubt::Derived => format!("{mean} {unit} is computed, not measured"),
        };
        format!("line {line}: {name}: {what}")
    }
}

/// A table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimsError {
    /// The first line is not the header.
    #[error("the first line must be `{}`", crate::report::output::CSV_HEADER)]
    Header,
    /// A row does not have seven fields, or a field is not a number.
    #[error("line {line}: {why}")]
    Row {
        /// Number of the line, from 1.
        line: usize,
        /// Description of the error.
        why: String,
    },
}

/// Reads a table.
///
/// # Errors
/// [`ClaimsError`] with the line number.
pub fn read(csv: &str) -> Result<Vec<Row>, ClaimsError> {
    let mut lines = csv.lines().enumerate();
    if lines.next().map(|(_, line)| line.trim()) != Some(crate::report::output::CSV_HEADER) {
        return Err(ClaimsError::Header);
    }
    lines.filter(|(_, line)| !line.trim().is_empty()).map(|(i, line)| row(i + 1, line)).collect()
}

fn row(line: usize, text: &str) -> Result<Row, ClaimsError> {
    let wrong = |why: String| ClaimsError::Row { line, why };
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let [scheme, mode, op, mean, deviation, unit, n] = fields[..] else {
        return Err(wrong(format!("{} fields instead of 7", fields.len())));
    };
    let number = |text: &str| match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        Ok(_) | Err(_) => Err(wrong(format!("`{text}` is not a number of at least 0"))),
    };
    Ok(Row {
        line,
        name: format!("{scheme}/{mode}/{op}"),
        op: op.into(),
        mean: number(mean)?,
        deviation: number(deviation)?,
        unit: unit.into(),
        n: n.parse()
            .ok()
            .filter(|n| *n > 0)
            .ok_or_else(|| wrong(format!("`{n}` is not a number of samples of at least 1")))?,
    })
}

/// Returns every doubt about `rows`, the most serious kind first; a row may have several.
pub fn check(rows: &[Row]) -> Vec<Finding> {
    let doubts = |doubt: Doubt| rows.iter().filter(move |row| raises(doubt, row));
    Doubt::ALL
        .into_iter()
        .flat_map(|doubt| doubts(doubt).map(move |row| Finding { doubt, row: row.clone() }))
        .collect()
}

fn raises(doubt: Doubt, row: &Row) -> bool {
    let timed = ["ns", "us", "ms", "s", "min"].contains(&row.unit.as_str());
    let ratio = row.deviation / row.mean;
    match doubt {
        // One sample x and n - 1 zeros have mean x/n and population deviation x sqrt(n - 1)/n.
        Doubt::CachedWork => timed && row.n > 1 && (ratio > 1.0 || is_one_of_n(ratio, row.n)),
        Doubt::Unstable => timed && row.n > 1 && ratio > 0.3 && !raises(Doubt::CachedWork, row),
        Doubt::SingleShot => timed && row.n == 1,
        Doubt::Derived => row.op.contains("derived"),
    }
}

fn is_one_of_n(ratio: f64, n: u64) -> bool {
    (ratio - ((n - 1) as f64).sqrt()).abs() < 1e-3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(row: &str) -> Vec<&'static str> {
        let rows = read(&format!("{}\n{row}\n", crate::report::output::CSV_HEADER)).unwrap();
        check(&rows).iter().map(|finding| finding.doubt.code()).collect()
    }

    #[test]
    fn each_doubt_is_raised_by_its_pattern_alone() {
        assert_eq!(codes("a,b,keygen,374,748,ms,5"), ["cached_work"]);
        assert_eq!(codes("a,b,mul,10,3.1,ms,50"), ["unstable"]);
        assert_eq!(codes("a,b,depth1,10,0,ms,1"), ["single_shot"]);
        assert_eq!(codes("a,b,mul_derived,10,0,ms,1"), ["single_shot", "derived"]);
        for quiet in ["a,b,mul,10,2.9,ms,50", "a,b,size,10,0,bytes,1", "a,b,x,10,20,bytes,9"] {
            assert!(codes(quiet).is_empty(), "{quiet}");
        }
    }

    #[test]
    fn what_is_not_such_a_table_is_refused_with_the_line() {
        assert_eq!(read("a,b,c\n"), Err(ClaimsError::Header));
        for (row, why) in
            [("a,b,c", "3 fields"), ("a,b,c,x,0,ms,1", "`x`"), ("a,b,c,1,0,ms,1.5", "`1.5`")]
        {
            let error =
                read(&format!("{}\n\n{row}", crate::report::output::CSV_HEADER)).unwrap_err();
            let text = error.to_string();
            assert!(text.starts_with("line 3") && text.contains(why), "{text}");
        }
    }
}

//! Doubts about published figures.

use crate::table::Row;

/// A kind of doubt, the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doubt {
    /// The deviation is that of one call that did all the work, and of others that did none.
    CachedWork,
    /// A total is not its count times the time of one.
    SumMismatch,
    /// A program is faster than an operation that it consists of, or slower than all of them.
    Composition,
    /// A rate does not follow from the time it is the inverse of.
    RateMismatch,
    /// An efficiency is not the rate of all cores over that of one times their number.
    EfficiencyMismatch,
    /// A larger operand or parameter set is faster than a smaller one.
    NotMonotone,
    /// A time grows with its size by more than any algorithm for it.
    Growth,
    /// A ratio is not that of the two figures that it compares.
    RatioMismatch,
    /// A figure is printed twice with different values.
    RepeatMismatch,
    /// The parameters cannot decrypt what the row claims.
    TooDeep,
    /// The parameters are below the security that the row claims.
    Insecure,
    /// A size that no encoding of the parameters has.
    SizeMismatch,
    /// A time that the operation cannot take in its unit.
    ImplausibleUnit,
    /// The name of a row and its unit contradict each other.
    UnitMismatch,
    /// The same algorithm, parameters or figures under two names.
    SameAlgorithm,
    /// A figure computed from others stands among measured ones.
    Derived,
    /// A size computed by a formula, not taken from a serialisation.
    Estimated,
    /// The deviation is over 30 % of the mean.
    Unstable,
    /// A time from one sample.
    SingleShot,
    /// Neither the number of samples nor a deviation is stated.
    NotStated,
}

impl Doubt {
    /// All kinds, the most serious first.
    pub const ALL: [Self; 20] = [
        Self::CachedWork,
        Self::SumMismatch,
        Self::Composition,
        Self::RateMismatch,
        Self::EfficiencyMismatch,
        Self::NotMonotone,
        Self::Growth,
        Self::RatioMismatch,
        Self::RepeatMismatch,
        Self::TooDeep,
        Self::Insecure,
        Self::SizeMismatch,
        Self::ImplausibleUnit,
        Self::UnitMismatch,
        Self::SameAlgorithm,
        Self::Derived,
        Self::Estimated,
        Self::Unstable,
        Self::SingleShot,
        Self::NotStated,
    ];

    /// Returns the code that `fathom explain` describes.
    pub fn code(self) -> &'static str {
        self.describe().0
    }

    /// Returns the measurement or statement that would settle the doubt.
    pub fn settled_by(self) -> &'static str {
        self.describe().1
    }

    fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::CachedWork => {
                ("cached_work", "the samples one by one, with fresh inputs for each call")
            }
            Self::SumMismatch => {
                ("sum_mismatch", "the times of the single operations in the total")
            }
            Self::RateMismatch => {
                ("rate_mismatch", "rate and time from one run, with the number of threads")
            }
            Self::Composition => {
                ("composition_mismatch", "the times of the operations inside the program")
            }
            Self::EfficiencyMismatch => {
                ("efficiency_mismatch", "the rates on one core and on all, from one run")
            }
            Self::NotMonotone => {
                ("not_monotone", "both sizes in one run, with the same number of threads")
            }
            Self::Growth => ("growth_mismatch", "both sizes in one run, and the algorithm of each"),
            Self::RatioMismatch => ("ratio_mismatch", "the two figures that the ratio compares"),
            Self::RepeatMismatch => {
                ("repeat_mismatch", "the output of the program that made both tables")
            }
            Self::TooDeep => {
                ("too_deep", "decryption of every slot after the operation, or the noise left")
            }
            Self::Insecure => {
                ("insecure", "the largest modulus under the key and the estimator's figure")
            }
            Self::SizeMismatch => {
                ("size_mismatch", "the length of a serialised ciphertext, and its encoding")
            }
            Self::ImplausibleUnit => {
                ("implausible_unit", "one timed call, with the unit that the clock returned")
            }
            Self::UnitMismatch => ("unit_mismatch", "the unit that the figure was computed in"),
            Self::SameAlgorithm => {
                ("same_algorithm", "the parameters and the code path of each of the two")
            }
            Self::Derived => ("derived", "a measurement of the whole operation"),
            Self::Estimated => ("estimated", "the length of the object as it is serialised"),
            Self::Unstable => ("unstable", "more samples on an idle machine, with their median"),
            Self::SingleShot => ("single_shot", "at least ten samples, with their deviation"),
            Self::NotStated => ("n_not_stated", "the number of samples and their deviation"),
        }
    }
}

/// A doubt about one row or about several.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The kind of the doubt.
    pub doubt: Doubt,
    /// Lines of the table that the doubt concerns.
    pub lines: Vec<usize>,
    /// The rows by name, with their lines in the document where the table states them.
    what: String,
    /// The figures that raise the doubt.
    why: String,
}

impl Finding {
    /// Makes a finding about rows, of which there is at least one.
    pub(super) fn new(doubt: Doubt, rows: &[&Row], why: String) -> Self {
        let lines: Vec<usize> = rows.iter().map(|row| row.line).collect();
        let what = match rows {
            [] => String::new(),
            [row] => format!("{}{}", row.name(), source(row)),
            [row, other] => {
                format!("{}{}, {}{}", row.name(), source(row), other.name(), source(other))
            }
            [row, .., last] => {
                format!(
                    "{} rows, {}{} to {}{}",
                    rows.len(),
                    row.name(),
                    source(row),
                    last.name(),
                    source(last)
                )
            }
        };
        Self { doubt, lines, what, why }
    }

    /// Describes the finding in one line, with the figures.
    pub fn text(&self) -> String {
        let line = match self.lines[..] {
            [] => String::new(),
            [line] => format!("line {line}: "),
            [first, second] => format!("lines {first} and {second}: "),
            [first, .., last] => format!("lines {first} to {last}: "),
        };
        format!("{line}{}: {}", self.what, self.why)
    }
}

/// Returns the place in the document that a row quotes.
fn source(row: &Row) -> String {
    row.source.map_or_else(String::new, |line| format!(" (line {line} of the document)"))
}

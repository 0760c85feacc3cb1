//! The figure of a row by a case, and the outcome of a run for it.

use fathom_cases::record::{Case, Status};

use super::quantity::{Kind, Quantity, Work};
use super::table::Row;

/// The outcome of a run for a figure of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// A case with the row's parameters ran, and its result was verified.
    Verified,
    /// A verified case with other parameters, threads or another failure probability stands beside
    /// the figure, without a ratio.
    StandsIn,
    /// The operation would exceed the noise limit of the row's parameters.
    Refused,
    /// The engine lacks the operation or the parameters.
    Unsupported,
    /// The result was wrong or missing.
    Failed,
    /// The run has no case for the row.
    NotRun,
    /// Out of scope: the printed figure alone.
    Imported,
}

impl Outcome {
    /// All outcomes, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Verified,
        Self::StandsIn,
        Self::Refused,
        Self::Unsupported,
        Self::Failed,
        Self::NotRun,
        Self::Imported,
    ];

    /// Returns the word for tables and records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::StandsIn => "stands in",
            Self::Refused => "refused",
            Self::Unsupported => "unsupported",
            Self::Failed => "failed",
            Self::NotRun => "not run",
            Self::Imported => "imported",
        }
    }

    /// Returns the outcome with this word; `None` if there is none.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }

    pub(super) fn of(status: Status) -> Self {
        match status {
            Status::Ok => Self::Verified,
            Status::NoiseExhausted => Self::Refused,
            Status::Unsupported => Self::Unsupported,
            Status::Wrong | Status::Failed | Status::Unverified => Self::Failed,
        }
    }
}

/// Rounds to four significant digits.
pub fn short(figure: f64) -> String {
    let digits = if figure == 0.0 { 0 } else { figure.abs().log10().floor() as i32 };
    let places = (3 - digits).clamp(0, 12) as usize;
    let text = format!("{figure:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Returns the figure of a row by a verified case: in seconds, per second, bytes or percent.
pub(super) fn figure(row: &Row, case: &Case, cases: &[Case]) -> Option<f64> {
    let quantity = Quantity::of(row);
    match quantity.kind {
        Kind::Size => bytes(case),
        Kind::Time | Kind::Rate => quantity.of_work(Work::median(case)?),
        Kind::Share if row.op.ends_with("efficiency") => efficiency(case, cases),
        Kind::Share => loss(case, cases),
        Kind::Factor => None,
    }
}

/// Returns the rate of a case in percent of its threads times the rate on one thread.
pub fn efficiency(case: &Case, cases: &[Case]) -> Option<f64> {
    let stem = case.id.split('?').next()?;
    let one = cases.iter().find(|other| other.id == stem && other.verify.status == Status::Ok)?;
    let [many, one] = [Work::median(case)?.seconds, Work::median(one)?.seconds];
    Some(100.0 * one / (many * case.lane.threads as f64))
}

/// Returns the percentage by which a pool of threads is slower than pinned ones.
fn loss(case: &Case, cases: &[Case]) -> Option<f64> {
    let id = case.id.replace("/batch_pinned", "/batch_pool");
    let pool = cases.iter().find(|other| other.id == id && id != case.id)?;
    let [pinned, pool] = [Work::median(case)?.seconds, Work::median(pool)?.seconds];
    Some(100.0 * (1.0 - pinned / pool))
}

/// Returns the size that a case records: of its ciphertext, or of the public key.
pub(super) fn bytes(case: &Case) -> Option<f64> {
    let sizes = &case.bytes;
    let key = case.op.starts_with("pk_").then(|| sizes.bootstrapping.or(sizes.pk));
    key.unwrap_or_else(|| sizes.ct_out.or(sizes.ct_in)).map(|bytes| bytes as f64)
}

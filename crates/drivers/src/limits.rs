//! Ranges of all values in a reply. A driver is not trusted: a value outside its range is a
//! [`Violation`], and the current case fails. The table of `docs/driver-protocol.md` states the
//! same ranges, and a test compares both.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// Longest line of a driver, in bytes.
pub const LONGEST_LINE: usize = 64 << 20;
/// Longest reply that refuses a request, in bytes.
pub const LONGEST_REFUSAL: usize = 64 << 10;
/// Largest ring degree, and largest number of values in one vector.
pub const MOST_VALUES: usize = 1 << 17;
/// Largest number of coefficients of a torus key; limits the time of the security estimate.
pub const MOST_COEFFICIENTS: usize = 1 << 15;
/// Largest number of samples of one request.
pub const MOST_SAMPLES: usize = 1 << 16;
/// Largest number of outputs of one request, which has as many input sets.
pub const MOST_OUTPUTS: usize = 1 << 16;
/// Largest number of schemes of a library.
pub const MOST_SCHEMES: usize = 64;
/// Largest number of parameter sets, and of operations, of one scheme.
pub const MOST_NAMES: usize = 1 << 12;
/// Largest number of groups of published keys of a set that can be bootstrapped.
pub const MOST_PUBLISHED: usize = 16;
/// Name of the engine, which no other driver may use.
pub const RESERVED_NAME: &str = "fathom";

/// Largest size in bytes: a tebibyte.
const MOST_BYTES: u64 = 1 << 40;
/// Largest log2 of a modulus.
const MOST_LOG_Q: f64 = 16384.0;
/// 2^53, up to which JSON readers represent all integers exactly.
const MOST_COUNT: u64 = 1 << 53;

/// Fraction by which the times of a reply may exceed the duration of the exchange, in addition to a
/// constant, because clocks have a finite resolution.
const CLOCK_SHARE: f64 = 0.01;
const CLOCK_STEP: Duration = Duration::from_millis(1);
const PROCESSOR_STEP: Duration = Duration::from_millis(100);

/// The values that a field of a reply may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Integers from the first to the second bound.
    Whole(u64, u64),
    /// Finite numbers from the first to the second bound.
    Real(f64, f64),
    /// A list whose length is between the bounds.
    Entries(usize, usize),
    /// Letters, digits and `. _ + : -`, at least one and at most this many.
    Name(usize),
    /// Printable text of at most this many bytes.
    Text(usize),
}

/// A field of a reply with its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Name of the field, with the reply or the object that holds it.
    pub field: &'static str,
    /// The range of values that the field may hold.
    pub range: Range,
}

/// The beginning of every [`Violation`] message.
pub const VIOLATION: &str = "protocol violation";

/// A reply outside the limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{VIOLATION}: `{field}` is {found}; allowed: {allowed} (docs/driver-protocol.md)")]
pub struct Violation {
    /// The name of the field.
    pub field: String,
    /// The value of the field, shortened.
    pub found: String,
    /// The range of values that the field may hold.
    pub allowed: String,
}

macro_rules! limits {
    ($($name:ident = $field:literal, $range:expr;)*) => {
        $(pub(super) const $name: Limit = Limit { field: $field, range: $range };)*

        /// All limits of single fields.
        pub const LIMITS: &[Limit] = &[$($name),*];
    };
}

limits! {
    LIBRARY_NAME = "hello: library.name", Range::Name(32);
    LIBRARY_VERSION = "hello: library.version", Range::Text(128);
    LIBRARY_BUILD = "hello: library.build", Range::Text(512);
    LIBRARY_ISA = "hello: library.isa_used", Range::Text(128);
    SCHEMES = "hello: schemes", Range::Entries(0, MOST_SCHEMES);
    SCHEME = "hello: scheme", Range::Name(32);
    PRESETS = "hello: params", Range::Entries(0, MOST_NAMES);
    PRESET = "hello: params[]", Range::Name(64);
    OPERATIONS = "hello: ops", Range::Entries(0, MOST_NAMES);
    OPERATION = "hello: ops[]", Range::Name(64);
    PARAMS_NAME = "params.name", Range::Name(64);
    DEGREE = "params.n", Range::Whole(1, MOST_VALUES as u64);
    SLOTS = "params.slots", Range::Whole(1, MOST_VALUES as u64);
    LOG_Q = "params.log_q", Range::Real(1.0, MOST_LOG_Q);
    LOG_QP = "params.log_qp", Range::Real(1.0, MOST_LOG_Q);
    PLAIN_MODULUS = "params.plain_modulus", Range::Whole(2, (1 << 62) - 1);
    SCALE_BITS = "params.scale_bits", Range::Real(1.0, 512.0);
    WORD_BITS = "params.word_bits", Range::Whole(1, 64);
    LEVELS = "params.levels", Range::Whole(0, 4096);
    DEPTH = "params.depth", Range::Whole(0, 4096);
    SECRET = "params.secret", Range::Name(64);
    SIGMA = "params.sigma", Range::Real(0.0, 1e19);
    FAILURE = "params.p_fail_log2", Range::Real(-65536.0, 0.0);
    EXPLANATION = "params.explanation", Range::Text(16 << 10);
    CHARACTER = "params.character: each text", Range::Text(256);
    FAMILY = "params.torus.family", Range::Name(16);
    MESSAGE_BITS = "params.torus.message_bits", Range::Whole(0, 32);
    CARRY_BITS = "params.torus.carry_bits", Range::Whole(0, 32);
    DIMENSION = "params.torus: dimension", Range::Whole(1, MOST_COEFFICIENTS as u64);
    TORUS_LOG_Q = "params.torus: log_q", Range::Real(1.0, 512.0);
    DEVIATION = "params.torus: deviation_log2", Range::Real(-512.0, 0.0);
    TORUS_SECRET = "params.torus: secret", Range::Name(64);
    SAMPLES = "samples_ns", Range::Entries(1, MOST_SAMPLES);
    ROTATE_SAMPLES = "rotate_samples_ns", Range::Entries(0, MOST_SAMPLES);
    PUBLISHED = "keygen: published", Range::Entries(0, MOST_PUBLISHED);
    PUBLISHED_PURPOSE = "keygen: published[].purpose", Range::Text(64);
    PUBLISHED_SECRET = "keygen: published[].secret", Range::Name(64);
    PUBLISHED_LOG_Q = "keygen: published[].log_q", Range::Real(1.0, MOST_LOG_Q);
    SAMPLE = "run: samples_ns[]", Range::Whole(1, MOST_COUNT);
    OUTPUTS = "run: outputs", Range::Entries(1, MOST_OUTPUTS);
    SWITCHES = "run: involuntary_switches", Range::Whole(0, 1 << 40);
    LEVEL = "run: level", Range::Whole(0, 4096);
    BYTES = "each size in bytes", Range::Whole(0, MOST_BYTES);
    BOOTSTRAPS = "run: bootstraps.count", Range::Real(0.0, 1e9);
    LAYERS = "run: bootstraps.layers", Range::Real(0.0, 1e9);
    VARIANCE_COUNT = "run: variance.n", Range::Whole(1, 1 << 40);
    VARIANCE = "run: variance.measured, variance.model", Range::Real(0.0, 1.0);
    VALUES = "decrypt: values", Range::Entries(0, MOST_VALUES);
    BUDGET = "each noise budget in bits", Range::Real(-MOST_LOG_Q, MOST_LOG_Q);
    LINE = "a line, in bytes", Range::Whole(1, LONGEST_LINE as u64);
    REFUSAL = "a refusal, in bytes", Range::Whole(1, LONGEST_REFUSAL as u64);
}

impl Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole(least, most) => write!(f, "{least} to {most}"),
            Self::Real(least, most) => write!(f, "{least} to {most}"),
            Self::Entries(least, most) => write!(f, "{least} to {most} entries"),
            Self::Name(most) => write!(f, "1 to {most} letters, digits and . _ + : -"),
            Self::Text(most) => write!(f, "at most {most} bytes of printable text"),
        }
    }
}

impl Limit {
    /// Checks an integer.
    ///
    /// # Errors
    /// [`Violation`] for a value outside the range, as in the other methods.
    pub(super) fn whole(&self, value: u64) -> Result<(), Violation> {
        let fits =
            matches!(self.range, Range::Whole(least, most) if (least..=most).contains(&value));
        if fits { Ok(()) } else { Err(self.broken_by(value)) }
    }

    /// Checks a number.
    pub(super) fn real(&self, value: f64) -> Result<(), Violation> {
        let fits =
            matches!(self.range, Range::Real(least, most) if (least..=most).contains(&value));
        if fits { Ok(()) } else { Err(self.broken_by(value)) }
    }

    /// Checks the length of a list.
    pub(super) fn entries(&self, count: usize) -> Result<(), Violation> {
        let fits =
            matches!(self.range, Range::Entries(least, most) if (least..=most).contains(&count));
        if fits { Ok(()) } else { Err(self.broken_by(format!("a list of {count} entries"))) }
    }

    /// Checks a name or a text.
    pub(super) fn text(&self, text: &str) -> Result<(), Violation> {
        let of_name = |c: char| c.is_ascii_alphanumeric() || "._+:-".contains(c);
        let fits = match self.range {
            Range::Name(most) => (1..=most).contains(&text.len()) && text.chars().all(of_name),
            Range::Text(most) => {
                text.len() <= most && text.chars().all(|c| !c.is_control() || c == '\n')
            }
            Range::Whole(..) | Range::Real(..) | Range::Entries(..) => false,
        };
        if fits { Ok(()) } else { Err(self.broken_by(format!("`{}`", printable(text, 80)))) }
    }

    /// Returns the violation by a value.
    pub(super) fn broken_by(&self, found: impl Display) -> Violation {
        violation(self.field, found, self.range)
    }
}

/// Returns the violation of a rule that involves several fields.
pub(super) fn violation(
    field: impl Display,
    found: impl Display,
    allowed: impl Display,
) -> Violation {
    let text = |part: &dyn Display| part.to_string();
    Violation { field: text(&field), found: text(&found), allowed: text(&allowed) }
}

/// Checks that the times of a reply fit between its request and its arrival.
///
/// # Errors
/// [`Violation`] if their sum exceeds that time by more than 1 % and 1 ms.
pub(super) fn within_wall_time(
    field: &str,
    times_ns: &[u64],
    wall: Duration,
) -> Result<(), Violation> {
    let sum = times_ns.iter().map(|&ns| u128::from(ns)).sum::<u128>();
    let most = wall.mul_f64(1.0 + CLOCK_SHARE) + CLOCK_STEP;
    if sum <= most.as_nanos() {
        return Ok(());
    }
    let found = format!("{sum} ns in all");
    let allowed =
        format!("the {} ns that the exchange took by the testbed's clock", wall.as_nanos());
    Err(violation(field, found, allowed))
}

/// Checks that the processor time of a reply fits into its exchange on all processors.
///
/// # Errors
/// [`Violation`] if it exceeds that by more than 1 % and 100 ms.
pub(super) fn within_processor_time(ns: u64, wall: Duration) -> Result<(), Violation> {
    // A quota of 1.5 processors is reported as one processor.
    let processors = std::thread::available_parallelism().map_or(1, usize::from) + 1;
    let most = wall.mul_f64(processors as f64 * (1.0 + CLOCK_SHARE)) + PROCESSOR_STEP;
    if u128::from(ns) <= most.as_nanos() {
        return Ok(());
    }
    let wall = wall.as_nanos();
    let allowed = format!("{processors} processors for the {wall} ns that the exchange took");
    Err(violation("run: cpu_ns", format!("{ns} ns"), allowed))
}

/// Returns the beginning of a text without control characters, which could alter the terminal.
pub(super) fn printable(text: &str, most: usize) -> String {
    let shown = |c: char| if c.is_control() { '.' } else { c };
    let mut short: String = text.trim_end().chars().take(most).map(shown).collect();
    if text.trim_end().chars().nth(most).is_some() {
        short.push_str(" ...");
    }
    short
}

/// Reads a list of at most `MOST` entries, so that a short line cannot exhaust the memory.
pub(super) fn bounded<'de, D, T, const MOST: usize>(reader: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Bounded<T, const MOST: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Bounded<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MOST} entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(entry) = entries.next_element()? {
                if list.len() == MOST {
                    return Err(A::Error::invalid_length(MOST + 1, &self));
                }
                list.push(entry);
            }
            Ok(list)
        }
    }

    reader.deserialize_seq(Bounded::<T, MOST>(PhantomData))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_range_refuses_what_lies_outside() {
        assert!(SLOTS.whole(1).is_ok() && SLOTS.whole(MOST_VALUES as u64).is_ok());
        for value in [0, MOST_VALUES as u64 + 1, 1_000_000_000_000, u64::MAX] {
            let violation = SLOTS.whole(value).unwrap_err();
            let parts = [value.to_string(), "params.slots".into(), "1 to 131072".into()];
            assert!(parts.iter().all(|part| violation.to_string().contains(part)), "{violation}");
        }
        for value in [f64::NAN, f64::INFINITY, -1e308, 1e300, 16385.0] {
            assert!(BUDGET.real(value).is_err(), "{value}");
        }
        for name in ["", "a b", "a,b", "a/b", "a\u{1b}[2J", "n\u{e4}me", &"a".repeat(33)] {
            assert!(LIBRARY_NAME.text(name).is_err(), "{name:?}");
        }
        assert!(LIBRARY_NAME.text("tfhe-rs").is_ok() && SECRET.text("sparse_ternary:64").is_ok());
        assert!(
            LIBRARY_BUILD.text("clang, -O3").is_ok() && LIBRARY_BUILD.text("\u{1b}[2J").is_err()
        );
        assert!(SAMPLES.entries(0).is_err() && SAMPLES.entries(MOST_SAMPLES + 1).is_err());
    }

    #[test]
    fn times_are_held_against_the_clock_of_the_testbed() {
        let wall = Duration::from_millis(100);
        assert!(within_wall_time("x", &[50_000_000, 51_000_000], wall).is_ok());
        assert!(within_wall_time("x", &[50_000_000, 53_000_000], wall).is_err());
        assert!(within_wall_time("x", &[u64::MAX, u64::MAX], wall).is_err());
        assert!(within_processor_time(1 << 50, wall).is_err());
        assert!(within_processor_time(100_000_000, wall).is_ok());
    }
}

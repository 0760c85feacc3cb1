//! Functions that a bootstrapping applies to the slots.

use super::series::Series;
use fathom_base::Error;
use fathom_rings::ckks::DomainError;

/// A function that a bootstrapping applies: [`Table`] or [`SmoothFunction`].
///
/// It is applied to the real and to the imaginary part of every slot, each for itself. Where all
/// slots are known to be real numbers, the imaginary parts stay zero, in half of the time.
pub trait SlotFunction: sealed::Sealed {}

pub(super) mod sealed {
    use super::Series;

    pub trait Sealed {
        /// Returns the sum that stands for the function.
        fn series(&self) -> Series;
    }
}

/// A function of integers modulo a power of two.
///
/// Slots hold integers, whose real and imaginary parts count modulo `2^bits`: `-1` is `2^bits - 1`.
/// That they are integers, up to the error bound of the ciphertext, is promised by whoever applies
/// the table. A result can be rounded to the value of the table, because an operand whose error is
/// too large for that is refused.
///
/// Interpolated by trigonometric polynomials: Bae, Kim, Stehle, Suvanto, eprint 2024/1637; Chung,
/// Kim, Kim, Lee, eprint 2024/274.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    values: Vec<f64>,
    limit: f64,
    cleaned: bool,
    rounded: bool,
}

impl Table {
    /// Most bits of an argument.
    pub const MOST_BITS: u32 = 9;

    /// Makes the table of a function of the integers `0..2^bits`, for slots whose real and
    /// imaginary parts are at most `2^bits` in absolute value. Values that differ by no more than
    /// roundings count as one.
    ///
    /// # Errors
    /// [`Error::Spec`] for a number of bits that is not in 1 to 9; [`DomainError::NotFinite`] for a
    /// value that is not a finite number.
    pub fn new(bits: u32, f: impl Fn(u32) -> f64) -> Result<Table, Error> {
        if !(1..=Table::MOST_BITS).contains(&bits) {
            let reason = format!("{bits} is not between 1 and {}", Table::MOST_BITS);
            return Err(Error::Spec { field: "bits", reason });
        }
        let values: Vec<f64> = (0..1 << bits).map(f).collect();
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return Err(DomainError::NotFinite { operation: "Table::new", index }.into());
        }
        let limit = 2f64.sqrt() * f64::from(1_u32 << bits);
        Ok(Table { values, limit, cleaned: false, rounded: true })
    }

    /// Makes the table of a function of the integers `-2^(bits - 1)..2^(bits - 1)`.
    ///
    /// # Errors
    /// Those of [`Table::new`], whose index counts modulo `2^bits`.
    pub fn signed(bits: u32, f: impl Fn(i32) -> f64) -> Result<Table, Error> {
        Table::new(bits, |residue| {
            let residue = residue as i32;
            let half = 1 << (bits - 1);
            f(if residue < half { residue } else { residue - 2 * half })
        })
    }

    /// Returns the same table for slots of at most this absolute value: larger integers count
    /// modulo `2^bits` too, and take more of the precision of the ciphertext.
    #[must_use]
    pub fn for_slots_up_to(self, limit: f64) -> Table {
        Table { limit, ..self }
    }

    /// Returns the same table for operands with larger errors: before its powers are taken, the
    /// root of unity that stands for an integer is brought nearer to the exact one, so that an
    /// error of the operand counts as its square. This takes `bits + 1` levels more. For tables
    /// without structure, the greatest error grows by a factor of about the square root of
    /// `2^bits`, from three bits on; fewer gain nothing.
    ///
    /// Source: the Newton step of `E^p = 1`; derived in docs/maths/bootstrap.md.
    #[must_use]
    pub fn cleaned(self) -> Table {
        Table { cleaned: true, ..self }
    }

    /// Returns the same table for results that nobody rounds to its values, such as those of a
    /// smooth function of many bits: they are as near to the values as their error bound says, and
    /// operands of any error are taken.
    #[must_use]
    pub fn unrounded(self) -> Table {
        Table { rounded: false, ..self }
    }

    /// Returns the number of bits of an argument.
    pub fn bits(&self) -> u32 {
        self.values.len().ilog2()
    }
}

impl SlotFunction for Table {}

impl sealed::Sealed for Table {
    fn series(&self) -> Series {
        let cleaning = self.cleaned.then(|| self.bits());
        let series = Series::interpolating(&self.values, self.limit);
        let room = if self.rounded { series.room } else { f64::INFINITY };
        Series { room, cleaning, ..series }
    }
}

/// A function of the numbers in `-1..=1`, approximated by sines and cosines.
///
/// Source: least-squares fits on a part of the period, eprint 2026/367.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothFunction {
    series: Series,
}

impl SmoothFunction {
    /// Approximates a function on `-1..=1` by as many waves as `levels` levels allow, 3 to 6: with
    /// 3, a bootstrapping that applies it takes no more levels than any other. The function is also
    /// evaluated slightly outside of the interval, up to 1.001. `curvature` bounds the absolute
    /// value of its second derivative there: with it, the error is known between the points at
    /// which the approximation is compared.
    ///
    /// # Errors
    /// [`Error::Spec`] for another number of levels, or a bound that is negative or not finite;
    /// [`DomainError::NotFinite`] for a function that is not finite in the interval.
    pub fn new(
        f: impl Fn(f64) -> f64,
        curvature: f64,
        levels: usize,
    ) -> Result<SmoothFunction, Error> {
        if !(3..=6).contains(&levels) {
            let reason = format!("{levels} is not between 3 and 6");
            return Err(Error::Spec { field: "levels", reason });
        }
        if !(0.0..f64::INFINITY).contains(&curvature) {
            let reason = format!("{curvature} is no bound on a second derivative");
            return Err(Error::Spec { field: "curvature", reason });
        }
        let series = Series::fitting(f, curvature, levels);
        if !series.approximation.is_finite() {
            let operation = "SmoothFunction::new";
            return Err(DomainError::NotFinite { operation, index: 0 }.into());
        }
        Ok(SmoothFunction { series })
    }

    /// Returns the bound on the error of the approximation in the interval.
    pub fn error(&self) -> f64 {
        self.series.approximation
    }
}

impl SlotFunction for SmoothFunction {}

impl sealed::Sealed for SmoothFunction {
    fn series(&self) -> Series {
        self.series.clone()
    }
}

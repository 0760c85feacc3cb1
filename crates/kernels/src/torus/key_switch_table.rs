//! Parameters, constants and key of a module key switch.

use super::product::Decomposition;
use super::table::Plan;
use crate::IntegerRow;

/// Parameters of a key switch.
///
/// The mask of the input is cut into pieces of `degree` words. A piece `a` corresponds to the
/// polynomial `A = a_0 - sum_(j >= 1) a_j X^(degree - j)`, so that `<a, s>` is the constant
/// coefficient of `A S` modulo `X^degree + 1`. The products of the digits of `A` with module-LWE
/// encryptions of the pieces of the secret sum to a module-LWE ciphertext, whose constant
/// coefficient is the output.
///
/// Source: Chillotti, Gama, Georgieva, Izabachene, Journal of Cryptology 33 (2020), section 4, with
/// the key structured over the small ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySwitchShape {
    /// Dimension of an input, that is its number of mask words; a multiple of the degree.
    pub input_dimension: usize,
    /// Dimension of an output; a multiple of the degree.
    pub output_dimension: usize,
    /// Degree of the ring of the key: a power of two in `16..=256`.
    pub degree: usize,
    /// Gadget decomposition of the mask; at most 52 bits in total.
    pub digits: Decomposition,
}

/// The constants of a module key switch and the layout of its key.
#[derive(Clone, Debug)]
pub struct KeySwitchTable {
    pub(super) shape: KeySwitchShape,
    pub(super) plan: Plan,
}

/// Number of points of the spectra that are summed together.
pub(super) const BLOCK: usize = 4;

/// `2^64`.
pub(super) const TORUS_MODULUS: f64 = 18_446_744_073_709_551_616.0;

impl KeySwitchTable {
    /// Standard deviation of the error that rounding the packed key causes in one coefficient of
    /// its polynomials, as a fraction of the torus.
    ///
    /// The key stores spectra. A coefficient of a uniform polynomial has the standard deviation
    /// `1 / sqrt(12)`, and a value of its spectrum one that is proportional to it. The values have
    /// 31 bits relative to the largest of the key, which is about six standard deviations.
    ///
    /// An encryption in the key has noise from this error in its body, and from that in each mask
    /// coefficient which is multiplied by a one of the secret key: half of them on average.
    pub const ROUNDING: f64 = 1.0 / 4_290_000_000.0;

    /// Precomputes the constants for a shape.
    ///
    /// # Panics
    /// If the degree is not a power of two in `16..=256` that divides both dimensions, if a
    /// dimension is zero, or if the digits have 0 or more than 52 bits in total.
    pub fn new(shape: KeySwitchShape) -> KeySwitchTable {
        let KeySwitchShape { input_dimension, output_dimension, degree, digits } = shape;
        assert!(
            degree.is_power_of_two() && (16..=256).contains(&degree),
            "degree {degree} is not a power of two in 16..=256"
        );
        for dimension in [input_dimension, output_dimension] {
            assert!(
                dimension > 0 && dimension.is_multiple_of(degree),
                "dimension {dimension} is not a positive multiple of the degree {degree}"
            );
        }
        let bits = digits.base_log as usize * digits.levels;
        assert!((1..=52).contains(&bits), "digits of {bits} bits in all are not 1 to 52");
        KeySwitchTable { shape, plan: Plan::in_lanes(degree.ilog2() - 1) }
    }

    /// Returns the parameters of the key switch.
    pub fn shape(&self) -> KeySwitchShape {
        self.shape
    }

    /// Returns the number of integers in a packed key.
    pub fn key_len(&self) -> usize {
        self.points() * self.column_groups() * self.digit_groups() * 8 * 16
    }

    /// Returns the number of words in a key before packing.
    pub fn rows_len(&self) -> usize {
        let pieces = self.shape.input_dimension / self.shape.degree;
        pieces * self.shape.digits.levels * self.columns() * self.shape.degree
    }

    /// Returns the number of doubles of scratch memory for one ciphertext.
    pub fn scratch_len(&self) -> usize {
        let (spectra, products) = (self.points() * self.point_len(), self.products_len());
        spectra + products + 3 * 8 * self.shape.degree
    }

    /// Returns the number of complex values in a spectrum.
    pub(super) fn points(&self) -> usize {
        self.shape.degree / 2
    }

    /// Returns the number of polynomials in a row of the key.
    pub(super) fn columns(&self) -> usize {
        self.shape.output_dimension / self.shape.degree + 1
    }

    pub(super) fn column_groups(&self) -> usize {
        self.columns().div_ceil(8)
    }

    /// Returns the number of groups of eight digit polynomials, those of eight pieces at one level.
    pub(super) fn digit_groups(&self) -> usize {
        (self.shape.input_dimension / self.shape.degree).div_ceil(8) * self.shape.digits.levels
    }

    /// Returns the distance in doubles between points of the digits; not a multiple of 4 KB, which
    /// would cause conflicts in a few cache sets.
    pub(super) fn point_len(&self) -> usize {
        self.digit_groups() * 16 + 16
    }

    pub(super) fn products_len(&self) -> usize {
        self.column_groups() * self.shape.degree * 8
    }
}

/// A packed key of a key switch, made by [`KeySwitchTable::pack`].
#[derive(Clone, Debug)]
pub struct SwitchKey {
    /// Spectra in units of `unit`.
    pub(super) spectra: IntegerRow,
    pub(super) unit: f64,
}

impl SwitchKey {
    /// Returns the packed key with these spectra, in units of `unit`, as [`SwitchKey::spectra`] and
    /// [`SwitchKey::unit`] return them. Shapes: [`KeySwitchTable::key_len`] integers.
    pub fn from_spectra(spectra: IntegerRow, unit: f64) -> SwitchKey {
        SwitchKey { spectra, unit }
    }

    /// Returns the spectra, in the order in which they are read.
    pub fn spectra(&self) -> &IntegerRow {
        &self.spectra
    }

    /// Returns the unit of the spectra.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<i32>() * self.spectra.len()
    }
}

//! Twiddle factors of one modulus and degree, laid out for one kernel.

use crate::twiddles::{Forward, Inverse, Powers};
use crate::{Form, KernelInfo, Modulus, Row};

/// Reason why a transform cannot be prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The degree is not a power of two from 64 to `2^17`.
    #[error("the degree {degree} is not a power of two from 64 to 131072")]
    UnsupportedDegree {
        /// The refused degree.
        degree: usize,
    },
    /// The modulus is not 1 modulo twice the degree, or has no root of unity of that order (in
    /// which case it is not prime).
    #[error("the modulus {modulus} has no root of unity of order {order}")]
    NoRoot {
        /// The modulus.
        modulus: u64,
        /// Twice the degree.
        order: usize,
    },
    /// The kernel does not support the modulus.
    #[error("the kernel {kernel} does not support the modulus {modulus}")]
    UnsupportedModulus {
        /// The modulus.
        modulus: u64,
        /// Name of the kernel.
        kernel: &'static str,
    },
}

/// Precomputed constants of the negacyclic transforms modulo one prime, in the layout of one
/// kernel.
pub struct NttTable {
    modulus: Modulus,
    degree: usize,
    form: Form,
    root: u64,
    forward: Forward,
    inverse: Inverse,
    /// `1 / N`.
    inverse_degree: u64,
}

/// A constant factor of an inverse transform, with the factor `1/N` included.
/// Made by [`NttTable::inverse_scale`], for transforms with that table.
#[derive(Clone, Copy, Debug)]
pub struct InverseScale {
    /// Factors of the last pass, in the form of the kernel of the table.
    outputs: [[u64; 2]; 8],
    form: Form,
    modulus: Modulus,
    degree: usize,
}

impl NttTable {
    /// Precomputes the transforms of rows of `degree` words modulo `modulus` on `kernel`.
    ///
    /// The root is `g^((q - 1) / 2N)` for the smallest `g >= 2` for which its `N`-th power is `-1`.
    /// It is the same on every kernel, and therefore so are canonical transforms.
    ///
    /// # Errors
    /// [`TableError::UnsupportedDegree`] unless `degree` is a power of two from 64 to `2^17`;
    /// [`TableError::UnsupportedModulus`] if the kernel does not support `modulus`;
    /// [`TableError::NoRoot`] if `modulus` is not `1` modulo `2 degree`, or is composite and no
    /// root is found.
    pub fn new(
        modulus: Modulus,
        degree: usize,
        kernel: &dyn KernelInfo,
    ) -> Result<Self, TableError> {
        let Roots { root, inverse_degree } = Roots::find(&modulus, degree, kernel)?;
        let form = kernel.form();
        let powers = Powers::new(&modulus, form, degree, root);
        let (forward, inverse) = (Forward::new(&powers), Inverse::new(&powers));
        Ok(Self { modulus, degree, form, root, forward, inverse, inverse_degree })
    }

    /// Checks everything that [`NttTable::new`] does, without making the table.
    ///
    /// # Errors
    /// As [`NttTable::new`].
    pub fn check(
        modulus: &Modulus,
        degree: usize,
        kernel: &dyn KernelInfo,
    ) -> Result<(), TableError> {
        Roots::find(modulus, degree, kernel).map(drop)
    }

    /// Moves the rows of these tables into one buffer, so that together they may fill huge pages
    /// ([`Row::side_by_side`]).
    pub fn side_by_side<'a>(tables: impl IntoIterator<Item = &'a mut NttTable>) {
        let mut rows = Vec::new();
        for table in tables {
            rows.push(table.forward.row_mut());
            rows.extend(table.inverse.rows_mut());
        }
        Row::side_by_side(&mut rows);
    }

    /// Returns the modulus.
    pub fn modulus(&self) -> Modulus {
        self.modulus
    }

    /// Returns the number of words in a row.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the primitive `2N`-th root of unity at whose odd powers polynomials are evaluated.
    pub fn root(&self) -> u64 {
        self.root
    }

    /// Returns the constant `c` (canonical) as a factor for [`crate::Kernel::ntt_inverse`].
    pub fn inverse_scale(&self, c: u64) -> InverseScale {
        let c = self.modulus.mul(c, self.inverse_degree);
        let outputs = self.inverse.scaled_outputs(&self.modulus, self.form, c);
        InverseScale { outputs, form: self.form, modulus: self.modulus, degree: self.degree }
    }

    /// Returns the factor 1 for [`crate::Kernel::ntt_inverse`], which then inverts
    /// [`crate::Kernel::ntt_forward`].
    pub fn plain_inverse_scale(&self) -> InverseScale {
        self.inverse_scale(1)
    }

    /// Returns the row after checking that its length and the form of the calling kernel match this
    /// table.
    #[inline]
    pub(crate) fn checked_row<'a>(&self, row: &'a mut [u64], form: Form) -> &'a mut [u64] {
        assert!(row.len() == self.degree, "the row does not have as many words as the degree");
        assert!(form == self.form, "the table was laid out for another kernel");
        row
    }

    pub(crate) fn forward_twiddles(&self) -> &Forward {
        &self.forward
    }

    pub(crate) fn inverse_twiddles(&self) -> &Inverse {
        &self.inverse
    }
}

/// The root of unity and the inverse of the degree, both modulo the prime, that define a transform.
struct Roots {
    root: u64,
    inverse_degree: u64,
}

impl Roots {
    fn find(
        modulus: &Modulus,
        degree: usize,
        kernel: &dyn KernelInfo,
    ) -> Result<Roots, TableError> {
        if !degree.is_power_of_two() || !(64..=1 << 17).contains(&degree) {
            return Err(TableError::UnsupportedDegree { degree });
        }
        let no_root = TableError::NoRoot { modulus: modulus.value(), order: 2 * degree };
        if !kernel.supports(modulus) {
            let kernel = kernel.name();
            return Err(TableError::UnsupportedModulus { modulus: modulus.value(), kernel });
        }
        let root = find_root(modulus, degree).ok_or(no_root)?;
        let inverse_degree = modulus.inverse(degree as u64).ok_or(no_root)?;
        Ok(Roots { root, inverse_degree })
    }
}

impl std::fmt::Debug for NttTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NttTable")
            .field("modulus", &self.modulus.value())
            .field("degree", &self.degree)
            .field("form", &self.form)
            .finish_non_exhaustive()
    }
}

impl InverseScale {
    /// Returns the factors of the outputs of the last pass.
    pub(crate) fn outputs(&self) -> &[[u64; 2]; 8] {
        &self.outputs
    }

    pub(crate) fn belongs_to(&self, table: &NttTable) -> bool {
        (self.form, self.degree) == (table.form, table.degree) && self.modulus == table.modulus
    }
}

/// Finds the root that [`NttTable::new`] describes.
fn find_root(modulus: &Modulus, degree: usize) -> Option<u64> {
    /// For a prime, each candidate fails with probability 1/2.
    const CANDIDATES: u64 = 200;
    let q = modulus.value();
    let order = 2 * degree as u64;
    if q % order != 1 {
        return None;
    }
    (2..q.min(CANDIDATES))
        .map(|g| modulus.pow(g, (q - 1) / order))
        // The power is -1 for a primitive root alone; modulo a composite number, none of the
        // candidates may pass, and the table is refused.
        .find(|&root| modulus.pow(root, degree as u64) == q - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;
    use crate::select::by_name;

    fn portable() -> &'static dyn Kernel {
        by_name("portable").unwrap()
    }

    #[test]
    fn the_root_is_primitive_and_its_powers_are_in_reversed_order() {
        let modulus = Modulus::new(65_537).unwrap();
        let table = NttTable::new(modulus, 1024, portable()).unwrap();
        assert_eq!(modulus.pow(table.root(), 1024), 65_536);
        let pairs = &table.forward.pairs;
        assert_eq!(pairs[1][0], modulus.pow(table.root(), 512));
        assert_eq!(pairs[3][0], modulus.pow(table.root(), 256 + 512));
        // The root of order 8 at `t + k` is the power `(N / t) k` of the inverse of the root.
        let inverse = modulus.inverse(table.root()).unwrap();
        assert_eq!(table.inverse.roots[4 + 3][0], modulus.pow(inverse, 1024 / 4 * 3));
    }

    #[test]
    fn unsupported_degrees_are_refused() {
        let modulus = Modulus::new(65_537).unwrap();
        for degree in [0, 1, 32, 100, 1 << 18] {
            let error = NttTable::new(modulus, degree, portable()).unwrap_err();
            assert_eq!(error, TableError::UnsupportedDegree { degree });
        }
    }

    #[test]
    fn moduli_without_root_are_refused() {
        // The modulus is too small for the degree; not 1 modulo 2N; a product of two primes that
        // are 1 modulo 2N.
        for (q, degree) in [(65_537, 1 << 16), (65_539, 64), (257 * 769, 1024)] {
            let error = NttTable::new(Modulus::new(q).unwrap(), degree, portable()).unwrap_err();
            assert_eq!(error, TableError::NoRoot { modulus: q, order: 2 * degree });
        }
    }

    #[test]
    #[should_panic(expected = "as many words as the degree")]
    fn rows_of_another_length_are_refused() {
        let table = NttTable::new(Modulus::new(65_537).unwrap(), 128, portable()).unwrap();
        portable().ntt_forward(&table, &mut [0; 64]);
    }
}

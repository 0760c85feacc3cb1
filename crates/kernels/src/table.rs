//! Twiddle factors of one modulus and degree, laid out for one kernel.

use crate::modulus::multiply_lazy;
use crate::order::reverse;
use crate::{Constant, Form, Kernel, Modulus, Row};

/// Why a transform cannot be prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The degree is not a power of two from 64 to `2^17`.
    #[error("the degree {degree} is not a power of two from 64 to 131072")]
    UnsupportedDegree {
        /// The refused degree.
        degree: usize,
    },
    /// The modulus is not one more than a multiple of twice the degree, or has no root of unity of
    /// that order (then it is not a prime).
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

/// What the negacyclic transforms modulo one prime need, in the layout of one kernel.
pub struct NttTable {
    modulus: Modulus,
    degree: usize,
    kernel: &'static dyn Kernel,
    form: Form,
    root: u64,
    forward: Twiddles,
    inverse: Twiddles,
    /// `1 / N`.
    inverse_degree: u64,
    /// The twiddle of the last inverse level.
    last: u64,
}

/// Powers `root^brv(i)` of a root and their companions.
struct Twiddles {
    /// Indices `0..N/8`: one twiddle serves whole lines.
    pairs: Vec<[u64; 2]>,
    /// For each block of 64, the seven vectors of twiddles of the three levels inside lines.
    blocks: Row,
}

/// A constant to multiply by in an inverse transform, with the `1/N` folded in.
/// Made by [`NttTable::inverse_scale`], for transforms with that table.
#[derive(Clone, Copy, Debug)]
pub struct InverseScale {
    sum: Constant,
    difference: Constant,
    modulus: Modulus,
    degree: usize,
}

impl NttTable {
    /// Prepares the transforms of rows of `degree` words modulo `modulus` on `kernel`.
    ///
    /// The root is the same on every kernel, so canonical transforms are too: it is
    /// `g^((q - 1) / 2N)` for the smallest `g >= 2` that makes its `N`-th power `-1`.
    ///
    /// # Errors
    /// [`TableError::UnsupportedDegree`] unless `degree` is a power of two from 64 to `2^17`;
    /// [`TableError::UnsupportedModulus`] if the kernel does not support `modulus`;
    /// [`TableError::NoRoot`] if `modulus` is not `1` modulo `2 degree`, or not a prime and without
    /// root.
    pub fn new(
        modulus: Modulus,
        degree: usize,
        kernel: &'static dyn Kernel,
    ) -> Result<Self, TableError> {
        if !degree.is_power_of_two() || !(64..=1 << 17).contains(&degree) {
            return Err(TableError::UnsupportedDegree { degree });
        }
        let no_root = TableError::NoRoot { modulus: modulus.value(), order: 2 * degree };
        if !kernel.supports(&modulus) {
            let kernel = kernel.name();
            return Err(TableError::UnsupportedModulus { modulus: modulus.value(), kernel });
        }
        let root = find_root(&modulus, degree).ok_or(no_root)?;
        let inverse_root = modulus.inverse(root).ok_or(no_root)?;
        let inverse_degree = modulus.inverse(degree as u64).ok_or(no_root)?;
        let form = kernel.form();
        let [forward, inverse] =
            [root, inverse_root].map(|root| bit_reversed(&modulus, degree, root));
        Ok(Self {
            modulus,
            degree,
            kernel,
            form,
            root,
            forward: Twiddles::new(&modulus, form, &forward),
            inverse: Twiddles::new(&modulus, form, &inverse),
            inverse_degree,
            last: inverse[1],
        })
    }

    /// The modulus.
    pub fn modulus(&self) -> Modulus {
        self.modulus
    }

    /// Number of words of a row.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The kernel that the table was laid out for.
    pub fn kernel(&self) -> &'static dyn Kernel {
        self.kernel
    }

    /// The primitive `2N`-th root of unity at whose odd powers polynomials are evaluated.
    pub fn root(&self) -> u64 {
        self.root
    }

    /// The constant `c` (canonical) for [`NttTable::inverse`].
    pub fn inverse_scale(&self, c: u64) -> InverseScale {
        let sum = self.modulus.mul(c, self.inverse_degree);
        InverseScale {
            sum: self.modulus.constant(sum),
            difference: self.modulus.constant(self.modulus.mul(sum, self.last)),
            modulus: self.modulus,
            degree: self.degree,
        }
    }

    /// The constant 1 for [`NttTable::inverse`], which then inverts [`NttTable::forward`].
    pub fn plain_inverse_scale(&self) -> InverseScale {
        self.inverse_scale(1)
    }

    /// [`Kernel::ntt_forward_lazy`] on the kernel of the table. `row` has `degree` words.
    #[inline]
    pub fn forward_lazy(&self, row: &mut [u64]) {
        self.kernel.ntt_forward_lazy(self, row);
    }

    /// [`Kernel::ntt_forward`] on the kernel of the table. `row` has `degree` words.
    #[inline]
    pub fn forward(&self, row: &mut [u64]) {
        self.kernel.ntt_forward(self, row);
    }

    /// [`Kernel::ntt_inverse`] on the kernel of the table. `row` has `degree` words.
    #[inline]
    pub fn inverse(&self, row: &mut [u64], scale: &InverseScale) {
        self.kernel.ntt_inverse(self, row, scale);
    }

    /// The row, once it and the form of the calling kernel are found to fit this table.
    #[inline]
    pub(crate) fn checked_row<'a>(&self, row: &'a mut [u64], form: Form) -> &'a mut [u64] {
        assert!(row.len() == self.degree, "the row does not have as many words as the degree");
        assert!(form == self.form, "the table was laid out for another kernel");
        row
    }

    pub(crate) fn pairs(&self) -> &[[u64; 2]] {
        &self.forward.pairs
    }

    pub(crate) fn inverse_pairs(&self) -> &[[u64; 2]] {
        &self.inverse.pairs
    }

    pub(crate) fn blocks(&self) -> &[[[u64; 8]; 14]] {
        self.forward.blocks.as_chunks().0.as_chunks().0
    }

    pub(crate) fn inverse_blocks(&self) -> &[[[u64; 8]; 14]] {
        self.inverse.blocks.as_chunks().0.as_chunks().0
    }
}

impl std::fmt::Debug for NttTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NttTable")
            .field("modulus", &self.modulus.value())
            .field("degree", &self.degree)
            .field("kernel", &self.kernel.name())
            .finish_non_exhaustive()
    }
}

impl InverseScale {
    /// The factors of sums and differences in the last level.
    pub(crate) fn constants(&self) -> [Constant; 2] {
        [self.sum, self.difference]
    }

    pub(crate) fn belongs_to(&self, table: &NttTable) -> bool {
        self.modulus == table.modulus && self.degree == table.degree
    }
}

impl Twiddles {
    fn new(modulus: &Modulus, form: Form, powers: &[u64]) -> Self {
        let pair = |index: usize| modulus.constant(powers[index]).pair(form);
        let count = powers.len() / 64;
        let mut blocks = Row::zeroed(14 * 8 * count);
        for (b, lines) in blocks.as_chunks_mut::<{ 14 * 8 }>().0.iter_mut().enumerate() {
            // Vector `i` of a level has stride `vectors` between lanes.
            let levels = [1, 2, 4].into_iter().flat_map(|vectors| {
                (0..vectors).map(move |i| (8 * vectors * (count + b) + i, vectors))
            });
            for ((first, stride), lines) in levels.zip(lines.as_chunks_mut::<16>().0) {
                for lane in 0..8 {
                    [lines[lane], lines[8 + lane]] = pair(first + lane * stride);
                }
            }
        }
        Self { pairs: (0..powers.len() / 8).map(pair).collect(), blocks }
    }
}

/// The root that [`NttTable::new`] describes.
fn find_root(modulus: &Modulus, degree: usize) -> Option<u64> {
    /// A prime refuses each candidate with probability 1/2.
    const CANDIDATES: u64 = 200;
    let q = modulus.value();
    let order = 2 * degree as u64;
    if q % order != 1 {
        return None;
    }
    (2..q.min(CANDIDATES))
        .map(|g| modulus.pow(g, (q - 1) / order))
        .find(|&root| modulus.pow(root, degree as u64) == q - 1)
}

/// `root^brv(i)` for all `i` below `degree`.
fn bit_reversed(modulus: &Modulus, degree: usize, root: u64) -> Vec<u64> {
    let pair = modulus.constant(root).pair(Form::Shoup64);
    let q = modulus.value();
    let mut powers = vec![0; degree];
    let mut power = 1;
    for exponent in 0..degree {
        powers[reverse(degree, exponent)] = power;
        power = multiply_lazy(power, pair, q) % q;
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name;

    fn portable() -> &'static dyn Kernel {
        by_name("portable").unwrap()
    }

    #[test]
    fn the_root_is_primitive_and_its_powers_are_in_reversed_order() {
        let modulus = Modulus::new(65_537).unwrap();
        let table = NttTable::new(modulus, 1024, portable()).unwrap();
        assert_eq!(modulus.pow(table.root(), 1024), 65_536);
        assert_eq!(table.pairs()[1][0], modulus.pow(table.root(), 512));
        assert_eq!(table.pairs()[3][0], modulus.pow(table.root(), 256 + 512));
        assert_eq!(modulus.mul(table.inverse_pairs()[1][0], table.pairs()[1][0]), 1);
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
        // Too small for the degree; not 1 modulo 2N; a product of two primes that are.
        for (q, degree) in [(65_537, 1 << 16), (65_539, 64), (257 * 769, 1024)] {
            let error = NttTable::new(Modulus::new(q).unwrap(), degree, portable()).unwrap_err();
            assert_eq!(error, TableError::NoRoot { modulus: q, order: 2 * degree });
        }
    }

    #[test]
    #[should_panic(expected = "as many words as the degree")]
    fn rows_of_another_length_are_refused() {
        let table = NttTable::new(Modulus::new(65_537).unwrap(), 128, portable()).unwrap();
        table.forward(&mut [0; 64]);
    }
}

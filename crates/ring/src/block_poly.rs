//! Polynomials in a power of `X`, of which few values differ.
//!
//! A polynomial in `X^(N/n)` has `n` different values at the roots of `X^N + 1`. In the order of
//! transformed rows (`fathom_kernels::order`), a value depends on the upper bits of the position
//! alone. So each value fills a block of `N/n` words, if that is at least 64: within a block of 64
//! words, positions are transposed.

use crate::{Eval, Limbs, Poly, Ring};
use std::sync::Arc;

/// Fewest words of a block: shorter ones are not contiguous.
const SHORTEST: usize = 64;

/// Number of words of a row that are multiplied at a time: what is expanded stays in the cache.
const AT_ONCE: usize = 2048;

/// The values of a polynomial in `X^(N/n)`, each stored once for every prime.
#[derive(Clone, Debug)]
pub struct BlockPoly {
    ring: Arc<Ring>,
    limbs: Limbs,
    /// Words of a transformed row that have the same value.
    block: usize,
    /// The values of all rows, one row after the other.
    values: Vec<u64>,
}

impl BlockPoly {
    /// Keeps the different values of a polynomial of which only the coefficients at multiples of
    /// `N/n` are not zero. `count` is `n`, a power of two up to the degree.
    pub fn new(poly: &Poly<Eval>, count: usize) -> BlockPoly {
        let ring = Arc::clone(poly.ring());
        debug_assert!(count.is_power_of_two() && count <= ring.degree());
        let block = ring.degree() / count;
        let block = if block < SHORTEST { 1 } else { block };
        let values: Vec<u64> = poly.words().iter().step_by(block).copied().collect();
        debug_assert!(
            poly.words().chunks(block).zip(&values).all(|(b, v)| b.iter().all(|w| w == v))
        );
        BlockPoly { ring, limbs: poly.limbs(), block, values }
    }

    /// Returns the limbs of the polynomial.
    pub fn limbs(&self) -> Limbs {
        self.limbs
    }

    /// Returns `sum_j x[j] * k[j]` over `limbs`, which all must have, with one reduction for the
    /// whole sum, as [`Poly::dot`] does.
    pub fn dot(x: &[&Self], k: &[&Poly<Eval>], limbs: Limbs) -> Poly<Eval> {
        debug_assert!(!x.is_empty() && x.len() == k.len());
        let ring = &x[0].ring;
        let mut out = Poly::uninitialized(ring, limbs);
        let at_once = AT_ONCE.min(ring.degree());
        let mut expanded = ring.pool().take(x.len() * at_once);
        for (row, i) in ring.prime_indices(limbs).enumerate() {
            let sums = out.row_mut(row).chunks_exact_mut(at_once);
            for (start, sums) in (0..).step_by(at_once).zip(sums) {
                for (part, x) in expanded.chunks_exact_mut(at_once).zip(x) {
                    x.expand(i, start, part);
                }
                let parts: Vec<&[u64]> = expanded.chunks_exact(at_once).collect();
                let with: Vec<&[u64]> =
                    k.iter().map(|k| &k.row_of(i)[start..][..at_once]).collect();
                ring.kernel().dot(ring.modulus(i), sums, &parts, &with);
            }
        }
        out
    }

    /// Writes the words of the row of a prime from `start` on.
    fn expand(&self, prime: usize, start: usize, out: &mut [u64]) {
        let per_row = self.ring.degree() / self.block;
        let row = self.limbs.row_of(prime, self.ring.chain_len()) * per_row;
        let first = row + start / self.block;
        for (part, value) in out.chunks_mut(self.block).zip(&self.values[first..]) {
            part.fill(*value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rings::SHAPES;
    use crate::{Coeff, SecretRng, uniform_eval};

    /// Sums of products are those of whole polynomials, for every number of different values.
    fn check(ring: &Arc<Ring>, count: usize, rng: &mut SecretRng) {
        let (degree, all) = (ring.degree(), ring.all_limbs());
        let whole = [(); 3].map(|()| {
            let mut coefficients = vec![0_i64; degree];
            for c in coefficients.iter_mut().step_by(degree / count) {
                *c = (rng.next_word() % 1001) as i64 - 500;
            }
            Poly::<Coeff>::from_signed(ring, all, &coefficients).into_eval()
        });
        let seed = rng.next_seed();
        let with = [0, 1, 2].map(|i| uniform_eval(ring, all, &seed.child(i)));
        let few = whole.each_ref().map(|poly| BlockPoly::new(poly, count));
        assert_eq!(few[0].limbs(), all);
        for limbs in [all, Limbs::extended(1, ring.special_len()), Limbs::chain(2)] {
            let sum = BlockPoly::dot(&few.each_ref(), &with.each_ref(), limbs);
            let expected = Poly::dot(&whole.each_ref(), &with.each_ref(), limbs);
            assert_eq!(sum.words(), expected.words(), "{count} of {degree}");
        }
    }

    #[test]
    fn products_of_few_values_are_those_of_whole_polynomials() {
        let mut rng = SecretRng::insecure_from_seed(31);
        for degree in [64, 4096] {
            for shape in SHAPES {
                for ring in shape.rings(degree) {
                    let counts = (0..=degree.ilog2()).map(|bits| 1 << bits);
                    counts.for_each(|count| check(&ring, count, &mut rng));
                }
            }
        }
    }
}

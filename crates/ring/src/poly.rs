//! Polynomials in RNS representation, with their domain in the type.

use crate::{Buffer, Limbs, Ring};
use fathom_kernels::{Constant, Modulus, TensorRows};
use std::marker::PhantomData;
use std::sync::Arc;

/// The domain of coefficients, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coeff;

/// The NTT domain: values at the odd powers of a primitive 2N-th root of unity, in the order of
/// `fathom_kernels::order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eval;

/// Domain of a polynomial: [`Coeff`] or [`Eval`].
pub trait Domain: sealed::Sealed + Copy + std::fmt::Debug {}
impl Domain for Coeff {}
impl Domain for Eval {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Coeff {}
    impl Sealed for super::Eval {}
}

/// A polynomial of a ring: one canonical row of `N` residues for each prime of its limbs.
#[derive(Debug)]
pub struct Poly<D: Domain> {
    ring: Arc<Ring>,
    limbs: Limbs,
    data: Buffer,
    domain: PhantomData<D>,
}

/// An integer modulo every prime of a ring, prepared to multiply rows.
#[derive(Clone, Debug)]
pub struct Scalar(Vec<Constant>);

impl Scalar {
    /// Makes the integer that is `value(q)` modulo each prime `q` of the ring.
    pub fn new(ring: &Ring, mut value: impl FnMut(&Modulus) -> u64) -> Scalar {
        let constant = |i| ring.modulus(i).constant(value(ring.modulus(i)));
        Scalar((0..ring.chain_len() + ring.special_len()).map(constant).collect())
    }

    /// Makes a signed integer.
    pub fn from_signed(ring: &Ring, value: i64) -> Scalar {
        Scalar::new(ring, |m| m.from_signed(value))
    }

    /// Returns the product of the special primes.
    pub fn special_product(ring: &Ring) -> Scalar {
        let special: Vec<u64> = (ring.chain_len()..)
            .take(ring.special_len())
            .map(|i| ring.modulus(i).value())
            .collect();
        Scalar::new(ring, |m| special.iter().fold(1, |acc, &p| m.mul(acc, m.reduce(p))))
    }

    pub(crate) fn constant(&self, index: usize) -> &Constant {
        &self.0[index]
    }
}

impl<D: Domain> Poly<D> {
    /// Returns the zero polynomial.
    pub fn zero(ring: &Arc<Ring>, limbs: Limbs) -> Self {
        let mut poly = Poly::uninitialized(ring, limbs);
        poly.data.fill(0);
        poly
    }

    /// Returns a polynomial whose rows hold arbitrary words, to be overwritten by the caller.
    pub(crate) fn uninitialized(ring: &Arc<Ring>, limbs: Limbs) -> Self {
        debug_assert!(limbs.within(ring.all_limbs()));
        let data = ring.pool().take(limbs.len() * ring.degree());
        Poly { ring: Arc::clone(ring), limbs, data, domain: PhantomData }
    }

    /// Returns the ring of the polynomial.
    pub fn ring(&self) -> &Arc<Ring> {
        &self.ring
    }

    /// Returns the limbs of the polynomial.
    pub fn limbs(&self) -> Limbs {
        self.limbs
    }

    /// Returns residue row `row`: `N` words, canonical.
    pub fn row(&self, row: usize) -> &[u64] {
        let n = self.ring.degree();
        &self.data[row * n..][..n]
    }

    /// Returns residue row `row` for writing; the caller must keep it canonical.
    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        let n = self.ring.degree();
        &mut self.data_mut()[row * n..][..n]
    }

    /// Returns all words for writing. Those that another polynomial shares are copied first.
    fn data_mut(&mut self) -> &mut Buffer {
        if self.data.is_shared() {
            self.data = self.restricted(self.limbs).data;
        }
        &mut self.data
    }

    /// Returns the row of the prime with this index in the ring.
    pub(crate) fn row_of(&self, prime: usize) -> &[u64] {
        self.row(self.row_number(prime))
    }

    pub(crate) fn row_of_mut(&mut self, prime: usize) -> &mut [u64] {
        let row = self.row_number(prime);
        self.row_mut(row)
    }

    fn row_number(&self, prime: usize) -> usize {
        self.limbs.row_of(prime, self.ring.chain_len())
    }

    /// Returns all rows, one after the other.
    pub fn words(&self) -> &[u64] {
        &self.data[..self.limbs.len() * self.ring.degree()]
    }

    /// Returns the first `count` rows, and the other rows.
    pub(crate) fn split_rows(&mut self, count: usize) -> (&mut [u64], &mut [u64]) {
        let (n, len) = (self.ring.degree(), self.limbs.len());
        self.data_mut()[..len * n].split_at_mut(count * n)
    }

    /// Drops all rows but those of a prefix of the chain, without moving data.
    pub(crate) fn truncate(&mut self, limbs: Limbs) {
        debug_assert!(limbs.within(self.limbs) && limbs.special_count() == 0);
        self.limbs = limbs;
    }

    /// Returns true if every residue is zero.
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&w| w == 0)
    }

    /// Overwrites the content with zeros in a way that the compiler does not remove.
    pub fn wipe(&mut self) {
        self.data_mut().wipe();
    }

    /// Returns a copy with only `limbs`, which must be among those present. This is not a division:
    /// the residues modulo the remaining primes are unchanged.
    pub fn restricted(&self, limbs: Limbs) -> Self {
        let mut out = Poly::uninitialized(&self.ring, limbs);
        for prime in self.ring.prime_indices(limbs) {
            out.row_of_mut(prime).copy_from_slice(self.row_of(prime));
        }
        out
    }

    /// Returns [`Poly::restricted`] to a prefix of the chain, without copying if at least half of
    /// the words remain: both polynomials then share them, and whichever is written first copies.
    pub fn shared_prefix(&self, limbs: Limbs) -> Self {
        debug_assert!(limbs.within(self.limbs) && limbs.special_count() == 0);
        if 2 * limbs.len() * self.ring.degree() < self.data.len() {
            return self.restricted(limbs);
        }
        Poly { ring: Arc::clone(&self.ring), limbs, data: self.data.share(), domain: PhantomData }
    }

    /// Returns `a + b` over `limbs`, which both must have.
    pub fn sum(a: &Self, b: &Self, limbs: Limbs) -> Self {
        Poly::made(&a.ring, limbs, |ring, i, m, row| {
            ring.kernel().add(m, row, a.row_of(i), b.row_of(i));
        })
    }

    /// Returns `a - b` over `limbs`, which both must have.
    pub fn difference(a: &Self, b: &Self, limbs: Limbs) -> Self {
        Poly::made(&a.ring, limbs, |ring, i, m, row| {
            ring.kernel().sub(m, row, a.row_of(i), b.row_of(i));
        })
    }

    /// Returns `-self`.
    pub fn negated(&self) -> Self {
        Poly::made(&self.ring, self.limbs, |ring, i, m, row| {
            ring.kernel().neg(m, row, self.row_of(i));
        })
    }

    /// Adds `other`, whose limbs must include those of `self`.
    pub fn add_assign(&mut self, other: &Self) {
        self.zip(other, |ring, m, a, b| ring.kernel().add_assign(m, a, b));
    }

    /// Subtracts `other`, whose limbs must include those of `self`.
    pub fn sub_assign(&mut self, other: &Self) {
        self.zip(other, |ring, m, a, b| ring.kernel().sub_assign(m, a, b));
    }

    /// Negates `self`.
    pub fn neg_assign(&mut self) {
        self.each(|ring, _, m, a| ring.kernel().neg_assign(m, a));
    }

    /// Multiplies by an integer `c`.
    pub fn mul_scalar_assign(&mut self, c: &Scalar) {
        self.each(|ring, i, m, a| ring.kernel().mul_constant_assign(m, a, c.constant(i)));
    }

    /// Adds `other * c` for an integer `c`. The limbs of `other` must include those of `self`.
    pub fn mul_scalar_add_assign(&mut self, other: &Self, c: &Scalar) {
        self.each(|ring, i, m, a| {
            ring.kernel().mul_constant_add_assign(m, a, other.row_of(i), c.constant(i));
        });
    }

    /// Returns the same rows as a polynomial of `ring`, whose chain must start with the same
    /// primes.
    pub fn moved_to(&self, ring: &Arc<Ring>) -> Self {
        let mut out = Poly::uninitialized(ring, self.limbs);
        for row in 0..self.limbs.len() {
            debug_assert_eq!(ring.modulus(row), self.ring.modulus(row));
            out.row_mut(row).copy_from_slice(self.row(row));
        }
        out
    }

    /// Makes a polynomial whose rows are written by `op`.
    fn made(
        ring: &Arc<Ring>,
        limbs: Limbs,
        op: impl FnMut(&Ring, usize, &Modulus, &mut [u64]),
    ) -> Self {
        let mut out = Poly::uninitialized(ring, limbs);
        out.each(op);
        out
    }

    fn each(&mut self, mut op: impl FnMut(&Ring, usize, &Modulus, &mut [u64])) {
        let ring = Arc::clone(&self.ring);
        for (row, prime) in ring.prime_indices(self.limbs).enumerate() {
            op(&ring, prime, ring.modulus(prime), self.row_mut(row));
        }
    }

    fn zip(&mut self, other: &Self, mut op: impl FnMut(&Ring, &Modulus, &mut [u64], &[u64])) {
        debug_assert!(self.limbs.within(other.limbs));
        self.each(|ring, i, m, a| op(ring, m, a, other.row_of(i)));
    }

    fn into_domain<E: Domain>(self) -> Poly<E> {
        let Poly { ring, limbs, data, domain: _ } = self;
        Poly { ring, limbs, data, domain: PhantomData }
    }
}

impl Poly<Coeff> {
    /// Makes the polynomial with these `N` signed coefficients, each smaller than every prime in
    /// absolute value.
    pub fn from_signed(ring: &Arc<Ring>, limbs: Limbs, coefficients: &[i64]) -> Self {
        Poly::made(ring, limbs, |ring, _, m, row| ring.kernel().lift(m, row, coefficients))
    }

    /// Transforms coefficients to values: one forward NTT for each row.
    pub fn into_eval(mut self) -> Poly<Eval> {
        self.each(|ring, i, _, row| ring.forward(i, row));
        self.into_domain()
    }
}

impl Poly<Eval> {
    /// Transforms values to coefficients: one inverse NTT for each row.
    pub fn into_coeff(mut self) -> Poly<Coeff> {
        self.each(|ring, i, _, row| ring.inverse(i, row));
        self.into_domain()
    }

    /// Multiplies by `other`, whose limbs must include those of `self`.
    pub fn mul_assign(&mut self, other: &Self) {
        self.zip(other, |ring, m, a, b| ring.kernel().mul_assign(m, a, b));
    }

    /// Adds `a * b`. The limbs of `a` and `b` must include those of `self`.
    pub fn mul_add_assign(&mut self, a: &Self, b: &Self) {
        self.each(|ring, i, m, acc| {
            ring.kernel().mul_add_assign(m, acc, a.row_of(i), b.row_of(i));
        });
    }

    /// Returns `a * b` over `limbs`, which both must have.
    pub fn product(a: &Self, b: &Self, limbs: Limbs) -> Self {
        Poly::made(&a.ring, limbs, |ring, i, m, row| {
            ring.kernel().mul(m, row, a.row_of(i), b.row_of(i));
        })
    }

    /// Returns `sum_j x[j] * k[j]` over `limbs`, which all must have, with one reduction for the
    /// whole sum.
    pub fn dot(x: &[&Self], k: &[&Self], limbs: Limbs) -> Self {
        debug_assert!(!x.is_empty() && x.len() == k.len());
        Poly::made(&x[0].ring, limbs, |ring, i, m, row| {
            let xs: Vec<&[u64]> = x.iter().map(|p| p.row_of(i)).collect();
            let ks: Vec<&[u64]> = k.iter().map(|p| p.row_of(i)).collect();
            ring.kernel().dot(m, row, &xs, &ks);
        })
    }

    /// Returns the sum over all pairs of the products `(a0 + a1 Y)(b0 + b1 Y)` of two-component
    /// operands, as the coefficients of `1, Y, Y^2`, with one reduction for the whole sum. All
    /// polynomials must have `limbs`.
    pub fn tensor(pairs: &[([&Self; 2], [&Self; 2])], limbs: Limbs) -> [Self; 3] {
        debug_assert!(!pairs.is_empty());
        let ring = Arc::clone(&pairs[0].0[0].ring);
        let mut out: [Self; 3] = std::array::from_fn(|_| Poly::uninitialized(&ring, limbs));
        for (row, i) in ring.prime_indices(limbs).enumerate() {
            let rows: Vec<TensorRows<'_>> = pairs
                .iter()
                .map(|(a, b)| TensorRows { a: a.map(|p| p.row_of(i)), b: b.map(|p| p.row_of(i)) })
                .collect();
            ring.tensor_rows(i, out.each_mut().map(|p| p.row_mut(row)), &rows);
        }
        out
    }

    /// Adds the constant polynomial `c`, which has the value `c` everywhere.
    pub fn add_constant_assign(&mut self, c: &Scalar) {
        self.each(|_, i, m, row| {
            let c = c.constant(i).value();
            for word in row {
                *word = m.add(*word, c);
            }
        });
    }
}

impl<D: Domain> Clone for Poly<D> {
    fn clone(&self) -> Self {
        self.restricted(self.limbs)
    }
}

impl<D: Domain> PartialEq for Poly<D> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.ring, &other.ring)
            && self.limbs == other.limbs
            && self.words() == other.words()
    }
}

//! Polynomials in residue form, with their domain in the type.

use crate::{Buffer, Limbs, Ring};
use fathom_kernels::{Constant, Modulus, TensorRows};
use std::marker::PhantomData;
use std::sync::Arc;

/// Given by coefficients, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coeff;

/// Given by values at the odd powers of a primitive 2N-th root, in the order of
/// `fathom_kernels::order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eval;

/// How a polynomial is given: [`Coeff`] or [`Eval`].
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

/// An integer modulo every prime of a ring, ready to multiply rows.
#[derive(Clone, Debug)]
pub struct Scalar(Vec<Constant>);

impl Scalar {
    /// The integer that is `value(q)` modulo each prime `q` of the ring.
    pub fn new(ring: &Ring, mut value: impl FnMut(&Modulus) -> u64) -> Scalar {
        let constant = |i| ring.modulus(i).constant(value(ring.modulus(i)));
        Scalar((0..ring.chain_len() + ring.special_len()).map(constant).collect())
    }

    /// A signed integer.
    pub fn from_signed(ring: &Ring, value: i64) -> Scalar {
        Scalar::new(ring, |m| m.from_signed(value))
    }

    /// The product of the special primes.
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
    /// The zero polynomial.
    pub fn zero(ring: &Arc<Ring>, limbs: Limbs) -> Self {
        let mut poly = Poly::uninitialised(ring, limbs);
        poly.data.fill(0);
        poly
    }

    /// A polynomial whose rows hold arbitrary words, to be overwritten by the caller.
    pub(crate) fn uninitialised(ring: &Arc<Ring>, limbs: Limbs) -> Self {
        debug_assert!(limbs.within(ring.all_limbs()));
        let data = ring.pool().take(limbs.len() * ring.degree());
        Poly { ring: Arc::clone(ring), limbs, data, domain: PhantomData }
    }

    /// The ring it belongs to.
    pub fn ring(&self) -> &Arc<Ring> {
        &self.ring
    }

    /// The residues it keeps.
    pub fn limbs(&self) -> Limbs {
        self.limbs
    }

    /// Residue row number `row`, canonical, `N` words.
    pub fn row(&self, row: usize) -> &[u64] {
        let n = self.ring.degree();
        &self.data[row * n..][..n]
    }

    /// Residue row number `row`; the caller keeps it canonical.
    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        let n = self.ring.degree();
        &mut self.data[row * n..][..n]
    }

    /// The row of the prime with this index in the ring.
    pub(crate) fn row_of(&self, prime: usize) -> &[u64] {
        self.row(self.row_number(prime))
    }

    pub(crate) fn row_of_mut(&mut self, prime: usize) -> &mut [u64] {
        let row = self.row_number(prime);
        self.row_mut(row)
    }

    fn row_number(&self, prime: usize) -> usize {
        if prime < self.ring.chain_len() {
            debug_assert!(prime < self.limbs.chain_count());
            prime
        } else {
            self.limbs.chain_count() + prime - self.ring.chain_len()
        }
    }

    /// All rows, one after the other.
    pub fn words(&self) -> &[u64] {
        &self.data[..self.limbs.len() * self.ring.degree()]
    }

    /// The first `count` rows, and the others.
    pub(crate) fn split_rows(&mut self, count: usize) -> (&mut [u64], &mut [u64]) {
        let n = self.ring.degree();
        self.data[..self.limbs.len() * n].split_at_mut(count * n)
    }

    /// Forgets all rows but those of a prefix of the chain, without moving anything.
    pub(crate) fn truncate(&mut self, limbs: Limbs) {
        debug_assert!(limbs.within(self.limbs) && limbs.special_count() == 0);
        self.limbs = limbs;
    }

    /// True if every residue is zero.
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&w| w == 0)
    }

    /// Overwrites the content with zeros in a way the compiler may not remove.
    pub fn wipe(&mut self) {
        self.data.wipe();
    }

    /// A copy that keeps only `limbs`, which must be among the present ones. This is not a
    /// division: the value modulo the smaller modulus is unchanged.
    pub fn restricted(&self, limbs: Limbs) -> Self {
        let mut out = Poly::uninitialised(&self.ring, limbs);
        for prime in self.ring.prime_indices(limbs) {
            out.row_of_mut(prime).copy_from_slice(self.row_of(prime));
        }
        out
    }

    /// `a + b` over `limbs`, which both must have.
    pub fn sum(a: &Self, b: &Self, limbs: Limbs) -> Self {
        Poly::made(&a.ring, limbs, |ring, i, m, row| {
            ring.kernel().add(m, row, a.row_of(i), b.row_of(i));
        })
    }

    /// `a - b` over `limbs`, which both must have.
    pub fn difference(a: &Self, b: &Self, limbs: Limbs) -> Self {
        Poly::made(&a.ring, limbs, |ring, i, m, row| {
            ring.kernel().sub(m, row, a.row_of(i), b.row_of(i));
        })
    }

    /// `-self`.
    pub fn negated(&self) -> Self {
        Poly::made(&self.ring, self.limbs, |ring, i, m, row| {
            ring.kernel().neg(m, row, self.row_of(i));
        })
    }

    /// `self + other`. The limbs of `self` must be among those of `other`.
    pub fn add_assign(&mut self, other: &Self) {
        self.zip(other, |ring, m, a, b| ring.kernel().add_assign(m, a, b));
    }

    /// `self - other`. The limbs of `self` must be among those of `other`.
    pub fn sub_assign(&mut self, other: &Self) {
        self.zip(other, |ring, m, a, b| ring.kernel().sub_assign(m, a, b));
    }

    /// `-self`.
    pub fn neg_assign(&mut self) {
        self.each(|ring, _, m, a| ring.kernel().neg_assign(m, a));
    }

    /// `self * c` for an integer `c`.
    pub fn mul_scalar_assign(&mut self, c: &Scalar) {
        self.each(|ring, i, m, a| ring.kernel().mul_constant_assign(m, a, c.constant(i)));
    }

    /// `self + other * c` for an integer `c`. The limbs of `self` must be among those of `other`.
    pub fn mul_scalar_add_assign(&mut self, other: &Self, c: &Scalar) {
        self.each(|ring, i, m, a| {
            ring.kernel().mul_constant_add_assign(m, a, other.row_of(i), c.constant(i));
        });
    }

    /// The same rows as a polynomial of `ring`, whose chain must start with the same primes.
    pub(crate) fn moved_to(&self, ring: &Arc<Ring>) -> Self {
        let mut out = Poly::uninitialised(ring, self.limbs);
        for row in 0..self.limbs.len() {
            debug_assert_eq!(ring.modulus(row), self.ring.modulus(row));
            out.row_mut(row).copy_from_slice(self.row(row));
        }
        out
    }

    /// A polynomial whose every row is written by `op`.
    fn made(
        ring: &Arc<Ring>,
        limbs: Limbs,
        op: impl FnMut(&Ring, usize, &Modulus, &mut [u64]),
    ) -> Self {
        let mut out = Poly::uninitialised(ring, limbs);
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
    /// The polynomial with these small signed coefficients, `N` of them, each below every prime in
    /// absolute value.
    pub fn from_signed(ring: &Arc<Ring>, limbs: Limbs, coefficients: &[i64]) -> Self {
        Poly::made(ring, limbs, |ring, _, m, row| ring.kernel().lift(m, row, coefficients))
    }

    /// Values instead of coefficients: one forward transform a row.
    pub fn into_eval(mut self) -> Poly<Eval> {
        self.each(|ring, i, _, row| ring.forward(i, row));
        self.into_domain()
    }
}

impl Poly<Eval> {
    /// Coefficients instead of values: one inverse transform a row.
    pub fn into_coeff(mut self) -> Poly<Coeff> {
        self.each(|ring, i, _, row| ring.inverse(i, row));
        self.into_domain()
    }

    /// `self * other`. The limbs of `self` must be among those of `other`.
    pub fn mul_assign(&mut self, other: &Self) {
        self.zip(other, |ring, m, a, b| ring.kernel().mul_assign(m, a, b));
    }

    /// `self + a * b`. The limbs of `self` must be among those of `a` and `b`.
    pub fn mul_add_assign(&mut self, a: &Self, b: &Self) {
        self.each(|ring, i, m, acc| {
            ring.kernel().mul_add_assign(m, acc, a.row_of(i), b.row_of(i));
        });
    }

    /// `a * b` over `limbs`, which both must have.
    pub fn product(a: &Self, b: &Self, limbs: Limbs) -> Self {
        Poly::made(&a.ring, limbs, |ring, i, m, row| {
            ring.kernel().mul(m, row, a.row_of(i), b.row_of(i));
        })
    }

    /// `sum_j x[j] * k[j]` over `limbs`, which all must have, with one reduction for the whole sum.
    pub fn dot(x: &[&Self], k: &[&Self], limbs: Limbs) -> Self {
        debug_assert!(!x.is_empty() && x.len() == k.len());
        Poly::made(&x[0].ring, limbs, |ring, i, m, row| {
            let xs: Vec<&[u64]> = x.iter().map(|p| p.row_of(i)).collect();
            let ks: Vec<&[u64]> = k.iter().map(|p| p.row_of(i)).collect();
            ring.kernel().dot(m, row, &xs, &ks);
        })
    }

    /// The sum over all pairs of the products of two-component operands `(a0 + a1 Y)(b0 + b1 Y)`,
    /// as the coefficients of `1, Y, Y^2`, with one reduction for the whole sum. All polynomials
    /// must have `limbs`.
    pub fn tensor(pairs: &[([&Self; 2], [&Self; 2])], limbs: Limbs) -> [Self; 3] {
        debug_assert!(!pairs.is_empty());
        let ring = Arc::clone(&pairs[0].0[0].ring);
        let mut out: [Self; 3] = std::array::from_fn(|_| Poly::uninitialised(&ring, limbs));
        for (row, i) in ring.prime_indices(limbs).enumerate() {
            let rows: Vec<TensorRows<'_>> = pairs
                .iter()
                .map(|(a, b)| TensorRows { a: a.map(|p| p.row_of(i)), b: b.map(|p| p.row_of(i)) })
                .collect();
            ring.tensor_rows(i, out.each_mut().map(|p| p.row_mut(row)), &rows);
        }
        out
    }

    /// Adds the constant polynomial `c`: the same value everywhere.
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

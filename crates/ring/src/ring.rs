//! A degree and its primes with their transform tables, memory pool and kernel.

use crate::per_thread::PerThread;
use crate::{Error, Limbs, Pool, is_prime};
use fathom_kernels::{
    Constant, Digit, InverseScale, Kernel, KeyRow, Modulus, NttTable, TensorRows, best_for,
};

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The rings `Z_q[X]/(X^N + 1)` for every prime of a chain and of a set of special primes.
///
/// One kernel, chosen when the ring is built, computes modulo all of its primes.
#[derive(Debug)]
pub struct Ring {
    degree: usize,
    chain: usize,
    moduli: Vec<Modulus>,
    /// The transforms of all primes, made on first use: parameters that are read, compared or
    /// simulated have none.
    transforms: OnceLock<Vec<Transform>>,
    kernel: &'static dyn Kernel,
    pool: Pool,
    counts: PerThread<Transforms>,
}

/// Number of pairs in a sum of tensor products that are read at the same time, with four rows each.
const PAIRS_AT_ONCE: usize = 8;

/// The transform modulo one prime.
#[derive(Debug)]
struct Transform {
    table: NttTable,
    plain_inverse: InverseScale,
}

/// The row transforms that one thread has done.
#[derive(Debug, Default)]
struct Transforms {
    forward: AtomicU64,
    inverse: AtomicU64,
}

/// Numbers of row transforms computed by a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransformCount {
    /// Number of forward transforms of one row.
    pub forward: u64,
    /// Number of inverse transforms of one row.
    pub inverse: u64,
}

impl TransformCount {
    /// Returns the number of transforms of either kind.
    pub fn total(self) -> u64 {
        self.forward + self.inverse
    }
}

impl Ring {
    /// Makes the ring of `degree` over the primes of `chain` and `special`. The tables of its
    /// transforms are made by the first of these.
    ///
    /// # Errors
    /// [`Error::Degree`], [`Error::Modulus`] or [`Error::RepeatedPrime`] if they do not form a ring
    /// with transforms; [`Error::Kernel`] if the environment variable `FATHOM_KERNEL` names a
    /// kernel that does not support it.
    pub fn new(degree: usize, chain: &[u64], special: &[u64]) -> Result<Arc<Ring>, Error> {
        Ring::with_kernel(degree, chain, special, None)
    }

    /// Makes a ring like [`Ring::new`] on the given kernel, for tests and benches.
    ///
    /// # Errors
    /// The errors of [`Ring::new`]; [`Error::Kernel`] if `kernel` does not support a modulus.
    pub fn with_kernel(
        degree: usize,
        chain: &[u64],
        special: &[u64],
        kernel: Option<&'static dyn Kernel>,
    ) -> Result<Arc<Ring>, Error> {
        check_degree(degree)?;
        let values: Vec<u64> = chain.iter().chain(special).copied().collect();
        let moduli = checked_moduli(degree, &values)?;
        let kernel = match kernel {
            Some(kernel) => kernel,
            None => best_for(&moduli).map_err(|e| Error::Kernel(e.to_string()))?,
        };
        if let Some(m) = moduli.iter().find(|m| !kernel.supports(m)) {
            let reason = format!("{} does not support modulus {}", kernel.name(), m.value());
            return Err(Error::Kernel(reason));
        }
        for m in &moduli {
            let checked = NttTable::check(m, degree, kernel);
            checked.map_err(|e| refuse(m.value(), degree, &e.to_string()))?;
        }
        Ok(Arc::new(Ring {
            degree,
            chain: chain.len(),
            moduli,
            transforms: OnceLock::new(),
            kernel,
            pool: Pool::default(),
            counts: PerThread::default(),
        }))
    }

    /// Returns the transform modulo prime `index`.
    fn transform(&self, index: usize) -> &Transform {
        &self.transforms.get_or_init(|| self.make_transforms())[index]
    }

    #[cold]
    fn make_transforms(&self) -> Vec<Transform> {
        let transform = |m: &Modulus| Transform::new(*m, self.degree, self.kernel);
        let mut transforms: Vec<_> = self.moduli.iter().map(transform).collect();
        // An operation reads the tables of all primes, so they are stored together.
        NttTable::side_by_side(transforms.iter_mut().map(|transform| &mut transform.table));
        transforms
    }

    /// Returns whether the tables of the transforms were made.
    pub fn has_tables(&self) -> bool {
        self.transforms.get().is_some()
    }

    /// Returns the number of coefficients `N`.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the number of chain primes.
    pub fn chain_len(&self) -> usize {
        self.chain
    }

    /// Returns the number of special primes.
    pub fn special_len(&self) -> usize {
        self.moduli.len() - self.chain
    }

    /// Returns all limbs: the whole chain and the special primes.
    pub fn all_limbs(&self) -> Limbs {
        Limbs::extended(self.chain, self.special_len())
    }

    /// Returns the kernel of this ring.
    pub fn kernel(&self) -> &'static dyn Kernel {
        self.kernel
    }

    /// Returns the memory pool of the polynomials of this ring.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Returns prime `index` of the chain followed by the special primes.
    pub fn modulus(&self, index: usize) -> &Modulus {
        &self.moduli[index]
    }

    /// Returns the index in the ring of row `row` of a polynomial with these limbs.
    pub(crate) fn prime_index(&self, limbs: Limbs, row: usize) -> usize {
        if row < limbs.chain_count() { row } else { self.chain + row - limbs.chain_count() }
    }

    /// Returns the indices in the ring of all rows of a polynomial with these limbs.
    pub fn prime_indices(&self, limbs: Limbs) -> impl Iterator<Item = usize> + use<> {
        let chain = self.chain;
        (0..limbs.chain_count()).chain(chain..chain + limbs.special_count())
    }

    /// Returns `log2` of the product of the primes of `limbs`.
    pub fn log2_product(&self, limbs: Limbs) -> f64 {
        self.prime_indices(limbs).map(|i| (self.modulus(i).value() as f64).log2()).sum()
    }

    /// Returns the number of row transforms computed so far by all users of this ring.
    pub fn transform_count(&self) -> TransformCount {
        let sum = |count: fn(&Transforms) -> &AtomicU64| {
            self.counts.all().map(|own| count(own).load(Ordering::Relaxed)).sum()
        };
        TransformCount { forward: sum(|own| &own.forward), inverse: sum(|own| &own.inverse) }
    }

    fn count_forward(&self, transforms: u64) {
        self.counts.own().forward.fetch_add(transforms, Ordering::Relaxed);
    }

    fn count_inverse(&self) {
        self.counts.own().inverse.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn forward(&self, index: usize, row: &mut [u64]) {
        self.count_forward(1);
        self.kernel.ntt_forward(&self.transform(index).table, row);
    }

    pub(crate) fn forward_lazy(&self, index: usize, row: &mut [u64]) {
        self.count_forward(1);
        self.kernel.ntt_forward_lazy(&self.transform(index).table, row);
    }

    /// Computes the values, lazy, of signed integers times a constant, plus small integers.
    pub(crate) fn forward_scaled(
        &self,
        index: usize,
        out: &mut [u64],
        integers: &[i64],
        factor: &Constant,
        addend: Option<&[i64]>,
    ) {
        self.count_forward(1);
        self.kernel.ntt_forward_scaled(&self.transform(index).table, out, integers, factor, addend);
    }

    /// Computes the values, lazy, of centred integers that are given increased by `(p - 1) / 2`.
    pub(crate) fn forward_centered(
        &self,
        index: usize,
        out: &mut [u64],
        excess: &[u64],
        p: &Modulus,
    ) {
        self.count_forward(1);
        self.kernel.ntt_forward_centered(&self.transform(index).table, out, excess, p);
    }

    /// Computes the inner product of the transforms of digits with a key, modulo prime `index`.
    pub(crate) fn key_product(
        &self,
        index: usize,
        out: [&mut [u64]; 2],
        digits: &mut [Digit<'_>],
        key: &KeyRow,
    ) {
        let transformed = digits.iter().filter(|digit| !matches!(digit, Digit::Values(_)));
        self.count_forward(transformed.count() as u64);
        self.kernel.key_product(&self.transform(index).table, out, digits, key);
    }

    pub(crate) fn inverse(&self, index: usize, row: &mut [u64]) {
        self.inverse_scaled(index, row, &self.transform(index).plain_inverse);
    }

    pub(crate) fn inverse_scaled(&self, index: usize, row: &mut [u64], scale: &InverseScale) {
        self.count_inverse();
        self.kernel.ntt_inverse(&self.transform(index).table, row, scale);
    }

    /// Computes the centred coefficients of `values` modulo prime `index`, increased by half the
    /// prime, rounded down.
    pub(crate) fn inverse_excess(&self, index: usize, out: &mut [u64], values: &[u64]) {
        self.count_inverse();
        let Transform { table, plain_inverse } = self.transform(index);
        self.kernel.ntt_inverse_excess(table, out, values, plain_inverse);
    }

    /// Computes sums of tensor products modulo prime `index`, a few pairs at a time, because the
    /// CPU prefetches only a limited number of streams.
    pub(crate) fn tensor_rows(
        &self,
        index: usize,
        mut out: [&mut [u64]; 3],
        pairs: &[TensorRows<'_>],
    ) {
        let m = self.modulus(index);
        let (first, others) = pairs.split_at(pairs.len().min(PAIRS_AT_ONCE));
        self.kernel.tensor(m, out.each_mut().map(|row| &mut **row), first);
        if others.is_empty() {
            return;
        }
        let mut sums = [(); 3].map(|()| self.pool.take(self.degree));
        for pairs in others.chunks(PAIRS_AT_ONCE) {
            self.kernel.tensor(m, sums.each_mut().map(|row| &mut **row), pairs);
            for (row, sum) in out.iter_mut().zip(&sums) {
                self.kernel.add_assign(m, row, sum);
            }
        }
    }

    /// Returns the constant `c / N` modulo prime `index`, as a factor of its inverse transform.
    pub(crate) fn inverse_scale(&self, index: usize, c: u64) -> InverseScale {
        self.transform(index).table.inverse_scale(c)
    }
}

impl Transform {
    fn new(modulus: Modulus, degree: usize, kernel: &'static dyn Kernel) -> Transform {
        let table = NttTable::new(modulus, degree, kernel);
        let table = table.expect("the transform was checked when the ring was made");
        let plain_inverse = table.plain_inverse_scale();
        Transform { table, plain_inverse }
    }
}

pub(crate) fn check_degree(degree: usize) -> Result<(), Error> {
    let fits = degree.is_power_of_two() && (64..=1 << 17).contains(&degree);
    if fits { Ok(()) } else { Err(Error::Degree(degree)) }
}

fn checked_moduli(degree: usize, values: &[u64]) -> Result<Vec<Modulus>, Error> {
    for (i, &q) in values.iter().enumerate() {
        if values[..i].contains(&q) {
            return Err(Error::RepeatedPrime(q));
        }
        if !is_prime(q) {
            return Err(refuse(q, degree, "it is not prime"));
        }
        if q % (2 * degree as u64) != 1 {
            return Err(refuse(q, degree, "it is not 1 modulo twice the degree"));
        }
    }
    values.iter().map(|&q| Modulus::new(q).map_err(|e| refuse(q, degree, &e.to_string()))).collect()
}

fn refuse(modulus: u64, degree: usize, reason: &str) -> Error {
    Error::Modulus { modulus, degree, reason: reason.to_owned() }
}

//! The plaintext ring `Z_t[X]/(X^N + 1)`: slots, coefficients, and their order.

use crate::automorphism::GENERATOR;
use crate::convert::BasisConverter;
use crate::ring::check_degree;
use crate::{Error, Eval, Poly, Ring, SecretCoefficients, is_prime};
use fathom_kernels::order::position;
use fathom_kernels::{InverseScale, Kernel, Modulus, NttTable, best_for};
use std::sync::{Arc, OnceLock};

/// The ring of plaintext polynomials modulo a prime `t`, with slots if `t = 1 mod 2N`.
///
/// The slots form two rows of `N/2`. Slot `i` of the first row is the value at `psi^(3^i)`, of the
/// second row at `psi^(-3^i)`, so that the Galois element 3 rotates both rows by one and -1 swaps
/// them.
#[derive(Debug)]
pub struct PlainRing {
    degree: usize,
    modulus: Modulus,
    kernel: &'static dyn Kernel,
    /// The tables of the slots, if there are any, made on first use.
    slots: Option<OnceLock<Slots>>,
}

#[derive(Debug)]
struct Slots {
    table: NttTable,
    /// Position of each slot in the NTT order.
    positions: Vec<u32>,
    unscaled: InverseScale,
}

impl PlainRing {
    /// Makes the plaintext ring of `degree` modulo the prime `t`.
    ///
    /// # Errors
    /// [`Error::Degree`] and [`Error::Kernel`] as for [`Ring`], [`Error::Modulus`] if `t` is not an
    /// odd prime below 2^45.
    pub fn new(degree: usize, t: u64) -> Result<PlainRing, Error> {
        check_degree(degree)?;
        let refuse =
            |reason: &str| Error::Modulus { modulus: t, degree, reason: reason.to_owned() };
        if !is_prime(t) || t >= 1 << 45 || t == 2 {
            return Err(refuse("a plaintext modulus is an odd prime below 2^45"));
        }
        let modulus = Modulus::new(t).map_err(|e| refuse(&e.to_string()))?;
        let kernel = best_for(&[modulus]).map_err(|e| Error::Kernel(e.to_string()))?;
        let has_slots = t % (2 * degree as u64) == 1;
        if has_slots {
            NttTable::check(&modulus, degree, kernel).map_err(|e| refuse(&e.to_string()))?;
        }
        Ok(PlainRing { degree, modulus, kernel, slots: has_slots.then(OnceLock::new) })
    }

    /// Returns the number of coefficients `N`.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the plaintext modulus.
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// Multiplies all coefficients by `factor`, modulo `t`.
    pub fn scale(&self, coefficients: &mut [u64], factor: u64) {
        if factor != 1 {
            let factor = self.modulus.constant(factor);
            self.kernel.mul_constant_assign(&self.modulus, coefficients, &factor);
        }
    }

    /// Multiplies all coefficients by `factor`, modulo `t`; the results are in
    /// `-(t-1)/2..=(t-1)/2`.
    pub fn scaled_centered(&self, coefficients: &[u64], factor: u64) -> SecretCoefficients {
        let mut scaled = vec![0; coefficients.len()];
        let factor = self.modulus.constant(factor);
        self.kernel.mul_constant_centered(&self.modulus, &mut scaled, coefficients, &factor);
        SecretCoefficients::new(scaled)
    }

    /// Returns the tables of the slots, if there are any.
    fn slots(&self) -> Option<&Slots> {
        let make = || Slots::new(self.degree, self.modulus, self.kernel);
        self.slots.as_ref().map(|slots| slots.get_or_init(make))
    }

    /// Returns the number of slots: `N`, or 0 if `t` is not 1 modulo `2N`.
    pub fn slot_count(&self) -> usize {
        if self.slots.is_some() { self.degree } else { 0 }
    }

    /// Returns the coefficients, times `factor` modulo `t`, of the polynomial whose slots hold
    /// `values` (missing values are zero). `None` if there are no slots.
    pub fn slots_to_coefficients(&self, values: &[u64], factor: u64) -> Option<Vec<u64>> {
        debug_assert!(values.len() <= self.degree);
        let slots = self.slots()?;
        let mut row = vec![0; self.degree];
        for (&value, &position) in values.iter().zip(&slots.positions) {
            row[position as usize] = value;
        }
        if factor == 1 {
            self.kernel.ntt_inverse(&slots.table, &mut row, &slots.unscaled);
        } else {
            self.kernel.ntt_inverse(&slots.table, &mut row, &slots.table.inverse_scale(factor));
        }
        Some(row)
    }

    /// Returns the slots of the polynomial with these coefficients modulo `t`. `None` if there are
    /// no slots.
    pub fn coefficients_to_slots(&self, mut coefficients: Vec<u64>) -> Option<Vec<u64>> {
        let slots = self.slots()?;
        self.kernel.ntt_forward(&slots.table, &mut coefficients);
        let mut values = vec![0; self.degree];
        self.kernel.permute(&mut values, &coefficients, &slots.positions);
        Some(values)
    }
}

impl Slots {
    fn new(degree: usize, modulus: Modulus, kernel: &'static dyn Kernel) -> Slots {
        let table = NttTable::new(modulus, degree, kernel);
        let table = table.expect("the transform was checked when the ring was made");
        let unscaled = table.plain_inverse_scale();
        let powers: Vec<usize> =
            std::iter::successors(Some(1), |p| Some(p * GENERATOR % (2 * degree)))
                .take(degree / 2)
                .collect();
        let positions = powers
            .iter()
            .copied()
            .chain(powers.iter().map(|e| 2 * degree - e))
            .map(|e| position(degree, e) as u32)
            .collect();
        Slots { table, positions, unscaled }
    }
}

/// The base conversion of the centred representative from the first primes of a chain to `t`.
#[derive(Debug)]
pub struct ToPlain {
    converter: BasisConverter,
    weights: Vec<u64>,
    plain: Modulus,
}

impl ToPlain {
    /// Makes the converter for polynomials of which the first `chain` rows are read.
    pub fn new(ring: &Arc<Ring>, chain: usize, plain: &Modulus) -> ToPlain {
        let sources: Vec<usize> = (0..chain).collect();
        let converter = BasisConverter::new(ring, &sources, 1);
        let weights = converter.weights_for(plain);
        ToPlain { converter, weights, plain: *plain }
    }

    /// Returns the coefficients of `p` modulo the first primes of the chain, centred, modulo `t`.
    /// Takes one inverse transform for each prime.
    pub fn apply(&self, p: &Poly<Eval>) -> Vec<u64> {
        let ring = p.ring();
        let mut prepared = self.converter.prepare(|i| p.row(i));
        let mut out = vec![0; ring.degree()];
        ring.kernel().base_convert(&self.plain, &mut out, &prepared.rows(), &self.weights);
        prepared.wipe();
        let t = self.plain.value();
        for word in &mut out {
            *word = (*word).min(word.wrapping_sub(t));
        }
        out
    }
}

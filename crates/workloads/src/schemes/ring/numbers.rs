//! The schemes whose slots hold numbers, and what differs between them.

use fathom::bfv::{self, Bfv};
use fathom::ckks::{self, Ckks};
use fathom::rlwe::{Ciphertext, Params, Scheme, SecretKey, Slotted};
use fathom::{Gadget, SecurityLevel};
use fathom_planner::RingParams;

use crate::Error;

/// A scheme whose ciphertexts hold vectors of numbers: integers modulo `t`, or reals.
///
/// A `bits`-bit integer `v` may stand for the fraction `v / 2^bits`. BFV then holds `v`, and a
/// product of `k` fractions comes with the factor `2^(k * bits)`; CKKS holds the fraction itself.
pub(crate) trait Numbers: Scheme<Value: Copy> + Slotted {
    /// Returns the number of slots of a row; a rotation moves each row around itself.
    fn row(params: &Params<Self>) -> usize {
        params.degree() / 2
    }

    /// Returns the number of slots of a ciphertext.
    fn slots(params: &Params<Self>) -> usize {
        Self::row(params) * Self::ROWS
    }

    /// Decrypts a vector, with at least `precision_bits` bits behind the binary point.
    ///
    /// # Errors
    /// Those of the decryption, among them a precision that is not reached.
    fn decrypted(
        secret: &SecretKey<Self>,
        ciphertext: &Ciphertext<Self>,
        precision_bits: f64,
    ) -> Result<Vec<Self::Value>, Error>;

    /// Returns the slot of the fraction `value / 2^bits`.
    fn fraction(value: i64, bits: u32) -> Self::Value;

    /// Returns the number that a sum of products of `factors` fractions of `bits` bits stands for.
    fn number(value: Self::Value, bits: u32, factors: u32) -> f64;

    /// Returns the parameters for the record of a run's work.
    fn ring_params(params: &Params<Self>) -> RingParams;
}

impl Numbers for Bfv {
    fn decrypted(
        secret: &SecretKey<Self>,
        ciphertext: &Ciphertext<Self>,
        _: f64,
    ) -> Result<Vec<i64>, Error> {
        Ok(secret.decrypt(ciphertext)?.slots_signed()?)
    }

    fn fraction(value: i64, _: u32) -> i64 {
        value
    }

    fn number(value: i64, bits: u32, factors: u32) -> f64 {
        value as f64 / f64::from(bits * factors).exp2()
    }

    fn ring_params(params: &Params<Self>) -> RingParams {
        RingParams::Bfv(params.clone())
    }
}

impl Numbers for Ckks {
    fn decrypted(
        secret: &SecretKey<Self>,
        ciphertext: &Ciphertext<Self>,
        precision_bits: f64,
    ) -> Result<Vec<f64>, Error> {
        Ok(secret.decrypt_with_precision(ciphertext, precision_bits)?.slots())
    }

    fn fraction(value: i64, bits: u32) -> f64 {
        value as f64 / f64::from(bits).exp2()
    }

    fn number(value: f64, _: u32, _: u32) -> f64 {
        value
    }

    fn ring_params(params: &Params<Self>) -> RingParams {
        RingParams::Ckks(params.clone())
    }
}

/// Returns the smallest parameters of BFV for a circuit on signed values of `value_bits` bits, with
/// 128 bits of security.
///
/// # Errors
/// Those of the search.
pub(crate) fn bfv_params(circuit: bfv::Circuit, value_bits: u32) -> Result<bfv::Params, Error> {
    // The sign takes one more bit.
    let bits = value_bits + 1;
    match bfv::Params::for_slots(1, bits, circuit, SecurityLevel::Bits128) {
        Ok(plan) => Ok(plan.into_params()),
        Err(_) if circuit.products == 1 => single_product(bits),
        Err(error) => Err(error.into()),
    }
}

/// Degree, and number of chain primes, of [`single_product`].
const SINGLE_PRODUCT: (usize, usize) = (8192, 3);

/// Returns parameters of BFV for one product and sums of its results, for larger values than the
/// search allows: it asks that one prime divides the noise of a product away, which only a product
/// that is followed by another needs.
fn single_product(bits: u32) -> Result<bfv::Params, Error> {
    let (degree, primes) = SINGLE_PRODUCT;
    Ok(bfv::Params::new(bfv::Spec {
        name: format!("one-product-{bits}"),
        degree,
        plain_modulus: bfv::Params::batching_primes(degree, 1 << bits, 1)?[0],
        chain_bits: vec![WIDEST_PRIME_BITS; primes],
        special_bits: vec![WIDEST_PRIME_BITS],
        gadget: Gadget::Hybrid { limbs: 1 },
        secret_weight: None,
        security: SecurityLevel::Bits128,
        failure_log2: -128.0,
    })?)
}

/// The requirements of a circuit on CKKS.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CkksShape {
    /// Number of products in a row.
    pub(crate) depth: usize,
    /// Base-2 logarithm of the scale.
    pub(crate) scale_bits: f64,
    /// Base-2 logarithm of the bound on the results.
    pub(crate) range_bits: f64,
}

/// Primes up to this size, in bits, are supported by every kernel.
const WIDEST_PRIME_BITS: f64 = 45.8;

/// Returns the smallest parameters of CKKS for a circuit, with 128 bits of security and a digit of
/// key switching for each prime.
///
/// # Errors
/// That of the largest degree if no degree has room for the modulus.
pub(crate) fn ckks_params(shape: CkksShape) -> Result<ckks::Params, Error> {
    let CkksShape { depth, scale_bits, range_bits } = shape;
    // Two bits for the sign and for the sum of noise and message.
    let base = scale_bits + range_bits + 2.0;
    let primes = (base / WIDEST_PRIME_BITS).ceil();
    // A digit is below the special prime.
    let special = ((base / primes).max(scale_bits) + 1.0).min(WIDEST_PRIME_BITS);
    let attempt = |log_degree: u32| {
        ckks::Params::new(ckks::Spec {
            name: format!("depth-{depth}-scale-{scale_bits}-range-{range_bits}"),
            degree: 1 << log_degree,
            base_bits: vec![base / primes; primes as usize],
            depth,
            scale_bits,
            special_bits: vec![special],
            digit_limbs: 1,
            magnitude: 1.0,
            security: SecurityLevel::Bits128,
            failure_log2: -128.0,
        })
    };
    let degrees = 12..=15;
    for log_degree in degrees.clone() {
        if let Ok(params) = attempt(log_degree) {
            return Ok(params);
        }
    }
    Ok(attempt(*degrees.end() + 1)?)
}

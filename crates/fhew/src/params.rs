//! Parameter sets of the FHEW family.

use crate::Error;
use fathom::KeyId;
use fathom::tfhe::Owner;
use std::fmt;
use std::str::FromStr;

/// The method by which the blind rotation multiplies `X^(a s)` into the accumulator, for each
/// coefficient `s` of the LWE key and its public factor `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// An RGSW selector for `s = 1` and one for `s = -1`, which add `X^(±a) - 1` times the
    /// accumulator (CGGI; the ternary form is called GINX in eprint 2020/086).
    Ginx,
    /// One product with `X^s` for each coefficient, with automorphisms in between that turn it into
    /// `X^(a s)` (eprint 2022/198). There are automorphism keys for the first `window` powers of
    /// the generator.
    Lmkcdey {
        /// Number of automorphism keys, for `5^1 ..= 5^window`.
        window: usize,
    },
    /// One product with `X^(v B^j s)` for each digit `v` of `a` in base `B = 2^base_log` (DM,
    /// eprint 2014/816, called AP).
    Ap {
        /// Bits per digit of the exponents.
        base_log: u32,
    },
}

/// A parameter set: LWE ciphertexts modulo `2^15` under a ternary key, accumulators modulo a prime
/// of 26 bits, and noise of standard deviation 3.24 (variance 10.5) everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct FhewParams {
    pub(super) name: &'static str,
    pub(super) method: Method,
    pub(super) lwe_dimension: usize,
    pub(super) degree: usize,
    pub(super) ring_bits: u32,
    pub(super) gadget_base_log: u32,
    pub(super) switch_base_log: u32,
}

/// Bits of the LWE modulus. Words store them in their upper bits.
pub(super) const LWE_BITS: u32 = 15;

/// The unused low bits of a word: the factor between the modulus of `u16` and the LWE modulus is 2.
pub(super) const LWE_SHIFT: u32 = u16::BITS - LWE_BITS;

/// The bound on the error of a blind rotation's input: the distance of a sum from the decision
/// boundary of its gate. XOR doubles its sum, so that error and distance both double.
pub(super) const FAILURE_LIMIT: f64 = 0.125;

/// Variance of fresh noise.
const VARIANCE: f64 = 10.5;

impl fmt::Display for FhewParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// Reads the name of a parameter set; sets are displayed by their names.
impl FromStr for FhewParams {
    type Err = Error;

    fn from_str(name: &str) -> Result<FhewParams, Error> {
        FhewParams::preset(name)
    }
}

impl FhewParams {
    /// Returns all parameter sets that the library provides, each with 128 bits of security.
    ///
    /// The evaluation keys of `fhew_ap_128` take 1.9 GB of memory; with digits of 5 bits, as usual,
    /// instead of 3, they would take 5 GB.
    pub fn presets() -> [FhewParams; 3] {
        let set = |name, method| FhewParams {
            name,
            method,
            lwe_dimension: 592,
            degree: 1024,
            ring_bits: 26,
            gadget_base_log: 7,
            switch_base_log: 5,
        };
        [
            set("fhew_ginx_128", Method::Ginx),
            set("fhew_lmkcdey_128", Method::Lmkcdey { window: 10 }),
            set("fhew_ap_128", Method::Ap { base_log: 3 }),
        ]
    }

    /// Returns the parameter set with this name.
    ///
    /// # Errors
    /// [`Error::UnknownPreset`] if there is none.
    pub fn preset(name: &str) -> Result<FhewParams, Error> {
        let mut presets = FhewParams::presets().into_iter();
        let unknown = || Error::UnknownPreset { name: name.to_owned() };
        presets.find(|set| set.name == name).ok_or_else(unknown)
    }

    /// Returns the owner of bits under `key` of this set.
    pub(super) fn owner(&self, key: KeyId) -> Owner {
        let tag = *self.id().first_chunk().expect("an identifier has 32 bytes");
        Owner::with_tag(key, u64::from_le_bytes(tag))
    }

    /// Returns a hash of every field: 32 bytes that identify the set.
    pub fn id(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("fathom 1 fhew parameters");
        hasher.update(self.name.as_bytes()).update(&[0]);
        let method = match self.method {
            Method::Ginx => [0, 0],
            Method::Lmkcdey { window } => [1, window as u64],
            Method::Ap { base_log } => [2, base_log.into()],
        };
        let numbers = [
            self.lwe_dimension as u64,
            self.degree as u64,
            self.ring_bits.into(),
            self.gadget_base_log.into(),
            self.switch_base_log.into(),
        ];
        for number in method.into_iter().chain(numbers) {
            hasher.update(&number.to_le_bytes());
        }
        *hasher.finalize().as_bytes()
    }

    /// Returns the stable name of the set.
    pub fn name(&self) -> &str {
        self.name
    }

    /// Returns the method of the blind rotation.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the dimension of the LWE key.
    pub fn lwe_dimension(&self) -> usize {
        self.lwe_dimension
    }

    /// Returns the degree of the accumulator's polynomials.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the variance of the phase of a gate's output, relative to the torus, by source:
    /// blind rotation, rounding to the LWE modulus, key switch. These are upper bounds:
    /// docs/maths/fhew.md.
    pub(crate) fn output_variances(&self) -> [f64; 3] {
        let (n, degree) = (self.lwe_dimension as f64, self.degree as f64);
        let levels = f64::from(self.ring_bits / self.gadget_base_log + 1);
        let digit = f64::from(2 * self.gadget_base_log).exp2() / 12.0;
        // One product with a fresh RGSW ciphertext, and one key switch of a mask.
        let product = 2.0 * levels * degree * digit * VARIANCE;
        let rotation = match self.method {
            // Two selectors, each multiplied by `X^a - 1`.
            Method::Ginx => n * 4.0 * product,
            Method::Lmkcdey { window } => {
                // At most half of the exponents of either sign occur; windows combine the remaining
                // automorphisms.
                let automorphisms = degree.min(n) + degree / window as f64;
                n * product + automorphisms * product / 2.0
            }
            Method::Ap { base_log } => {
                let digits = f64::from((2.0 * degree).log2() as u32).div_euclid(base_log.into());
                n * (digits + 1.0) * product
            }
        };
        let switch_digits = f64::from(LWE_BITS.div_ceil(self.switch_base_log));
        [
            rotation * f64::from(-2 * self.ring_bits as i32).exp2(),
            rounding(degree, f64::from(-(LWE_BITS as i32)).exp2()),
            degree * switch_digits * VARIANCE * f64::from(-2 * LWE_BITS as i32).exp2(),
        ]
    }

    /// Returns the variance of a blind rotation's input, relative to the torus: the sum of two
    /// different gate outputs, rounded to exponents. A gate never adds a bit to itself.
    pub(crate) fn input_variance(&self) -> f64 {
        let cell = if matches!(self.method, Method::Lmkcdey { .. }) { 2.0 } else { 1.0 };
        let step = cell / (2 * self.degree) as f64;
        let outputs = 2.0 * self.output_variances().iter().sum::<f64>();
        outputs + rounding(self.lwe_dimension as f64, step)
    }

    /// Returns `log2` of the failure probability of a gate on two different gate outputs.
    pub fn failure_log2(&self) -> f64 {
        fathom_security::log2_gaussian_tail(FAILURE_LIMIT / self.input_variance().sqrt())
    }
}

/// Returns the variance of the phase when the body and `dimension` words under a ternary key, whose
/// coefficients have variance 2/3, are rounded to multiples of `step`.
fn rounding(dimension: f64, step: f64) -> f64 {
    (1.0 + 2.0 / 3.0 * dimension) * step * step / 12.0
}

//! The comparison of results with the same computation in the clear.

use fathom::prelude::*;

pub type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Bits by which the largest error of few runs may be less than that of 100.
const FEW_RUNS: f64 = 3.0;

/// Returns the seeds of the runs.
pub fn seeds() -> std::ops::Range<u64> {
    let count = std::env::var("FATHOM_PROGRAM_SEEDS").ok().and_then(|text| text.parse().ok());
    0..count.unwrap_or(2)
}

/// The bound of a result and the largest error over all runs.
#[derive(Default)]
pub struct Nearness {
    pub bound: f64,
    pub largest: f64,
}

impl Nearness {
    /// Counts a result whose first slots should hold these values.
    pub fn count(&mut self, result: &ckks::Plaintext, expected: &[f64]) {
        self.count_every(result, 1, expected);
    }

    /// Counts a result whose first slots, each `step` after the other, should hold these values.
    pub fn count_every(&mut self, result: &ckks::Plaintext, step: usize, expected: &[f64]) {
        self.bound = self.bound.max(result.error_bound());
        for (slot, (found, value)) in result.slots().iter().step_by(step).zip(expected).enumerate()
        {
            let error = (found - value).abs();
            assert!(error <= result.error_bound(), "slot {slot}: {found} instead of {value}");
            self.largest = self.largest.max(error);
        }
    }

    /// Refuses a bound that is more than this number of bits above the largest error of 100 runs,
    /// which that of fewer runs may fall short of.
    pub fn assert_within(&self, bits: f64, what: &str) {
        let Nearness { bound, largest } = self;
        let gap = (bound / largest).log2();
        let bits = if seeds().count() < 100 { bits + FEW_RUNS } else { bits };
        println!("{what}: bound {bound:.2e}, largest error {largest:.2e}, {gap:.1} bits");
        assert!(gap < bits, "{what}: bound {bound:e}, largest error {largest:e}, {gap:.1} bits");
    }
}

/// A client and a server with their keys.
pub struct Party {
    pub params: ckks::Params,
    pub secret: ckks::SecretKey,
    pub server: ckks::Evaluator,
    pub rng: SecretRng,
}

impl Party {
    pub fn new(params: ckks::Params, rotations: &Rotations) -> Result<Self, fathom::Error> {
        let mut rng = SecretRng::from_os()?;
        let secret = ckks::SecretKey::generate(&params, &mut rng);
        let server = ckks::Evaluator::new(secret.evaluation_keys(rotations, &mut rng)?);
        Ok(Party { params, secret, server, rng })
    }

    pub fn encrypt(
        &mut self,
        values: &[f64],
        magnitude: f64,
    ) -> Result<ckks::Ciphertext, fathom::Error> {
        let plain = self.params.encode_within(values, magnitude)?;
        self.secret.encrypt(&plain, &mut self.rng)
    }
}

/// Returns parameters for this depth and precision, encrypted under the secret key.
pub fn params(depth: usize, bits: f64) -> Result<ckks::Params, fathom::Error> {
    ckks::Params::for_precision(depth, bits, Encryption::SecretKey, SecurityLevel::Bits128)
}

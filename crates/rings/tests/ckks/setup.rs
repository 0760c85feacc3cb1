//! Keys, random slots, and the comparison of a result with what it should be.

use fathom::SecretRng;
use fathom::ckks::{
    Ciphertext, Complex64, Evaluator, Params, Preset, PublicKey, Rotations, SecretKey,
};

/// Keys of one parameter set.
pub(crate) struct Setup {
    pub(crate) params: Params,
    pub(crate) secret: SecretKey,
    pub(crate) public: PublicKey,
    pub(crate) evaluator: Evaluator,
    pub(crate) rng: SecretRng,
}

/// The distance of a result from the expected one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// The largest error of a slot.
    pub(crate) error: f64,
    /// The bound on it.
    pub(crate) bound: f64,
}

impl Measured {
    /// Bits by which the bound exceeds the error.
    pub(crate) fn slack_bits(self) -> f64 {
        (self.bound / self.error).log2()
    }
}

impl Setup {
    pub(crate) fn new(preset: Preset, rotations: &Rotations, seed: u64) -> Setup {
        Setup::of(Params::preset(preset).unwrap(), rotations, seed)
    }

    pub(crate) fn of(params: Params, rotations: &Rotations, seed: u64) -> Setup {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(&params, &mut rng);
        let public = secret.public_key(&mut rng);
        let evaluator = Evaluator::new(secret.evaluation_keys(rotations, &mut rng).unwrap());
        Setup { params, secret, public, evaluator, rng }
    }

    /// A number in `-1..1`.
    pub(crate) fn real(&mut self) -> f64 {
        (self.rng.next_word() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Complex numbers of absolute value at most 1, one for each slot.
    pub(crate) fn random(&mut self) -> Vec<Complex64> {
        let half = 0.5f64.sqrt();
        let count = self.params.slot_count();
        (0..count).map(|_| Complex64::new(self.real() * half, self.real() * half)).collect()
    }

    /// Real numbers in `-1..1`, one for each slot.
    pub(crate) fn random_reals(&mut self) -> Vec<f64> {
        let count = self.params.slot_count();
        (0..count).map(|_| self.real()).collect()
    }

    pub(crate) fn encrypt(&mut self, values: &[Complex64]) -> Ciphertext {
        let plain = self.params.encode(values).unwrap();
        self.secret.encrypt(&plain, &mut self.rng).unwrap()
    }

    /// Encrypts real numbers up to a magnitude; the slots after them hold zeros.
    pub(crate) fn encrypt_within(&mut self, values: &[f64], magnitude: f64) -> Ciphertext {
        let plain = self.params.encode_within(values, magnitude).unwrap();
        self.secret.encrypt(&plain, &mut self.rng).unwrap()
    }

    /// Encrypts real numbers up to a magnitude; the slots after them hold a filler.
    pub(crate) fn encrypt_padded(
        &mut self,
        values: &[f64],
        filler: f64,
        magnitude: f64,
    ) -> Ciphertext {
        let plain = self.params.encode_padded_within(values, filler, magnitude).unwrap();
        self.secret.encrypt(&plain, &mut self.rng).unwrap()
    }

    /// Decrypts, and refuses an error beyond the bound in one of the first slots.
    pub(crate) fn check_first(&self, what: &str, c: &Ciphertext, expected: &[f64]) {
        let found = self.secret.decrypt(c).unwrap_or_else(|e| panic!("{what}: {e}"));
        for (found_slot, expected) in found.slots().iter().zip(expected) {
            let error = (found_slot - expected).abs();
            assert!(error <= found.error_bound(), "{what}: {found_slot} instead of {expected}");
        }
        assert!(found.error_bound() < 0.5, "{what}: the bound says nothing");
    }

    pub(crate) fn encrypt_public(&mut self, values: &[Complex64]) -> Ciphertext {
        let plain = self.params.encode(values).unwrap();
        self.public.encrypt(&plain, &mut self.rng).unwrap()
    }

    /// Decrypts, and refuses an error beyond the bound.
    pub(crate) fn check(&self, what: &str, c: &Ciphertext, expected: &[Complex64]) -> Measured {
        let found = self.secret.decrypt(c).unwrap_or_else(|e| panic!("{what}: {e}"));
        let slots = found.slots_complex();
        assert_eq!(slots.len(), expected.len(), "{what}");
        let bound = found.error_bound();
        let errors = slots.iter().zip(expected).map(|(a, b)| (a - b).norm());
        let error = errors.fold(0.0, f64::max);
        assert!(error <= bound, "{what}: error {error:e} exceeds {bound:e}");
        let size = expected.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let magnitude = c.magnitude_bound();
        assert!(size <= magnitude, "{what}: {size} exceeds the magnitude {magnitude}");
        Measured { error, bound }
    }
}

pub(crate) fn zip(
    a: &[Complex64],
    b: &[Complex64],
    op: impl Fn(Complex64, Complex64) -> Complex64,
) -> Vec<Complex64> {
    a.iter().zip(b).map(|(&a, &b)| op(a, b)).collect()
}

pub(crate) fn map(a: &[Complex64], op: impl Fn(Complex64) -> Complex64) -> Vec<Complex64> {
    a.iter().map(|&a| op(a)).collect()
}

pub(crate) fn rotated(a: &[Complex64], steps: usize) -> Vec<Complex64> {
    let mut out = a.to_vec();
    out.rotate_left(steps);
    out
}

pub(crate) fn complex(a: &[f64]) -> Vec<Complex64> {
    a.iter().map(|&x| x.into()).collect()
}

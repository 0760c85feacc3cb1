//! Keys, random messages, and the check that every result must pass.
#![allow(dead_code, reason = "every test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use fathom::SecretRng;
use fathom::rlwe::modular::{
    Ciphertext, Evaluator, Modular, Params, Plaintext, Preset, PublicKey, Rotations, SecretKey,
};

pub(crate) struct Setup<S: Modular> {
    pub(crate) params: Params<S>,
    pub(crate) secret: SecretKey<S>,
    pub(crate) public: PublicKey<S>,
    pub(crate) evaluator: Evaluator<S>,
    pub(crate) rng: SecretRng,
    pub(crate) t: u64,
    pub(crate) top: usize,
}

impl<S: Modular> Setup<S> {
    pub(crate) fn new(preset: Preset, rotations: &Rotations, seed: u64) -> Setup<S> {
        Setup::with(&Params::<S>::preset(preset).unwrap(), rotations, seed)
    }

    pub(crate) fn with(params: &Params<S>, rotations: &Rotations, seed: u64) -> Setup<S> {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(params, &mut rng);
        let public = secret.public_key(&mut rng);
        let keys = secret.evaluation_keys(rotations, &mut rng).unwrap();
        let (t, top) = (params.plain_modulus(), params.top_level().get());
        Setup {
            params: params.clone(),
            secret,
            public,
            evaluator: Evaluator::new(keys),
            rng,
            t,
            top,
        }
    }

    /// Returns uniformly random slots.
    pub(crate) fn random(&mut self) -> Vec<u64> {
        (0..self.params.degree()).map(|_| self.rng.next_word() % self.t).collect()
    }

    pub(crate) fn plain(&self, values: &[u64]) -> Plaintext<S> {
        self.params.encode(values).unwrap()
    }

    pub(crate) fn encrypt(&mut self, values: &[u64]) -> Ciphertext<S> {
        self.secret.encrypt(&self.params.encode(values).unwrap(), &mut self.rng).unwrap()
    }

    pub(crate) fn encrypt_public(&mut self, values: &[u64]) -> Ciphertext<S> {
        self.public.encrypt(&self.params.encode(values).unwrap(), &mut self.rng).unwrap()
    }

    /// Checks that the noise bound holds, and returns the number of bits by which it exceeds the
    /// measured noise.
    pub(crate) fn slack(&self, what: &str, c: &Ciphertext<S>) -> f64 {
        let clear = self.secret.decrypt(c).unwrap();
        let measured = self.secret.debug_noise_budget_bits(c, &clear).unwrap();
        let tracked = c.noise_budget_bits();
        let place = format!("{} {} {what} level {}", S::NAME, self.params.name(), c.level());
        assert!(tracked >= 0.0, "{place}: returned past its limit");
        assert!(tracked <= measured, "{place}: tracked {tracked} > measured {measured}");
        measured - tracked
    }

    /// Checks that the slots are right and the noise bound holds, and returns the number of bits by
    /// which the bound exceeds the measured noise.
    pub(crate) fn check(&self, what: &str, c: &Ciphertext<S>, expected: &[u64]) -> f64 {
        let slots = self.secret.decrypt(c).unwrap().slots().unwrap();
        let wrong = slots.iter().zip(expected).filter(|(a, b)| a != b).count();
        assert!(
            wrong == 0 && slots.len() == expected.len(),
            "{} {} {what}: {wrong} of {} slots are wrong",
            S::NAME,
            self.params.name(),
            slots.len()
        );
        self.slack(what, c)
    }
}

/// Computes `op` modulo `t` for each slot.
pub(crate) fn zip(t: u64, a: &[u64], b: &[u64], op: impl Fn(u128, u128) -> u128) -> Vec<u64> {
    let t = u128::from(t);
    a.iter().zip(b).map(|(&a, &b)| (op(a.into(), b.into()) % t) as u64).collect()
}

pub(crate) fn product(t: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    zip(t, a, b, |a, b| a * b)
}

pub(crate) fn sum(t: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    zip(t, a, b, |a, b| a + b)
}

pub(crate) fn difference(t: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    zip(t, a, b, |a, b| a + u128::from(t) - b)
}

/// Returns both rows of slots rotated to the left.
pub(crate) fn rotated(x: &[u64], steps: i64) -> Vec<u64> {
    let half = x.len() / 2;
    let shift = steps.rem_euclid(half as i64) as usize;
    (0..x.len()).map(|i| x[i / half * half + (i % half + shift) % half]).collect()
}

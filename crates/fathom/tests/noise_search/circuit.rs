//! Circuits over a pool of ciphertexts, and the noise of their results.

use crate::Dice;
use crate::shape::Pattern;
use fathom::rlwe::exact::{
    Ciphertext, Evaluator, Params, Plaintext, PublicKey, Rotations, RowSwap, Scheme, SecretKey,
};
use fathom::{Error, SecretRng};

/// One step. Operands are indices from the end of the pool.
#[derive(Clone, Copy, Debug)]
enum Step {
    Encrypt(Pattern),
    EncryptPublic(Pattern),
    Add(u64, u64),
    Sub(u64, u64),
    Tensor(u64, u64),
    Multiply(u64, u64),
    RowSwap(u64),
    Rotate(u64),
    Plain(u64, Pattern),
    Scalar(u64, u32),
    Switch(u64),
    Relinearize(u64),
}

/// A list of steps.
#[derive(Clone, Debug)]
pub(crate) struct Circuit(Vec<Step>);

const LONGEST: usize = 14;

impl Step {
    fn random(dice: &mut Dice) -> Step {
        let kind = dice.below(14);
        let [a, b] = [(); 2].map(|()| dice.below(4));
        match kind {
            0 => Step::Encrypt(Pattern::random(dice)),
            1 => Step::EncryptPublic(Pattern::random(dice)),
            2 => Step::Add(a, b),
            3 => Step::Sub(a, b),
            4 | 5 => Step::Tensor(a, b),
            6 => Step::Multiply(a, b),
            7 | 8 => Step::RowSwap(a),
            9 => Step::Rotate(a),
            10 => Step::Plain(a, Pattern::random(dice)),
            11 => Step::Scalar(a, dice.below(16) as u32),
            12 => Step::Switch(a),
            _ => Step::Relinearize(a),
        }
    }
}

impl Circuit {
    pub(crate) fn random(dice: &mut Dice) -> Circuit {
        let length = 2 + dice.below(6);
        Circuit((0..length).map(|_| Step::random(dice)).collect())
    }

    /// Returns the circuit with one to three steps changed, added, repeated or removed.
    pub(crate) fn mutated(&self, dice: &mut Dice) -> Circuit {
        let mut steps = self.0.clone();
        for _ in 0..=dice.below(3) {
            let at = dice.below(steps.len() as u64) as usize;
            match dice.below(4) {
                0 if steps.len() < LONGEST => steps.insert(at, Step::random(dice)),
                1 if steps.len() < LONGEST => steps.push(steps[at]),
                2 if steps.len() > 1 => drop(steps.remove(at)),
                _ => steps[at] = Step::random(dice),
            }
        }
        Circuit(steps)
    }
}

/// Keys and parameters to run circuits with.
pub(crate) struct Bench<S: Scheme> {
    params: Params<S>,
    secret: SecretKey<S>,
    public: PublicKey<S>,
    evaluator: Evaluator<S>,
    rng: SecretRng,
    dice: Dice,
}

impl<S: Scheme> Bench<S> {
    pub(crate) fn new(params: &Params<S>, seed: u64) -> Bench<S> {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(params, &mut rng);
        let public = secret.public_key(&mut rng);
        let rotations = Rotations { steps: vec![1], row_swap: RowSwap::With };
        let evaluator = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
        Bench { params: params.clone(), secret, public, evaluator, rng, dice: Dice(seed) }
    }

    /// Returns the number of bits between the measured noise and its bound for the last ciphertext
    /// that the circuit computes; infinity if it computes none.
    pub(crate) fn slack(&mut self, circuit: &Circuit) -> f64 {
        let pattern = Pattern::random(&mut self.dice);
        let first = self.encode(pattern);
        let mut pool = vec![self.secret.encrypt(&first, &mut self.rng).unwrap()];
        for step in &circuit.0 {
            match self.step(&pool, *step) {
                Ok(next) => pool.push(next),
                Err(
                    Error::NoiseExhausted { .. }
                    | Error::LevelMismatch { .. }
                    | Error::NoSuchLevel { .. }
                    | Error::Components { .. },
                ) => {}
                Err(error) => panic!("{error}: {circuit:?}"),
            }
        }
        let computed = pool.iter().rev().find(|ciphertext| !ciphertext.is_fresh());
        computed.map_or(f64::INFINITY, |last| self.measured(last))
    }

    fn step(&mut self, pool: &[Ciphertext<S>], step: Step) -> Result<Ciphertext<S>, Error> {
        let e = &self.evaluator;
        let at = |back: u64| &pool[pool.len() - 1 - (back as usize).min(pool.len() - 1)];
        match step {
            Step::Encrypt(pattern) => {
                let plain = self.encode(pattern);
                self.secret.encrypt(&plain, &mut self.rng)
            }
            Step::EncryptPublic(pattern) => {
                let plain = self.encode(pattern);
                self.public.encrypt(&plain, &mut self.rng)
            }
            Step::Add(a, b) => e.add(at(a), at(b)),
            Step::Sub(a, b) => e.sub(at(a), at(b)),
            Step::Tensor(a, b) => e.tensor(at(a), at(b)),
            Step::Multiply(a, b) => e.mul(at(a), at(b)),
            Step::RowSwap(a) => e.rotate_columns(at(a)),
            Step::Rotate(a) => e.rotate_rows(at(a), 1),
            Step::Plain(a, pattern) => {
                let plain = self.encode(pattern);
                self.evaluator.mul_plain(at(a), &plain.to_multiplicand())
            }
            Step::Scalar(a, bits) => {
                let high = (self.params.plain_modulus() - 1) / 2;
                e.mul_scalar(at(a), (high >> bits).max(1) as i64)
            }
            Step::Switch(a) => {
                let a = at(a);
                e.mod_switch_to(a, a.level().next().unwrap_or_default())
            }
            Step::Relinearize(a) => e.relinearize(at(a)),
        }
    }

    fn encode(&mut self, pattern: Pattern) -> Plaintext<S> {
        let (degree, t) = (self.params.degree(), self.params.plain_modulus());
        let coefficients = pattern.coefficients(degree, t, &mut self.dice);
        self.params.encode_coefficients_signed(&coefficients).unwrap()
    }

    /// Returns the measured less the tracked budget. Both refer to the same modulus, so this is the
    /// ratio of the noises.
    fn measured(&self, c: &Ciphertext<S>) -> f64 {
        let clear = self.secret.decrypt(c).unwrap();
        match self.secret.debug_noise_budget_bits(c, &clear) {
            Ok(measured) => measured - c.noise_budget_bits(),
            // Decryption reads as many primes as the bound requires, and these did not suffice.
            Err(Error::OtherMessage) => f64::NEG_INFINITY,
            Err(error) => panic!("{error}"),
        }
    }
}

//! BFV and BGV.

use crate::noise_search::Dice;
use crate::noise_search::recipe::Step;
use crate::noise_search::shape::Pattern;
use crate::noise_search::subject::Subject;
use fathom::bfv::{Bfv, MsbCiphertext};
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Evaluator, LinearMap, Modular, Packed, Params, Plaintext, PublicKey, Rotations,
    SecretKey,
};
use fathom::wire::{Wire, WireError, WireFresh, WireObject};
use fathom::{Error, SecretRng};

/// The steps that one scheme has and the other has not.
pub(crate) trait Border: Modular {
    /// Returns whether the scheme has these steps.
    const HAS: bool;

    fn mul_scale_invariant(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        b: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error>;

    fn msb(
        params: &Params<Self>,
        a: &Ciphertext<Self>,
        wire: bool,
    ) -> Result<Ciphertext<Self>, Error>;
}

impl Border for Bfv {
    const HAS: bool = true;

    fn mul_scale_invariant(
        evaluator: &Evaluator<Bfv>,
        a: &Ciphertext<Bfv>,
        b: &Ciphertext<Bfv>,
    ) -> Result<Ciphertext<Bfv>, Error> {
        evaluator.mul_scale_invariant(a, b)
    }

    fn msb(
        params: &Params<Bfv>,
        a: &Ciphertext<Bfv>,
        wire: bool,
    ) -> Result<Ciphertext<Bfv>, Error> {
        let msb = a.to_msb();
        if !wire {
            return params.from_msb(&msb);
        }
        match MsbCiphertext::from_bytes(params, &msb.to_bytes()) {
            Ok(read) => params.from_msb(&read),
            Err(Error::Transparent { .. }) => Ok(a.clone()),
            Err(error) => panic!("{error}"),
        }
    }
}

impl Border for Bgv {
    const HAS: bool = false;

    fn mul_scale_invariant(
        evaluator: &Evaluator<Bgv>,
        a: &Ciphertext<Bgv>,
        b: &Ciphertext<Bgv>,
    ) -> Result<Ciphertext<Bgv>, Error> {
        evaluator.mul(a, b)
    }

    fn msb(_: &Params<Bgv>, a: &Ciphertext<Bgv>, _: bool) -> Result<Ciphertext<Bgv>, Error> {
        Ok(a.clone())
    }
}

/// Keys of BFV or BGV.
pub(crate) struct Slots<S: Modular> {
    params: Params<S>,
    secret: SecretKey<S>,
    public: PublicKey<S>,
    evaluator: Evaluator<S>,
    maps: Vec<LinearMap<S>>,
    rng: SecretRng,
    dice: Dice,
}

/// Number of rows of the matrices.
const ROWS: usize = 4;

impl<S: Border> Subject for Slots<S> {
    type Set = Params<S>;
    type Ciphertext = Ciphertext<S>;

    const NAME: &'static str = S::NAME;
    const HAS_BORDER: bool = S::HAS;

    fn new(params: &Params<S>, seed: u64) -> Slots<S> {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(params, &mut rng);
        let public = secret.public_key(&mut rng);
        // At larger degrees the keys for sums of all slots would take gigabytes.
        let mut rotations = Rotations::for_slot_sum(params.degree().min(16_384));
        rotations.steps.retain(|&step| params.degree() <= 16_384 || step <= 8);
        rotations.steps.push(3);
        let evaluator = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
        let mut dice = Dice(seed);
        let maps = if params.slot_count() == 0 { Vec::new() } else { matrices(params, &mut dice) };
        let params = params.clone();
        Slots { params, secret, public, evaluator, maps, rng, dice }
    }

    fn set_name(set: &Params<S>) -> &str {
        set.name()
    }

    fn level(c: &Ciphertext<S>) -> usize {
        c.level().get()
    }

    fn byte_len(c: &Ciphertext<S>) -> usize {
        c.byte_len()
    }

    fn step(&mut self, step: Step, operands: &[&Ciphertext<S>]) -> Option<Ciphertext<S>> {
        let result = match step {
            Step::Encrypt { pattern, below_top, .. } => {
                let plain = self.encode(pattern);
                let top = self.params.top_level().get();
                let level = top - usize::from(below_top) % (top + 1);
                self.secret.encrypt_at(&plain, level, &mut self.rng)
            }
            Step::EncryptPublic { pattern, .. } => {
                let plain = self.encode(pattern);
                self.public.encrypt(&plain, &mut self.rng)
            }
            Step::RotatedSum { pattern, log_count } => self.sum(log_count, |s| {
                let a = s.fresh(pattern)?;
                s.evaluator.rotate(&a, 1)
            }),
            Step::ProductSum { pattern, log_count } => self.sum(log_count, |s| {
                let (a, b) = (s.fresh(pattern)?, s.fresh(pattern)?);
                s.evaluator.relinearize(&s.evaluator.tensor(&a, &b)?)
            }),
            Step::MulPlain(pattern) => {
                let plain = self.encode(pattern);
                self.evaluator.mul_plain(operands[0], &plain.to_multiplicand())
            }
            Step::AddPlain(pattern) => {
                let plain = self.encode(pattern);
                self.evaluator.add_plain(operands[0], &plain)
            }
            Step::Travel | Step::TravelFresh => return self.sent(step, operands[0]),
            _ => self.computed(step, operands),
        };
        match result {
            Ok(ciphertext) => Some(ciphertext),
            Err(
                Error::NoiseExhausted { .. }
                | Error::LevelMismatch { .. }
                | Error::NoSuchLevel { .. }
                | Error::Components { .. }
                | Error::Transparent { .. }
                | Error::NoSlots { .. }
                | Error::MissingGaloisKey { .. }
                | Error::Ring(_),
            ) => None,
            Err(error) => panic!("{error}: {step:?}"),
        }
    }

    fn slack(&self, c: &Ciphertext<S>) -> Option<f64> {
        if c.is_fresh() {
            return None;
        }
        let clear = self.secret.decrypt(c).unwrap();
        Some(match self.secret.debug_noise_budget_bits(c, &clear) {
            Ok(measured) => measured - c.noise_budget_bits(),
            // Decryption reads as many primes as the bound requires, and these did not suffice.
            Err(Error::OtherMessage) => f64::NEG_INFINITY,
            Err(error) => panic!("{error}"),
        })
    }
}

impl<S: Border> Slots<S> {
    /// Returns a ciphertext that was written and read, if it can be.
    fn sent(&self, step: Step, a: &Ciphertext<S>) -> Option<Ciphertext<S>> {
        let bytes = a.to_bytes();
        let read = match step {
            Step::TravelFresh => Ciphertext::from_bytes_fresh(&self.params, &bytes),
            _ => Ciphertext::from_bytes(&self.params, &bytes),
        };
        match read {
            Ok(read) => Some(read),
            // At low levels an encryption under the public key would not fit.
            Err(Error::Wire(WireError::NoiseBound { .. } | WireError::NotFresh))
                if step == Step::TravelFresh =>
            {
                None
            }
            Err(Error::Transparent { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs a step that draws nothing at random.
    fn computed(&self, step: Step, c: &[&Ciphertext<S>]) -> Result<Ciphertext<S>, Error> {
        let (e, a) = (&self.evaluator, c[0]);
        let high = (self.params.plain_modulus() - 1) / 2;
        let below = |down: u8| a.level().get().saturating_sub(down.into());
        match step {
            Step::Add => e.add(a, c[1]),
            Step::Sub => e.sub(a, c[1]),
            Step::Tensor => e.tensor(a, c[1]),
            Step::Mul => e.mul(a, c[1]),
            Step::MulScaleInvariant => S::mul_scale_invariant(e, a, c[1]),
            Step::Dot => {
                let all: Vec<_> = c.iter().map(|&operand| operand.clone()).collect();
                let (left, right) = all.split_at(all.len() / 2);
                e.dot(left, right)
            }
            Step::Neg => e.neg(a),
            Step::RowSwap => e.swap_rows(a),
            Step::Rotate(log) => e.rotate(a, 1 << log),
            Step::RotateMany(which) => {
                let mut all = e.rotate_many(a, &[1, 2, 3, 4])?;
                Ok(all.swap_remove(which.into()))
            }
            Step::SumRotations(log) => e.sum_rotations(a, 2 << log),
            Step::SumSlots => e.sum_slots(a),
            Step::MulScalar(bits) => e.mul_scalar(a, (high >> bits).max(1) as i64),
            Step::AddScalar(bits) => e.add_scalar(a, (high >> bits) as i64),
            Step::Switch(down) => e.mod_switch_to(a, below(down)),
            Step::Relinearize => e.relinearize(a),
            Step::RelinearizeAndSwitch => e.relinearize_and_switch(a),
            Step::Polynomial { degree, kind } => {
                e.evaluate_polynomial(a, &polynomial(self.params.plain_modulus(), degree, kind))
            }
            Step::LinearMap(which) => match self.maps.get(usize::from(which)) {
                Some(map) => {
                    e.transform(map, &Packed::assume(ROWS, a.clone())).map(Packed::into_value)
                }
                None => e.neg(a),
            },
            Step::Msb { wire } => S::msb(&self.params, a, wire),
            Step::Encrypt { .. }
            | Step::EncryptPublic { .. }
            | Step::RotatedSum { .. }
            | Step::ProductSum { .. }
            | Step::MulPlain(_)
            | Step::AddPlain(_)
            | Step::Travel
            | Step::TravelFresh => unreachable!("done by the caller"),
        }
    }

    /// Adds up `2^log_count` ciphertexts.
    fn sum(
        &mut self,
        log_count: u8,
        mut term: impl FnMut(&mut Self) -> Result<Ciphertext<S>, Error>,
    ) -> Result<Ciphertext<S>, Error> {
        let first = term(self)?;
        (1..1 << log_count).try_fold(first, |sum, _| {
            let next = term(self)?;
            self.evaluator.add(&sum, &next)
        })
    }

    fn fresh(&mut self, pattern: Pattern) -> Result<Ciphertext<S>, Error> {
        let plain = self.encode(pattern);
        self.secret.encrypt(&plain, &mut self.rng)
    }

    fn encode(&mut self, pattern: Pattern) -> Plaintext<S> {
        let (degree, t) = (self.params.degree(), self.params.plain_modulus());
        let coefficients = pattern.coefficients(degree, t, &mut self.dice);
        self.params.encode_coefficients_signed(&coefficients).unwrap()
    }
}

/// Returns the coefficients of a polynomial: dense, sparse, large or small.
fn polynomial(t: u64, degree: u8, kind: u8) -> Vec<u64> {
    let degree = usize::from(degree);
    let mut all: Vec<u64> = match kind {
        0 => vec![t / 2; degree + 1],
        1 => (0..=degree).map(|i| if i % 2 == 0 { t / 2 } else { t / 2 + 1 }).collect(),
        2 => vec![1; degree + 1],
        3 => vec![0; degree + 1],
        _ => (0..=degree as u64).map(|i| (i * i * 7919 + 12_345) % t).collect(),
    };
    all[degree] = if kind == 3 { 1 } else { all[degree].max(1) };
    all
}

/// Returns matrices of four rows: the identity, constant, alternating, small, sparse, random.
fn matrices<S: Modular>(params: &Params<S>, dice: &mut Dice) -> Vec<LinearMap<S>> {
    let t = params.plain_modulus();
    let entry = |kind: usize, row: usize, column: usize, dice: &mut Dice| match kind {
        0 => u64::from(row == column),
        1 => t / 2,
        2 => t / 2 + u64::from((row + column) % 2 == 1),
        3 => dice.below(3),
        4 => u64::from(column == (row + 1) % ROWS) * (t / 2),
        _ => dice.below(t),
    };
    let mut matrix = |kind: usize| {
        let mut row = |row| (0..ROWS).map(|column| entry(kind, row, column, dice)).collect();
        (0..ROWS).map(&mut row).collect::<Vec<Vec<u64>>>()
    };
    (0..6).map(|kind| LinearMap::new(params, &matrix(kind)).unwrap()).collect()
}

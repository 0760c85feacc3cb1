//! Keys and tables of one set, and what is right under them.

use super::super::{Ckks, Complex64, DomainError, Interval, Mode, SignApproximation, SlotFacts};
use super::draw;
use super::message::Message;
use super::operations::{Computed, JOURNEYS, Row, operations};
use super::reference::Clear;
use crate::rlwe::{
    Bounds, Ciphertext, Encryption, Evaluator, Level, Noise, Params, PublicKey, Random, Rotations,
    SecretKey,
};
use crate::wire::WireError;
use crate::{Error, SecretRng};
use fathom_circuits::{Dice, Formula, Model, Run, Scheme, Step, Verdict};
use std::rc::Rc;

/// An evaluator, with keys or simulated, and the tables of the operations.
pub(super) struct Server<M: Mode> {
    pub(super) evaluator: Evaluator<Ckks<M>>,
    keys: Option<(SecretKey<Ckks<M>>, PublicKey<Ckks<M>>)>,
    pub(super) matrices: Rc<[Vec<Vec<f64>>]>,
    pub(super) signs: Rc<[SignApproximation]>,
}

/// The server with keys and the simulated one, and the operations.
pub(super) struct World<M: Mode> {
    pub(super) servers: [Server<M>; 2],
    pub(super) operations: Rc<[Row<M>]>,
}

/// A ciphertext, its simulated twin, and the slots that it should hold.
pub(super) struct Known<M: Mode> {
    pub(super) real: Ciphertext<Ckks<M>>,
    /// The simulated twin; `None` after steps that only real ciphertexts can take.
    twin: Option<Ciphertext<Ckks<M>>>,
    clear: Clear,
}

/// Number of rows of the matrices.
pub(super) const ROWS: usize = 4;
/// The length of the vectors that are rotated within their window.
pub(super) const WINDOW: usize = 5;
/// Steps of their rotations besides those of others.
const WINDOW_STEPS: [i64; 5] = [-1, -2, -3, -4, 4];
/// Steps of rotations besides the powers of two.
pub(super) const STEPS: [i64; 4] = [1, 2, 3, -1];

/// The relative error of a result with ten correct bits.
const TEN_BITS: f64 = 1.0 / 1024.0;
/// The note of a circuit whose result was returned and has ten correct bits.
pub(super) const PRECISE: &str = "result with ten bits";
/// Values beyond this are not computed with.
const ENORMOUS: f64 = 1e100;
/// The name of the last step.
const DECRYPT: &str = "decrypt";

impl<M: Mode> Server<M> {
    pub(super) fn slots(&self) -> usize {
        self.evaluator.params().slot_count()
    }

    pub(super) fn encrypt(
        &self,
        message: &Message,
        (encryption, level): (Encryption, Level),
        seed: u64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let plain = message.encode(self.evaluator.params())?;
        let mut rng = SecretRng::insecure_from_seed(seed);
        match (&self.keys, encryption) {
            (None, _) => self.evaluator.simulated_encryption_like(encryption, &plain, level),
            (Some((secret, _)), Encryption::SecretKey) => {
                secret.encrypt_at(&plain, level, &mut rng)
            }
            (Some((_, public)), Encryption::PublicKey) => public.encrypt(&plain, &mut rng),
        }
    }
}

impl<M: Mode> World<M> {
    pub(super) fn new(params: &Params<Ckks<M>>, seed: u64) -> World<M> {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(params, &mut rng);
        let public = secret.public_key(&mut rng);
        let rotations = Rotations::for_slot_sum(params.degree());
        let rotations = rotations.with_steps(&STEPS).with_steps(&WINDOW_STEPS);
        let keys = secret.evaluation_keys(&rotations, &mut rng).unwrap();
        let signs = [(0.1, &[7, 7][..]), (0.2, &[7, 3]), (0.3, &[3, 3]), (0.05, &[15, 15])];
        let sign = |(gap, degrees): (f64, &[usize])| SignApproximation::new(gap, degrees).unwrap();
        let signs: Rc<[SignApproximation]> = signs.map(sign).into();
        let matrices: Rc<[_]> = matrices(&mut Dice::new(seed)).into();
        let server = |evaluator, keys| {
            let (matrices, signs) = (Rc::clone(&matrices), Rc::clone(&signs));
            Server { evaluator, keys, matrices, signs }
        };
        let real = server(Evaluator::new(keys), Some((secret, public)));
        let twin = server(Evaluator::simulated(params).unwrap(), None);
        World { servers: [real, twin], operations: operations().into() }
    }

    pub(super) fn params(&self) -> &Params<Ckks<M>> {
        self.servers[0].evaluator.params()
    }

    fn secret(&self) -> &SecretKey<Ckks<M>> {
        &self.servers[0].keys.as_ref().expect("the first server has keys").0
    }

    /// Returns the errors of the slots of a decryption whose precision is not checked.
    fn errors(&self, c: &Ciphertext<Ckks<M>>, expected: &[Complex64]) -> Option<Vec<f64>> {
        let found = self.secret().decoded(c).ok()?.slots_complex();
        Some(found.iter().zip(expected).map(|(a, b)| (a - b).norm()).collect())
    }

    fn is_precise(&self, result: &Ciphertext<Ckks<M>>, clear: &Clear) -> bool {
        let errors = self.errors(result, &clear.slots).unwrap_or_default();
        let largest = clear.largest();
        errors.iter().all(|error| *error <= TEN_BITS * largest)
    }

    /// Compares the slots of a result with the expected ones.
    fn compare_slots(&self, known: &Known<M>) -> Result<f64, String> {
        let Known { real, clear, .. } = known;
        let (bound, magnitude) = (real.error_bound(), real.magnitude_bound());
        let errors = self.errors(real, &clear.slots).ok_or("its bound is past the limit")?;
        let mut worst = 0.0f64;
        for (i, error) in errors.into_iter().enumerate() {
            let free = clear.freedom.as_ref().map_or(0.0, |all| all[i]);
            // What is not a number is beyond every bound.
            if free <= 0.0 && bound > 0.0 {
                worst = worst.max(error / (bound + clear.slop));
            }
            let within = error <= bound + clear.slop + free || free.is_infinite();
            if !within {
                let expected: Complex64 = clear.slots[i];
                return Err(format!(
                    "slot {i} should be {expected:.6}, is off by {error:e}, stated {bound:e}"
                ));
            }
        }
        let largest = clear.largest();
        if clear.freedom.is_some() || largest <= magnitude + clear.slop {
            return Ok(worst);
        }
        Err(format!("a slot of {largest:e} exceeds the magnitude {magnitude:e}"))
    }

    /// Takes a step on simulated twins; none if it has none.
    fn simulate(&self, step: &Step<World<M>>, operands: &[&Known<M>]) -> Option<Computed<M>> {
        let twins: Option<Vec<_>> = operands.iter().map(|known| known.twin.as_ref()).collect();
        let twins = twins.filter(|_| step.group != JOURNEYS)?;
        Some(step.formula.apply(&self.servers[1], &twins).map(|mut all| all.swap_remove(0)))
    }

    /// Returns the simulated twin, masked if the real ciphertext was: whether a difference is
    /// without a mask depends on the data, of which a twin has none.
    fn masked_alike(
        &self,
        real: &Ciphertext<Ckks<M>>,
        twin: Ciphertext<Ckks<M>>,
    ) -> Ciphertext<Ckks<M>> {
        if apart(real, &twin) > 0.0
            && let Ok(masked) = self.servers[1].evaluator.masked(twin.clone(), "simulate")
            && apart(real, &masked) < apart(real, &twin)
        {
            return masked;
        }
        twin
    }

    /// Returns the ciphertext with the norms that its message and its error really have, and
    /// without what is known of slots that no value was given for.
    fn with_measured_noise(&self, known: &Known<M>) -> Ciphertext<Ckks<M>> {
        let mut real = known.real.clone();
        let errors = self.errors(&real, &known.clear.slots).unwrap_or_default();
        let error = errors.into_iter().fold(known.clear.slop, f64::max);
        let scale = real.scale();
        let message = Bounds::of_root_values(known.clear.largest() * scale);
        let rest = Bounds::of_root_values(error * scale * 1.01 + 1.0);
        real.noise = Noise { rest, ..Noise::of_message(message) };
        real.facts = SlotFacts { complex: !known.clear.is_real(), ..SlotFacts::default() };
        real
    }

    /// Decrypts as a user does.
    fn decrypt(&self, known: &Known<M>) -> Verdict<Known<M>> {
        let is_precise = self.is_precise(&known.real, &known.clear);
        match self.secret().decrypt(&known.real) {
            Ok(_) => Verdict::Passed(if is_precise { PRECISE } else { "result with fewer bits" }),
            Err(error) if is_precise => Verdict::RefusedWrongly(error.to_string()),
            Err(_) => Verdict::Refused(DECRYPT.to_owned()),
        }
    }
}

/// Returns how much the bits of scale and noise of two ciphertexts differ.
fn apart<M: Mode>(a: &Ciphertext<Ckks<M>>, b: &Ciphertext<Ckks<M>>) -> f64 {
    if a.level() != b.level() {
        return f64::MAX;
    }
    let scale = (a.scale().log2() - b.scale().log2()).abs();
    scale.max((a.noise_bound_bits() - b.noise_bound_bits()).abs())
}

impl<M: Mode> Model for World<M> {
    type Server = Server<M>;
    type Object = Ciphertext<Ckks<M>>;
    type Clear = Clear;
    type Error = Error;
    type Domain = Interval;
}

impl<M: Mode> Scheme for World<M> {
    type Value = Known<M>;

    const REFUSALS: usize = 1;

    fn begin(run: &mut Run<'_, World<M>>) {
        while run.pool().len() < 2 && !run.is_over() {
            draw::encryption(run);
        }
    }

    fn draw(run: &mut Run<'_, World<M>>) {
        if run.dice.once_in(40) {
            draw::encryption(run);
        } else {
            draw::operation(run);
        }
    }

    fn finish(run: &mut Run<'_, World<M>>) {
        if let Some(&last) = run.pool().last() {
            let nothing = |_: &Server<M>, _: &[&_]| Ok(Vec::new());
            run.call(DECRYPT, Formula::of_many("", nothing, |_| Vec::new()), &[last]);
        }
    }

    fn apply(
        &mut self,
        step: &Step<World<M>>,
        operands: &[&Known<M>],
    ) -> Result<Vec<Known<M>>, Error> {
        let real: Vec<_> = operands.iter().map(|known| &known.real).collect();
        let real = step.formula.apply(&self.servers[0], &real)?;
        let twin = self.simulate(step, operands);
        let clear: Vec<_> = operands.iter().map(|known| &known.clear).collect();
        let known = |(real, clear): (Ciphertext<Ckks<M>>, Clear)| {
            let twin = twin.as_ref().map(|twin| match twin {
                Ok(twin) => self.masked_alike(&real, twin.clone()),
                // A twin that differs is found by the comparison of its bound.
                Err(_) => Ciphertext { noise: Noise::default(), ..real.clone() },
            });
            Known { real, twin, clear }
        };
        Ok(real.into_iter().zip(step.formula.clear(&clear)).map(known).collect())
    }

    fn compare(
        &mut self,
        _: &Step<World<M>>,
        _: &[&Known<M>],
        known: &Known<M>,
    ) -> Result<f64, String> {
        let worst = self.compare_slots(known)?;
        let real = &known.real;
        let worst_case = self.params().context().model.tails.are_worst_case();
        if worst_case && real.noise.random != Random::default() {
            return Err(format!("{:?} may fail", real.noise.random));
        }
        match &known.twin {
            Some(twin) if apart(real, twin) >= 1e-9 => {
                let bits =
                    |c: &Ciphertext<Ckks<M>>| (c.level(), c.scale().log2(), c.noise_bound_bits());
                Err(format!("simulated as {:?}, not {:?}", bits(twin), bits(real)))
            }
            _ => Ok(worst),
        }
    }

    /// Judges a refusal by the same step with measured bounds.
    fn judge_refusal(
        &mut self,
        step: &Step<World<M>>,
        operands: &[&Known<M>],
        error: &Error,
    ) -> Verdict<Known<M>> {
        if self.simulate(step, operands).is_some_and(|twin| twin.is_ok()) {
            return Verdict::Wrong(format!("planned, but refused: {error}"));
        }
        if operands.is_empty() || is_inapplicable(error) {
            let kind = format!("{error:?}");
            let kind = kind.split([' ', '(', '{']).next().unwrap_or_default();
            return Verdict::Skipped(kind.to_owned());
        }
        let refused = Verdict::Refused(step.name.to_owned());
        let clear: Vec<_> = operands.iter().map(|known| &known.clear).collect();
        let outside = |domain: &Interval| clear.len() == 1 && !clear[0].is_within(*domain);
        if step.formula.domain.as_ref().is_some_and(outside) {
            return refused;
        }
        let clear = step.formula.clear(&clear).swap_remove(0);
        let is_vague = clear.freedom.as_ref().is_some_and(|all| all.iter().any(|x| *x > 0.0));
        if is_vague || !clear.largest().is_finite() {
            return refused;
        }
        let truthful: Vec<_> = operands.iter().map(|k| self.with_measured_noise(k)).collect();
        let truthful: Vec<_> = truthful.iter().collect();
        match step.formula.apply(&self.servers[0], &truthful) {
            Ok(results) if self.is_precise(&results[0], &clear) => {
                Verdict::RefusedWrongly(format!("{step}: {error}"))
            }
            Ok(_) | Err(_) => refused,
        }
    }

    fn take(&mut self, step: &Step<World<M>>, operands: &[&Known<M>]) -> Verdict<Known<M>> {
        if step.name == DECRYPT {
            return self.decrypt(operands[0]);
        }
        let mut values = match self.apply(step, operands) {
            Ok(values) => values,
            Err(error) => return self.judge_refusal(step, operands, &error),
        };
        let clear = &values[0].clear;
        if clear.largest() > ENORMOUS || clear.slop > ENORMOUS {
            return Verdict::Skipped("enormous values".to_owned());
        }
        match self.compare(step, operands, &values[0]) {
            Err(fault) => Verdict::Wrong(fault),
            Ok(ratio) => {
                // What is not determined is not computed with.
                let is_free = |all: &Vec<f64>| all.iter().any(|x| *x > 0.0);
                values.retain(|known| !known.clear.freedom.as_ref().is_some_and(is_free));
                Verdict::Right(values, ratio)
            }
        }
    }
}

/// Tells whether an error says that the step is not there for such operands, at any precision.
fn is_inapplicable(error: &Error) -> bool {
    matches!(
        error,
        Error::LevelMismatch { .. }
            | Error::Scale(_)
            | Error::NoSuchLevel { .. }
            | Error::Spec { .. }
            | Error::Components { .. }
            | Error::CkksDomain(DomainError::NotPacked { .. })
            | Error::Wire(WireError::NotFresh | WireError::NoiseBound { .. })
    )
}

/// Returns matrices of up to four rows: the identity, zeros, a row, small, large, random.
fn matrices(dice: &mut Dice) -> Vec<Vec<Vec<f64>>> {
    let entry = |kind: usize, row: usize, column: usize, dice: &mut Dice| match kind {
        0 => f64::from(u8::from(row == column)),
        1 => 0.0,
        2 => dice.within(-1.0, 1.0),
        3 => dice.within(-1e-3, 1e-3),
        4 => dice.within(-40.0, 40.0),
        _ => f64::from(u8::from(column == (row + 1) % ROWS)),
    };
    let mut matrix = |kind: usize| {
        let rows = if kind == 2 { 1 } else { ROWS };
        (0..rows)
            .map(|row| (0..ROWS).map(|column| entry(kind, row, column, dice)).collect())
            .collect::<Vec<Vec<f64>>>()
    };
    (0..6).map(&mut matrix).collect()
}

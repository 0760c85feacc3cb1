//! One random circuit: its steps, and the comparison of every result with clear values.

use super::super::{Ckks, Complex64, DomainError, Mode, SlotFacts};
use super::dice::Dice;
use super::reference::{Clear, Expected};
use super::step::Step;
use super::world::World;
use crate::Error;
use crate::rlwe::{Bounds, Ciphertext, Encryption, Levels, Noise, Random};
use crate::wire::WireError;

/// A ciphertext, its simulated twin, and the slots that it should hold.
#[derive(Clone)]
pub(super) struct Known<M: Mode> {
    pub(super) real: Ciphertext<Ckks<M>>,
    /// The simulated twin of a ciphertext; `None` after steps that only real ciphertexts can take.
    twin: Option<Ciphertext<Ckks<M>>>,
    pub(super) clear: Clear,
}

/// A real ciphertext and its twin.
type Computed<M> = (Ciphertext<Ckks<M>>, Option<Ciphertext<Ckks<M>>>);

/// The way in which a circuit ended.
pub(super) enum Ending {
    /// The result was returned and has ten correct bits.
    Precise,
    /// The result was returned with fewer.
    Imprecise,
    /// A step was refused whose result would be wrong or imprecise.
    Refused,
    /// A step was refused whose result would have ten bits.
    RefusedWrongly { step: String, text: String },
    /// An error was beyond its bound, or the simulation differs.
    Found { step: String, text: String },
}

/// The outcome of a circuit.
pub(super) struct Outcome {
    pub(super) steps: u64,
    pub(super) worst: f64,
    pub(super) ending: Ending,
    /// Steps that could not be taken, with the reasons.
    pub(super) skipped: Vec<String>,
}

/// A circuit while it runs.
pub(super) struct Circuit<'a, M: Mode> {
    pub(super) world: &'a mut World<M>,
    pub(super) dice: Dice,
    pub(super) pool: Vec<Known<M>>,
    trace: bool,
    steps: u64,
    worst: f64,
    skipped: Vec<String>,
    /// Set if the last step was refused, but not to the twins.
    planned: bool,
}

/// The relative error of a result with ten correct bits.
const TEN_BITS: f64 = 1.0 / 1024.0;
/// Values beyond this end a circuit.
const ENORMOUS: f64 = 1e100;

impl<'a, M: Mode> Circuit<'a, M> {
    pub(super) fn new(world: &'a mut World<M>, dice: Dice, trace: bool) -> Circuit<'a, M> {
        let (pool, skipped) = (Vec::new(), Vec::new());
        Circuit { world, dice, pool, trace, steps: 0, worst: 0.0, skipped, planned: false }
    }

    /// Runs the circuit to its end.
    pub(super) fn run(mut self) -> Outcome {
        let ending = self.run_steps().unwrap_or_else(|| self.end());
        let Circuit { steps, worst, skipped, .. } = self;
        Outcome { steps, worst, ending, skipped }
    }

    fn run_steps(&mut self) -> Option<Ending> {
        while self.pool.len() < 2 {
            let step = self.random_encryption();
            if let Some(ending) = self.take(&step, &[]) {
                return Some(ending);
            }
        }
        let length = 1 + self.dice.below(14);
        (0..length).find_map(|_| self.random_step())
    }

    /// Takes a step on members of the pool, by their positions.
    pub(super) fn take(&mut self, step: &Step, operands: &[usize]) -> Option<Ending> {
        self.steps += 1;
        let mut operands = operands.to_vec();
        if let Some(ending) = self.align(&mut operands) {
            return Some(ending);
        }
        let known: Vec<Known<M>> = operands.iter().map(|&i| self.pool[i].clone()).collect();
        let result = self.computed(step, &known);
        if self.trace {
            let result = result.as_ref().map(|(c, _)| (c.level(), c.scale().log2()));
            println!("  {step:?} of {operands:?} gives {} {result:?}", self.pool.len());
        }
        match result {
            Ok((real, twin)) => self.push(step, &known, real, twin),
            // What was planned runs.
            Err(error) if self.planned => {
                let text = format!("{step:?}: planned, but refused: {error}");
                Some(Ending::Found { step: step.name(), text })
            }
            Err(error) if is_inapplicable(step, &error) => {
                let kind = format!("{error:?}");
                let kind = kind.split([' ', '(', '{']).next().unwrap_or_default();
                self.skipped.push(format!("{} {kind}", step.name()));
                None
            }
            Err(error) => Some(self.refused(step, &known, &error)),
        }
    }

    /// Brings operands to one level where that is the caller's task.
    fn align(&mut self, operands: &mut [usize]) -> Option<Ending> {
        if M::LEVELS == Levels::Automatic || operands.len() < 2 {
            return None;
        }
        let level = operands.iter().map(|&i| self.pool[i].real.level()).min()?;
        for operand in operands {
            if self.pool[*operand].real.level() > level {
                if let Some(ending) = self.take(&Step::SwitchTo(level), &[*operand]) {
                    return Some(ending);
                }
                *operand = self.pool.len() - 1;
            }
        }
        None
    }

    fn computed(&mut self, step: &Step, known: &[Known<M>]) -> Result<Computed<M>, Error> {
        if let Step::Encrypt { message, encryption, level } = step {
            let World { params, secret, public, rng, evaluators, .. } = &mut *self.world;
            let plain = message.encode(params)?;
            let real = match encryption {
                Encryption::SecretKey => secret.encrypt_at(&plain, *level, rng)?,
                Encryption::PublicKey => public.encrypt(&plain, rng)?,
            };
            let like = message.encode(evaluators[1].params())?;
            let twin = evaluators[1].simulated_encryption_like(*encryption, &like, *level)?;
            return Ok((real, Some(twin)));
        }
        let operands: Vec<_> = known.iter().map(|k| &k.real).collect();
        let world = &*self.world;
        let real = world.apply(&world.evaluators[0], step, &operands);
        let travels = matches!(step, Step::Travel | Step::TravelFresh);
        let twins: Option<Vec<_>> = known.iter().map(|k| k.twin.as_ref()).collect();
        let Some(twins) = twins.filter(|_| !travels) else { return Ok((real?, None)) };
        let twin = world.apply(&world.evaluators[1], step, &twins);
        match (real, twin) {
            (Ok(real), Ok(twin)) => Ok((real, Some(twin))),
            // A twin that differs is found by the comparison of its bound.
            (Ok(real), Err(_)) => {
                let mut twin = real.clone();
                twin.noise = Noise::default();
                Ok((real, Some(twin)))
            }
            (Err(error), twin) => {
                self.planned = twin.is_ok();
                Err(error)
            }
        }
    }

    /// Compares a result with the expected one, and puts it into the pool.
    fn push(
        &mut self,
        step: &Step,
        known: &[Known<M>],
        real: Ciphertext<Ckks<M>>,
        twin: Option<Ciphertext<Ckks<M>>>,
    ) -> Option<Ending> {
        let Expected { clear, freedom } = self.expected(step, known);
        let found = |text: String| Some(Ending::Found { step: step.name(), text });
        if clear.largest() > ENORMOUS || clear.slop > ENORMOUS {
            return Some(self.end());
        }
        if let Some(text) = self.beyond_bound(&real, &clear, freedom.as_deref()) {
            return found(format!("{step:?}: {text}"));
        }
        let worst_case = self.world.params.context().model.tails.are_worst_case();
        if worst_case && real.noise.random != Random::default() {
            return found(format!("{step:?}: {:?} may fail", real.noise.random));
        }
        let mut twin = twin;
        if let Some(own) = &mut twin {
            let bits =
                |c: &Ciphertext<Ckks<M>>| (c.level(), c.scale().log2(), c.noise_bound_bits());
            let apart = |twin: &Ciphertext<Ckks<M>>| {
                let (real, twin) = (bits(&real), bits(twin));
                if real.0 == twin.0 {
                    (real.1 - twin.1).abs().max((real.2 - twin.2).abs())
                } else {
                    f64::MAX
                }
            };
            // Whether a difference is without a mask depends on the data, of which a twin has none.
            if apart(own) > 0.0
                && let Ok(masked) = self.world.evaluators[1].masked(own.clone(), "simulate")
                && apart(&masked) < apart(own)
            {
                *own = masked;
            }
            if apart(own) >= 1e-9 {
                let [real, own] = [&real, own].map(bits);
                return found(format!("{step:?}: simulated as {own:?}, not {real:?}"));
            }
        }
        // What is not determined is not computed with.
        if freedom.is_none_or(|all| all.iter().all(|x| *x <= 0.0)) {
            self.pool.push(Known { real, twin, clear });
        }
        None
    }

    fn expected(&self, step: &Step, known: &[Known<M>]) -> Expected {
        if let Step::Encrypt { message, .. } = step {
            let slots = message.slots(self.world.slots());
            return Expected { clear: Clear::new(slots, 0.0), freedom: None };
        }
        let clear: Vec<_> = known.iter().map(|k| &k.clear).collect();
        self.world.expected(step, &clear)
    }

    /// Describes an error beyond its bound, or a slot beyond the magnitude.
    fn beyond_bound(
        &mut self,
        real: &Ciphertext<Ckks<M>>,
        clear: &Clear,
        freedom: Option<&[f64]>,
    ) -> Option<String> {
        let (bound, magnitude) = (real.error_bound(), real.magnitude_bound());
        let Some(errors) = self.world.errors(real, &clear.slots) else {
            return Some("its bound is past the limit".to_owned());
        };
        for (i, error) in errors.into_iter().enumerate() {
            let free = freedom.map_or(0.0, |all| all[i]);
            // What is not a number is beyond every bound.
            if free <= 0.0 && bound > 0.0 {
                self.worst = self.worst.max(error / (bound + clear.slop));
            }
            let within = error <= bound + clear.slop + free || free.is_infinite();
            if !within {
                let expected: Complex64 = clear.slots[i];
                return Some(format!(
                    "slot {i} should be {expected:.6}, is off by {error:e}, stated {bound:e}"
                ));
            }
        }
        let largest = clear.largest();
        let fits = freedom.is_some() || largest <= magnitude + clear.slop;
        (!fits).then(|| format!("a slot of {largest:e} exceeds the magnitude {magnitude:e}"))
    }

    /// Judges a refusal by the same step with measured bounds.
    fn refused(&mut self, step: &Step, known: &[Known<M>], error: &Error) -> Ending {
        let truthful: Vec<_> = known.iter().map(|k| self.with_measured_noise(k)).collect();
        let operands: Vec<_> = truthful.iter().collect();
        let Expected { clear, freedom } = self.expected(step, known);
        let vague = freedom.is_some_and(|all| all.iter().any(|x| *x > 0.0));
        let outside = step.domain().is_some_and(|domain| !known[0].clear.is_within(domain));
        if vague || outside || !clear.largest().is_finite() {
            return Ending::Refused;
        }
        let world = &*self.world;
        match world.apply(&world.evaluators[0], step, &operands) {
            Ok(result) if self.is_precise(&result, &clear) => {
                let text = format!("{step:?}: {error}");
                Ending::RefusedWrongly { step: step.name(), text }
            }
            Ok(_) | Err(_) => Ending::Refused,
        }
    }

    /// Returns the ciphertext with the norms that its message and its error really have, and
    /// without what is known of slots that no value was given for.
    fn with_measured_noise(&self, known: &Known<M>) -> Ciphertext<Ckks<M>> {
        let mut real = known.real.clone();
        let errors = self.world.errors(&real, &known.clear.slots).unwrap_or_default();
        let error = errors.into_iter().fold(known.clear.slop, f64::max);
        let scale = real.scale();
        let message = Bounds::of_root_values(known.clear.largest() * scale);
        let rest = Bounds::of_root_values(error * scale * 1.01 + 1.0);
        real.noise = Noise { rest, ..Noise::of_message(message) };
        real.facts = SlotFacts { complex: !known.clear.is_real(), ..SlotFacts::default() };
        real
    }

    fn is_precise(&self, result: &Ciphertext<Ckks<M>>, clear: &Clear) -> bool {
        let errors = self.world.errors(result, &clear.slots).unwrap_or_default();
        let largest = clear.largest();
        errors.iter().all(|error| *error <= TEN_BITS * largest)
    }

    /// Decrypts the last result as a user does.
    fn end(&mut self) -> Ending {
        let Some(last) = self.pool.last() else { return Ending::Imprecise };
        let precise = self.is_precise(&last.real, &last.clear);
        match self.world.secret.decrypt(&last.real) {
            Ok(_) if precise => Ending::Precise,
            Ok(_) => Ending::Imprecise,
            Err(error) if precise => {
                let text = error.to_string();
                Ending::RefusedWrongly { step: "Decrypt".to_owned(), text }
            }
            Err(_) => Ending::Refused,
        }
    }
}

/// Tells whether an error says that the step is not there for such operands, at any precision.
fn is_inapplicable(step: &Step, error: &Error) -> bool {
    match error {
        Error::LevelMismatch { .. }
        | Error::Scale(_)
        | Error::NoSuchLevel { .. }
        | Error::Spec { .. }
        | Error::Components { .. }
        | Error::CkksDomain(DomainError::NotPacked { .. })
        | Error::Wire(WireError::NotFresh | WireError::NoiseBound { .. }) => true,
        // There is no smaller message to judge by.
        _ => matches!(step, Step::Encrypt { .. }),
    }
}

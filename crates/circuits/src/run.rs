//! One circuit while it runs.

use crate::tally::Tally;
use crate::{Dice, Formula, Model, Place, Step};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The outcome of a step.
pub enum Verdict<V> {
    /// The results agree with the model; the number is the largest ratio of an error to its bound.
    Right(Vec<V>, f64),
    /// A check without a result passed; the text says what it showed.
    Passed(&'static str),
    /// The step was refused, as it has to be.
    Refused(String),
    /// The operation is not there for such operands.
    Skipped(String),
    /// The step was refused, although its result would be of use.
    RefusedWrongly(String),
    /// A result is wrong, or there should be none, or an error that there should not be.
    Wrong(String),
}

/// A scheme as the engine sees it: how its circuits grow, and what is right.
pub trait Scheme: Model {
    /// A ciphertext with its clear value and whatever else is known of it, such as its owner.
    type Value;

    /// The number of refusals that end a circuit.
    const REFUSALS: usize = usize::MAX;

    /// Takes the first steps of a circuit.
    fn begin(run: &mut Run<'_, Self>) {
        let _ = run;
    }

    /// Draws and takes the next step, or the next ones; a scheme that is only climbed needs none.
    fn draw(run: &mut Run<'_, Self>) {
        let _ = run;
    }

    /// Takes the last steps of a circuit that was not ended by a refusal.
    fn finish(run: &mut Run<'_, Self>) {
        let _ = run;
    }

    /// Computes a step on ciphertexts and on clear values.
    ///
    /// # Errors
    /// The refusal of the scheme.
    fn apply(
        &mut self,
        step: &Step<Self>,
        operands: &[&Self::Value],
    ) -> Result<Vec<Self::Value>, Self::Error>;

    /// Compares a result with its clear value and returns the ratio of error to bound; an exact
    /// scheme returns 0.
    ///
    /// # Errors
    /// A text that says how the result differs.
    fn compare(
        &mut self,
        step: &Step<Self>,
        operands: &[&Self::Value],
        value: &Self::Value,
    ) -> Result<f64, String>;

    /// Says whether a refusal is right.
    fn judge_refusal(
        &mut self,
        step: &Step<Self>,
        operands: &[&Self::Value],
        error: &Self::Error,
    ) -> Verdict<Self::Value>;

    /// Takes a step: computes, and compares every result.
    fn take(&mut self, step: &Step<Self>, operands: &[&Self::Value]) -> Verdict<Self::Value> {
        match self.apply(step, operands) {
            Ok(values) => {
                let mut worst = 0.0f64;
                for value in &values {
                    match self.compare(step, operands, value) {
                        Ok(ratio) => worst = worst.max(ratio),
                        Err(fault) => return Verdict::Wrong(fault),
                    }
                }
                Verdict::Right(values, worst)
            }
            Err(error) => self.judge_refusal(step, operands, &error),
        }
    }
}

/// Takes a step; a panic is a fault like any other.
pub(crate) fn take<S: Scheme>(
    scheme: &mut S,
    step: &Step<S>,
    operands: &[&S::Value],
) -> Verdict<S::Value> {
    let taken = catch_unwind(AssertUnwindSafe(|| scheme.take(step, operands)));
    taken.unwrap_or_else(|cause| Verdict::Wrong(format!("panicked: {}", message(&*cause))))
}

fn message(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// A circuit, and the results of its steps that are still used.
pub struct Run<'a, S: Scheme> {
    /// The keys.
    pub scheme: &'a mut S,
    /// The dice of this circuit.
    pub dice: Dice,
    pub(crate) steps: Vec<Step<S>>,
    /// The findings so far.
    pub(crate) tally: Tally,
    /// The text of the fault, or of the wrong refusal, that ended the circuit.
    pub(crate) fault: Option<String>,
    pub(crate) shown: bool,
    values: BTreeMap<Place, S::Value>,
    pool: Vec<Place>,
    most: usize,
}

impl<'a, S: Scheme> Run<'a, S> {
    pub(crate) fn new(scheme: &'a mut S, dice: Dice, most: usize) -> Run<'a, S> {
        let (steps, values, pool) = (Vec::new(), BTreeMap::new(), Vec::new());
        let tally = Tally::new("");
        Run { scheme, dice, steps, tally, fault: None, shown: false, values, pool, most }
    }

    /// Returns the results to choose operands from, oldest first.
    pub fn pool(&self) -> &[Place] {
        &self.pool
    }

    /// Returns a result of the pool.
    pub fn value(&self, place: Place) -> &S::Value {
        &self.values[&place]
    }

    /// Returns any member of the pool.
    pub fn any(&mut self) -> Place {
        self.pool[self.dice.below(self.pool.len())]
    }

    /// Returns whether no more steps are taken.
    pub fn is_over(&self) -> bool {
        self.fault.is_some() || self.tally.refused >= S::REFUSALS as u64
    }

    /// Takes a step on members of the pool and returns the place of its first result, if there is
    /// one. Once the circuit is over, no step is taken.
    pub fn take(&mut self, step: Step<S>) -> Option<Place> {
        if self.is_over() {
            return None;
        }
        let operands: Vec<&S::Value> = step.operands.iter().map(|p| &self.values[p]).collect();
        let verdict = take(self.scheme, &step, &operands);
        let number = self.steps.len();
        if self.shown {
            println!("  v{number} = {step}: {}", verdict.text());
        }
        let (tally, name) = (&mut self.tally, step.name);
        tally.steps += 1;
        self.steps.push(step);
        match verdict {
            Verdict::Right(values, worst) => {
                tally.right(name, worst);
                let first = (!values.is_empty()).then_some(Place { step: number, part: 0 });
                self.keep(number, values);
                return first;
            }
            Verdict::Passed(what) => tally.passed(what),
            Verdict::Refused(reason) => tally.refuse(&reason),
            Verdict::Skipped(reason) => tally.note(format!("not applicable: {name}: {reason}")),
            Verdict::RefusedWrongly(text) => tally.refuse_wrongly(name, &text),
            Verdict::Wrong(text) => self.fault = Some(text),
        }
        None
    }

    /// Takes a step of the only server.
    pub fn call(
        &mut self,
        name: &'static str,
        formula: Formula<S>,
        operands: &[Place],
    ) -> Option<Place> {
        self.take(Step::new(name, formula, operands.to_vec()))
    }

    /// Puts results into the pool, which forgets one of its older half when it is full.
    fn keep(&mut self, step: usize, values: Vec<S::Value>) {
        for (part, value) in values.into_iter().enumerate() {
            let place = Place { step, part };
            self.values.insert(place, value);
            self.pool.push(place);
        }
        while self.pool.len() > self.most {
            let old = self.pool.remove(self.dice.below(self.most / 2));
            self.values.remove(&old);
        }
    }
}

impl<V> Verdict<V> {
    fn text(&self) -> String {
        match self {
            Verdict::Right(_, ratio) => format!("right, {ratio:.3} of the bound"),
            Verdict::Passed(what) => (*what).to_owned(),
            Verdict::Refused(reason) => format!("refused: {reason}"),
            Verdict::Skipped(reason) => format!("not applicable: {reason}"),
            Verdict::RefusedWrongly(text) => format!("refused wrongly: {text}"),
            Verdict::Wrong(text) => format!("wrong: {text}"),
        }
    }
}

//! Hill climbing: the search for the circuit whose error comes nearest to its bound.
//!
//! A circuit is an [`Expression`]. The search keeps a pool of them, extends and changes those whose
//! errors come near their bounds, and forgets the others. Parts that expressions share are computed
//! once under each key. A result beyond its bound is wrong, and its circuit is shrunk and printed
//! as those of every search.

use crate::run::{Scheme, Verdict, take};
use crate::shrink::{Found, shrink};
use crate::{Dice, Model, Operation, Place, Step, program};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// Number of circuits in the pool.
const POOL: usize = 32;
/// Number of circuits without an improvement after which the search begins with a new pool.
const PATIENCE: u64 = 700;
/// Number of circuits that run under one key.
const KEY_LIFE: u64 = 400;
/// Number of candidates in a row that are known or refused after which a search ends.
const IDLE: usize = 10_000;
/// Bytes of results that are kept.
const MEMORY: usize = 40 << 20;
/// The greatest number of steps of a circuit, each use of a shared part counted.
const LARGEST: usize = 60;
/// The ratio that a result without a measured error, such as an encryption, counts as.
const UNMEASURED: f64 = 0.25;

/// A scheme whose circuits are searched by climbing. [`Scheme::compare`] returns the ratio of an
/// error to its bound, or 0 where nothing is measured.
pub trait Climb: Scheme {
    /// Returns the operations.
    fn rows(&self) -> Rc<[Operation<Self>]>;

    /// Returns the side whose parameters the arguments of operations have.
    fn server(&self) -> &Self::Server;

    /// Draws a circuit to begin with: an encryption, or few steps on encryptions.
    fn leaf(&self, dice: &mut Dice) -> Rc<Expression<Self>>;

    /// Returns a number that operands of one operation should share, such as a level.
    fn level(value: &Self::Value) -> usize;

    /// Returns the bytes of a result.
    fn byte_len(value: &Self::Value) -> usize;
}

/// A circuit as an expression: a step and the circuits of its operands.
pub struct Expression<S: Model> {
    step: Step<S>,
    operands: Vec<Rc<Expression<S>>>,
    /// Equal circuits have equal names.
    name: u64,
    size: usize,
}

impl<S: Model> Expression<S> {
    /// Returns the circuit that ends with this step, whose own operands are not looked at.
    pub fn new(step: Step<S>, operands: Vec<Rc<Expression<S>>>) -> Rc<Expression<S>> {
        let mut hasher = DefaultHasher::new();
        (step.name, &step.formula.arguments).hash(&mut hasher);
        for operand in &operands {
            operand.name.hash(&mut hasher);
        }
        let size = 1 + operands.iter().map(|operand| operand.size).sum::<usize>();
        Rc::new(Expression { step, operands, name: hasher.finish(), size })
    }

    /// Returns the steps, those of shared parts once.
    pub fn steps(&self) -> Vec<Step<S>> {
        let mut steps = Vec::new();
        self.push_steps(&mut steps, &mut BTreeMap::new());
        steps
    }

    fn push_steps(&self, steps: &mut Vec<Step<S>>, numbers: &mut BTreeMap<u64, usize>) -> usize {
        if let Some(&number) = numbers.get(&self.name) {
            return number;
        }
        let place = |step| Place { step, part: 0 };
        let all = self.operands.iter();
        let operands = all.map(|operand| place(operand.push_steps(steps, numbers))).collect();
        steps.push(Step { operands, ..self.step.clone() });
        numbers.insert(self.name, steps.len() - 1);
        steps.len() - 1
    }
}

/// A circuit and the ratio of its error to its bound.
type Rated<S> = (Rc<Expression<S>>, f64);

/// A result and its ratio.
type Outcome<S> = Rc<(<S as Scheme>::Value, f64)>;

/// A search by climbing: its circuits, and the keys under which they run.
pub struct Climber<S: Climb> {
    make: Box<dyn Fn(u64) -> S>,
    seed: u64,
    dice: Dice,
    /// The keys, while the search runs.
    scheme: Option<S>,
    /// The results of circuits that ran under these keys; none of one that was refused.
    known: HashMap<u64, Option<Outcome<S>>>,
    pool: Vec<Rated<S>>,
    /// Every circuit that was counted.
    counted: HashSet<u64>,
    /// Circuits at which the pool, and the keys, were renewed.
    pool_age: u64,
    key_age: u64,
    best_of_pool: f64,
    tightest: Option<Rated<S>>,
    fault: Option<String>,
}

impl<S: Climb> Climber<S> {
    /// Returns the search of a seed. `make` draws keys.
    pub fn new(seed: u64, make: impl Fn(u64) -> S + 'static) -> Climber<S> {
        Climber {
            make: Box::new(make),
            seed,
            dice: Dice::new(seed),
            scheme: None,
            known: HashMap::new(),
            pool: Vec::new(),
            counted: HashSet::new(),
            pool_age: 0,
            key_age: 0,
            best_of_pool: 0.0,
            tightest: None,
            fault: None,
        }
    }

    /// Runs until this many circuits have been counted in all, one is wrong, or no new ones are
    /// found. Keys and results are dropped at the end.
    pub fn run_until(&mut self, circuits: u64) {
        self.key_age = self.circuits();
        let mut idle = 0;
        while self.circuits() < circuits && self.fault.is_none() && idle < IDLE {
            let seed = self.seed.wrapping_mul(31) + self.key_age;
            let mut scheme = self.scheme.take().unwrap_or_else(|| (self.make)(seed));
            let (candidate, before) = (self.candidate(&scheme), self.circuits());
            self.rate(&mut scheme, &candidate);
            let count = self.circuits();
            idle = if count > before { 0 } else { idle + 1 };
            if count > self.key_age + KEY_LIFE || self.kept_bytes() > MEMORY {
                self.key_age = count;
                self.known.clear();
            } else {
                self.scheme = Some(scheme);
            }
            if count > self.pool_age + PATIENCE {
                (self.pool_age, self.best_of_pool) = (count, 0.0);
                self.pool.clear();
            }
        }
        self.scheme = None;
        self.known.clear();
    }

    /// Returns the number of different circuits whose error was measured.
    pub fn circuits(&self) -> u64 {
        self.counted.len() as u64
    }

    /// Returns the largest ratio of an error to its bound, and its circuit as a program.
    pub fn tightest(&self) -> Option<(f64, String)> {
        self.tightest.as_ref().map(|(circuit, ratio)| (*ratio, program(&circuit.steps())))
    }

    /// Returns the smallest circuit that is wrong, as a program, if one is.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    fn kept_bytes(&self) -> usize {
        self.known.values().flatten().map(|outcome| S::byte_len(&outcome.0)).sum()
    }

    fn candidate(&mut self, scheme: &S) -> Rc<Expression<S>> {
        let (pool, known, dice) = (&self.pool, &self.known, &mut self.dice);
        let leaves_in = if pool.len() < 4 { 2 } else { 25 };
        if pool.is_empty() || dice.once_in(leaves_in) {
            return scheme.leaf(dice);
        }
        if dice.once_in(3) {
            let [chosen, other] = [(); 2].map(|()| tournament(pool, dice));
            return mutated(&chosen, scheme, dice, &other);
        }
        let level_of = |circuit: &Expression<S>| {
            known.get(&circuit.name).and_then(|outcome| Some(S::level(&outcome.as_ref()?.0)))
        };
        let step = random_step(scheme, dice);
        let first = tournament(pool, dice);
        let level = level_of(&first);
        let mut operands = vec![Rc::clone(&first)];
        for _ in 1..step.1 {
            if dice.once_in(4) {
                operands.push(Rc::clone(&first));
                continue;
            }
            let mut picks = (0..6).map(|_| tournament(pool, dice));
            let last = picks.next().unwrap_or_else(|| Rc::clone(&first));
            let fitting = picks.find(|other| level_of(other) == level);
            operands.push(fitting.unwrap_or(last));
        }
        let size: usize = operands.iter().map(|operand| operand.size).sum();
        if size > LARGEST { scheme.leaf(dice) } else { Expression::new(step.0, operands) }
    }

    /// Computes a circuit and puts it into the pool.
    fn rate(&mut self, scheme: &mut S, candidate: &Rc<Expression<S>>) {
        let Some(outcome) = self.outcome(scheme, candidate) else { return };
        let ratio = if outcome.1 > 0.0 { outcome.1 } else { UNMEASURED };
        // Encryptions are there to be used.
        if ratio > self.best_of_pool && !candidate.operands.is_empty() {
            (self.best_of_pool, self.pool_age) = (ratio, self.circuits());
        }
        if self.pool.iter().any(|(circuit, _)| circuit.name == candidate.name) {
            return;
        }
        self.pool.push((Rc::clone(candidate), ratio));
        if self.pool.len() > POOL {
            let [a, b] = [(); 2].map(|()| self.dice.below(POOL));
            let loser = if self.pool[a].1 < self.pool[b].1 { a } else { b };
            self.pool.swap_remove(loser);
        }
    }

    /// Returns the result of a circuit, and computes those of its parts that are not known.
    fn outcome(&mut self, scheme: &mut S, circuit: &Rc<Expression<S>>) -> Option<Outcome<S>> {
        if let Some(known) = self.known.get(&circuit.name) {
            return known.clone();
        }
        let all = circuit.operands.iter();
        let operands: Option<Vec<_>> = all.map(|part| self.outcome(scheme, part)).collect();
        let outcome = operands.and_then(|operands| {
            let values: Vec<&S::Value> = operands.iter().map(|outcome| &outcome.0).collect();
            match take(scheme, &circuit.step, &values) {
                Verdict::Right(results, ratio) => {
                    let result = results.into_iter().next()?;
                    self.count(circuit, ratio);
                    Some(Rc::new((result, ratio)))
                }
                Verdict::Wrong(fault) => {
                    self.find(scheme, circuit, &fault);
                    None
                }
                Verdict::Passed(_)
                | Verdict::Refused(_)
                | Verdict::Skipped(_)
                | Verdict::RefusedWrongly(_) => None,
            }
        });
        self.known.insert(circuit.name, outcome.clone());
        outcome
    }

    fn count(&mut self, circuit: &Rc<Expression<S>>, ratio: f64) {
        if ratio <= 0.0 {
            return;
        }
        self.counted.insert(circuit.name);
        if self.tightest.as_ref().is_none_or(|(_, most)| ratio > *most) {
            self.tightest = Some((Rc::clone(circuit), ratio));
        }
    }

    fn find(&mut self, scheme: &mut S, circuit: &Expression<S>, fault: &str) {
        if self.fault.is_none() {
            let Found { steps, fault } = shrink(scheme, &circuit.steps(), fault);
            self.fault = Some(format!("{}wrong: {fault} (seed {})", program(&steps), self.seed));
        }
    }
}

/// Draws a step, and returns it with the number of its operands.
fn random_step<S: Climb>(scheme: &S, dice: &mut Dice) -> (Step<S>, usize) {
    let rows = scheme.rows();
    let row = dice.weighted(rows.iter(), |row| row.weight);
    (row.step(scheme.server(), dice, Vec::new()), row.arity)
}

/// Returns the circuit with one step changed: its arguments, its kind, or one of its operands,
/// which becomes `other`.
fn mutated<S: Climb>(
    circuit: &Expression<S>,
    scheme: &S,
    dice: &mut Dice,
    other: &Rc<Expression<S>>,
) -> Rc<Expression<S>> {
    if circuit.operands.is_empty() {
        return scheme.leaf(dice);
    }
    let place = dice.below(circuit.operands.len());
    let mut operands = circuit.operands.clone();
    if !dice.once_in(3) {
        operands[place] = mutated(&operands[place], scheme, dice, other);
        return Expression::new(circuit.step.clone(), operands);
    }
    if dice.once_in(2) && other.size + circuit.size < LARGEST {
        operands[place] = Rc::clone(other);
        return Expression::new(circuit.step.clone(), operands);
    }
    // Another step on as many operands.
    let drawn = (0..50).map(|_| random_step(scheme, dice));
    let same = { drawn }.find(|(_, count)| *count == operands.len());
    Expression::new(same.map_or_else(|| circuit.step.clone(), |(step, _)| step), operands)
}

/// Returns the better of two circuits of the pool.
fn tournament<S: Model>(pool: &[Rated<S>], dice: &mut Dice) -> Rc<Expression<S>> {
    let [a, b] = [(); 2].map(|()| &pool[dice.below(pool.len())]);
    Rc::clone(if a.1 > b.1 { &a.0 } else { &b.0 })
}

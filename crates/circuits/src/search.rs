//! Budgets and seeds, and the loop over circuits.

use crate::run::{Run, Scheme};
use crate::shrink::{Found, shrink};
use crate::tally::Tally;
use crate::{Dice, Step, program};
use std::ops::{Range, RangeInclusive};
use std::time::{Duration, Instant};

/// Returns a number of the environment, or this one.
///
/// # Panics
/// If the variable is not a number.
pub fn setting(name: &str, default: u64) -> u64 {
    let number = |text: String| {
        text.parse().unwrap_or_else(|_| unreachable!("{name} must be a number, not {text}"))
    };
    std::env::var(name).map_or(default, number)
}

/// Returns the seed of the environment, or this one: `FATHOM_SEARCH_SEED`.
pub fn seed(default: u64) -> u64 {
    setting("FATHOM_SEARCH_SEED", default)
}

/// Returns the names of sets in the environment, or these: `FATHOM_SEARCH_SETS`, with commas.
pub fn sets(default: &str) -> Vec<String> {
    let names = std::env::var("FATHOM_SEARCH_SETS").unwrap_or_else(|_| default.to_owned());
    names.split(',').map(str::to_owned).collect()
}

/// A search: how many circuits of which size, and from which seed.
///
/// Two variables hold for every search: `FATHOM_SEARCH_ONE` is the number of the only circuit,
/// which is written out step by step, and `FATHOM_SEARCH_SECONDS` ends the search after so many.
#[derive(Clone, Debug)]
pub struct Search {
    name: String,
    seed: u64,
    circuits: Range<u64>,
    draws: RangeInclusive<usize>,
    pool: usize,
}

impl Search {
    /// Returns a search of a hundred circuits of up to 14 draws.
    pub fn new(name: impl Into<String>, seed: u64) -> Search {
        Search { name: name.into(), seed, circuits: 0..100, draws: 1..=14, pool: usize::MAX }
    }

    /// Sets the numbers of the circuits. Circuit `n` of a seed is the same in every search.
    pub fn circuits(self, circuits: Range<u64>) -> Search {
        Search { circuits, ..self }
    }

    /// Sets the number of draws for each circuit.
    pub fn draws(self, draws: RangeInclusive<usize>) -> Search {
        Search { draws, ..self }
    }

    /// Sets the number of results that a circuit keeps.
    pub fn pool(self, pool: usize) -> Search {
        Search { pool, ..self }
    }

    /// Sets the numbers of circuits and of their draws to this many draws in all, and so many for
    /// each circuit.
    pub fn operations(self, operations: u64, draws: usize) -> Search {
        self.circuits(0..operations.div_ceil(draws as u64)).draws(draws..=draws)
    }

    /// Runs the circuits. The first that is wrong for each operation is shrunk.
    pub fn run<S: Scheme>(&self, scheme: &mut S) -> Tally {
        let one = std::env::var("FATHOM_SEARCH_ONE").ok().and_then(|text| text.parse().ok());
        let numbers = one.map_or_else(|| self.circuits.clone(), |one: u64| one..one + 1);
        let end = Instant::now().checked_add(Duration::from_secs(seconds()));
        let mut tally = Tally::new(&self.name);
        for number in numbers {
            if end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            self.run_circuit(scheme, (number, one.is_some()), &mut tally);
        }
        tally
    }

    fn run_circuit<S: Scheme>(
        &self,
        scheme: &mut S,
        (number, shown): (u64, bool),
        tally: &mut Tally,
    ) {
        let dice = Dice::new(self.seed.wrapping_mul(0x1_0000_0001) ^ number);
        let mut run = Run::new(scheme, dice, self.pool);
        run.shown = shown;
        S::begin(&mut run);
        let (least, most) = (*self.draws.start(), *self.draws.end());
        for _ in 0..least + run.dice.below(most - least + 1) {
            if run.is_over() {
                break;
            }
            S::draw(&mut run);
        }
        S::finish(&mut run);
        let Run { steps, fault, tally: own, .. } = run;
        tally.add(number, own);
        let (Some(fault), Some(last)) = (fault, steps.last()) else { return };
        if tally.is_new(last.name) {
            let (name, seed) = (last.name, self.seed);
            let Found { steps, fault } = shrink(scheme, &steps, &fault);
            let program = program(&steps);
            tally
                .describe(name, format!("{program}wrong: {fault} (circuit {number}, seed {seed})"));
        }
    }
}

/// Runs a circuit that is written down, such as one that was wrong once.
pub fn replay<S: Scheme>(scheme: &mut S, steps: Vec<Step<S>>) -> Tally {
    let mut run = Run::new(scheme, Dice::new(0), usize::MAX);
    for step in steps {
        run.take(step);
    }
    let Run { steps, fault, mut tally, .. } = run;
    if let (Some(fault), Some(last)) = (fault, steps.last()) {
        let _ = tally.is_new(last.name);
        tally.describe(last.name, format!("{}wrong: {fault}", program(&steps)));
    }
    tally
}

fn seconds() -> u64 {
    setting("FATHOM_SEARCH_SECONDS", u64::from(u32::MAX))
}

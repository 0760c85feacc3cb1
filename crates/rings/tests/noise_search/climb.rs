//! Hill climbing over a pool of circuits.

use crate::noise_search::Dice;
use crate::noise_search::bench::Bench;
use crate::noise_search::recipe::Recipe;
use crate::noise_search::subject::Subject;
use std::collections::HashSet;
use std::rc::Rc;

/// Number of circuits in the pool.
const POOL: usize = 32;
/// Number of circuits without an improvement after which the search begins with a new pool.
const PATIENCE: u64 = 700;
/// Number of circuits that run under one key.
const KEY_LIFE: u64 = 400;

/// A circuit in the pool, with the bits between its noise and its bound.
type Rated = (Rc<Recipe>, f64);

/// The search for one scheme and one parameter set.
pub(crate) struct Search<T: Subject> {
    set: T::Set,
    /// The keys, while the search runs.
    bench: Option<Bench<T>>,
    dice: Dice,
    seed: u64,
    pool: Vec<Rated>,
    /// Every circuit that was counted.
    counted: HashSet<u64>,
    /// Circuits at which the pool, and the keys, were renewed.
    pool_age: u64,
    key_age: u64,
    best_of_pool: f64,
    tightest: Option<Rated>,
}

impl<T: Subject> Search<T> {
    pub(crate) fn new(set: T::Set, seed: u64) -> Search<T> {
        Search {
            set,
            bench: None,
            dice: Dice(seed),
            seed,
            pool: Vec::new(),
            counted: HashSet::new(),
            pool_age: 0,
            key_age: 0,
            best_of_pool: f64::INFINITY,
            tightest: None,
        }
    }

    /// Runs until this many circuits have been counted in all.
    pub(crate) fn run_until(&mut self, circuits: u64) {
        self.key_age = self.circuits();
        while self.circuits() < circuits {
            let candidate = self.candidate();
            self.rate(&candidate);
            let count = self.circuits();
            let is_full = self.bench.as_ref().is_some_and(Bench::is_full);
            if count > self.key_age + KEY_LIFE || is_full {
                self.key_age = count;
                self.bench = None;
            }
            if count > self.pool_age + PATIENCE {
                (self.pool_age, self.best_of_pool) = (count, f64::INFINITY);
                self.pool.clear();
            }
        }
        self.bench = None;
    }

    /// Returns the number of different circuits whose noise was measured.
    pub(crate) fn circuits(&self) -> u64 {
        self.counted.len() as u64
    }

    /// Returns the smallest number of bits between noise and bound, and the circuit.
    pub(crate) fn tightest(&self) -> (f64, String) {
        let found = self.tightest.as_ref();
        found.map_or((f64::INFINITY, String::new()), |(recipe, slack)| (*slack, recipe.to_string()))
    }

    fn candidate(&mut self) -> Rc<Recipe> {
        let dice = &mut self.dice;
        if self.pool.len() < 4 || dice.below(25) == 0 {
            return Recipe::leaf(dice);
        }
        if dice.below(3) == 0 {
            let [chosen, other] = [(); 2].map(|()| tournament(&self.pool, dice));
            return chosen.mutated(dice, (T::HAS_BORDER, &other));
        }
        let (pool, bench) = (&self.pool, &self.bench);
        Recipe::extension(dice, T::HAS_BORDER, |dice, chosen| match chosen.last() {
            None => tournament(pool, dice),
            Some(first) if dice.below(4) == 0 => Rc::clone(first),
            Some(first) => {
                let level_of =
                    |recipe: &Recipe| bench.as_ref().and_then(|bench| bench.level(recipe));
                let level = level_of(first);
                let mut picks = (0..6).map(|_| tournament(pool, dice));
                let last = picks.next().unwrap_or_else(|| Rc::clone(first));
                picks.find(|other| level_of(other) == level).unwrap_or(last)
            }
        })
    }

    /// Evaluates a circuit and puts it into the pool.
    fn rate(&mut self, candidate: &Rc<Recipe>) {
        let (counted, tightest, set) = (&mut self.counted, &mut self.tightest, &self.set);
        let mut seen = |recipe: &Rc<Recipe>, slack: f64| {
            let (scheme, set) = (T::NAME, T::set_name(set));
            assert!(slack >= 0.0, "{scheme} {set}: exceeded by {:.3} bits: {recipe}", -slack);
            counted.insert(recipe.name);
            if tightest.as_ref().is_none_or(|(_, least)| slack < *least) {
                *tightest = Some((Rc::clone(recipe), slack));
            }
        };
        let seed = self.seed.wrapping_mul(31) + self.key_age;
        let bench = self.bench.get_or_insert_with(|| Bench::new(set, seed));
        let Some(outcome) = bench.outcome(candidate, &mut seen) else { return };
        // Fresh encryptions are there to be used.
        let slack = outcome.slack.unwrap_or(2.0);
        if slack < self.best_of_pool && !candidate.step.is_encryption() {
            (self.best_of_pool, self.pool_age) = (slack, self.circuits());
        }
        if self.pool.iter().any(|(recipe, _)| recipe.name == candidate.name) {
            return;
        }
        self.pool.push((Rc::clone(candidate), slack));
        if self.pool.len() > POOL {
            let [a, b] = [(); 2].map(|()| self.dice.below(POOL as u64) as usize);
            let loser = if self.pool[a].1 > self.pool[b].1 { a } else { b };
            self.pool.swap_remove(loser);
        }
    }
}

/// Returns the better of two circuits of the pool.
fn tournament(pool: &[Rated], dice: &mut Dice) -> Rc<Recipe> {
    let [a, b] = [(); 2].map(|()| &pool[dice.below(pool.len() as u64) as usize]);
    Rc::clone(if a.1 < b.1 { &a.0 } else { &b.0 })
}

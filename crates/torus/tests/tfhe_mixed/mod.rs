//! Random operations on small integers, integers, truth values, bits, strings, lists and frames,
//! which mix keys, parameter sets and types: every result is right, or there is a typed error.
//!
//!     MIXED_OPERATIONS=1000000 MIXED_REAL=0.01 FATHOM_SEARCH_SEED=1 \
//!         cargo test --release -p fathom --all-features --test fathom_tests tfhe_mixed \
//!         -- --nocapture
//!
//! `MIXED_REAL` is the fraction of operations that run under real keys.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a failure here fails the test"
)]

mod lists;
mod operate;
mod roads;
mod search;
mod transfer;
mod world;

use std::collections::BTreeMap;
use world::{Item, Numbers, World, worlds};

/// The outcomes of the operations, counted by name.
#[derive(Default)]
pub(crate) struct Outcomes(BTreeMap<String, u64>);

impl Outcomes {
    pub(crate) fn count(&mut self, name: impl Into<String>) {
        *self.0.entry(name.into()).or_default() += 1;
    }
}

/// The worlds, a pool of values in each, and the outcomes so far.
pub(crate) struct Game {
    pub(crate) worlds: Vec<World>,
    pub(crate) items: Vec<Item>,
    pub(crate) numbers: Numbers,
    pub(crate) outcomes: Outcomes,
    /// Number of operations in a million that run under real keys.
    real: u64,
}

/// The outcome of a step for which a world has no operation.
pub(crate) const NOTHING: &str = "no such operation";

/// Number of items in the pool; older ones are replaced.
const POOL: usize = 160;

impl Game {
    /// Returns the world of the next operation.
    fn next_world(&mut self) -> usize {
        let real = self.numbers.below(1_000_000) < self.real;
        loop {
            let index = self.numbers.below(self.worlds.len() as u64) as usize;
            if self.worlds[index].client.is_some() == real {
                return index;
            }
        }
    }

    /// Returns an item, in most cases of this world.
    pub(crate) fn pick(&mut self, world: usize) -> Item {
        let own: Vec<_> = (0..self.items.len()).filter(|&i| self.items[i].world == world).collect();
        let any = self.numbers.below(100) < 15 || own.is_empty();
        let index = if any {
            self.numbers.below(self.items.len() as u64) as usize
        } else {
            own[self.numbers.below(own.len() as u64) as usize]
        };
        self.items[index].clone()
    }

    /// Compares a result with its expected value and puts it into the pool.
    pub(crate) fn keep(&mut self, item: Item, what: &str) {
        let found = self.worlds[item.world].read(&item.value);
        assert_eq!(found, item.clear, "{what} in {}", self.worlds[item.world].name);
        self.outcomes.count(format!("right: {what}"));
        if self.items.len() < POOL {
            self.items.push(item);
        } else {
            let index = self.numbers.below(POOL as u64) as usize;
            self.items[index] = item;
        }
    }

    fn step(&mut self) {
        let world = self.next_world();
        // Every world keeps some values of its own.
        if self.numbers.below(100) < 12 {
            let item = self.worlds[world].fresh(world, &mut self.numbers);
            self.keep(item, "encrypt");
            return;
        }
        match self.numbers.below(100) {
            0..64 => operate::step(self, world),
            64..72 => lists::step(self, world),
            _ => transfer::step(self, world),
        }
    }
}

fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn mixed_operations_are_right_or_refused() {
    let seed = number("FATHOM_SEARCH_SEED", 1);
    let operations: u64 = number("MIXED_OPERATIONS", 6_000);
    let real = (number("MIXED_REAL", 0.03) * 1e6) as u64;
    println!("seed {seed}, {operations} operations, {real} in a million under keys");
    let worlds = worlds(seed);
    let (items, numbers) = (Vec::new(), Numbers(seed));
    let mut game = Game { worlds, items, numbers, outcomes: Outcomes::default(), real };
    for world in 0..game.worlds.len() {
        for _ in 0..6 {
            let item = game.worlds[world].fresh(world, &mut game.numbers);
            game.keep(item, "encrypt");
        }
    }
    for done in 0..operations {
        game.step();
        if done.is_multiple_of(100_000) && done > 0 {
            eprintln!("{done} operations");
        }
    }
    let mut total = 0;
    for (name, count) in &game.outcomes.0 {
        println!("{count:>9}  {name}");
        // A world without such an operation was not asked for one.
        total += if name == NOTHING { 0 } else { *count };
    }
    println!("{total:>9}  in all: right or a typed error");
    let refused = game.outcomes.0.keys().filter(|name| name.starts_with("refused")).count();
    assert!(refused >= 4, "the mix refuses for {refused} reasons");
}

//! Random operations on small integers, integers, truth values, bits, strings, lists and frames,
//! which mix keys, parameter sets and types: every result is right, or there is a typed error.
//!
//! `FATHOM_MIXING_OPERATIONS` is the number of operations, `FATHOM_MIXING_REAL` the fraction of
//! them that run under real keys, `FATHOM_SEARCH_SEED` another seed. `cargo xtask mixing` runs them
//! at length.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a failure here fails the test"
)]
#![allow(clippy::redundant_closure_for_method_calls, reason = "all rows of a table have one form")]

mod integers;
mod lists;
mod roads;
mod search;
mod small;
mod transfer;
mod value;
mod world;

use fathom::Error;
use fathom::tfhe::TableError;
use fathom_circuits::{Model, Operation, Place, Run, Scheme, Search, Step, Verdict, seed, setting};
use std::rc::Rc;
use transfer::{COMPACT, COMPRESSED, FRAME};
use value::Value;
use world::{World, worlds};

/// A row of the table of operations. Its group is the kind of its operands.
pub(crate) type Row = Operation<Mixed>;

/// The number of worlds.
const WORLDS: usize = 10;
/// Values that are kept.
const MOST: usize = 160;
/// Draws for each circuit, after which its values are thrown away.
const DRAWS: usize = 1500;
/// Fresh values of each world with which a circuit begins.
const FIRST: usize = 6;

/// A value, its expected decryption, and its world.
pub(crate) struct Known {
    pub(crate) value: Value,
    clear: i64,
    pub(crate) world: usize,
}

/// The worlds and their operations.
pub(crate) struct Mixed {
    pub(crate) worlds: Vec<World>,
    rows: Rc<[Row]>,
    /// Operations in a million that run under real keys.
    real: usize,
}

impl Model for Mixed {
    type Server = World;
    type Object = Value;
    type Clear = i64;
    type Error = Error;
    type Domain = ();

    const SERVERS: usize = WORLDS;
}

impl Mixed {
    /// Draws the world of the next operation.
    fn world(run: &mut Run<'_, Mixed>) -> usize {
        let real = run.dice.below(1_000_000) < run.scheme.real;
        let worlds = run.scheme.worlds.iter().enumerate();
        let all: Vec<usize> = worlds
            .filter(|(_, world)| world.client.is_some() == real)
            .map(|(number, _)| number)
            .collect();
        run.dice.pick(&all)
    }

    /// Draws an operand: in most cases of this world, else of any, of which every other has a key
    /// where this world has one.
    pub(crate) fn pick(run: &mut Run<'_, Mixed>, by: usize) -> Place {
        let has_key = |world: usize| run.scheme.worlds[world].client.is_some();
        let of = |fits: &dyn Fn(usize) -> bool| -> Vec<Place> {
            let pool = run.pool().iter().copied();
            pool.filter(|&place| fits(run.value(place).world)).collect()
        };
        let own = of(&|world| world == by);
        let alike = of(&|world| has_key(world) == has_key(by));
        let (foreign, any) = (run.dice.below(100) < 15, run.dice.once_in(2));
        match (foreign, any) {
            (false, _) if !own.is_empty() => run.dice.pick(&own),
            (true, false) if !alike.is_empty() => run.dice.pick(&alike),
            _ => run.any(),
        }
    }

    /// Draws a value of the same kind as another, if one is found.
    fn partner(run: &mut Run<'_, Mixed>, by: usize, first: Place) -> Place {
        let kind = run.value(first).value.kind();
        for _ in 0..12 {
            let place = Mixed::pick(run, by);
            if run.value(place).value.kind() == kind {
                return place;
            }
        }
        first
    }

    /// Takes an operation of an evaluator on operands of any world.
    fn operate(run: &mut Run<'_, Mixed>, by: usize) {
        let first = Mixed::pick(run, by);
        let kind = run.value(first).value.kind();
        if !run.scheme.worlds[by].has(kind) {
            return;
        }
        let rows = Rc::clone(&run.scheme.rows);
        let of_kind: Vec<&Row> = rows.iter().filter(|row| row.group == kind).collect();
        let row = *run.dice.weighted(&of_kind, |row| row.weight);
        let others = match row.arity {
            lists::MOST => 1 + run.dice.below(lists::MOST - 1),
            arity => arity - 1,
        };
        let mut operands = vec![first];
        for _ in 0..others {
            operands.push(Mixed::partner(run, by, first));
        }
        let step = row.step(&run.scheme.worlds[by], &mut run.dice, operands);
        run.take(Step { by, ..step });
    }

    /// Returns whether a step must not have a result.
    fn is_mixed(&self, step: &Step<Mixed>, operands: &[&Known]) -> bool {
        let id = |world: usize| self.worlds[world].params.id();
        let foreign = !operands.iter().all(|known| self.takes(step.by, known));
        let differ = step.guest.is_some_and(|guest| id(guest) != id(step.by));
        match (step.name, operands) {
            (FRAME, [sent]) => {
                let unwritable = step.guest.is_some_and(|writer| id(writer) != id(sent.world));
                let unreadable = differ || sent.value.kind() != step.group;
                sent.value.is_simulated() || unwritable && !sent.value.is_clear() || unreadable
            }
            (COMPACT, _) => differ || !self.worlds[step.by].has_integers(),
            (COMPRESSED, _) => foreign || differ,
            _ => foreign,
        }
    }

    /// Returns whether a world takes a value.
    fn takes(&self, by: usize, known: &Known) -> bool {
        self.worlds[by].takes(&self.worlds[known.world], &known.value)
    }

    /// Returns whether a step on values that belong together may be refused for this reason.
    fn may_refuse(&self, step: &Step<Mixed>, operands: &[&Known], error: &Error) -> bool {
        let is_foreign = matches!(
            error,
            Error::ParamsMismatch { .. } | Error::KeyMismatch { .. } | Error::Simulated { .. }
        );
        let mixed = self.is_mixed(step, operands);
        match step.name {
            // A value in the clear needs no parameters of its own, but may be refused for them.
            FRAME => {
                let id = |world: usize| self.worlds[world].params.id();
                mixed || step.guest.is_some_and(|writer| id(writer) != id(operands[0].world))
            }
            COMPACT => mixed && is_foreign,
            COMPRESSED => {
                let other = mixed || step.guest != Some(step.by);
                other && (is_foreign || matches!(error, Error::Spec { .. }))
            }
            name => match error {
                _ if is_foreign => mixed,
                Error::DivisionByZero => name == integers::DIVISION || name == "call",
                Error::Table(TableError::OutsideDomain { .. }) | Error::NoiseExceeded { .. } => {
                    name.starts_with(small::UNCHECKED)
                }
                _ => false,
            },
        }
    }
}

impl Scheme for Mixed {
    type Value = Known;

    fn begin(run: &mut Run<'_, Mixed>) {
        for by in 0..WORLDS {
            (0..FIRST).for_each(|_| transfer::encrypt(run, by));
        }
    }

    fn draw(run: &mut Run<'_, Mixed>) {
        let by = Mixed::world(run);
        match run.dice.below(100) {
            // Every world keeps some values of its own.
            0..12 => transfer::encrypt(run, by),
            12..34 => transfer::step(run, by),
            _ => Mixed::operate(run, by),
        }
    }

    fn apply(&mut self, step: &Step<Mixed>, operands: &[&Known]) -> Result<Vec<Known>, Error> {
        let objects: Vec<&Value> = operands.iter().map(|known| &known.value).collect();
        let results = step.formula.apply(&self.worlds[step.by], &objects)?;
        let clear: Vec<&i64> = operands.iter().map(|known| &known.clear).collect();
        let world = match (step.name, step.guest) {
            // A frame keeps the key of its value; one in the clear becomes the reader's.
            (FRAME, Some(writer)) if writer == operands[0].world => writer,
            (COMPRESSED, Some(reader)) => reader,
            _ => step.by,
        };
        let known = |(value, clear)| Known { value, clear, world };
        let results = results.into_iter().zip(step.formula.clear(&clear)).map(known);
        // What is read back has no range, in which a simulation would look for its value.
        let is_lost =
            |known: &Known| step.name == FRAME && self.worlds[known.world].client.is_none();
        Ok(results.filter(|known| !is_lost(known)).collect())
    }

    /// Checks a result in all worlds.
    fn compare(
        &mut self,
        step: &Step<Mixed>,
        operands: &[&Known],
        known: &Known,
    ) -> Result<f64, String> {
        if self.is_mixed(step, operands) {
            return Err("what does not belong together was combined".to_owned());
        }
        let found = self.worlds[known.world].read(&known.value)?;
        if found != known.clear {
            return Err(format!("should be {}, is {found}", known.clear));
        }
        for (number, world) in self.worlds.iter().enumerate() {
            let Some(client) = &world.client else { continue };
            let own = self.takes(number, known);
            for block in known.value.blocks() {
                match client.decrypt(block) {
                    Ok(_) if own || block.is_clear() => {}
                    Ok(_) => return Err(format!("party{number} decrypts what is not its own")),
                    Err(error) if own => {
                        return Err(format!("party{number} has no result: {error}"));
                    }
                    Err(_) => {}
                }
            }
        }
        Ok(0.0)
    }

    fn judge_refusal(
        &mut self,
        step: &Step<Mixed>,
        operands: &[&Known],
        error: &Error,
    ) -> Verdict<Known> {
        let fits = |known: &&Known| known.value.kind() == step.group;
        if step.name != FRAME && !operands.iter().all(fits) {
            return Verdict::Skipped("operands of other kinds".to_owned());
        }
        if self.may_refuse(step, operands, error) {
            let reason = format!("{error:?}");
            let end = reason.find([' ', '(']).unwrap_or(reason.len());
            return Verdict::Refused(reason[..end].to_owned());
        }
        Verdict::Wrong(format!("refused: {error}"))
    }
}

#[test]
fn mixed_operations_are_right_or_refused() {
    let (seed, operations) = (seed(1), setting("FATHOM_MIXING_OPERATIONS", 6_000));
    let real =
        std::env::var("FATHOM_MIXING_REAL").map_or(0.03, |text| text.parse::<f64>().unwrap());
    let worlds = worlds(seed);
    for (number, world) in worlds.iter().enumerate() {
        println!("party{number} has {}", world.name);
    }
    let rows = [small::rows(), integers::rows(), lists::rows()].into_iter().flatten().collect();
    let mut mixed = Mixed { worlds, rows, real: (real * 1e6) as usize };
    let search = Search::new("TFHE", seed).operations(operations, DRAWS).pool(MOST);
    let tally = search.run(&mut mixed);
    tally.print();
    tally.assert_right();
    assert!(tally.reasons() >= 4, "the mix refuses for {} reasons", tally.reasons());
}

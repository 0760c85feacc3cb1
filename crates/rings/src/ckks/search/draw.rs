//! Random steps of a circuit.

use super::super::{Interval, Mode};
use super::message::{Message, Range};
use super::operations::{
    Call, FUNCTIONS, GROUPS, add, add_scalar, assume_magnitude, encrypt, mod_switch_to, mul_scalar,
    replicate, rotate, sum_prefix,
};
use super::world::World;
use crate::rlwe::{Encryption, Level, Levels};
use fathom_circuits::{Place, Run, Step};
use std::rc::Rc;

type Circuit<'a, M> = Run<'a, World<M>>;

/// Encrypts a message of any size.
pub(super) fn encryption<M: Mode>(run: &mut Circuit<'_, M>) -> Option<Place> {
    let usual = run.scheme.params().magnitude();
    let dice = &mut run.dice;
    let size = match dice.below(8) {
        0 => (-(dice.below(12) as f64)).exp2(),
        1 => (dice.below(24) as f64).exp2(),
        2 | 3 => usual,
        _ => 1.0,
    };
    let range = match dice.below(12) {
        0..5 => Range::Real(-size, size),
        5..7 => Range::Real(0.0, size),
        7 => Range::Real(0.0, 0.0),
        _ => Range::Disc(size),
    };
    let stated = size * dice.pick(&[1.0, 1.0, 1.0, 1.5, 4.0]);
    encryption_of(run, range, stated)
}

/// Encrypts numbers of a range.
fn encryption_of<M: Mode>(run: &mut Circuit<'_, M>, range: Range, stated: f64) -> Option<Place> {
    let params = run.scheme.params();
    let (top, slots) = (params.top_level(), params.slot_count());
    let dice = &mut run.dice;
    let message = Message::random(dice, range, stated, slots);
    let seed = dice.word();
    let (key, below) = if dice.once_in(3) {
        (Encryption::PublicKey, 0)
    } else {
        let below = if dice.once_in(4) { dice.below(top.get() + 1) } else { 0 };
        (Encryption::SecretKey, below)
    };
    let level = Level::new(top.get() - below);
    run.call("encrypt", encrypt(message, key, (level, slots, seed)), &[])
}

/// Draws an operation of the table with its operands, and takes it.
pub(super) fn operation<M: Mode>(run: &mut Circuit<'_, M>) {
    let (group, _) = *run.dice.weighted(&GROUPS, |(_, weight)| *weight);
    let operations = Rc::clone(&run.scheme.operations);
    let own: Vec<_> = operations.iter().filter(|operation| operation.group == group).collect();
    let operation = *run.dice.weighted(&own, |operation| operation.weight);
    let step = operation.step(&run.scheme.servers[0], &mut run.dice, Vec::new());
    let operands: Option<Vec<Place>> = (0..operation.arity)
        .map(|number| match step.formula.domain {
            Some(interval) if group == FUNCTIONS => operand(run, interval),
            _ if operation.name == "receive_fresh" => encryption(run),
            _ => Some(if number == 1 { run.any() } else { recent(run) }),
        })
        .collect();
    if let Some(operands) = operands.and_then(|operands| align(run, operands)) {
        run.take(Step { operands, ..step });
    }
}

/// Picks a member of the pool, mostly the last.
fn recent<M: Mode>(run: &mut Circuit<'_, M>) -> Place {
    let last = run.pool()[run.pool().len() - 1];
    if run.dice.once_in(3) { run.any() } else { last }
}

/// Brings operands to one level where that is the caller's task.
fn align<M: Mode>(run: &mut Circuit<'_, M>, mut operands: Vec<Place>) -> Option<Vec<Place>> {
    let level = |run: &Circuit<'_, M>, place: Place| run.value(place).real.level();
    let lowest = operands.iter().map(|&place| level(run, place)).min()?;
    if M::LEVELS != Levels::Automatic {
        for operand in &mut operands {
            if level(run, *operand) > lowest {
                *operand = run.call("mod_switch_to", mod_switch_to(lowest), &[*operand])?;
            }
        }
    }
    Some(operands)
}

/// Makes an operand of an interval, in whatever slots, or one that leaves it by a computation.
fn operand<M: Mode>(run: &mut Circuit<'_, M>, interval: Interval) -> Option<Place> {
    let range = Range::Real(interval.low, interval.high);
    if run.dice.once_in(6) {
        let made = encryption_of(run, range, 1.5 * range.size())?;
        return run.call("assume_magnitude", assume_magnitude(range.size()), &[made]);
    }
    let made = encryption_of(run, range, range.size())?;
    let is_symmetric = (interval.low + interval.high).abs() <= 0.0;
    let (name, call): (_, Call<M>) = match run.dice.below(16) {
        0 => return run.call("add", add(), &[made, made]),
        1 => ("add_scalar", add_scalar((0.3 * interval.high).into())),
        2 => ("mul_scalar", mul_scalar(3.0.into())),
        // Numbers of another interval might leave it unnoticed.
        3 if is_symmetric => ("mul_scalar", mul_scalar(0.75.into())),
        4 => ("rotate", rotate(1)),
        // The first slot has a value.
        5 => ("replicate", replicate(0)),
        6 => ("sum_prefix", sum_prefix(1)),
        _ => return Some(made),
    };
    run.call(name, call, &[made])
}

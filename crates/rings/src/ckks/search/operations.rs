//! The operations: each on ciphertexts, of a key or simulated, and on clear slots.

use super::super::{Ckks, Complex64, Mode};
use super::functions::{functions, polynomials};
use super::message::{Message, Range, complex};
use super::reference::{Clear, transformed};
use super::world::{ROWS, STEPS, Server, WINDOW, World};
use crate::Error;
use crate::rlwe::{Ciphertext, Encryption, Evaluator, Level, LinearMap, Packed};
use crate::wire::{Wire, WireFresh, WireObject};
use fathom_circuits::{Dice, Formula, Operation};
use std::fmt::Debug;

pub(super) type Row<M> = Operation<World<M>>;
pub(super) type Call<M> = Formula<World<M>>;
pub(super) type Slots<M> = Ciphertext<Ckks<M>>;
pub(super) type Computed<M> = Result<Slots<M>, Error>;
pub(super) type Keys<M> = Evaluator<Ckks<M>>;

/// The groups of operations, with their frequencies.
pub(super) const GROUPS: [(&str, usize); 8] = [
    (SUMS, 10),
    (SCALARS, 7),
    (MOVES, 6),
    (LEVELS, 3),
    (POLYNOMIALS, 3),
    (FUNCTIONS, 7),
    (JOURNEYS, 2),
    (WINDOWS, 1),
];
const SUMS: &str = "sums and products";
const SCALARS: &str = "scalars and plaintexts";
const MOVES: &str = "permutations";
const LEVELS: &str = "levels";
const POLYNOMIALS: &str = "polynomials";
/// Functions take operands that they are meant for, or nearly.
pub(super) const FUNCTIONS: &str = "functions";
/// A ciphertext that was read has no simulated twin.
pub(super) const JOURNEYS: &str = "journeys";
const WINDOWS: &str = "first slots";

/// Returns the table.
pub(super) fn operations<M: Mode>() -> Vec<Row<M>> {
    let tables = [
        (SUMS, sums()),
        (SCALARS, scalars()),
        (MOVES, moves()),
        (LEVELS, levels()),
        (POLYNOMIALS, polynomials()),
        (FUNCTIONS, functions()),
        (JOURNEYS, journeys()),
        (WINDOWS, windows()),
    ];
    let grouped = |(group, rows): (&'static str, Vec<Row<M>>)| {
        rows.into_iter().map(move |row| row.group(group))
    };
    tables.into_iter().flat_map(grouped).collect()
}

/// Returns a row without arguments.
fn row<M: Mode>(
    name: &'static str,
    arity: usize,
    apply: fn(&Keys<M>, &[&Slots<M>]) -> Computed<M>,
    clear: fn(&[&Clear]) -> Clear,
) -> Row<M> {
    Row::new(name, arity, move |server: &Server<M>, c| apply(&server.evaluator, c), clear)
}

/// Returns a row whose arguments do not depend on keys.
pub(super) fn drawn<M: Mode>(
    name: &'static str,
    arity: usize,
    draw: fn(&mut Dice) -> Call<M>,
) -> Row<M> {
    Row::drawn(name, arity, move |_, dice| draw(dice))
}

/// Returns a call of an evaluator with these arguments.
pub(super) fn call<M: Mode>(
    arguments: impl Debug,
    apply: impl Fn(&Keys<M>, &[&Slots<M>]) -> Computed<M> + 'static,
    clear: impl Fn(&[&Clear]) -> Clear + 'static,
) -> Call<M> {
    let arguments = format!("{arguments:?}");
    Formula::new(arguments, move |server: &Server<M>, c| apply(&server.evaluator, c), clear)
}

/// Encrypts a message under a key, or simulates that.
pub(super) fn encrypt<M: Mode>(
    message: Message,
    encryption: Encryption,
    (level, slots, seed): (Level, usize, u64),
) -> Call<M> {
    let clear = Clear::new(message.slots(slots), 0.0);
    Formula::new(
        format!("{message:?}, {encryption:?}, {level:?}, seed {seed:#x}"),
        move |server: &Server<M>, _: &[&_]| server.encrypt(&message, (encryption, level), seed),
        move |_| clear.clone(),
    )
}

pub(super) fn add<M: Mode>() -> Call<M> {
    call((), |e, c| e.add(c[0], c[1]), |x| x[0].plus(x[1]))
}

pub(super) fn add_scalar<M: Mode>(k: Complex64) -> Call<M> {
    call(k, move |e, c| e.add_scalar(c[0], k), move |x| x[0].map(1.0, |v| v + k))
}

pub(super) fn mul_scalar<M: Mode>(k: Complex64) -> Call<M> {
    call(k, move |e, c| e.mul_scalar(c[0], k), move |x| x[0].map(k.norm(), |v| v * k))
}

pub(super) fn rotate<M: Mode>(steps: i64) -> Call<M> {
    call(steps, move |e, c| e.rotate(c[0], steps), move |x| x[0].rotated(steps))
}

pub(super) fn replicate<M: Mode>(slot: usize) -> Call<M> {
    call(
        slot,
        move |e, c| e.replicate(c[0], slot),
        move |x| x[0].rotated(slot as i64).sum_of_first(1, 1.0),
    )
}

pub(super) fn sum_prefix<M: Mode>(count: usize) -> Call<M> {
    call(count, move |e, c| e.sum_prefix(c[0], count), move |x| x[0].sum_of_first(count, 1.0))
}

/// Makes a true promise.
pub(super) fn assume_magnitude<M: Mode>(bound: f64) -> Call<M> {
    call(bound, move |e, c| e.assume_magnitude(c[0], bound), |x| x[0].clone())
}

pub(super) fn mod_switch_to<M: Mode>(level: Level) -> Call<M> {
    call(level, move |e, c| e.mod_switch_to(c[0], level), |x| x[0].clone())
}

fn sums<M: Mode>() -> Vec<Row<M>> {
    vec![
        row("add", 2, |e, c| e.add(c[0], c[1]), |x| x[0].plus(x[1])).weight(2),
        row("sub", 2, |e, c| e.sub(c[0], c[1]), |x| x[0].plus(&x[1].negated())).weight(2),
        row("neg", 1, |e, c| e.neg(c[0]), |x| x[0].negated()),
        row("mul", 2, |e, c| e.mul(c[0], c[1]), |x| x[0].times(x[1])).weight(3),
        row("square", 1, |e, c| e.square(c[0]), |x| x[0].times(x[0])).weight(2),
        row(
            "dot",
            3,
            |e, c| e.dot(&[c[0].clone(), c[1].clone()], &[c[1].clone(), c[2].clone()]),
            |x| x[0].times(x[1]).plus(&x[1].times(x[2])),
        ),
        row(
            "tensor_relinearize",
            2,
            |e, c| e.relinearize(&e.tensor(c[0], c[1])?),
            |x| x[0].times(x[1]),
        ),
        row(
            "tensor_relinearize_and_switch",
            2,
            |e, c| e.relinearize_and_switch(&e.tensor(c[0], c[1])?),
            |x| x[0].times(x[1]),
        ),
        drawn("weighted_sum", 3, |dice| {
            let whole = dice.once_in(3);
            let weights = [0.5, -0.37, 1000.5].map(|weight| {
                let number = weight * dice.within(-2.0, 2.0);
                if whole { number.round() } else { number }
            });
            call(
                weights,
                move |e, c| e.weighted_sum(&[c[0].clone(), c[1].clone(), c[2].clone()], &weights),
                move |x| {
                    let terms = x.iter().zip(weights).map(|(x, w)| x.map(w.abs(), |v| v * w));
                    terms.reduce(|sum, next| sum.plus(&next)).expect("there are three terms")
                },
            )
        }),
    ]
}

fn number(dice: &mut Dice) -> Complex64 {
    let usual = [0.0, 1.0, -1.0, 2.0, 3.0, 0.5, -0.37, 1e-3, 1000.5, 1e-13, 1_048_576.0];
    match dice.below(4) {
        0 => complex(dice, 1.0),
        _ => Complex64::from(dice.pick(&usual)),
    }
}

/// Returns a row with a random plaintext.
fn plain_row<M: Mode>(
    name: &'static str,
    apply: fn(&Keys<M>, &Slots<M>, &Message) -> Computed<M>,
    clear: fn(&Clear, &Clear) -> Clear,
) -> Row<M> {
    Row::drawn(name, 1, move |server: &Server<M>, dice| {
        let size = dice.pick(&[1.0, 1.0, 0.5, 1e-3, 100.0, 0.0]);
        let slots = server.slots();
        let message = Message::random(dice, Range::Disc(size), size, slots);
        let other = Clear::new(message.slots(slots), 0.0);
        call(message.clone(), move |e, c| apply(e, c[0], &message), move |x| clear(x[0], &other))
    })
}

fn scalars<M: Mode>() -> Vec<Row<M>> {
    vec![
        drawn("mul_scalar", 1, |dice| mul_scalar(number(dice))).weight(6),
        drawn("add_scalar", 1, |dice| add_scalar(number(dice))).weight(2),
        drawn("sub_scalar", 1, |dice| {
            let k = number(dice);
            call(k, move |e, c| e.sub_scalar(c[0], k), move |x| x[0].map(1.0, |v| v - k))
        })
        .weight(2),
        plain_row(
            "mul_plain",
            |e, c, m| e.mul_plain(c, &m.encode(e.params())?.to_multiplicand(c.level())?),
            Clear::times,
        )
        .weight(4),
        plain_row("add_plain", |e, c, m| e.add_plain(c, &m.encode(e.params())?), Clear::plus),
        plain_row(
            "sub_plain",
            |e, c, m| e.sub_plain(c, &m.encode(e.params())?),
            |x, y| x.plus(&y.negated()),
        ),
        plain_row(
            "add_addend",
            |e, c, m| e.add_plain(c, &m.encode(e.params())?.to_addend(c.level())?),
            Clear::plus,
        )
        .weight(2),
    ]
}

fn moves<M: Mode>() -> Vec<Row<M>> {
    vec![
        row("conjugate", 1, |e, c| e.conjugate(c[0]), |x| x[0].map(1.0, |v| v.conj())),
        row(
            "twice_real_part",
            1,
            |e, c| e.twice_real_part(c[0]),
            |x| x[0].map(2.0, |v| (2.0 * v.re).into()),
        ),
        drawn("rotate", 1, |dice| rotate(dice.pick(&STEPS))),
        drawn("rotate_many", 1, |dice| {
            let which = dice.below(STEPS.len());
            call(
                STEPS[which],
                move |e, c| Ok(e.rotate_many(c[0], &STEPS)?.swap_remove(which)),
                move |x| x[0].rotated(STEPS[which]),
            )
        }),
        Row::drawn("sum_rotations", 1, |server: &Server<M>, dice| {
            let n = 1 + dice.below(server.slots().min(16));
            call(n, move |e, c| e.sum_rotations(c[0], n), move |x| x[0].sum_of_rotations(n))
        }),
        drawn("convolve", 1, |dice| {
            let kernel: Vec<f64> = (0..5).map(|_| dice.within(-2.0, 2.0)).collect();
            let numbers = kernel.clone();
            call(
                kernel.clone(),
                move |e, c| e.convolve(c[0], &kernel),
                move |x| {
                    let moved = |steps: usize| x[0].rotated(-(steps as i64));
                    let term = |(steps, k): (usize, &f64)| moved(steps).map(k.abs(), |v| v * k);
                    let terms = numbers.iter().enumerate().map(term);
                    terms.reduce(|sum, next| sum.plus(&next)).expect("a kernel has numbers")
                },
            )
        }),
        row("sum_slots", 1, |e, c| e.sum_slots(c[0]), |x| x[0].sum_of_rotations(x[0].slots.len())),
        Row::drawn("transform", 1, |server: &Server<M>, dice| {
            let which = dice.below(server.matrices.len());
            let matrix = server.matrices[which].clone();
            let clear = matrix.clone();
            call(
                &*matrix.clone(),
                move |e, c| {
                    let level = c[0].level();
                    let map = LinearMap::for_level_with_size(e.params(), &matrix, ROWS, level)?;
                    e.transform(&map, &Packed::assume(ROWS, c[0].clone())).map(Packed::into_value)
                },
                move |x| transformed(&clear, x[0]),
            )
        })
        .weight(2),
    ]
}

fn levels<M: Mode>() -> Vec<Row<M>> {
    /// Returns a level from the last one to that of the operand.
    fn lower<M: Mode>(e: &Keys<M>, c: &Slots<M>, down: usize) -> Level {
        let (level, last) = (c.level().get(), e.params().last_level().get());
        Level::new(level - down % (level.saturating_sub(last) + 1))
    }
    vec![
        row("rescale", 1, |e, c| e.rescale(c[0]), |x| x[0].clone()),
        drawn("drop_down", 1, |dice| {
            let down = dice.below(1 << 16);
            call(down, move |e, c| e.drop_to(c[0], lower(e, c[0], down)), |x| x[0].clone())
        }),
        drawn("mod_switch_down", 1, |dice| {
            let down = dice.below(1 << 16);
            call(down, move |e, c| e.mod_switch_to(c[0], lower(e, c[0], down)), |x| x[0].clone())
        })
        .weight(4),
    ]
}

fn journeys<M: Mode>() -> Vec<Row<M>> {
    vec![
        row(
            "receive",
            1,
            |e, c| Ciphertext::from_bytes(e.params(), &c[0].to_bytes()),
            |x| x[0].clone(),
        ),
        row(
            "receive_fresh",
            1,
            |e, c| Ciphertext::from_bytes_fresh(e.params(), &c[0].to_bytes()),
            |x| x[0].clone(),
        ),
    ]
}

fn windows<M: Mode>() -> Vec<Row<M>> {
    /// Returns a row with a number of first slots.
    fn counted<M: Mode>(name: &'static str, call: fn(usize) -> Call<M>) -> Row<M> {
        Row::drawn(name, 1, move |server: &Server<M>, dice| {
            let slots = server.slots();
            call(dice.pick(&[1, 2, WINDOW, slots / 2, slots]))
        })
    }
    fn steps(dice: &mut Dice) -> i64 {
        dice.pick(&[-2, -1, 0, 1, 2, 3])
    }
    vec![
        counted("sum_prefix", sum_prefix),
        counted("mean", |n| {
            call(n, move |e, c| e.mean(c[0], n), move |x| x[0].sum_of_first(n, 1.0 / n as f64))
        }),
        counted("norm_squared", |n| {
            let clear = move |x: &[&Clear]| x[0].times(x[0]).sum_of_first(n, 1.0);
            call(n, move |e, c| e.norm_squared(c[0], n), clear)
        }),
        Row::drawn("replicate", 1, |server: &Server<M>, dice| {
            replicate(dice.below(server.slots()))
        }),
        drawn("rotate_prefix", 1, |dice| {
            let k = steps(dice);
            let clear = move |x: &[&Clear]| x[0].moved(WINDOW, k, true);
            call((WINDOW, k), move |e, c| e.rotate_prefix(c[0], WINDOW, k), clear)
        }),
        drawn("shift_prefix", 1, |dice| {
            let k = steps(dice);
            let clear = move |x: &[&Clear]| x[0].moved(WINDOW, k, false);
            call((WINDOW, k), move |e, c| e.shift_prefix(c[0], WINDOW, k), clear)
        }),
        Row::drawn("fill_rest", 1, |server: &Server<M>, dice| {
            let period = dice.pick(&[8, server.slots()]);
            let filler = dice.within(-1.0, 1.0);
            call(
                (WINDOW, period, filler),
                move |e, c| e.fill_rest(c[0], WINDOW, period, filler),
                move |x| x[0].filled(WINDOW, period, filler),
            )
        }),
    ]
}

//! Operations that are polynomials: functions on intervals, and comparisons.

use super::super::{Approximation, Interval, Mode, SignApproximation};
use super::operations::{Call, Computed, Keys, Row, Slots, call, drawn};
use super::reference::{Clear, polynomial, series, zipped};
use super::world::Server;
use fathom_circuits::Dice;
use std::fmt::Debug;
use std::rc::Rc;

/// Returns the row of polynomials in the power basis.
pub(super) fn polynomials<M: Mode>() -> Vec<Row<M>> {
    vec![drawn("evaluate_polynomial", 1, power_basis)]
}

fn power_basis<M: Mode>(dice: &mut Dice) -> Call<M> {
    let degree = dice.below(9);
    let zero = dice.below(degree + 1);
    let tiny = if dice.once_in(8) { 1e-14 } else { 1.0 };
    let coefficient = |i: usize| if i == zero { 0.0 } else { tiny * dice.within(-1.0, 1.0) };
    power_series((0..=degree).map(coefficient).collect())
}

/// Evaluates a polynomial.
pub(super) fn power_series<M: Mode>(all: Vec<f64>) -> Call<M> {
    let clear = all.clone();
    call(
        all.clone(),
        move |e, c| e.evaluate_polynomial(c[0], &all),
        move |x| polynomial(&clear, x[0]),
    )
}

/// Draws an interval, and the degree of an approximation on it.
fn interval_and_degree(dice: &mut Dice) -> (Interval, usize) {
    let low = dice.pick(&[-1.0, -1.0, -4.0, 0.0, 0.25, 1.0, 5.0]);
    let width = dice.pick(&[2.0, 1.0, 3.0, 0.75]);
    (Interval::new(low, low + width), dice.pick(&[3, 7, 7, 15, 31]))
}

/// Returns the call of a function of an interval and a degree.
fn function<M: Mode>(
    (interval, degree): (Interval, usize),
    apply: fn(&Keys<M>, &Slots<M>, Interval, usize) -> Computed<M>,
    (slope, value): (f64, fn(f64) -> f64),
) -> Call<M> {
    let clear = move |x: &[&Clear]| x[0].map_real(slope, value);
    call((interval, degree), move |e, c| apply(e, c[0], interval, degree), clear).on(interval)
}

/// Returns the call of the approximation of a closure.
fn approximated<M: Mode>(
    arguments: impl Debug,
    (interval, degree): (Interval, usize),
    (slope, value): (f64, impl Fn(f64) -> f64 + Copy + 'static),
) -> Call<M> {
    let clear = move |x: &[&Clear]| x[0].map_real(slope, value);
    let apply = move |e: &Keys<M>, c: &[&Slots<M>]| {
        e.evaluate_function(c[0], &Approximation::new(value, interval, degree)?)
    };
    call((arguments, interval, degree), apply, clear).on(interval)
}

/// Returns a comparison of two operands under one of the approximations of the sign.
fn comparison<M: Mode>(
    name: &'static str,
    apply: fn(&Keys<M>, &[&Slots<M>], &SignApproximation) -> Computed<M>,
    clear: fn(&[&Clear], &SignApproximation) -> Clear,
) -> Row<M> {
    Row::drawn(name, 2, move |server: &Server<M>, dice| {
        let which = dice.below(server.signs.len());
        let size = dice.pick(&[0.5, 0.5, 0.5, 1.0]);
        let signs = (Rc::clone(&server.signs), Rc::clone(&server.signs));
        let arguments = format!("sign {which}");
        let clear = move |x: &[&Clear]| clear(x, &signs.1[which]);
        call(arguments, move |e, c| apply(e, c, &signs.0[which]), clear)
            .on(Interval::new(-size, size))
    })
}

/// Returns the rows of functions on intervals, and of comparisons.
pub(super) fn functions<M: Mode>() -> Vec<Row<M>> {
    let mut rows = approximations();
    rows.extend([
        drawn("reciprocal", 1, |dice| {
            let (interval, n) = positive(dice);
            let value = |x: f64| if x > 0.0 { 1.0 / x } else { f64::NAN };
            let slope = interval.low.powi(-2);
            function((interval, n), |e, c, i, n| e.reciprocal(c, i, n), (slope, value))
        }),
        drawn("inverse_sqrt", 1, |dice| {
            let (interval, n) = positive(dice);
            let value = |x: f64| if x > 0.0 { x.sqrt().recip() } else { f64::NAN };
            let slope = 0.5 * interval.low.powf(-1.5);
            function((interval, n), |e, c, i, n| e.inverse_sqrt(c, i, n), (slope, value))
        }),
        drawn("sqrt", 1, |dice| {
            let interval = Interval::new(dice.pick(&[0.3, 0.5]), 1.0);
            let (n, slope) = (1 + dice.below(3), 0.5 * interval.low.recip().sqrt());
            function((interval, n), |e, c, i, n| e.sqrt(c, i.low, n), (slope, f64::sqrt))
        })
        .weight(2),
        Row::drawn("sign", 1, |server: &Server<M>, dice| {
            let which = dice.below(server.signs.len());
            let signs = (Rc::clone(&server.signs), Rc::clone(&server.signs));
            let clear = move |x: &[&Clear]| {
                let gap = signs.1[which].gap();
                let vague = |x: f64| if x.abs() < gap { f64::INFINITY } else { 0.0 };
                let freedom = x[0].slots.iter().map(|v| vague(v.re)).collect();
                Clear { freedom: Some(freedom), ..x[0].map_real(0.0, f64::signum) }
            };
            call(which, move |e, c| e.sign(c[0], &signs.0[which]), clear).on(Interval::UNIT)
        })
        .weight(2),
        comparison(
            "gt",
            |e, c, sign| e.gt(c[0], c[1], sign),
            |x, sign| {
                let difference = x[0].plus(&x[1].negated());
                let vague = |x: f64| if x.abs() < sign.gap() { 1.0 + sign.error() } else { 0.0 };
                let freedom = difference.slots.iter().map(|v| vague(v.re)).collect();
                let clear = difference.map_real(0.0, |x| f64::from(u8::from(x > 0.0)));
                Clear { freedom: Some(freedom), ..clear }
            },
        )
        .weight(3),
        comparison(
            "max",
            |e, c, sign| e.max(c[0], c[1], sign),
            |x, _| zipped(x[0], x[1], f64::max),
        )
        .weight(3),
        comparison(
            "min",
            |e, c, sign| e.min(c[0], c[1], sign),
            |x, _| zipped(x[0], x[1], f64::min),
        )
        .weight(2),
    ]);
    rows
}

/// Draws an interval of positive numbers, and a number of iterations.
fn positive(dice: &mut Dice) -> (Interval, usize) {
    let low = dice.pick(&[0.25, 0.5, 2.0]);
    (Interval::new(low, low * dice.pick(&[2.0, 3.0, 8.0])), 1 + dice.below(5))
}

fn approximations<M: Mode>() -> Vec<Row<M>> {
    vec![
        drawn("exp", 1, |dice| {
            let (i, n) = interval_and_degree(dice);
            function((i, n), |e, c, i, n| e.exp(c, i, n), (i.high.exp(), f64::exp))
        })
        .weight(3),
        drawn("log", 1, |dice| {
            let low = dice.pick(&[0.25, 1.0, 5.0]);
            let i = Interval::new(low, low + dice.pick(&[2.0, 1.0, 3.0, 0.75]));
            let n = dice.pick(&[3, 7, 7, 15, 31]);
            function((i, n), |e, c, i, n| e.log(c, i, n), (i.low.recip(), f64::ln))
        }),
        drawn("sigmoid", 1, |dice| {
            let value = |x: f64| 1.0 / (1.0 + (-x).exp());
            function(interval_and_degree(dice), |e, c, i, n| e.sigmoid(c, i, n), (0.25, value))
        })
        .weight(4),
        drawn("cosine", 1, |dice| {
            let (on, k) = (interval_and_degree(dice), dice.within(1.0, 5000.0));
            approximated(k, on, (k, move |x: f64| (k * x).cos()))
        })
        .weight(2),
        drawn("spike", 1, |dice| {
            let (i, n) = interval_and_degree(dice);
            let (center, width) = (dice.within(i.low, i.high), dice.within(1e-4, 1.0));
            let value = move |x: f64| (-((x - center) / width).powi(2)).exp();
            approximated((center, width), (i, n), (width.recip(), value))
        })
        .weight(2),
        drawn("evaluate_chebyshev", 1, |dice| {
            let (i, n) = interval_and_degree(dice);
            let size = dice.pick(&[1.0, 0.1]);
            let all: Vec<f64> = (0..=n).map(|_| dice.within(-size, size)).collect();
            let clear = all.clone();
            let apply = move |e: &Keys<M>, c: &[&Slots<M>]| e.evaluate_chebyshev(c[0], &all, i);
            call((clear.clone(), i), apply, move |x| series(&clear, i, x[0])).on(i)
        })
        .weight(2),
    ]
}

//! The lookup tables of the integer operations, which are built once.

use crate::tfhe::integer::value::digits::SPACE;
use crate::tfhe::{Error, Lut};
use std::sync::LazyLock;

/// All tables that more than one operation uses.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(|| fixed(Tables::build));

/// Builds tables that depend on nothing, so that each test which uses them shows that they exist.
pub(super) fn fixed<T>(build: impl FnOnce() -> Result<T, Error>) -> T {
    build().expect("constant functions of digits are lookup tables")
}

/// The lookup tables that do not depend on clear operands.
pub(super) struct Tables {
    /// `x mod 4` for 0 to 15.
    pub(super) message: Lut,
    /// `x / 4` for 0 to 15.
    pub(super) carry: Lut,
    /// `(x mod 4, x / 4)` for 0 to 8, without added noise.
    pub(super) message_carry: Lut,
    /// `x / 2 mod 4` for 0 to 15.
    pub(super) half_message: Lut,
    /// `x >= 16` for 0 to 31: the carry of a nibble with carry in.
    pub(super) nibble_carry: Lut,
    /// -1, 0 or 1 for a nibble sum below, at or above 15: it absorbs, propagates or generates a
    /// carry.
    pub(super) nibble_state: Lut,
    /// -1, 0 or 1 for a digit sum below, at or above 3.
    pub(super) digit_state: Lut,
    /// `x >= 4` for 0 to 7.
    pub(super) digit_carry: Lut,
    /// The sign, for -15 to 15.
    pub(super) sign: Lut,
    /// `x != 0` for -15 to 15.
    pub(super) differs: Lut,
    /// `x == 0` for -15 to 15.
    pub(super) equals: Lut,
    /// `x > 0` for 0 to 16.
    pub(super) any: Lut,
    /// `x == 0` for 0 to 16.
    pub(super) none: Lut,
    /// `x > 0` for -15 to 15, inverted if 16 is added. The next three tables are similar.
    pub(super) greater: Lut,
    pub(super) greater_equal: Lut,
    pub(super) less: Lut,
    pub(super) less_equal: Lut,
    /// 16 if the signs of the digits `a` and `b` differ, else 0, for the argument `4 a + b`.
    pub(super) signs_differ: Lut,
    /// `x - 8` from 5 on, else 0. This is a difference in -3 to 3 if 8 was added to it.
    pub(super) select: Lut,
    /// The double and the triple, for 0 and 1.
    pub(super) multiples: Lut,
    /// The sum of the digits `a` and `b` in two's complement, for the argument `4 a + b`.
    pub(super) signed_sum: Lut,
    /// `x mod 4` for -4 to 3, and whether `x` is out of the range of a two's complement digit.
    pub(super) message_overflow: Lut,
    /// The high bit of a digit.
    pub(super) sign_bit: Lut,
    /// A digit with the other high bit.
    pub(super) flipped_sign: Lut,
    /// 3 if the high bit of a digit is set, else 0.
    pub(super) sign_fill: Lut,
    /// The low bit, for 0 to 3.
    pub(super) odd: Lut,
    /// The digit of the double, for a digit plus 4 times its lower neighbour.
    pub(super) join_left: Lut,
    /// The digit of the half, for a digit plus 4 times its upper neighbour.
    pub(super) join_right: Lut,
    /// The digit of the value, negated if `negate`, and the next borrow, for the argument `a +
    /// borrow + 4 negate`.
    pub(super) negate_borrow: Lut,
}

impl Tables {
    fn build() -> Result<Tables, Error> {
        let flag = |truth: bool| i32::from(truth);
        let signed = |digit: i32| digit - 4 * (digit >> 1);
        let state = |x: i32, top: i32| (x - top).signum();
        let ordered = |f: fn(i32) -> bool| Lut::negacyclic(SPACE, 1, &[&move |x| i32::from(f(x))]);
        let negated = |x: i32| if x < 4 { x } else { (8 - x) & 3 };
        Ok(Tables {
            message: Lut::new(SPACE, 0..=15, |x| x & 3)?,
            carry: Lut::new(SPACE, 0..=15, |x| x >> 2)?,
            message_carry: Lut::many(SPACE, 0..=8, &[&|x| x & 3, &|x| x >> 2])?,
            half_message: Lut::new(SPACE, 0..=15, |x| (x >> 1) & 3)?,
            nibble_carry: Lut::new(SPACE, 0..=31, |x| flag(x >= 16))?,
            nibble_state: Lut::new(SPACE, 0..=30, |x| state(x, 15))?,
            digit_state: Lut::new(SPACE, 0..=6, |x| state(x, 3))?,
            digit_carry: Lut::new(SPACE, 0..=7, |x| flag(x >= 4))?,
            sign: Lut::negacyclic(SPACE, 0, &[&|x| x.signum()])?,
            differs: Lut::new(SPACE, -15..=15, |x| flag(x != 0))?,
            equals: Lut::new(SPACE, -15..=15, |x| flag(x == 0))?,
            any: Lut::new(SPACE, 0..=16, |x| flag(x > 0))?,
            none: Lut::new(SPACE, 0..=16, |x| flag(x == 0))?,
            greater: ordered(|x| x > 0)?,
            greater_equal: ordered(|x| x >= 0)?,
            less: ordered(|x| x < 0)?,
            less_equal: ordered(|x| x <= 0)?,
            signs_differ: Lut::new(SPACE, 0..=15, |x| 16 * flag((x >> 3) != ((x >> 1) & 1)))?,
            select: Lut::new(SPACE, -3..=11, |x| if x > 4 { x - 8 } else { 0 })?,
            multiples: Lut::many(SPACE, 0..=1, &[&|x| 2 * x, &|x| 3 * x])?,
            signed_sum: Lut::new(SPACE, 0..=15, |x| signed(x >> 2) + signed(x & 3))?,
            message_overflow: Lut::many(
                SPACE,
                -4..=3,
                &[&|x| x & 3, &|x| flag(!(-2..=1).contains(&x))],
            )?,
            sign_bit: Lut::new(SPACE, 0..=3, |x| x >> 1)?,
            flipped_sign: Lut::new(SPACE, 0..=3, |x| x ^ 2)?,
            sign_fill: Lut::new(SPACE, 0..=3, |x| 3 * (x >> 1))?,
            odd: Lut::new(SPACE, 0..=3, |x| x & 1)?,
            join_left: Lut::new(SPACE, 0..=15, |x| ((2 * x) & 3) + (x >> 3))?,
            join_right: Lut::new(SPACE, 0..=15, |x| ((x >> 1) & 1) + 2 * ((x >> 2) & 1))?,
            negate_borrow: Lut::many(SPACE, 0..=8, &[&negated, &|x| flag(x > 4)])?,
        })
    }
}

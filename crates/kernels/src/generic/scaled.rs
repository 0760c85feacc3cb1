//! Forward transforms of integers that are multiplied by a constant when they are read.

use super::forward::{Entry, Pass, transform};
use crate::lanes::Lanes;
use crate::line::{Line, debug_assert_rows, lines};
use crate::row::as_words;
use crate::{Constant, NttTable};

/// See [`crate::Kernel::ntt_forward_scaled`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn ntt_forward_scaled<L: Lanes>(
    lanes: L,
    table: &NttTable,
    out: &mut [u64],
    integers: &[i64],
    factor: &Constant,
    addend: Option<&[i64]>,
) {
    debug_assert_rows([&*out, as_words(integers)]);
    let modulus = table.modulus();
    let scaled = Scaled {
        integers: lines(as_words(integers)),
        factor: lanes.factor(factor.pair(L::FORM)),
        shift: lanes.splat(L::MODULUS_BOUND.next_multiple_of(modulus.value())),
    };
    let Some(addend) = addend else {
        transform(lanes, table, out, scaled);
        return;
    };
    debug_assert_rows([&*out, as_words(addend)]);
    let sum = ScaledSum { scaled, addend: lines(as_words(addend)) };
    transform(lanes, table, out, sum);
}

/// The input is signed integers times a constant.
#[derive(Clone, Copy)]
struct Scaled<'a, L: Lanes> {
    integers: &'a [Line],
    factor: L::Factor,
    /// A multiple of the modulus that is at least every absolute value.
    shift: L::Words,
}

/// The input is signed integers times a constant, plus other integers.
#[derive(Clone, Copy)]
struct ScaledSum<'a, L: Lanes> {
    scaled: Scaled<'a, L>,
    addend: &'a [Line],
}

impl<L: Lanes> Scaled<'_, L> {
    /// Returns the products of one line, fresh.
    #[cfg_attr(optimized, inline(always))]
    fn products(self, pass: Pass<'_, L>, at: usize) -> L::Residues {
        // A multiple of the modulus makes the integers nonnegative; the multiplication that follows
        // accepts any word below its bound, so that nothing is reduced first.
        let words = pass.lanes.plus(pass.lanes.load(&self.integers[at]), self.shift);
        pass.lanes.multiply(pass.ring, pass.lanes.residues(words), self.factor)
    }
}

impl<L: Lanes> Entry<L> for Scaled<'_, L> {
    #[cfg_attr(optimized, inline(always))]
    fn enter(self, pass: Pass<'_, L>, _: &Line, at: usize, upper: bool) -> L::Residues {
        pass.raised(self.products(pass, at), upper)
    }
}

impl<L: Lanes> Entry<L> for ScaledSum<'_, L> {
    #[cfg_attr(optimized, inline(always))]
    fn enter(self, pass: Pass<'_, L>, _: &Line, at: usize, upper: bool) -> L::Residues {
        let (lanes, ring) = (pass.lanes, pass.ring);
        // The sum of two canonical words is below 2q, where a transform may start.
        let products = lanes.canonical(ring, lanes.lazy(ring, self.scaled.products(pass, at)));
        let addends = lanes.lift(ring, lanes.load(&self.addend[at]));
        pass.raised(lanes.residues(lanes.plus(products, addends)), upper)
    }
}

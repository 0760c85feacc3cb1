//! The transform: sweeps over memory, then the last six levels of each 64 values in registers.
//!
//! Spectra lie in lines: eight real parts, then their imaginary parts. The last three levels run
//! after a transposition that is never undone: place `8 k + l` of a group holds node `8 l + k`.

use super::butterflies::{broadcast, merge_2, merge_4, merge_8, split_2, split_4, split_8};
use super::lanes::{Complex, Doubles, Line, Octet, lines_mut, load, store};
use super::table::{Pass, Plan};
use super::tail::{tail_down, tail_up};

/// How the first sweep reads a polynomial.
pub(crate) trait Source<D: Doubles>: Copy {
    /// One part of the values of a line, from the coefficients that fold to its real and imaginary
    /// parts.
    fn line(self, d: D, folded: [&Octet; 2], part: usize) -> Complex<D>;

    /// Called as the first sweep or the last levels get so many lines further, for what may be done
    /// meanwhile.
    #[inline(always)]
    fn pause(self, _d: D, _lines: usize) {}
}

/// How the last sweep writes a polynomial.
pub(crate) trait Sink<D: Doubles>: Copy {
    /// Takes one part of the values of a line to the coefficients that fold to it.
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>);

    /// Called as the first levels or the last sweep get so many lines further, for what may be done
    /// meanwhile.
    #[inline(always)]
    fn pause(self, _d: D, _lines: usize) {}
}

/// One part of the values at `blocks[i][j]`.
#[inline(always)]
fn gather<D: Doubles, const S: usize>(
    d: D,
    blocks: &[&mut [Line]; S],
    [j, part]: [usize; 2],
) -> [Complex<D>; S] {
    let zero = d.splat(0.0);
    let mut x = [(zero, zero); S];
    for i in 0..S {
        x[i] = load(d, &blocks[i][j], part);
    }
    x
}

/// The inverse of [`gather`].
#[inline(always)]
fn scatter<D: Doubles, const S: usize>(
    d: D,
    blocks: &mut [&mut [Line]; S],
    [j, part]: [usize; 2],
    x: [Complex<D>; S],
) {
    for i in 0..S {
        store(d, &mut blocks[i][j], part, x[i]);
    }
}

/// `S` blocks of `length`.
#[inline(always)]
fn blocks<const S: usize, T>(all: &[T], length: usize) -> [&[T]; S] {
    let mut rest = all;
    std::array::from_fn(|_| {
        let (block, tail) = rest.split_at(length);
        rest = tail;
        block
    })
}

/// `S` blocks of `length`, to be changed.
#[inline(always)]
fn blocks_mut<const S: usize, T>(all: &mut [T], length: usize) -> [&mut [T]; S] {
    let mut rest = all;
    std::array::from_fn(|_| {
        let (block, tail) = std::mem::take(&mut rest).split_at_mut(length);
        rest = tail;
        block
    })
}

/// The parts of `count` lines.
#[inline(always)]
fn places<D: Doubles>(count: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..count).flat_map(|line| (0..D::PARTS).map(move |part| [line, part]))
}

/// The three kinds of sweep for one radix: down in place, down from a source, up in place, up into
/// a sink.
macro_rules! sweeps {
    (
        $radix:literal,
        $down:ident, $from:ident, $up:ident, $into:ident,
        $split:ident, $merge:ident
    ) => {
        #[inline(always)]
        fn $down<D: Doubles>(d: D, pass: &Pass, lines: &mut [Line]) {
            let block = lines.len() / pass.roots.len();
            for (lines, roots) in lines.chunks_exact_mut(block).zip(&pass.roots) {
                let roots = broadcast(d, roots);
                let step = block / $radix;
                let mut blocks = blocks_mut::<$radix, _>(lines, step);
                for at in places::<D>(step) {
                    let x = $split(d, gather(d, &blocks, at), roots);
                    scatter(d, &mut blocks, at, x);
                }
            }
        }

        #[inline(always)]
        fn $from<D: Doubles, S: Source<D>>(
            d: D,
            pass: &Pass,
            source: S,
            folded: [&[Octet]; 2],
            lines: &mut [Line],
        ) {
            let roots = broadcast(d, &pass.roots[0]);
            let step = lines.len() / $radix;
            let [re, im] = folded;
            let (re, im) = (blocks::<$radix, _>(re, step), blocks::<$radix, _>(im, step));
            let mut lines = blocks_mut::<$radix, _>(lines, step);
            let zero = d.splat(0.0);
            for [j, part] in places::<D>(step) {
                let mut x = [(zero, zero); $radix];
                for i in 0..$radix {
                    if part == 0 {
                        source.pause(d, 1);
                    }
                    x[i] = source.line(d, [&re[i][j], &im[i][j]], part);
                }
                scatter(d, &mut lines, [j, part], $split(d, x, roots));
            }
        }

        #[inline(always)]
        fn $up<D: Doubles>(d: D, pass: &Pass, lines: &mut [Line]) {
            let block = lines.len() / pass.roots.len();
            for (lines, roots) in lines.chunks_exact_mut(block).zip(&pass.roots) {
                let roots = broadcast(d, roots);
                let step = block / $radix;
                let mut blocks = blocks_mut::<$radix, _>(lines, step);
                for at in places::<D>(step) {
                    let x = $merge(d, gather(d, &blocks, at), roots);
                    scatter(d, &mut blocks, at, x);
                }
            }
        }

        #[inline(always)]
        fn $into<D: Doubles, S: Sink<D>>(
            d: D,
            pass: &Pass,
            lines: &mut [Line],
            sink: S,
            folded: [&mut [Octet]; 2],
        ) {
            let roots = broadcast(d, &pass.roots[0]);
            let step = lines.len() / $radix;
            let lines = blocks_mut::<$radix, _>(lines, step);
            let [re, im] = folded;
            let (re, im) = (blocks_mut::<$radix, _>(re, step), blocks_mut::<$radix, _>(im, step));
            for [j, part] in places::<D>(step) {
                if part == 0 {
                    sink.pause(d, $radix);
                }
                let x = $merge(d, gather(d, &lines, [j, part]), roots);
                for i in 0..$radix {
                    sink.put(d, [&mut re[i][j], &mut im[i][j]], part, x[i]);
                }
            }
        }
    };
}

sweeps!(2, down_2, from_2, up_2, into_2, split_2, merge_2);
sweeps!(4, down_4, from_4, up_4, into_4, split_4, merge_4);
sweeps!(8, down_8, from_8, up_8, into_8, split_8, merge_8);

/// Transforms what `source` reads from a polynomial into `spectrum`.
#[inline(always)]
pub(crate) fn forward<D: Doubles, S: Source<D>>(
    d: D,
    plan: &Plan,
    source: S,
    folded: [&[Octet]; 2],
    spectrum: &mut [f64],
) {
    let lines = lines_mut(spectrum);
    let Some((first, rest)) = plan.passes.split_first() else { return };
    match first.radix {
        2 => from_2(d, first, source, folded, lines),
        4 => from_4(d, first, source, folded, lines),
        _ => from_8(d, first, source, folded, lines),
    }
    sweep_down(d, rest, lines);
    for (group, tail) in lines_mut(spectrum).as_chunks_mut().0.iter_mut().zip(&plan.tails) {
        tail_down(d, tail, group);
        source.pause(d, 8);
    }
}

/// `M` times the inverse of the transform of `spectrum`, which is overwritten, by `sink` to a
/// polynomial.
#[inline(always)]
pub(crate) fn inverse<D: Doubles, S: Sink<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    sink: S,
    folded: [&mut [Octet]; 2],
) {
    for (group, tail) in lines_mut(spectrum).as_chunks_mut().0.iter_mut().zip(&plan.tails) {
        tail_up(d, tail, group);
        sink.pause(d, 8);
    }
    ascend(d, plan, spectrum, sink, folded);
}

/// The levels of [`forward`] above the groups of 64, in place.
#[inline(always)]
pub(super) fn descend<D: Doubles>(d: D, plan: &Plan, spectrum: &mut [f64]) {
    sweep_down(d, &plan.passes, lines_mut(spectrum));
}

#[inline(always)]
fn sweep_down<D: Doubles>(d: D, passes: &[Pass], lines: &mut [Line]) {
    for pass in passes {
        match pass.radix {
            2 => down_2(d, pass, lines),
            4 => down_4(d, pass, lines),
            _ => down_8(d, pass, lines),
        }
    }
}

/// The levels of [`inverse`] above the groups of 64.
#[inline(always)]
pub(super) fn ascend<D: Doubles, S: Sink<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    sink: S,
    folded: [&mut [Octet]; 2],
) {
    let lines = lines_mut(spectrum);
    let Some((first, rest)) = plan.passes.split_first() else { return };
    for pass in rest.iter().rev() {
        match pass.radix {
            2 => up_2(d, pass, lines),
            4 => up_4(d, pass, lines),
            _ => up_8(d, pass, lines),
        }
    }
    match first.radix {
        2 => into_2(d, first, lines, sink, folded),
        4 => into_4(d, first, lines, sink, folded),
        _ => into_8(d, first, lines, sink, folded),
    }
}

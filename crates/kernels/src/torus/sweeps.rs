//! Passes over memory: the levels of a transform above groups of 64 values, two or three at a time.

use super::butterflies::{broadcast, merge_2, merge_4, merge_8, split_2, split_4, split_8};
use super::ends::{Sink, Source, Update};
use super::fetch::advance;
use super::lanes::{Complex, Doubles, load, store};
use super::octet::{Line, LinePart, Octet};
use super::table::Pass;

/// Loads one part of a line of each block.
#[cfg_attr(optimized, inline(always))]
fn gather<D: Doubles, const S: usize>(
    d: D,
    blocks: &[&mut [Line]; S],
    LinePart { line, part }: LinePart,
) -> [Complex<D>; S] {
    let zero = d.splat(0.0);
    let mut x = [(zero, zero); S];
    for i in 0..S {
        x[i] = load(d, &blocks[i][line], part);
    }
    x
}

/// Stores the values that [`gather`] loads, at the same places.
#[cfg_attr(optimized, inline(always))]
fn scatter<D: Doubles, const S: usize>(
    d: D,
    blocks: &mut [&mut [Line]; S],
    LinePart { line, part }: LinePart,
    x: [Complex<D>; S],
) {
    for i in 0..S {
        store(d, &mut blocks[i][line], part, x[i]);
    }
}

/// Splits a slice into `S` blocks of `length`, one after the other.
#[cfg_attr(optimized, inline(always))]
fn blocks<const S: usize, T>(all: &[T], length: usize) -> [&[T]; S] {
    let mut blocks = [&all[..length]; S];
    for i in 1..S {
        blocks[i] = &all[i * length..][..length];
    }
    blocks
}

/// Splits a mutable slice into `S` blocks of `length`.
#[cfg_attr(optimized, inline(always))]
fn blocks_mut<const S: usize, T>(all: &mut [T], length: usize) -> [&mut [T]; S] {
    let mut rest = all;
    std::array::from_fn(|_| {
        let (block, tail) = std::mem::take(&mut rest).split_at_mut(length);
        rest = tail;
        block
    })
}

/// Defines the sweeps of one radix: forward in place, forward from a source, inverse in place, and
/// inverse into a sink.
macro_rules! sweeps {
    (
        $radix:literal, $down:ident, $from:ident, $up:ident, $into:ident, $split:ident, $merge:ident
    ) => {
        #[cfg_attr(optimized, inline(always))]
        fn $down<D: Doubles>(d: D, pass: &Pass, lines: &mut [Line]) {
            let block = lines.len() / pass.roots.len();
            for (lines, roots) in lines.chunks_exact_mut(block).zip(&pass.roots) {
                let roots = broadcast(d, roots);
                let step = block / $radix;
                let mut blocks = blocks_mut::<$radix, _>(lines, step);
                for j in 0..step {
                    for part in 0..D::PARTS {
                        let at = LinePart { line: j, part };
                        let x = $split(d, gather(d, &blocks, at), roots);
                        scatter(d, &mut blocks, at, x);
                    }
                }
            }
        }

        #[cfg_attr(optimized, inline(always))]
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
            for j in 0..step {
                advance(d, source.fetch(), $radix);
                for part in 0..D::PARTS {
                    let mut x = [(zero, zero); $radix];
                    for i in 0..$radix {
                        x[i] = source.line(d, [&re[i][j], &im[i][j]], part);
                    }
                    scatter(d, &mut lines, LinePart { line: j, part }, $split(d, x, roots));
                }
            }
        }

        #[cfg_attr(optimized, inline(always))]
        fn $up<D: Doubles>(d: D, pass: &Pass, lines: &mut [Line]) {
            let block = lines.len() / pass.roots.len();
            for (lines, roots) in lines.chunks_exact_mut(block).zip(&pass.roots) {
                let roots = broadcast(d, roots);
                let step = block / $radix;
                let mut blocks = blocks_mut::<$radix, _>(lines, step);
                for j in 0..step {
                    for part in 0..D::PARTS {
                        let at = LinePart { line: j, part };
                        let x = $merge(d, gather(d, &blocks, at), roots);
                        scatter(d, &mut blocks, at, x);
                    }
                }
            }
        }

        #[cfg_attr(optimized, inline(always))]
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
            for j in 0..step {
                advance(d, sink.fetch(), $radix);
                for part in 0..D::PARTS {
                    let x = $merge(d, gather(d, &lines, LinePart { line: j, part }), roots);
                    for i in 0..$radix {
                        sink.put(d, [&mut re[i][j], &mut im[i][j]], part, x[i]);
                    }
                }
            }
        }
    };
}

sweeps!(2, down_2, from_2, up_2, into_2, split_2, merge_2);
sweeps!(4, down_4, from_4, up_4, into_4, split_4, merge_4);
sweeps!(8, down_8, from_8, up_8, into_8, split_8, merge_8);

/// Defines the combined inverse and forward sweep of one radix.
macro_rules! updates {
    ($radix:literal, $update:ident, $split:ident, $merge:ident) => {
        #[cfg_attr(optimized, inline(always))]
        fn $update<D: Doubles, T: Update<D>>(
            d: D,
            pass: &Pass,
            lines: &mut [Line],
            update: T,
            folded: [&mut [Octet]; 2],
        ) {
            let roots = broadcast(d, &pass.roots[0]);
            let step = lines.len() / $radix;
            let mut lines = blocks_mut::<$radix, _>(lines, step);
            let [re, im] = folded;
            let (re, im) = (blocks_mut::<$radix, _>(re, step), blocks_mut::<$radix, _>(im, step));
            for j in 0..step {
                advance(d, update.fetch(), 2 * $radix);
                for part in 0..D::PARTS {
                    let mut x = $merge(d, gather(d, &lines, LinePart { line: j, part }), roots);
                    for i in 0..$radix {
                        // The sums of all values first, then the digits of all: the additions of
                        // one value do not wait for the rounding of another.
                        x[i] = update.put(d, [&mut re[i][j], &mut im[i][j]], part, x[i]);
                    }
                    for i in 0..$radix {
                        x[i] = update.next(d, x[i]);
                    }
                    scatter(d, &mut lines, LinePart { line: j, part }, $split(d, x, roots));
                }
            }
        }
    };
}

updates!(2, update_2, split_2, merge_2);
updates!(4, update_4, split_4, merge_4);

/// See [`super::SharedParts::sweep_down`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn sweep_down<D: Doubles>(d: D, passes: &[Pass], lines: &mut [Line]) {
    for pass in passes {
        match pass.radix {
            2 => down_2(d, pass, lines),
            4 => down_4(d, pass, lines),
            _ => down_8(d, pass, lines),
        }
    }
}

/// See [`super::SharedParts::sweep_up`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn sweep_up<D: Doubles>(d: D, passes: &[Pass], lines: &mut [Line]) {
    for pass in passes.iter().rev() {
        match pass.radix {
            2 => up_2(d, pass, lines),
            4 => up_4(d, pass, lines),
            _ => up_8(d, pass, lines),
        }
    }
}

/// Runs the first sweep of a forward transform, which reads a polynomial.
#[cfg_attr(optimized, inline(always))]
pub(super) fn sweep_from<D: Doubles, S: Source<D>>(
    d: D,
    pass: &Pass,
    source: S,
    folded: [&[Octet]; 2],
    lines: &mut [Line],
) {
    match pass.radix {
        2 => from_2(d, pass, source, folded, lines),
        // Only where the lanes are separate transforms: within one transform, eight values lie at
        // distances of a power of two and share a set of the first-level cache.
        8 if S::IN_LANES => from_8(d, pass, source, folded, lines),
        _ => from_4(d, pass, source, folded, lines),
    }
}

/// Runs the last sweep of an inverse transform, which writes a polynomial.
#[cfg_attr(optimized, inline(always))]
pub(super) fn sweep_into<D: Doubles, S: Sink<D>>(
    d: D,
    pass: &Pass,
    lines: &mut [Line],
    sink: S,
    folded: [&mut [Octet]; 2],
) {
    match pass.radix {
        2 => into_2(d, pass, lines, sink, folded),
        // As above: sweeps of eight are for lanes that are separate transforms.
        8 if S::IN_LANES => into_8(d, pass, lines, sink, folded),
        _ => into_4(d, pass, lines, sink, folded),
    }
}

/// Runs the last sweep of an inverse transform and the first sweep of the next forward transform.
#[cfg_attr(optimized, inline(always))]
pub(super) fn sweep_update<D: Doubles, T: Update<D>>(
    d: D,
    pass: &Pass,
    lines: &mut [Line],
    update: T,
    folded: [&mut [Octet]; 2],
) {
    match pass.radix {
        2 => update_2(d, pass, lines, update, folded),
        _ => update_4(d, pass, lines, update, folded),
    }
}

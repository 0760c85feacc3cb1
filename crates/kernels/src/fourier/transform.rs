//! The transform: sweeps over memory, then the last six levels of each 64 values in registers.
//!
//! Spectra and folded polynomials lie as a plane of real parts and a plane of imaginary parts. The
//! last three levels run after a transposition that is never undone: place `8 k + l` of a group
//! holds node `8 l + k`.

use super::butterflies::{
    broadcast, lane_roots, merge_2, merge_4, merge_8, row_roots, split_2, split_4, split_8,
};
use super::lanes::{Complex, Doubles, Octet};
use super::table::{Pass, Plan, Tail};

/// Where the first sweep takes its values from.
pub(crate) trait Source<D: Doubles>: Copy {
    /// The values of line `index` of the folded polynomial.
    fn line(self, d: D, index: usize) -> Complex<D>;
}

/// Where the last sweep puts its values.
pub(crate) trait Sink<D: Doubles> {
    /// Takes the values of line `index` of the folded polynomial.
    fn put(&mut self, d: D, index: usize, x: Complex<D>);
}

/// The values at `parts[i][j]` of both planes.
#[inline(always)]
fn gather<D: Doubles, const S: usize>(
    d: D,
    re: &[&mut [Octet]; S],
    im: &[&mut [Octet]; S],
    j: usize,
) -> [Complex<D>; S] {
    let zero = d.splat(0.0);
    let mut x = [(zero, zero); S];
    for i in 0..S {
        x[i] = (d.load(&re[i][j]), d.load(&im[i][j]));
    }
    x
}

/// The inverse of [`gather`].
#[inline(always)]
fn scatter<D: Doubles, const S: usize>(
    d: D,
    re: &mut [&mut [Octet]; S],
    im: &mut [&mut [Octet]; S],
    j: usize,
    x: [Complex<D>; S],
) {
    for i in 0..S {
        d.store(&mut re[i][j], x[i].0);
        d.store(&mut im[i][j], x[i].1);
    }
}

/// `S` parts of equal length.
#[inline(always)]
fn parts<const S: usize>(plane: &mut [Octet]) -> [&mut [Octet]; S] {
    let length = plane.len() / S;
    let mut rest = plane;
    std::array::from_fn(|_| {
        let (part, tail) = std::mem::take(&mut rest).split_at_mut(length);
        rest = tail;
        part
    })
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
        fn $down<D: Doubles>(d: D, pass: &Pass, re: &mut [Octet], im: &mut [Octet]) {
            let block = re.len() / pass.roots.len();
            let blocks = re.chunks_exact_mut(block).zip(im.chunks_exact_mut(block));
            for ((re, im), roots) in blocks.zip(&pass.roots) {
                let roots = broadcast(d, roots);
                let (mut re, mut im) = (parts::<$radix>(re), parts::<$radix>(im));
                for j in 0..block / $radix {
                    let x = $split(d, gather(d, &re, &im, j), roots);
                    scatter(d, &mut re, &mut im, j, x);
                }
            }
        }

        #[inline(always)]
        fn $from<D: Doubles, S: Source<D>>(
            d: D,
            pass: &Pass,
            source: S,
            re: &mut [Octet],
            im: &mut [Octet],
        ) {
            let roots = broadcast(d, &pass.roots[0]);
            let quarter = re.len() / $radix;
            let (mut re, mut im) = (parts::<$radix>(re), parts::<$radix>(im));
            let zero = d.splat(0.0);
            for j in 0..quarter {
                let mut x = [(zero, zero); $radix];
                for i in 0..$radix {
                    x[i] = source.line(d, i * quarter + j);
                }
                scatter(d, &mut re, &mut im, j, $split(d, x, roots));
            }
        }

        #[inline(always)]
        fn $up<D: Doubles>(d: D, pass: &Pass, re: &mut [Octet], im: &mut [Octet]) {
            let block = re.len() / pass.roots.len();
            let blocks = re.chunks_exact_mut(block).zip(im.chunks_exact_mut(block));
            for ((re, im), roots) in blocks.zip(&pass.roots) {
                let roots = broadcast(d, roots);
                let (mut re, mut im) = (parts::<$radix>(re), parts::<$radix>(im));
                for j in 0..block / $radix {
                    let x = $merge(d, gather(d, &re, &im, j), roots);
                    scatter(d, &mut re, &mut im, j, x);
                }
            }
        }

        #[inline(always)]
        fn $into<D: Doubles, S: Sink<D>>(
            d: D,
            pass: &Pass,
            re: &mut [Octet],
            im: &mut [Octet],
            sink: &mut S,
        ) {
            let roots = broadcast(d, &pass.roots[0]);
            let quarter = re.len() / $radix;
            let (re, im) = (parts::<$radix>(re), parts::<$radix>(im));
            for j in 0..quarter {
                let x = $merge(d, gather(d, &re, &im, j), roots);
                for i in 0..$radix {
                    sink.put(d, i * quarter + j, x[i]);
                }
            }
        }
    };
}

sweeps!(2, down_2, from_2, up_2, into_2, split_2, merge_2);
sweeps!(4, down_4, from_4, up_4, into_4, split_4, merge_4);
sweeps!(8, down_8, from_8, up_8, into_8, split_8, merge_8);

/// Both planes of a spectrum.
#[inline(always)]
pub(crate) fn planes(spectrum: &mut [f64]) -> (&mut [Octet], &mut [Octet]) {
    let (re, im) = spectrum.split_at_mut(spectrum.len() / 2);
    (re.as_chunks_mut().0, im.as_chunks_mut().0)
}

/// Transforms what `source` gives into `spectrum`.
#[inline(always)]
pub(crate) fn forward<D: Doubles, S: Source<D>>(
    d: D,
    plan: &Plan,
    source: S,
    spectrum: &mut [f64],
) {
    let (re, im) = planes(spectrum);
    let Some((first, rest)) = plan.passes.split_first() else { return };
    match first.radix {
        2 => from_2(d, first, source, re, im),
        4 => from_4(d, first, source, re, im),
        _ => from_8(d, first, source, re, im),
    }
    for pass in rest {
        match pass.radix {
            2 => down_2(d, pass, re, im),
            4 => down_4(d, pass, re, im),
            _ => down_8(d, pass, re, im),
        }
    }
    let groups = re.as_chunks_mut().0.iter_mut().zip(im.as_chunks_mut().0);
    for ((re, im), tail) in groups.zip(&plan.tails) {
        tail_down(d, tail, re, im);
    }
}

/// `M` times the inverse of the transform of `spectrum`, which is overwritten, into `sink`.
#[inline(always)]
pub(crate) fn inverse<D: Doubles, S: Sink<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    sink: &mut S,
) {
    let (re, im) = planes(spectrum);
    let groups = re.as_chunks_mut().0.iter_mut().zip(im.as_chunks_mut().0);
    for ((re, im), tail) in groups.zip(&plan.tails) {
        tail_up(d, tail, re, im);
    }
    let Some((first, rest)) = plan.passes.split_first() else { return };
    for pass in rest.iter().rev() {
        match pass.radix {
            2 => up_2(d, pass, re, im),
            4 => up_4(d, pass, re, im),
            _ => up_8(d, pass, re, im),
        }
    }
    match first.radix {
        2 => into_2(d, first, re, im, sink),
        4 => into_4(d, first, re, im, sink),
        _ => into_8(d, first, re, im, sink),
    }
}

#[inline(always)]
fn tail_down<D: Doubles>(d: D, tail: &Tail, re: &mut [Octet; 8], im: &mut [Octet; 8]) {
    let x = split_8(d, load_group(d, re, im), row_roots(d, tail));
    let x = split_8(d, transpose(d, x), lane_roots(d, tail));
    store_group(d, re, im, x);
}

#[inline(always)]
fn tail_up<D: Doubles>(d: D, tail: &Tail, re: &mut [Octet; 8], im: &mut [Octet; 8]) {
    let x = merge_8(d, load_group(d, re, im), lane_roots(d, tail));
    let x = merge_8(d, transpose(d, x), row_roots(d, tail));
    store_group(d, re, im, x);
}

#[inline(always)]
fn load_group<D: Doubles>(d: D, re: &[Octet; 8], im: &[Octet; 8]) -> [Complex<D>; 8] {
    let zero = d.splat(0.0);
    let mut x = [(zero, zero); 8];
    for i in 0..8 {
        x[i] = (d.load(&re[i]), d.load(&im[i]));
    }
    x
}

#[inline(always)]
fn store_group<D: Doubles>(d: D, re: &mut [Octet; 8], im: &mut [Octet; 8], x: [Complex<D>; 8]) {
    for i in 0..8 {
        d.store(&mut re[i], x[i].0);
        d.store(&mut im[i], x[i].1);
    }
}

#[inline(always)]
fn transpose<D: Doubles>(d: D, x: [Complex<D>; 8]) -> [Complex<D>; 8] {
    let re = d.transpose(x.map(|x| x.0));
    let im = d.transpose(x.map(|x| x.1));
    let [a, b, c, e, f, g, h, i] = re;
    let [p, q, r, s, t, u, v, w] = im;
    [(a, p), (b, q), (c, r), (e, s), (f, t), (g, u), (h, v), (i, w)]
}

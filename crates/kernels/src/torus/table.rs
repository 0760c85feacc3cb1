//! The constants of a transform.

use super::octet::Octet;
use std::f64::consts::TAU;

/// The real and imaginary part of a root of the factor tree.
pub(crate) type Root = (f64, f64);

/// The roots of up to three levels under a node: `r` of its own level, `s` of the even node of the
/// next level, their product, and those of nodes 0 and 2 of the third level.
pub(crate) type Roots = [Root; 5];

/// The roots of one group of 64 values in the last six levels.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Tail {
    /// The roots of the first three levels.
    pub(crate) rows: Roots,
    /// The roots of the last three levels, in which each lane has its own nodes. Fourth level: `r`.
    /// Last two levels: `s` of the even node, and under it `t` and `s t`; under the odd node, whose
    /// root is `i s`, `u` and `s u`.
    pub(crate) lanes: [Powers; 6],
}

/// The constants of the negacyclic complex FFT of one degree.
///
/// A polynomial of degree `N` modulo `X^N + 1` folds to `M = N/2` complex coefficients
/// `a_n + i a_{n+M}` modulo `X^M - i`. Node `k` of level `s` of the factor tree is
/// `X^(2m) - c = (X^m - r)(X^m + r)` with `r = exp(i TAU (1 + 4 reverse(k)) / 2^(s+3))`, where
/// `TAU` is 2 pi and `reverse` reverses the bits of an index. The value at place `p` is therefore
/// that at `exp(i TAU (1 + 4 reverse(p)) / 2N)`; no separate twist is needed. The root of an odd
/// node is `i` times that of the preceding even node, so only those of even nodes are stored.
#[derive(Clone, Debug)]
pub struct FourierTable {
    degree: usize,
    pub(crate) plan: Plan,
    /// `1 + 4 reverse(group)`; see [`FourierTable`].
    pub(crate) group_exponents: Vec<u32>,
    /// The roots of unity of order `2 N`.
    pub(crate) unity: Vec<(f64, f64)>,
    /// Powers `exp(i TAU a reverse(lane) / 64)` for each `a` modulo 64.
    pub(crate) lane_unity: Vec<Powers>,
    /// Powers `exp(i TAU a reverse(row) / 8)` for each `a` modulo 8.
    pub(crate) row_unity: [Powers; 8],
}

/// The passes of a transform, in order.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Roots of each block, for each pass over memory, in the order of [`super::butterflies`].
    pub(crate) passes: Vec<Pass>,
    /// The last six levels of each group of 64 values; empty for one transform per lane.
    pub(crate) tails: Vec<Tail>,
}

impl Plan {
    /// Plans `levels` levels in passes only: eight transforms at once, one in each lane.
    pub(crate) fn in_lanes(levels: u32) -> Plan {
        Plan { passes: passes(levels, 3), tails: Vec::new() }
    }

    /// Plans `levels` levels of one transform, the last six of them in registers.
    ///
    /// Passes have at most two levels. The eight values of three levels would lie at distances of a
    /// power of two, as do the sixteen coefficients that fold to them, and would all map to the
    /// same set of the first-level cache.
    fn across_lanes(levels: u32) -> Plan {
        let level = levels - 6;
        let tails = (0..1 << level).map(|group| tail(level, group)).collect();
        Plan { passes: passes(level, 2), tails }
    }
}

/// Returns passes of at most `most` levels each, 2 or 3, for the first `levels` levels.
fn passes(levels: u32, most: u32) -> Vec<Pass> {
    let mut passes = Vec::new();
    let mut level = 0;
    while level < levels {
        let left = levels - level;
        let log_radix = if left == 4 { 2 } else { left.min(most) };
        let roots = (0..1 << level).map(|block| roots(level, block)).collect();
        passes.push(Pass { radix: 1 << log_radix, roots });
        level += log_radix;
    }
    passes
}

/// Eight complex roots of unity.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Powers {
    pub(crate) re: Octet,
    pub(crate) im: Octet,
}

/// A pass over the row that computes `radix.ilog2()` levels.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub(crate) radix: usize,
    /// The roots of each block.
    pub(crate) roots: Vec<Roots>,
}

impl FourierTable {
    /// Precomputes the constants for `degree`.
    ///
    /// # Panics
    /// If the degree is not a power of two in `256..=65536`.
    pub fn new(degree: usize) -> FourierTable {
        assert!(
            degree.is_power_of_two() && (256..=65_536).contains(&degree),
            "degree {degree} is not a power of two in 256..=65536"
        );
        let levels = degree.ilog2() - 1;
        let level = levels - 6;
        FourierTable {
            degree,
            plan: Plan::across_lanes(levels),
            group_exponents: (0..1 << level).map(|group| exponent(level, group)).collect(),
            unity: (0..2 * degree).map(|a| unit(a as f64 / (2 * degree) as f64)).collect(),
            lane_unity: (0..64).map(|a| reversed_powers(a, 64)).collect(),
            row_unity: std::array::from_fn(|a| reversed_powers(a, 8)),
        }
    }

    /// Returns the degree `N`.
    pub fn degree(&self) -> usize {
        self.degree
    }
}

/// Returns `exp(i TAU angle)`.
fn unit(angle: f64) -> (f64, f64) {
    let (sin, cos) = (TAU * angle).sin_cos();
    (cos, sin)
}

/// Returns `1 + 4 reverse(node)`, where `level` bits are reversed.
fn exponent(level: u32, node: usize) -> u32 {
    let reversed = if level == 0 { 0 } else { node.reverse_bits() >> (usize::BITS - level) };
    1 + 4 * reversed as u32
}

/// Returns the angle of the root of node `k` of level `s`, as a fraction of a circle.
fn angle(level: u32, node: usize) -> f64 {
    f64::from(exponent(level, node)) / (1_u64 << (level + 3)) as f64
}

fn roots(level: u32, node: usize) -> Roots {
    let (r, s) = (angle(level, node), angle(level + 1, 2 * node));
    let (t, u) = (angle(level + 2, 4 * node), angle(level + 2, 4 * node + 2));
    [r, s, r + s, t, u].map(unit)
}

fn tail(level: u32, group: usize) -> Tail {
    let lanes: [[Root; 6]; 8] = std::array::from_fn(|lane| {
        let node = 8 * group + lane;
        let (r, s) = (angle(level + 3, node), angle(level + 4, 2 * node));
        let (t, u) = (angle(level + 5, 4 * node), angle(level + 5, 4 * node + 2));
        [r, s, t, s + t, u, s + u].map(unit)
    });
    let line =
        |i: usize| Powers { re: lanes.map(|lane| lane[i].0), im: lanes.map(|lane| lane[i].1) };
    Tail { rows: roots(level, group), lanes: std::array::from_fn(line) }
}

/// Returns `exp(i TAU a reverse(x) / order)` for the eight three-bit numbers `x`.
fn reversed_powers(a: usize, order: usize) -> Powers {
    const REVERSED: [usize; 8] = [0, 4, 2, 6, 1, 5, 3, 7];
    let values = REVERSED.map(|r| unit((a * r % order) as f64 / order as f64));
    Powers { re: values.map(|value| value.0), im: values.map(|value| value.1) }
}

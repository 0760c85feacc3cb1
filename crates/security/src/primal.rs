//! The primal attack: finds the error as an unusually short vector of a lattice.
//!
//! The lattice of `m` samples embeds secret, error and one constant in dimension `d = m + n + 1`.
//! Its secret part is stretched by `xi = max(1, sigma_e / sigma_s)`, so that every coordinate of
//! the target is as long as the error. Its volume is
//! `log V = (d - n - 1) log q + n log xi + log sigma_e`.
//!
//! Source: Alkim, Ducas, Pöppelmann, Schwabe 2016; Albrecht, Göpfert, Virdia, Wunderer 2017.

use crate::lwe::Lwe;
use crate::reduction::{
    MAX_BLOCK, MIN_BLOCK, first_that_holds, log_bkz_gates, log_root_hermite, log_sum,
};

/// An attack: its block size, its lattice dimension and log2 of its gates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Attack {
    pub(crate) block: u32,
    pub(crate) dimension: u32,
    pub(crate) log_gates: f64,
}

/// Number of block sizes above the smallest successful one that are tried for a smaller dimension.
const EXTRA_BLOCKS: u32 = 12;

/// Number of block sizes below that of [`unique_svp`] that [`bounded_distance`] tries.
const FEWER_BLOCKS: u32 = 40;

/// Number of steps between the dimension of [`unique_svp`] and the best dimension.
const DIMENSION_STEPS: u32 = 3;

impl Lwe {
    /// Returns the log of the scaling `xi` of the secret's coordinates.
    fn log_stretch(&self) -> f64 {
        (self.error_deviation / self.secret_deviation).max(1.0).log2()
    }

    /// Returns the log of `V^(1/d)`.
    fn log_root_volume(&self, dimension: f64) -> f64 {
        let log_volume = self.log_modulus * (dimension - self.degree - 1.0)
            + self.log_stretch() * self.degree
            + self.error_deviation.log2();
        log_volume / dimension
    }

    /// Returns true if one search in the last `size` dimensions of a basis reduced by BKZ with
    /// `block` finds the target: its projection is at most as long as the shortest vector expected
    /// there,
    /// `log sigma_e + log(size)/2`
    /// ` <= (size - 1) log delta(size) + (size - d) log delta(block) + log V / d`.
    /// With `size = block` this is the success condition of BKZ itself.
    fn reveals(&self, block: u32, size: u32, dimension: u32) -> bool {
        let (block, size, d) = (f64::from(block), f64::from(size), f64::from(dimension));
        let projection = self.error_deviation.log2() + 0.5 * size.log2();
        let expected = (size - 1.0) * log_root_hermite(size)
            + (size - d) * log_root_hermite(block)
            + self.log_root_volume(d);
        projection <= expected
    }

    /// Returns the dimension in which BKZ with `block` comes closest to the target.
    fn best_dimension(&self, block: u32) -> u32 {
        let numerator = self.log_modulus * (self.degree + 1.0)
            - self.log_stretch() * self.degree
            - self.error_deviation.log2();
        let best = (numerator / log_root_hermite(f64::from(block))).sqrt() as u32;
        best.max(self.degree as u32 + 1)
    }

    /// Returns the smallest dimension in which BKZ with `block` alone finds the target, or `None`.
    fn smallest_dimension(&self, block: u32) -> Option<u32> {
        let works = |dimension| self.reveals(block, block, dimension);
        let lowest = self.degree as u32 + 1;
        if works(lowest) {
            return Some(lowest);
        }
        let best = self.best_dimension(block);
        works(best).then(|| first_that_holds(lowest, best, works))
    }
}

/// Returns the smallest block size that succeeds in some dimension, at most [`MAX_BLOCK`]; core-SVP
/// figures are computed from it.
pub(crate) fn smallest_block(lwe: &Lwe) -> u32 {
    let works = |block| lwe.smallest_dimension(block).is_some();
    if works(MIN_BLOCK) { MIN_BLOCK } else { first_that_holds(MIN_BLOCK, MAX_BLOCK, works) }
}

/// Estimates the attack by unique shortest vector, starting from [`smallest_block`]. If no block
/// size succeeds, the cost is that of the largest one, a lower bound.
pub(crate) fn unique_svp(lwe: &Lwe, smallest: u32) -> Attack {
    let attack = |block| {
        let dimension = lwe.smallest_dimension(block).unwrap_or(2 * lwe.degree as u32);
        let log_gates = log_bkz_gates(f64::from(block), f64::from(dimension));
        Attack { block, dimension, log_gates }
    };
    // A slightly larger block may need far fewer dimensions and cost less in all.
    (smallest + 1..smallest + EXTRA_BLOCKS).map(attack).fold(attack(smallest), cheaper)
}

/// Estimates the refinement by bounded-distance decoding: BKZ with a smaller block size, then one
/// search in the last `eta` dimensions, where `eta` is the smallest size that finds the target.
pub(crate) fn bounded_distance(lwe: &Lwe, unique: Attack) -> Attack {
    let lowest = unique.block.saturating_sub(FEWER_BLOCKS).max(MIN_BLOCK);
    let largest = lwe.best_dimension(unique.block).max(unique.dimension);
    let dimensions = (0..=DIMENSION_STEPS)
        .map(|i| unique.dimension + (largest - unique.dimension) / DIMENSION_STEPS * i);
    dimensions
        .flat_map(|dimension| (lowest..unique.block).map(move |block| (block, dimension)))
        .filter_map(|(block, dimension)| decode(lwe, block, dimension))
        .fold(unique, cheaper)
}

/// Estimates BKZ with `block`, then the smallest search that succeeds, in the given dimension.
fn decode(lwe: &Lwe, block: u32, dimension: u32) -> Option<Attack> {
    let reveals = |eta| lwe.reveals(block, eta, dimension);
    // A search in more than twice the block size costs more than BKZ with a larger block.
    let largest = (2 * block).min(dimension);
    if !reveals(largest) {
        return None;
    }
    let eta = f64::from(first_that_holds(block - 1, largest, reveals));
    let reduce = log_bkz_gates(f64::from(block), f64::from(dimension));
    let log_gates = log_sum(reduce, log_bkz_gates(eta, eta));
    Some(Attack { block, dimension, log_gates })
}

fn cheaper(a: Attack, b: Attack) -> Attack {
    if b.log_gates < a.log_gates { b } else { a }
}

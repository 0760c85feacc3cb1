//! Powers of roots of unity, in the order in which the passes of the transforms read them.

use crate::line::Line;
use crate::modulus::{fold, multiply_lazy};
use crate::order::reverse;
use crate::pairs::Pairs;
use crate::passes::{Radix, inverse_plan};
use crate::{Form, Modulus, Row};

/// Twiddles of the forward transform: powers `root^brv(i)` with their quotients.
pub(crate) struct Forward {
    /// Twiddles with indices `0..N/8`, each used for whole lines.
    pub(crate) pairs: Vec<[u64; 2]>,
    /// The seven vectors of twiddles of the three levels inside lines, for each block of 64.
    blocks: Row,
}

impl Forward {
    pub(crate) fn new(powers: &Powers<'_>) -> Self {
        let degree = powers.pairs.len();
        let pair = |i: usize| powers.pairs[reverse(degree, i)];
        let count = degree / 64;
        let blocks = (0..count).flat_map(|b| {
            // Vector `i` of a level starts with its twiddle of line 0; consecutive lanes are
            // `stride` apart.
            let level = move |stride: usize| {
                (0..stride).map(move |i| (8 * stride * (count + b) + i, stride))
            };
            [1, 2, 4].into_iter().flat_map(level)
        });
        let blocks: Vec<(usize, usize)> = blocks.collect();
        Self { blocks: lines(&blocks, pair), pairs: (0..degree / 8).map(pair).collect() }
    }

    /// Returns the row that holds the vectors.
    pub(crate) fn row_mut(&mut self) -> &mut Row {
        &mut self.blocks
    }

    /// Returns the seven vectors of each block.
    pub(crate) fn blocks(&self) -> &[[Line; 14]] {
        self.blocks.as_chunks().0.as_chunks().0
    }
}

/// Twiddles of the inverse transform. `psi` is the root of the forward transform.
pub(crate) struct Inverse {
    /// The passes over the row between the blocks and the last pass.
    pub(crate) plan: Vec<Radix>,
    /// The last pass, of radix `R`, which also multiplies by powers of `psi` (the twist).
    pub(crate) last: Radix,
    /// `psi^(-(N / t) k)` at index `t + k` for `t` in 1, 2, 4 and `k < t`: roots of unity of order
    /// 8.
    pub(crate) roots: [[u64; 2]; 8],
    /// The vectors of the three levels inside blocks; then, for each pass and each line of a
    /// column, those of its levels.
    vectors: Row,
    /// The powers `psi^(-(2 brv(r) + 1) p)`, `p = 8 at + lane`, for each line `at` of a column and
    /// each column `r` of the last pass. For 52-bit lanes, only the second words of the pairs, plus
    /// one: each transform reads the table once from the second-level cache, and computing a first
    /// word costs less than reading it.
    twist: Row,
    /// `psi^(-(N / R) k)` for `k < R`.
    outputs: Vec<u64>,
}

impl Inverse {
    pub(crate) fn new(powers: &Powers<'_>) -> Self {
        let (degree, form) = (powers.pairs.len(), powers.form);
        let pair = |e: usize| powers.inverse_pair(e);
        let (plan, last) = inverse_plan(degree.trailing_zeros() - 6, form == Form::Shoup52);
        let root = |i: usize| i.checked_ilog2().map_or(0, |t| (degree >> t) * (i - (1 << t)));

        // A pass that starts at stride `8 height` processes `height` lines of each column.
        let mut height = 1;
        let mut steps = Vec::new();
        for radix in std::iter::once(Radix::Eight).chain(plan.iter().copied()) {
            for at in 0..height {
                for (level, b) in (0..radix.levels()).flat_map(|v| (0..1 << v).map(move |b| (v, b)))
                {
                    let step = (degree / (8 * height)) >> level;
                    steps.push((step * 8 * (at + height * b), step));
                }
            }
            height <<= radix.levels();
        }
        let width = 1 << last.levels();
        let twist = |i: usize| {
            let exponent = 2 * reverse(width, i % width) + 1;
            (exponent * 8 * (i / width), exponent)
        };
        let twist: Vec<(usize, usize)> = (0..degree / 8).map(twist).collect();
        Self {
            last,
            roots: std::array::from_fn(|i| pair(root(i))),
            vectors: lines(&steps, pair),
            twist: if form == Form::Shoup52 {
                quotients(&twist, pair)
            } else {
                lines(&twist, pair)
            },
            outputs: (0..width).map(|k| powers.inverse_residue(degree / width * k)).collect(),
            plan,
        }
    }

    /// Returns the rows that hold the vectors.
    pub(crate) fn rows_mut(&mut self) -> [&mut Row; 2] {
        [&mut self.vectors, &mut self.twist]
    }

    /// Returns the vectors of the blocks and the passes.
    pub(crate) fn vectors(&self) -> &[Line] {
        self.vectors.as_chunks().0
    }

    /// Returns the vectors of the last pass.
    pub(crate) fn twist(&self) -> &[Line] {
        self.twist.as_chunks().0
    }

    /// Returns the factors `c psi^(-(N / R) k)` of the outputs of the last pass, as pairs of words,
    /// padded with zeros.
    pub(crate) fn scaled_outputs(&self, modulus: &Modulus, form: Form, c: u64) -> [[u64; 2]; 8] {
        let mut pairs = [[0; 2]; 8];
        for (pair, &output) in pairs.iter_mut().zip(&self.outputs) {
            let constant = modulus.constant(modulus.mul(output, c));
            *pair = modulus.output_pair(&constant, form);
        }
        pairs
    }
}

/// The powers `psi^e` for `e < N` of a root `psi` of `X^N + 1`, from which both transforms take
/// theirs: `psi^-e = -psi^(N-e)`.
pub(crate) struct Powers<'a> {
    form: Form,
    words: Pairs<'a>,
    residues: Vec<u64>,
    pairs: Vec<[u64; 2]>,
}

impl<'a> Powers<'a> {
    /// Computes the powers of a root for this degree.
    pub(crate) fn new(modulus: &'a Modulus, form: Form, degree: usize, root: u64) -> Self {
        let words = Pairs::new(modulus, form);
        let residues = powers(modulus, root, degree);
        let pairs = residues.iter().map(|&residue| words.of(residue)).collect();
        Self { form, words, residues, pairs }
    }

    /// Returns the words for `psi^-e`, for `e < 2N`.
    #[inline]
    fn inverse_pair(&self, e: usize) -> [u64; 2] {
        let degree = self.pairs.len();
        // With `e' = 2N - e`, the power is `psi^e'` below `N` and `-psi^(e' - N)` from there on.
        // The degree is a power of two.
        let exponent = (2 * degree - e) & (2 * degree - 1);
        let pair = self.pairs[exponent & (degree - 1)];
        if exponent < degree { pair } else { self.words.negated(pair) }
    }

    /// Returns the residue `psi^-e`, for `e < N`.
    fn inverse_residue(&self, e: usize) -> u64 {
        match e {
            0 => 1,
            e => self.words.modulus().neg(self.residues[self.residues.len() - e]),
        }
    }
}

/// Returns `root^e` for all `e` below `degree`, a power of two. Each step doubles the number of
/// powers, so that the products of a step do not wait for each other.
fn powers(modulus: &Modulus, root: u64, degree: usize) -> Vec<u64> {
    let q = modulus.value();
    let pairs = Pairs::new(modulus, Form::Shoup64);
    let mut powers = Vec::with_capacity(degree);
    powers.push(1);
    let mut step = root;
    while powers.len() < degree {
        let pair = pairs.of(step);
        for i in 0..powers.len() {
            powers.push(fold(multiply_lazy(powers[i], pair, q), q));
        }
        step = modulus.mul(step, step);
    }
    powers
}

/// Lays out vectors of pairs, each as a line of first words and a line of second words. The lanes
/// of a vector have the indices `first + lane * stride`.
fn lines(vectors: &[(usize, usize)], pair: impl Fn(usize) -> [u64; 2]) -> Row {
    let mut row = Row::zeroed(16 * vectors.len());
    for (lines, &(first, stride)) in row.as_chunks_mut::<16>().0.iter_mut().zip(vectors) {
        for lane in 0..8 {
            [lines[lane], lines[8 + lane]] = pair(first + lane * stride);
        }
    }
    row
}

/// Lays out the quotients only, each plus one.
fn quotients(vectors: &[(usize, usize)], pair: impl Fn(usize) -> [u64; 2]) -> Row {
    let mut row = Row::zeroed(8 * vectors.len());
    for (line, &(first, stride)) in row.as_chunks_mut::<8>().0.iter_mut().zip(vectors) {
        for (lane, quotient) in line.iter_mut().enumerate() {
            *quotient = pair(first + lane * stride)[1] + 1;
        }
    }
    row
}

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
    pub(crate) fn new(modulus: &Modulus, form: Form, degree: usize, root: u64) -> Self {
        let powers = powers(modulus, root, degree);
        let pairs = Pairs::new(modulus, form);
        let pair = |i: usize| pairs.of(powers[reverse(degree, i)]);
        let count = degree / 64;
        let blocks = (0..count).flat_map(|b| {
            // Vector `i` of a level starts with its twiddle of line 0; consecutive lanes are
            // `stride` apart.
            let level = move |stride: usize| {
                (0..stride).map(move |i| (8 * stride * (count + b) + i, stride))
            };
            [1, 2, 4].into_iter().flat_map(level)
        });
        let vectors = blocks.map(|(first, stride)| {
            std::array::from_fn::<_, 8, _>(|lane| pair(first + lane * stride))
        });
        Self { blocks: lines(7 * count, vectors), pairs: (0..degree / 8).map(pair).collect() }
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
    /// For each line `at` of a column and each column `r` of the last pass, the powers
    /// `psi^(-(2 brv(r) + 1) p)`, `p = 8 at + lane`. For 52-bit lanes, only the second words of the
    /// pairs, plus one: each transform reads the table once from the second-level cache, and
    /// computing a first word costs less than reading it.
    twist: Row,
    /// `psi^(-(N / R) k)` for `k < R`.
    outputs: Vec<u64>,
}

impl Inverse {
    pub(crate) fn new(modulus: &Modulus, form: Form, degree: usize, inverse_root: u64) -> Self {
        let powers = powers(modulus, inverse_root, degree);
        let power = |e: usize| match e.checked_sub(degree) {
            None => powers[e],
            Some(e) => modulus.neg(powers[e]),
        };
        let pairs = Pairs::new(modulus, form);
        let pair = |e: usize| pairs.of(power(e));
        let (plan, last) = inverse_plan(degree.trailing_zeros() - 6, form == Form::Shoup52);
        let root = |i: usize| i.checked_ilog2().map_or(0, |t| (degree >> t) * (i - (1 << t)));

        // A pass that starts at stride `8 height` processes `height` lines of each column.
        let mut height = 1;
        let mut steps = Vec::new();
        for radix in std::iter::once(Radix::Eight).chain(plan.iter().copied()) {
            for at in 0..height {
                for (level, b) in (0..radix.levels()).flat_map(|v| (0..1 << v).map(move |b| (v, b)))
                {
                    steps.push(((degree / (8 * height)) >> level, 8 * (at + height * b)));
                }
            }
            height <<= radix.levels();
        }
        let count = steps.len();
        let vectors = steps.into_iter().map(|(step, first)| {
            std::array::from_fn::<_, 8, _>(|lane| pair(step * (first + lane)))
        });
        let vectors = lines(count, vectors);

        let width = 1 << last.levels();
        let twist = (0..degree / 8).map(|i| {
            let (at, r) = (i / width, i % width);
            let exponent = 2 * reverse(width, r) + 1;
            std::array::from_fn::<_, 8, _>(|lane| pair(exponent * (8 * at + lane)))
        });
        Self {
            last,
            roots: std::array::from_fn(|i| pair(root(i))),
            vectors,
            twist: if form == Form::Shoup52 {
                quotients(degree / 8, twist)
            } else {
                lines(degree / 8, twist)
            },
            outputs: (0..width).map(|k| power(degree / width * k)).collect(),
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

/// Lays out vectors of pairs, each as a line of first words and a line of second words.
fn lines(count: usize, vectors: impl Iterator<Item = [[u64; 2]; 8]>) -> Row {
    let mut row = Row::zeroed(16 * count);
    for (lines, pairs) in row.as_chunks_mut::<16>().0.iter_mut().zip(vectors) {
        for (lane, [first, second]) in pairs.into_iter().enumerate() {
            (lines[lane], lines[8 + lane]) = (first, second);
        }
    }
    row
}

/// Lays out the quotients only, each plus one.
fn quotients(count: usize, vectors: impl Iterator<Item = [[u64; 2]; 8]>) -> Row {
    let mut row = Row::zeroed(8 * count);
    for (line, pairs) in row.as_chunks_mut::<8>().0.iter_mut().zip(vectors) {
        *line = pairs.map(|[_, quotient]| quotient + 1);
    }
    row
}

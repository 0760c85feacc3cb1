//! The inner product of key switching: transforms of digits and their products with a key.
//!
//! For the digits `d_g` of a polynomial and the pairs `(b_g, a_g)` of a key, modulo one prime, this
//! computes
//!
//! ```text
//! out[0] = sum_g NTT(d_g) * b_g,      out[1] = sum_g NTT(d_g) * a_g
//! ```
//!
//! A key switch spends most of its time here: `d` transforms and `2 d` products of rows for every
//! prime of `Q P`.
//!
//! The last six levels of a transform act inside blocks of 64 words. The levels above them are
//! computed digit by digit, in place. Then, block by block, the last six levels are computed for
//! all digits and multiplied immediately. The values of a digit are therefore never written to a
//! row: they stay in the first-level cache. The twiddles of a block serve all digits, the sums stay
//! in registers, and the key of the next block is prefetched during the arithmetic. The key lies in
//! memory in exactly the order in which this loop reads it ([`KeyRow`]), so that it is one stream
//! instead of `2 d`.
//!
//! Where 16 residues and their factors fit in the registers, the levels before the transposition of
//! the next block alternate with the levels after the transposition of this one. A transposition
//! occupies one port of the processor for 24 cycles, and the levels after it wait for it; the
//! alternation fills this time. The next block is that of the next digit, which has the same
//! twiddles.
//!
//! *Ranges.* The values of a transform are not reduced before the products. On 52-bit lanes a left
//! factor may be any integer below `2^52`, which every value of a transform is (see `forward.rs`),
//! and a right factor is canonical, below `q`. The low and the high halves of the products are
//! summed separately; `n` products with `n q <= 2^51` keep the sum of the high halves below `2^52`,
//! which is [`Lanes::max_terms`]: 35 digits for the largest prime. Longer sums are reduced in
//! between. The 64-bit lanes reduce each left factor to `q` and add up to 31 products in 128 bits.
//!
//! *Tried and given up* (numbers in `docs/maths/key_switch.md`): keys of 8 bytes a word instead of
//! packed ones, which read 1.7 times as many bytes under the preset `e2`; strips of two lines
//! instead of four, and whole cache lines of the packed key with the mask in the permutation, which
//! made no difference; packed keys below `2^16` words, which stay in the second-level cache anyway.
//!
//! Source of the hybrid key switch: Han and Ki, eprint 2019/688. The fusion and the layout are this
//! library's.

use super::forward::Pass;
use crate::key_row::Width;
use crate::lanes::Lanes;
use crate::line::{Line, debug_assert_rows, lines, lines_mut};
use crate::{Digit, KeyRow, NttTable};

/// Number of lines whose sums are kept in registers at the same time.
const STRIP: usize = 4;

type Block = [Line; 8];

/// The words of one block in one component of a digit's key, eight to a line of `B` bytes.
type KeyBlock<const B: usize> = [[u8; B]; 8];

/// A digit whose transform has begun.
struct Begun<'a> {
    /// Index of the digit in the key.
    index: usize,
    stage: Stage<'a>,
    /// The left factors in the current block.
    terms: Block,
}

impl<'a> Begun<'a> {
    /// Returns the residues of a digit whose transform is not complete.
    fn residues(&self) -> Option<&'a [Block]> {
        match self.stage {
            Stage::Residues(row) => Some(row),
            Stage::Values(_) => None,
        }
    }
}

enum Stage<'a> {
    /// Residues after the levels above the blocks.
    Residues(&'a [Block]),
    /// Values in the NTT domain, lazy.
    Values(&'a [Block]),
}

/// See [`crate::Kernel::key_product`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn key_product<L: Lanes>(
    lanes: L,
    table: &NttTable,
    out: [&mut [u64]; 2],
    digits: &mut [Digit<'_>],
    key: &KeyRow,
) {
    assert!(digits.len() <= key.digits(), "the key has fewer digits");
    assert_eq!(key.degree(), table.degree(), "the key is of another degree");
    let pass = Pass::new(lanes, table);
    // A sum may hold this many products before the halves of 52 or 64 bits overflow.
    let room = L::max_terms(&table.modulus());
    let mut begun = Vec::with_capacity(digits.len());
    for (index, digit) in digits.iter_mut().enumerate() {
        // The levels above the blocks combine words of the whole row; they cannot be computed block
        // by block.
        begun.push(Begun { index, stage: begin(pass, table, digit), terms: [[0; 8]; 8] });
    }
    // Digits that need a transform come first.
    begun.sort_by_key(|digit| digit.residues().is_none());
    let rows: Vec<&[Block]> = begun.iter().filter_map(Begun::residues).collect();
    let [out0, out1] = out.map(|row| blocks_mut(table.checked_row(row, L::FORM)));
    let twiddles = table.forward_twiddles().blocks();
    let mut coming = Coming::new(pass, &rows, twiddles.len());
    let mut strips = key.strips().peekable();
    for (at, ((out0, out1), twiddles)) in out0.iter_mut().zip(out1).zip(twiddles).enumerate() {
        let (Some(strip), next) = (strips.next(), strips.peek()) else { return };
        for (i, digit) in begun.iter_mut().enumerate() {
            // The key of the next block is requested a digit at a time, so that the requests are
            // spread over the arithmetic.
            for line in next.map_or(&[][..], |next| key.lines_of(next, digit.index)) {
                lanes.prefetch(line);
            }
            if i < rows.len() {
                coming.complete(pass, i, at, twiddles, &mut digit.terms);
            }
        }
        // The width is a constant inside each arm, which makes loads and permutations of packed
        // words constant too.
        let (out, strip) = ([out0, out1], Strip { at, bytes: strip });
        match key.width() {
            Width::Four => sum::<L, 32>(pass, room, out, &begun, strip),
            Width::Five => sum::<L, 40>(pass, room, out, &begun, strip),
            Width::Six => sum::<L, 48>(pass, room, out, &begun, strip),
            Width::Eight => sum::<L, 64>(pass, room, out, &begun, strip),
        }
    }
}

/// The block whose transform is completed next. Where there are enough registers, it has passed the
/// levels between its lines while the block before it passed those inside its lines.
struct Coming<'a, L: Lanes> {
    rows: &'a [&'a [Block]],
    /// Number of blocks in a row.
    groups: usize,
    values: [L::Residues; 8],
}

impl<'a, L: Lanes> Coming<'a, L> {
    /// Begins with block 0 of the first of `rows`.
    #[cfg_attr(optimized, inline(always))]
    fn new(pass: Pass<'_, L>, rows: &'a [&'a [Block]], groups: usize) -> Self {
        let first = rows.first().filter(|_| L::MANY_REGISTERS);
        let first = first.map(|row| pass.levels_between_lines(&row[0], groups));
        Self { rows, groups, values: first.unwrap_or([pass.zero(); 8]) }
    }

    /// Stores the left factors of block `at` of row `row`. The order is all rows of block 0, of
    /// block 1, and so on.
    #[cfg_attr(optimized, inline(always))]
    fn complete(
        &mut self,
        pass: Pass<'_, L>,
        row: usize,
        at: usize,
        twiddles: &[Line; 14],
        terms: &mut Block,
    ) {
        let Self { rows, groups, mut values } = *self;
        let next = match rows.get(row + 1) {
            Some(row) => Some((&row[at], groups + at)),
            None => rows[0].get(at + 1).map(|block| (block, groups + at + 1)),
        };
        if let Some((block, group)) = next.filter(|_| L::MANY_REGISTERS) {
            self.values = pass.overlapped(&mut values, twiddles, block, group);
        } else {
            if !L::MANY_REGISTERS {
                values = pass.levels_between_lines(&rows[row][at], groups + at);
            }
            pass.levels_inside_lines(&mut values, twiddles);
        }
        pass.store_terms(terms, values);
    }
}

/// Computes all levels of a digit's transform above the blocks.
#[cfg_attr(optimized, inline(always))]
fn begin<'a, L: Lanes>(pass: Pass<'_, L>, table: &NttTable, digit: &'a mut Digit<'_>) -> Stage<'a> {
    let row = match digit {
        Digit::Values(row) => return Stage::Values(blocks(row)),
        Digit::Coefficients(row) => {
            let row = lines_mut(table.checked_row(row, L::FORM));
            pass.lanes.pass_of_words(table, row);
            row
        }
        Digit::Excess { row, modulus: source, room } => {
            debug_assert_rows([&**row, &**room]);
            let room = lines_mut(table.checked_row(room, L::FORM));
            pass.lanes.pass_of_centered(table, room, row, source);
            room
        }
    };
    pass.lanes.later_passes(table, row);
    Stage::Residues(row.as_chunks().0)
}

/// The key of one block: its number, and the words of all digits.
#[derive(Clone, Copy)]
struct Strip<'a> {
    at: usize,
    bytes: &'a [u8],
}

/// Computes the sums of the products of the digits in a block and the key of that block, canonical,
/// for words of `B / 8` bytes. `room` is the number of products that a sum can hold.
#[cfg_attr(optimized, inline(always))]
fn sum<L: Lanes, const B: usize>(
    pass: Pass<'_, L>,
    room: usize,
    out: [&mut Block; 2],
    digits: &[Begun<'_>],
    Strip { at, bytes }: Strip<'_>,
) {
    let Pass { lanes, ring, .. } = pass;
    let keys: &[[KeyBlock<B>; 2]] = bytes.as_chunks().0.as_chunks().0.as_chunks().0;
    let [out0, out1] = out.map(|block| block.as_chunks_mut::<STRIP>().0);
    for (part, (out0, out1)) in out0.iter_mut().zip(out1).enumerate() {
        // With 52-bit lanes, four lines of both components are sixteen registers, half of all, and
        // enough independent chains to hide the latency of a product.
        let mut sums = [[lanes.sum(lanes.splat(0)); STRIP]; 2];
        for (number, digits) in digits.chunks(room).enumerate() {
            // The digits before this one fill the sums, which are reduced to one term each.
            if number > 0 {
                for sum in sums.as_flattened_mut() {
                    *sum = lanes.sum(lanes.reduce(ring, *sum));
                }
            }
            for digit in digits {
                let key = &keys[digit.index];
                match digit.stage {
                    Stage::Residues(_) => {
                        add::<L, B, false>(pass, &mut sums, &digit.terms, key, part);
                    }
                    Stage::Values(row) => add::<L, B, true>(pass, &mut sums, &row[at], key, part),
                }
            }
        }
        for (out, sums) in [out0, out1].into_iter().zip(sums) {
            for (line, sum) in out.iter_mut().zip(sums) {
                lanes.store(line, lanes.canonical(ring, lanes.reduce(ring, sum)));
            }
        }
    }
}

/// Adds the products of one digit and its key in a part of a block. `WORDS` is true if the digit is
/// given by words instead of residues.
#[cfg_attr(optimized, inline(always))]
fn add<L: Lanes, const B: usize, const WORDS: bool>(
    pass: Pass<'_, L>,
    sums: &mut [[L::Sum; STRIP]; 2],
    terms: &Block,
    key: &[KeyBlock<B>; 2],
    part: usize,
) {
    let Pass { lanes, ring, .. } = pass;
    for i in 0..STRIP {
        let line = STRIP * part + i;
        let term = lanes.load(&terms[line]);
        let term = if WORDS { lanes.residues(term) } else { lanes.resume(term) };
        for (sums, key) in sums.iter_mut().zip(key) {
            let factor = lanes.residues(lanes.load_packed(&key[line]));
            sums[i] = lanes.accumulate(ring, sums[i], term, factor);
        }
    }
}

#[cfg_attr(optimized, inline(always))]
fn blocks(row: &[u64]) -> &[Block] {
    lines(row).as_chunks().0
}

#[cfg_attr(optimized, inline(always))]
fn blocks_mut(row: &mut [u64]) -> &mut [Block] {
    lines_mut(row).as_chunks_mut().0
}

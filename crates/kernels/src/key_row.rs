//! Operands of the inner product of key switching: keys, laid out for a single pass, and digits.

use crate::Modulus;
use crate::row::ByteRow;

/// Words of a block, which the last six levels of a transform combine.
const BLOCK: usize = 64;

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// The rows of a key-switching key modulo one prime, in the order in which
/// [`crate::Kernel::key_product`] reads them: one sequential stream, which the CPU prefetches.
///
/// The order is by block of 64 positions, then by digit, then by the two components. A product with
/// fewer digits reads the beginning of every block's part. The words of a packed key take fewer
/// bytes, so that less of it has to be read from memory (`docs/maths/key_switch.md`).
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRow {
    bytes: ByteRow,
    width: Width,
    digits: usize,
}

/// The number of bytes in which a word is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Four = 4,
    Five = 5,
    Six = 6,
    Eight = 8,
}

impl Width {
    /// Returns the width of the residues modulo `modulus`.
    fn of(modulus: &Modulus) -> Width {
        match modulus.bits() {
            0..=32 => Width::Four,
            33..=40 => Width::Five,
            41..=48 => Width::Six,
            _ => Width::Eight,
        }
    }

    /// Returns the number of bytes of a block.
    fn block(self) -> usize {
        BLOCK * self as usize
    }
}

impl KeyRow {
    /// Lays out the two components of every digit, in words of 8 bytes.
    ///
    /// Shapes: at least one digit; rows of equal length, a multiple of 64.
    pub fn new(pairs: &[[&[u64]; 2]]) -> KeyRow {
        KeyRow::of_width(Width::Eight, pairs)
    }

    /// Lays out a key like [`KeyRow::new`], in words of as few bytes as residues modulo `modulus`
    /// need: 4, 5, 6 or 8.
    ///
    /// Shapes: those of [`KeyRow::new`]. Ranges: every word is below the modulus.
    pub fn packed(modulus: &Modulus, pairs: &[[&[u64]; 2]]) -> KeyRow {
        let mut words = pairs.as_flattened().iter().flat_map(|row| row.iter());
        debug_assert!(words.all(|&word| word < modulus.value()), "the rows are canonical");
        KeyRow::of_width(Width::of(modulus), pairs)
    }

    fn of_width(width: Width, pairs: &[[&[u64]; 2]]) -> KeyRow {
        let degree = pairs[0][0].len();
        debug_assert!(degree.is_multiple_of(BLOCK), "blocks have 64 words");
        debug_assert!(pairs.as_flattened().iter().all(|row| row.len() == degree));
        let mut bytes = ByteRow::zeroed(2 * pairs.len() * degree * width as usize);
        let blocks = bytes.chunks_exact_mut(width.block());
        let halves = pairs.as_flattened();
        let words = (0..degree / BLOCK).flat_map(|at| halves.iter().map(move |half| (half, at)));
        for (bytes, (half, at)) in blocks.zip(words) {
            let words = &half[at * BLOCK..][..BLOCK];
            match width {
                Width::Four => pack::<4>(words, bytes),
                Width::Five => pack::<5>(words, bytes),
                Width::Six => pack::<6>(words, bytes),
                Width::Eight => pack::<8>(words, bytes),
            }
        }
        KeyRow { bytes, width, digits: pairs.len() }
    }

    /// Moves the keys for several primes into one buffer, so that together they may fill huge pages
    /// ([`crate::Row::side_by_side`]).
    pub fn side_by_side(keys: &mut [KeyRow]) {
        ByteRow::side_by_side(&mut keys.iter_mut().map(|key| &mut key.bytes).collect::<Vec<_>>());
    }

    /// Returns the number of digits.
    pub fn digits(&self) -> usize {
        self.digits
    }

    /// Returns the number of words in a row.
    pub fn degree(&self) -> usize {
        self.bytes.len() / (2 * self.digits * self.width as usize)
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Copies component `half` of a digit, in its original order, to `out`.
    pub fn copy_half(&self, digit: usize, half: usize, out: &mut [u64]) {
        debug_assert!(digit < self.digits && half < 2);
        for (out, strip) in out.chunks_exact_mut(BLOCK).zip(self.strips()) {
            let bytes = &strip[(2 * digit + half) * self.width.block()..][..self.width.block()];
            match self.width {
                Width::Four => unpack::<4>(bytes, out),
                Width::Five => unpack::<5>(bytes, out),
                Width::Six => unpack::<6>(bytes, out),
                Width::Eight => unpack::<8>(bytes, out),
            }
        }
    }

    /// Returns the number of bytes of a word.
    pub(crate) fn width(&self) -> Width {
        self.width
    }

    /// Iterates over the blocks; each item holds the words of all digits.
    pub(crate) fn strips(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(2 * self.digits * self.width.block())
    }

    /// Returns the cache lines of a block's words of one digit.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn lines_of<'a>(&self, strip: &'a [u8], digit: usize) -> &'a [[u8; CACHE_LINE]] {
        let pair = 2 * self.width.block();
        strip[digit * pair..][..pair].as_chunks().0
    }
}

/// Stores words in `W` bytes each.
fn pack<const W: usize>(words: &[u64], bytes: &mut [u8]) {
    for (bytes, word) in bytes.as_chunks_mut::<W>().0.iter_mut().zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes()[..W]);
    }
}

/// Inverts [`pack`].
fn unpack<const W: usize>(bytes: &[u8], words: &mut [u64]) {
    for (bytes, word) in bytes.as_chunks::<W>().0.iter().zip(words) {
        *word = widened(bytes);
    }
}

/// Returns the word that is stored in these bytes.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn widened(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

/// The representation of a digit modulo the prime of a transform.
#[derive(Debug)]
pub enum Digit<'a> {
    /// Values in the NTT domain, lazy.
    Values(&'a [u64]),
    /// Coefficients, lazy; they are overwritten.
    Coefficients(&'a mut [u64]),
    /// Integers between `-h` and `h`, each increased by `h = (p - 1) / 2` for another odd number
    /// `p`: the results of [`crate::Kernel::ntt_inverse_excess`].
    Excess {
        /// The increased integers.
        row: &'a [u64],
        /// The number `p`.
        modulus: &'a Modulus,
        /// A buffer of the same length, which is overwritten.
        room: &'a mut [u64],
    },
}

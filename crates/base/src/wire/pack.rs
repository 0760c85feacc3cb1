//! Packing of words with `b` bits each, lowest bit first.
//!
//! The length of a row is a multiple of 64, so that it fills a whole number of 64-bit words without
//! padding.

/// Returns the number of bytes that `count` values of `bits` bits take; `count` is a multiple of
/// 64.
pub fn packed_len(count: usize, bits: u32) -> usize {
    debug_assert!(count.is_multiple_of(64));
    count / 8 * bits as usize
}

/// Appends the low `bits` bits of every word of `row`; its other bits must be zero. `bits` is below
/// 64.
pub fn pack(row: &[u64], bits: u32, out: &mut Vec<u8>) {
    debug_assert!(row.len().is_multiple_of(64) && (1..64).contains(&bits));
    let start = out.len();
    out.resize(start + packed_len(row.len(), bits), 0);
    let mut targets = out[start..].as_chunks_mut::<8>().0.iter_mut();
    let (mut pending, mut filled) = (0u64, 0);
    for &word in row {
        debug_assert!(word >> bits == 0);
        pending |= word << filled;
        filled += bits;
        if filled >= 64 {
            filled -= 64;
            let target = targets.next().expect("a row fills whole words");
            *target = pending.to_le_bytes();
            pending = word >> (bits - filled);
        }
    }
}

/// Reads what [`pack`] wrote: `bytes` has [`packed_len`] bytes, and `bits` is below 64.
///
/// # Errors
/// The greatest value, if it exceeds `limit`.
pub fn unpack(bytes: &[u8], bits: u32, limit: u64, row: &mut [u64]) -> Result<(), u64> {
    debug_assert_eq!(bytes.len(), packed_len(row.len(), bits));
    let mask = u64::MAX >> (64 - bits);
    let done = if bits <= WIDEST_WINDOW { unpack_windows(bytes, bits, row) } else { 0 };
    let mut sources = bytes[done / 8 * bits as usize..].as_chunks::<8>().0.iter();
    let (mut pending, mut available) = (0u64, 0);
    for word in &mut row[done..] {
        if available >= bits {
            *word = pending & mask;
            pending >>= bits;
            available -= bits;
        } else {
            let next = sources.next().expect("a row fills whole words");
            let next = u64::from_le_bytes(*next);
            *word = (pending | next << available) & mask;
            pending = next >> (bits - available);
            available += 64 - bits;
        }
    }
    // A negative difference sets the highest bit. This fold is several times faster than a maximum.
    let borrows = row.iter().fold(0, |borrows, word| borrows | limit.wrapping_sub(*word));
    if borrows >> 63 == 0 { Ok(()) } else { Err(row.iter().copied().fold(0, u64::max)) }
}

/// Bits of the widest value that lies within eight bytes wherever it starts in the first of them.
const WIDEST_WINDOW: u32 = 57;

/// Reads groups of 64 values, each value from the eight bytes that contain it, as long as those lie
/// within `bytes`. Returns the number of values read.
fn unpack_windows(bytes: &[u8], bits: u32, row: &mut [u64]) -> usize {
    let mask = u64::MAX >> (64 - bits);
    let bits = bits as usize;
    // The places of eight values, which repeat every `bits` bytes.
    let place: [(usize, usize); 8] = std::array::from_fn(|i| (i * bits / 8, i * bits % 8));
    let span = place[7].0 + 8;
    let mut done = 0;
    for (words, start) in row.as_chunks_mut::<8>().0.iter_mut().zip((0..).step_by(bits)) {
        let Some(window) = bytes.get(start..start + span) else { break };
        for (word, (byte, shift)) in words.iter_mut().zip(place) {
            let bytes = window[byte..].first_chunk().expect("a window ends with eight bytes");
            *word = u64::from_le_bytes(*bytes) >> shift & mask;
        }
        done += 8;
    }
    // The remainder starts at a whole group of 64 values, which fills whole words.
    done / 64 * 64
}

/// Appends the high `bits` bits of every word of `row`, as [`pack`] appends the low ones.
pub fn pack_high(row: &[u64], bits: u32, out: &mut Vec<u8>) {
    let low: Vec<_> = row.iter().map(|word| word >> (64 - bits)).collect();
    pack(&low, bits, out);
}

/// Reads what [`pack_high`] wrote. Every bit pattern is valid.
pub fn unpack_high(bytes: &[u8], bits: u32, row: &mut [u64]) {
    let _within = unpack(bytes, bits, u64::MAX >> (64 - bits), row);
    for word in row {
        *word <<= 64 - bits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a single bit, as the format specifies it.
    fn bit(bytes: &[u8], index: usize) -> u64 {
        u64::from(bytes[index / 8] >> (index % 8) & 1)
    }

    proptest! {
        #[test]
        fn bits_stand_where_the_format_says(
            words in prop::collection::vec(any::<u64>(), 128),
            bits in 1u32..64,
        ) {
            let row: Vec<u64> = words.iter().map(|w| w >> (64 - bits)).collect();
            let mut bytes = vec![0xAA];
            pack(&row, bits, &mut bytes);
            prop_assert_eq!(bytes.len(), 1 + packed_len(row.len(), bits));
            for (i, word) in row.iter().enumerate() {
                let at = i * bits as usize;
                let read: u64 = (0..bits as usize).map(|k| bit(&bytes[1..], at + k) << k).sum();
                prop_assert_eq!(read, *word);
            }
        }

        #[test]
        fn unpacking_inverts_packing_and_knows_the_limit(
            words in prop::collection::vec(any::<u64>(), 64),
            bits in 1u32..64,
        ) {
            let row: Vec<u64> = words.iter().map(|w| w >> (64 - bits)).collect();
            let mut bytes = Vec::new();
            pack(&row, bits, &mut bytes);
            let mut back = vec![1; row.len()];
            let largest = *row.iter().max().unwrap();
            prop_assert_eq!(unpack(&bytes, bits, largest, &mut back), Ok(()));
            prop_assert_eq!(&back, &row);
            if largest > 0 {
                prop_assert_eq!(unpack(&bytes, bits, largest - 1, &mut back), Err(largest));
            }
        }
    }
}

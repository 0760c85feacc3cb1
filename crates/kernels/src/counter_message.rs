//! Messages that differ only in a counter, prepared for hashing many of them.

use sha2::block_api::compress256;
use std::ops::Range;

/// Bytes of a SHA-256 block.
pub(crate) const BLOCK: usize = 64;

/// The initial state of SHA-256 (FIPS 180-4, section 5.3.3).
pub const SHA256_INITIAL_STATE: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The round constants of SHA-256 (FIPS 180-4, section 4.2.2): the first 32 bits of the fractions
/// of the cube roots of the first 64 primes.
pub(crate) const ROUND_CONSTANTS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// A message in which 8 bytes are a little-endian counter.
///
/// The blocks before the counter are compressed once and the schedules of the blocks after it are
/// computed once, so that each digest costs only the blocks that hold the counter.
#[derive(Clone, Debug)]
pub struct CounterMessage {
    /// The state after the blocks before the counter.
    pub(crate) state: [u32; 8],
    /// The remaining blocks, padded.
    pub(crate) blocks: Vec<[u8; BLOCK]>,
    /// Position of the counter in `blocks`, in bytes.
    pub(crate) offset: usize,
    /// Message schedules plus round constants, for each block that contains no part of the counter.
    pub(crate) schedules: Vec<Option<Box<[u32; 64]>>>,
}

impl CounterMessage {
    /// Prepares `message` with the counter at `offset`; the bytes there are ignored.
    ///
    /// # Panics
    /// If the message ends before `offset + 8`.
    pub fn new(message: &[u8], offset: usize) -> Self {
        assert!(offset + 8 <= message.len(), "the number is past the end of the message");
        let mut padded = message.to_vec();
        padded.push(0x80);
        padded.resize((padded.len() + 8).next_multiple_of(BLOCK) - 8, 0);
        padded.extend_from_slice(&(8 * message.len() as u64).to_be_bytes());
        let (blocks, _) = padded.as_chunks::<BLOCK>();
        let (before, rest) = blocks.split_at(offset / BLOCK);
        let mut state = SHA256_INITIAL_STATE;
        compress256(&mut state, before);
        let offset = offset % BLOCK;
        let held = held_blocks(offset);
        let schedule = |(i, block): (usize, &[u8; BLOCK])| {
            (!held.contains(&i)).then(|| Box::new(schedule_with_constants(block)))
        };
        let schedules = rest.iter().enumerate().map(schedule).collect();
        Self { state, blocks: rest.to_vec(), offset, schedules }
    }

    /// Returns the digest for a value of the counter, as four little-endian words.
    pub(crate) fn digest(&self, number: u64) -> [u64; 4] {
        let mut state = self.state;
        let held = held_blocks(self.offset);
        let mut filled = [[0; BLOCK]; 2];
        let filled = &mut filled[..held.len()];
        filled.copy_from_slice(&self.blocks[held.clone()]);
        filled.as_flattened_mut()[self.offset..][..8].copy_from_slice(&number.to_le_bytes());
        compress256(&mut state, filled);
        compress256(&mut state, &self.blocks[held.end..]);
        std::array::from_fn(|i| {
            let [low, high] = [state[2 * i], state[2 * i + 1]].map(u32::swap_bytes);
            u64::from(low) | u64::from(high) << 32
        })
    }
}

/// Returns the blocks that hold the 8 bytes from `offset`, which lies in the first block.
pub(crate) fn held_blocks(offset: usize) -> Range<usize> {
    0..(offset + 8).div_ceil(BLOCK)
}

/// Returns the 64 words of the message schedule, each plus its round constant.
fn schedule_with_constants(block: &[u8; BLOCK]) -> [u32; 64] {
    let mut w = [0u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..64 {
        let (x, y) = (w[t - 15], w[t - 2]);
        let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
        let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
        w[t] = w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1);
    }
    std::array::from_fn(|t| w[t].wrapping_add(ROUND_CONSTANTS[t]))
}

//! SHA-256 of sixteen messages at once, one in each 32-bit lane of AVX-512.

use crate::CounterMessage;
use crate::arrays;
use crate::counter_message::{BLOCK, ROUND_CONSTANTS, held_blocks};
#[allow(clippy::wildcard_imports, reason = "the names of intrinsics start with _mm")]
use std::arch::x86_64::*;

/// Number of messages hashed at once.
const LANES: usize = 16;

/// Truth tables of `x ^ y ^ z`, `x ? y : z` and the majority, for the ternary logic instruction.
const XOR: i32 = 0x96;
const CHOOSE: i32 = 0xca;
const MAJORITY: i32 = 0xe8;

/// See [`crate::BitKernel::sha256_counters`].
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn counters(message: &CounterMessage, first: u64, digests: &mut [[u64; 4]]) {
    let mut first = first;
    for digests in digests.chunks_mut(LANES) {
        let mut state = arrays::map(message.state, |word| _mm512_set1_epi32(word as i32));
        let held = held_blocks(message.offset);
        let words = numbered_blocks(message, first);
        for block in &words.as_chunks::<16>().0[..held.len()] {
            compress(&mut state, block);
        }
        for schedule in message.schedules[held.end..].iter().flatten() {
            compress_same(&mut state, schedule);
        }
        write_digests(&state, digests);
        first = first.wrapping_add(LANES as u64);
    }
}

/// Returns the blocks that hold the number, for the numbers from `first` on: row `t` holds word `t`
/// of all messages. Rows after the last block are zero.
fn numbered_blocks(message: &CounterMessage, first: u64) -> [[u32; LANES]; 2 * BLOCK / 4] {
    let held = held_blocks(message.offset);
    let mut words = [[0u32; LANES]; 2 * BLOCK / 4];
    for (word, bytes) in words.iter_mut().zip(message.blocks[held].as_flattened().chunks(4)) {
        *word = [bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)); LANES];
    }
    let (start, shift) = (message.offset / 4, 8 * (message.offset % 4));
    // The number spans three words, or two if it starts at a word boundary.
    let mask = u128::MAX << 64 >> shift;
    for lane in 0..LANES {
        let number = first.wrapping_add(lane as u64).swap_bytes();
        let filled = u128::from(number) << 64 >> shift;
        for (i, word) in words[start..].iter_mut().take(3).enumerate() {
            let part = |bits: u128| (bits >> (96 - 32 * i)) as u32;
            word[lane] = word[lane] & !part(mask) | part(filled);
        }
    }
    words
}

/// Compresses one block of each message.
#[inline]
#[target_feature(enable = "avx512f")]
fn compress(state: &mut [__m512i; 8], block: &[[u32; LANES]; 16]) {
    let before = *state;
    let mut w = [_mm512_setzero_si512(); 16];
    for (w, words) in w.iter_mut().zip(block) {
        *w = load(words);
    }
    for group in 0..4 {
        for t in 0..16 {
            if group > 0 {
                let (x, y) = (w[(t + 1) % 16], w[(t + 14) % 16]);
                let s0 = xor(
                    _mm512_ror_epi32::<7>(x),
                    _mm512_ror_epi32::<18>(x),
                    _mm512_srli_epi32::<3>(x),
                );
                let s1 = xor(
                    _mm512_ror_epi32::<17>(y),
                    _mm512_ror_epi32::<19>(y),
                    _mm512_srli_epi32::<10>(y),
                );
                let sum = _mm512_add_epi32(w[t], w[(t + 9) % 16]);
                w[t] = _mm512_add_epi32(sum, _mm512_add_epi32(s0, s1));
            }
            let constant = _mm512_set1_epi32(ROUND_CONSTANTS[16 * group + t] as i32);
            round(state, _mm512_add_epi32(w[t], constant));
        }
    }
    add_state(state, &before);
}

/// Compresses the same block of every message, given by its schedule plus round constants.
#[inline]
#[target_feature(enable = "avx512f")]
fn compress_same(state: &mut [__m512i; 8], schedule: &[u32; 64]) {
    let before = *state;
    for words in schedule.as_chunks::<8>().0 {
        for &word in words {
            round(state, _mm512_set1_epi32(word as i32));
        }
    }
    add_state(state, &before);
}

/// Runs one round; `k` is the word of the schedule plus the round constant.
#[inline]
#[target_feature(enable = "avx512f")]
fn round(state: &mut [__m512i; 8], k: __m512i) {
    let [a, b, c, d, e, f, g, h] = *state;
    let sum1 = xor(_mm512_ror_epi32::<6>(e), _mm512_ror_epi32::<11>(e), _mm512_ror_epi32::<25>(e));
    let choice = _mm512_ternarylogic_epi32::<CHOOSE>(e, f, g);
    let t1 = _mm512_add_epi32(_mm512_add_epi32(h, k), _mm512_add_epi32(sum1, choice));
    let sum0 = xor(_mm512_ror_epi32::<2>(a), _mm512_ror_epi32::<13>(a), _mm512_ror_epi32::<22>(a));
    let majority = _mm512_ternarylogic_epi32::<MAJORITY>(a, b, c);
    let t2 = _mm512_add_epi32(sum0, majority);
    *state = [_mm512_add_epi32(t1, t2), a, b, c, _mm512_add_epi32(d, t1), e, f, g];
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add_state(state: &mut [__m512i; 8], before: &[__m512i; 8]) {
    for (word, before) in state.iter_mut().zip(before) {
        *word = _mm512_add_epi32(*word, *before);
    }
}

/// Writes the digests as little-endian words of the bytes of the big-endian state.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn write_digests(state: &[__m512i; 8], digests: &mut [[u64; 4]]) {
    let swap =
        _mm512_broadcast_i32x4(_mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
    let (pairs, _) = state.as_chunks::<2>();
    for (i, &[low, high]) in pairs.iter().enumerate() {
        let [low, high] = arrays::map([low, high], |word| _mm512_shuffle_epi8(word, swap));
        let halves = [_mm512_unpacklo_epi32(low, high), _mm512_unpackhi_epi32(low, high)];
        // Of every four messages, two are in the first half and two in the second.
        let halves = [store(halves[0]), store(halves[1])];
        for (lane, digest) in digests.iter_mut().enumerate() {
            digest[i] = halves[lane / 2 % 2][lane / 4 * 2 + lane % 2];
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor(x: __m512i, y: __m512i, z: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<XOR>(x, y, z)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u32; LANES]) -> __m512i {
    // SAFETY: the array is 64 bytes long, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(words: __m512i) -> [u64; 8] {
    let mut out = [0; 8];
    // SAFETY: the array is 64 bytes long, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), words) };
    out
}

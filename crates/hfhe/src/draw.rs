//! Random numbers from the secret generator, in the forms that the scheme needs.

use super::{Fp, field::MODULUS};
use fathom_ring::SecretRng;
use zeroize::Zeroize;

/// Number of bytes drawn from the generator at a time, since each call of it derives a key.
const BUFFER: usize = 1024;

/// A buffered view of a generator. Bytes are wiped after use.
pub(crate) struct Draws<'a> {
    rng: &'a mut SecretRng,
    bytes: [u8; BUFFER],
    used: usize,
}

impl<'a> Draws<'a> {
    pub(crate) fn new(rng: &'a mut SecretRng) -> Self {
        Draws { rng, bytes: [0; BUFFER], used: BUFFER }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        if self.used + N > BUFFER {
            self.rng.fill(&mut self.bytes);
            self.used = 0;
        }
        let mut out = [0; N];
        let source = &mut self.bytes[self.used..][..N];
        out.copy_from_slice(source);
        source.zeroize();
        self.used += N;
        out
    }

    /// Returns 64 uniform bits.
    pub(crate) fn word(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// Returns a uniform number below `bound`, up to a bias of `bound / 2^64`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a uniform nonzero element. A value is rejected with probability `2^-126`, which
    /// reveals nothing of the result.
    pub(crate) fn nonzero(&mut self) -> Fp {
        loop {
            let value = u128::from_le_bytes(self.take()) & MODULUS;
            if value != 0 && value != MODULUS {
                return Fp::new(value);
            }
        }
    }
}

impl Drop for Draws<'_> {
    fn drop(&mut self) {
        self.bytes[self.used..].zeroize();
    }
}

//! Pseudorandom numbers from SHA-256 in counter mode.

use fathom_kernels::{BitKernel, CounterMessage};

/// Number of digests computed at a time after the first batch, which is that of the widest kernel.
const BATCH: usize = 16;

/// The greatest number of digests in the first batch.
const FIRST_BATCH: usize = 64;

/// The digests of `label || words || k` for `k = 0, 1, ...`, each read as four words.
pub(crate) struct CounterHash {
    message: CounterMessage,
    kernel: &'static dyn BitKernel,
}

impl CounterHash {
    pub(crate) fn new(kernel: &'static dyn BitKernel, label: &str, words: &[u64]) -> Self {
        let mut message = label.as_bytes().to_vec();
        message.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        let offset = message.len();
        message.extend([0; 8]);
        CounterHash { message: CounterMessage::new(&message, offset), kernel }
    }

    /// Calls `take` with one word after another until it returns `false`, which is expected after
    /// about `expected` words.
    pub(crate) fn for_each_word(&self, expected: usize, mut take: impl FnMut(u64) -> bool) {
        let mut digests = [[0; 4]; FIRST_BATCH];
        let mut count = expected.div_ceil(4).next_multiple_of(BATCH).min(FIRST_BATCH);
        let mut first = 0;
        loop {
            let batch = &mut digests[..count];
            self.kernel.sha256_counters(&self.message, first, batch);
            if batch.as_flattened().iter().any(|&word| !take(word)) {
                return;
            }
            first += count as u64;
            count = BATCH;
        }
    }

    /// Draws `N` distinct numbers below `BOUND`, in the order in which they occur.
    pub(crate) fn choose<const N: usize, const BOUND: u64>(&self) -> [u32; N] {
        let mut seen = vec![0u64; BOUND.div_ceil(64) as usize];
        let (mut chosen, mut count) = ([0; N], 0);
        self.for_each_word(N, |word| {
            if let Some(number) = bounded(word, BOUND) {
                let (place, bit) = (&mut seen[number as usize / 64], 1 << (number % 64));
                if *place & bit == 0 {
                    *place |= bit;
                    chosen[count] = number as u32;
                    count += 1;
                }
            }
            count < N
        });
        chosen
    }
}

/// Returns `word mod bound`; `None` for the greatest words, which would favour low results.
pub(crate) fn bounded(word: u64, bound: u64) -> Option<u64> {
    let last = u64::MAX - u64::MAX % bound;
    (word <= last).then(|| word % bound)
}

/// Returns the 64-bit FNV-1a hash of a domain name.
pub(crate) const fn fnv(name: &str) -> u64 {
    let (bytes, mut hash, mut i) = (name.as_bytes(), 0xcbf2_9ce4_8422_2325, 0);
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x100_0000_01b3);
        i += 1;
    }
    hash
}

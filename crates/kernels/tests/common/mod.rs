//! Moduli, rows and comparisons shared by the tests.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "tests")]

use fathom_kernels::{Kernel, Modulus, available};

/// The bound of the moduli of the vector kernels.
pub const W46_MAX: u64 = (1 << 52) / 70;

/// Returns whether 2 generates proof that `q` is composite (a Fermat test: enough to pick test
/// primes, since the transforms need a root of unity and not a prime).
fn passes_fermat(q: u64) -> bool {
    let m = Modulus::new(q).unwrap();
    [2, 3, 5, 7, 11].into_iter().all(|base| m.pow(base % q, q - 1) == 1)
}

/// The largest prime below `bound` that is 1 modulo `2 degree`.
pub fn prime_below(bound: u64, degree: usize) -> Modulus {
    let order = 2 * degree as u64;
    let mut q = (bound - 2) / order * order + 1;
    while !passes_fermat(q) {
        q -= order;
    }
    Modulus::new(q).unwrap()
}

/// Primes at the top of every range, 1 modulo `2 degree`, that `kernel` supports.
pub fn primes(kernel: &dyn Kernel, degree: usize) -> Vec<Modulus> {
    [1 << 20, 1 << 24, 1 << 30, 1 << 31, W46_MAX, 1 << 61]
        .into_iter()
        .filter(|&bound| bound > 8 * degree as u64)
        .map(|bound| prime_below(bound, degree))
        .filter(|m| kernel.supports(m))
        .collect()
}

/// Odd moduli, prime or not, at the edges of every range that `kernel` supports.
pub fn moduli(kernel: &dyn Kernel) -> Vec<Modulus> {
    [3, 65_537, (1 << 17) + 29, (1 << 24) - 3, (1 << 30) - 35, (1 << 31) - 1, W46_MAX - 1]
        .into_iter()
        .chain([(1 << 52) + 21, (1 << 61) - 1])
        .map(|q| Modulus::new(q | 1).unwrap())
        .filter(|m| kernel.supports(m))
        .collect()
}

/// A deterministic generator of words (`SplitMix64`).
pub struct Words(pub u64);

impl Words {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `len` words below `bound`, a quarter of them at the edges 0, 1, `bound / 2` and `bound - 1`.
    pub fn row(&mut self, len: usize, bound: u64) -> Vec<u64> {
        let edges = [0, 1 % bound, bound / 2, bound - 1];
        let word = |words: &mut Self| {
            let choice = words.next();
            if choice.is_multiple_of(4) {
                edges[(choice >> 2) as usize % 4]
            } else {
                words.next() % bound
            }
        };
        (0..len).map(|_| word(self)).collect()
    }

    pub fn rows(&mut self, count: usize, len: usize, bound: u64) -> Vec<Vec<u64>> {
        (0..count).map(|_| self.row(len, bound)).collect()
    }
}

/// `count` words of 64 bits.
pub fn words(seed: u64, count: usize) -> Vec<u64> {
    let mut words = Words(seed);
    std::iter::repeat_with(|| words.next()).take(count).collect()
}

/// `count` integers from `-bound` to `bound`.
pub fn integers(seed: u64, count: usize, bound: u64) -> Vec<i64> {
    let below = 2 * bound + 1;
    words(seed, count).into_iter().map(|word| (word % below) as i64 - bound as i64).collect()
}

pub fn slices(rows: &[Vec<u64>]) -> Vec<&[u64]> {
    rows.iter().map(Vec::as_slice).collect()
}

/// Runs a law on every kernel of this CPU.
pub fn on_every_kernel(law: impl Fn(&'static dyn Kernel)) {
    for kernel in available() {
        println!("kernel {}", kernel.name());
        law(kernel);
    }
}

//! Randomness: a generator for secrets, seeded by the operating system, and seeds for public
//! polynomials.

use crate::Error;
use blake3::hazmat::{ContextKey, HasherExt, hash_derive_key_context};
use fathom_kernels::wipe_stack_below;
use std::sync::LazyLock;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Keys of the contexts of seeds. Hashing the text of a context takes as long as hashing a seed,
/// and every polynomial and every encryption of a bit expands one.
static CHILD: LazyLock<ContextKey> =
    LazyLock::new(|| hash_derive_key_context("fathom 1 child seed"));
static TORUS_MASK: LazyLock<ContextKey> =
    LazyLock::new(|| hash_derive_key_context("fathom 1 torus mask"));
static POLYNOMIAL: LazyLock<ContextKey> =
    LazyLock::new(|| hash_derive_key_context("fathom 1 uniform polynomial"));

/// The generator of all secret values: the output stream of keyed BLAKE3, with a key from the
/// operating system.
///
/// Every call uses its key once and replaces it by the first 32 bytes of the stream, so that
/// earlier output cannot be computed from the state (fast key erasure). It hashes 32 new bytes from
/// the operating system under the key, so that two copies of the state, which `fork` and snapshots
/// of a machine make, continue differently; within [`SecretRng::during`] only the first call does.
/// Copies of the key that hashing leaves on the stack are wiped before a call returns. BLAKE3
/// targets 128 bits of security with a 256-bit key. The choices are explained in
/// docs/decisions/0004-blake3-for-all-randomness.md.
pub struct SecretRng {
    /// The key is on the heap, so that moving the generator leaves no copy of it.
    key: Box<[u8; 32]>,
    renewal: Renewal,
}

/// The occasion on which a generator takes new entropy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Renewal {
    /// The generator takes entropy at every call.
    EachCall,
    /// The generator takes entropy at the next call, and not again before the operation ends.
    NextCall,
    /// The generator takes no entropy before the operation ends.
    Done,
    /// Never: the output depends on the seed alone.
    Never,
}

impl SecretRng {
    /// Makes a generator with a key of 32 bytes from the operating system.
    ///
    /// # Errors
    /// [`Error::Entropy`] if the operating system provides none.
    pub fn from_os() -> Result<SecretRng, Error> {
        let mut rng = SecretRng { key: Box::new([0; 32]), renewal: Renewal::EachCall };
        getrandom::fill(&mut *rng.key).map_err(|e| Error::Entropy(e.to_string()))?;
        Ok(rng)
    }

    /// Makes an **insecure**, reproducible generator for tests and for `--seed` runs of the
    /// testbed.
    pub fn insecure_from_seed(seed: u64) -> SecretRng {
        SecretRng {
            key: Box::new(blake3::derive_key(
                "fathom 1 insecure test generator",
                &seed.to_le_bytes(),
            )),
            renewal: Renewal::Never,
        }
    }

    /// Runs one operation that draws several times, such as an encryption, and takes new entropy
    /// from the operating system once for all of it. The process must not fork before it ends.
    ///
    /// A copy of the machine that is made in the middle of the operation completes it with the same
    /// random values, and so to the same result.
    pub fn during<T>(&mut self, operation: impl FnOnce(&mut SecretRng) -> T) -> T {
        let scope = Operation { outside: self.renewal, rng: self };
        if scope.outside == Renewal::EachCall {
            scope.rng.renewal = Renewal::NextCall;
        }
        operation(scope.rng)
    }

    /// Fills `bytes` with uniform bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.fill_and_replace_key(bytes);
        wipe_stack_below();
    }

    /// This function is not inlined, so that its frame, which contains the hasher, is wiped
    /// afterwards.
    #[inline(never)]
    fn fill_and_replace_key(&mut self, bytes: &mut [u8]) {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        match self.renewal {
            Renewal::EachCall => absorb_entropy(&mut hasher),
            Renewal::NextCall => {
                absorb_entropy(&mut hasher);
                self.renewal = Renewal::Done;
            }
            Renewal::Done | Renewal::Never => {}
        }
        let mut stream = hasher.finalize_xof();
        stream.fill(&mut *self.key);
        stream.set_position(64); // Whole blocks are filled fastest.
        stream.fill(bytes);
        stream.zeroize();
    }

    /// Fills `words` with uniform words, from little-endian bytes.
    pub fn fill_words(&mut self, words: &mut [u64]) {
        self.fill(fathom_kernels::as_bytes_mut(words));
        for word in words {
            *word = word.to_le();
        }
    }

    /// Returns 64 uniform bits.
    pub fn next_word(&mut self) -> u64 {
        let mut word = [0];
        self.fill_words(&mut word);
        word[0]
    }

    /// Returns a generator that is independent of this one, for work on several threads. It takes
    /// entropy by itself, unless this one is made from a seed.
    pub fn fork(&mut self) -> SecretRng {
        let renewal = match self.renewal {
            Renewal::Never => Renewal::Never,
            Renewal::EachCall | Renewal::NextCall | Renewal::Done => Renewal::EachCall,
        };
        let mut fork = SecretRng { key: Box::new([0; 32]), renewal };
        self.fill(&mut *fork.key);
        fork
    }

    /// Returns a fresh seed for a public polynomial.
    pub fn next_seed(&mut self) -> Seed {
        let mut seed = [0; 32];
        self.fill(&mut seed);
        Seed(seed)
    }
}

/// An operation in progress. At its end, also by a panic, the generator takes entropy as before.
struct Operation<'a> {
    rng: &'a mut SecretRng,
    outside: Renewal,
}

impl Drop for Operation<'_> {
    fn drop(&mut self) {
        // An operation within another is part of it.
        if self.outside == Renewal::EachCall {
            self.rng.renewal = Renewal::EachCall;
        }
    }
}

/// Hashes 32 bytes from the operating system. Where it refuses them to a process that had them
/// before, because a sandbox was entered or its files are used up, the number of the process takes
/// their place: copies by `fork` still differ, those by snapshots do not.
fn absorb_entropy(hasher: &mut blake3::Hasher) {
    let mut entropy = [0; 32];
    if getrandom::fill(&mut entropy).is_err() {
        entropy.fill(0);
        let process = if cfg!(unix) { std::process::id() } else { 0 };
        entropy[..4].copy_from_slice(&process.to_le_bytes());
    }
    hasher.update(&entropy);
    entropy.zeroize();
}

impl Drop for SecretRng {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl ZeroizeOnDrop for SecretRng {}

impl std::fmt::Debug for SecretRng {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretRng(hidden)")
    }
}

/// 32 public bytes from which a uniform polynomial is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// Derives seed `index` from this one, for objects that hold several polynomials.
    pub fn child(&self, index: u32) -> Seed {
        let mut hasher = blake3::Hasher::new_from_context_key(&CHILD);
        hasher.update(&self.0).update(&index.to_le_bytes());
        Seed(*hasher.finalize().as_bytes())
    }

    /// Fills `words` with uniform words, for the masks of torus ciphertexts.
    pub fn fill_words(&self, words: &mut [u64]) {
        let mut hasher = blake3::Hasher::new_from_context_key(&TORUS_MASK);
        hasher.update(&self.0).finalize_xof().fill(fathom_kernels::as_bytes_mut(words));
        for word in words {
            *word = word.to_le();
        }
    }

    /// Returns the first `count` words of [`Seed::fill_words`].
    pub fn words(&self, count: usize) -> Vec<u64> {
        let mut words = vec![0; count];
        self.fill_words(&mut words);
        words
    }

    /// Returns the byte stream for the prime `modulus`.
    pub(crate) fn stream(&self, modulus: u64) -> blake3::OutputReader {
        let mut hasher = blake3::Hasher::new_from_context_key(&POLYNOMIAL);
        hasher.update(&self.0).update(&modulus.to_le_bytes());
        hasher.finalize_xof()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_moves_on_and_is_reproducible_only_from_a_seed() {
        let mut rng = SecretRng::insecure_from_seed(5);
        let (first, second) = (rng.next_word(), rng.next_word());
        assert_ne!(first, second);
        assert_eq!(SecretRng::insecure_from_seed(5).next_word(), first);
        let os =
            (SecretRng::from_os().unwrap().next_word(), SecretRng::from_os().unwrap().next_word());
        assert_ne!(os.0, os.1);
    }

    /// Returns two generators in one state, as `fork` and snapshots of a machine make them.
    fn copies() -> [SecretRng; 2] {
        [7, 7].map(|byte| SecretRng { key: Box::new([byte; 32]), renewal: Renewal::EachCall })
    }

    #[test]
    fn copies_of_a_generator_continue_differently() {
        let [mut original, mut copy] = copies();
        assert_ne!(original.next_seed(), copy.next_seed());
        let [mut original, mut copy] = copies();
        assert_ne!(original.fork().next_seed(), copy.fork().next_seed());
        let [mut original, mut copy] = copies();
        let drawn = [&mut original, &mut copy].map(|rng| rng.during(SecretRng::next_seed));
        assert_ne!(drawn[0], drawn[1]);
    }

    #[test]
    fn an_operation_takes_entropy_once_and_the_next_one_again() {
        let mut rng = copies().into_iter().next().unwrap();
        let (first, second) = rng.during(|rng| {
            let outer = rng.next_word();
            let inner = rng.during(|rng| (rng.renewal, rng.fork().renewal));
            (inner, (outer, rng.renewal))
        });
        assert_eq!(first, (Renewal::Done, Renewal::EachCall));
        assert_eq!((second.1, rng.renewal), (Renewal::Done, Renewal::EachCall));
        let mut seeded = SecretRng::insecure_from_seed(5);
        let word = seeded.during(|rng| (rng.next_word(), rng.renewal));
        let expected = SecretRng::insecure_from_seed(5).next_word();
        assert_eq!((word, seeded.renewal), ((expected, Renewal::Never), Renewal::Never));
    }

    #[test]
    fn words_are_the_bytes_in_order() {
        let [mut bytes, mut words] = [[0; 24]; 2];
        SecretRng::insecure_from_seed(6).fill(&mut bytes);
        let mut filled = [0; 3];
        SecretRng::insecure_from_seed(6).fill_words(&mut filled);
        for (bytes, word) in words.as_chunks_mut().0.iter_mut().zip(filled) {
            *bytes = word.to_le_bytes();
        }
        assert_eq!(bytes, words);
    }

    #[test]
    fn l5_the_key_of_a_call_is_replaced_by_its_stream() {
        let mut rng = SecretRng::insecure_from_seed(7);
        let mut stream = blake3::Hasher::new_keyed(&rng.key).finalize_xof();
        let mut bytes = [0; 64 + 40];
        stream.fill(&mut bytes);
        let mut filled = [0; 40];
        rng.fill(&mut filled);
        assert_eq!((&rng.key[..], &filled[..]), (&bytes[..32], &bytes[64..]));
    }

    /// Searches this thread's stack below the caller's frame, as the system exposes it, for halves
    /// of keys; returns `None` if the system does not expose it.
    #[cfg(target_os = "linux")]
    mod stack {
        use super::*;
        use std::hint::black_box;
        use std::io::{Read, Seek, SeekFrom};

        const DEPTH: usize = 128 << 10;

        /// Returns a key with inverted bits, so that the search does not find this copy.
        fn hidden(key: &[u8; 32]) -> Vec<u8> {
            key.iter().map(|byte| !byte).collect()
        }

        /// Calls `act`, which returns inverted keys, deeper in the stack than the search that
        /// follows.
        #[inline(never)]
        fn deeper(act: impl FnOnce() -> Vec<Vec<u8>>) -> Vec<Vec<u8>> {
            let room = black_box([0_u8; 16 << 10]);
            let keys = act();
            black_box(&room);
            keys
        }

        /// Returns the number of halves of the keys below `top`.
        #[inline(never)]
        fn found(top: usize, keys: &[Vec<u8>]) -> Option<usize> {
            let mut memory = std::fs::File::open("/proc/self/mem").ok()?;
            memory.seek(SeekFrom::Start((top - DEPTH) as u64)).ok()?;
            let mut bytes = vec![0; DEPTH];
            memory.read_exact(&mut bytes).ok()?;
            let halves: Vec<&[u8]> = keys.iter().flat_map(|key| key.chunks_exact(16)).collect();
            let is_half = |window: &[u8]| {
                halves.iter().any(|half| half.iter().zip(window).all(|(a, b)| *a == !b))
            };
            Some(bytes.windows(16).step_by(4).filter(|window| is_half(window)).count())
        }

        #[expect(clippy::large_stack_arrays, reason = "the stack is what is looked at")]
        fn check(act: fn() -> Vec<Vec<u8>>, expected: fn(usize) -> bool) {
            let run = move || {
                // Pages of the stack that were never touched cannot be read.
                black_box([1_u8; 2 * DEPTH]);
                let anchor = 0_u64; // Aligned, as copies of keys are.
                let keys = deeper(act);
                assert!(keys.iter().all(|key| key.len() == 32) && !keys.is_empty());
                match found(std::ptr::from_ref(black_box(&anchor)).addr(), &keys) {
                    None => println!("SKIPPED: /proc/self/mem cannot be read"),
                    Some(count) => assert!(expected(count), "{count} halves of keys found"),
                }
            };
            std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
        }

        #[test]
        fn l5_copies_of_a_key_are_found_where_they_are() {
            let act = || {
                let key = *black_box(SecretRng::insecure_from_seed(9)).key;
                vec![hidden(&black_box(key))]
            };
            check(act, |count| count > 0);
        }

        #[test]
        fn l5_no_old_key_stays_on_the_stack() {
            let act = || {
                let mut rng = SecretRng::insecure_from_seed(8);
                rng.next_word(); // What made the first key is not wiped.
                let mut keys = Vec::new();
                for length in [1, 64, 1000, 100_000] {
                    keys.push(hidden(&rng.key));
                    rng.fill(&mut vec![0; length]);
                }
                let fork = rng.fork();
                keys.extend([hidden(&fork.key), hidden(&rng.key)]);
                drop(fork);
                rng.next_word();
                keys
            };
            check(act, |count| count == 0);
        }

        #[test]
        fn l5_no_key_from_the_system_stays_on_the_stack() {
            let act = || {
                let mut rng = SecretRng::from_os().unwrap();
                let keys = vec![hidden(&rng.key)];
                rng.next_word();
                keys
            };
            check(act, |count| count == 0);
        }
    }

    #[test]
    fn seeds_have_independent_children() {
        let seed = Seed([1; 32]);
        assert_ne!(seed.child(0), seed.child(1));
        assert_eq!(seed.child(3), Seed([1; 32]).child(3));
    }
}

//! Gadget decomposition: the inner step of key switching.
//!
//! A polynomial `c` modulo `Q` is written as `c = sum_g d_g w_g mod Q` with small digits `d_g`.
//! Multiplied with pairs `(b_g, a_g)` that hide `P w_g s'`, the digits give a pair that hides
//! `P c s'`, with noise proportional to the digit size.

use crate::convert::Prepared;
use crate::{BasisConverter, Eval, Limbs, Poly, Ring, Scalar};
use std::sync::Arc;

/// How a polynomial is cut into digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gadget {
    /// Groups of `limbs` consecutive chain primes (Han and Ki, eprint 2019/688); needs special
    /// primes.
    Hybrid {
        /// Primes in a digit, the `alpha` of the literature.
        limbs: usize,
    },
    /// Every residue cut into signed digits of `bits` bits (Fan and Vercauteren, eprint 2012/144);
    /// without special primes.
    Positional {
        /// Bits in a digit.
        bits: u32,
    },
}

impl Gadget {
    /// Number of digits of a polynomial with `chain` limbs in this ring.
    pub fn digit_count(self, ring: &Ring, chain: usize) -> usize {
        self.digits_of(&sizes(ring, chain))
    }

    /// Number of digits of a polynomial over primes of these sizes in bits.
    pub fn digits_of(self, prime_bits: &[f64]) -> usize {
        match self {
            Gadget::Hybrid { limbs } => prime_bits.len().div_ceil(limbs),
            Gadget::Positional { bits } => {
                prime_bits.iter().map(|size| positions(size.ceil() as u32, bits)).sum()
            }
        }
    }

    /// `log2` of the standard deviation of a coefficient of a digit: they are spread evenly over an
    /// interval around zero. The largest over all digits of a polynomial over primes of these sizes
    /// in bits.
    pub fn deviation_bits_of(self, prime_bits: &[f64]) -> f64 {
        let width = match self {
            Gadget::Hybrid { limbs } => {
                prime_bits.chunks(limbs).map(|digit| digit.iter().sum()).fold(0.0, f64::max)
            }
            Gadget::Positional { bits } => f64::from(bits) + 1.0,
        };
        width - 12f64.log2() / 2.0
    }

    /// As [`Gadget::deviation_bits_of`], for a polynomial with `chain` limbs in this ring.
    pub fn digit_deviation_bits(self, ring: &Ring, chain: usize) -> f64 {
        self.deviation_bits_of(&sizes(ring, chain))
    }

    /// The weights `P w_g` of all digits at full level, as integers modulo every prime of the ring.
    pub fn weights(self, ring: &Ring) -> Vec<Scalar> {
        let chain = ring.chain_len();
        let special = Scalar::special_product(ring);
        let unit = |holds: &dyn Fn(usize) -> bool, shift: u32| {
            let mut index = 0..;
            Scalar::new(ring, |m| {
                let i = index.next().unwrap_or(usize::MAX);
                let weight = m.pow(2 % m.value(), u64::from(shift));
                if holds(i) { m.mul(special.constant(i).value(), weight) } else { 0 }
            })
        };
        match self {
            Gadget::Hybrid { limbs } => (0..chain)
                .step_by(limbs)
                .map(|first| unit(&|i| group(first, limbs, chain).contains(&i), 0))
                .collect(),
            Gadget::Positional { bits } => (0..chain)
                .flat_map(|limb| {
                    (0..positions(ring.modulus(limb).bits(), bits)).map(move |k| (limb, k))
                })
                .map(|(limb, k)| unit(&|i| i == limb, k as u32 * bits))
                .collect(),
        }
    }
}

fn group(first: usize, limbs: usize, chain: usize) -> std::ops::Range<usize> {
    first..(first + limbs).min(chain)
}

fn positions(modulus_bits: u32, digit_bits: u32) -> usize {
    modulus_bits.div_ceil(digit_bits) as usize
}

fn sizes(ring: &Ring, chain: usize) -> Vec<f64> {
    (0..chain).map(|i| (ring.modulus(i).value() as f64).log2()).collect()
}

/// Pairs `(b_g, a_g)`, one for each digit at full level, over all limbs of the ring: a
/// key-switching key.
#[derive(Clone, Debug, PartialEq)]
pub struct GadgetVector {
    gadget: Gadget,
    pairs: Vec<[Poly<Eval>; 2]>,
    converters: Arc<Converters>,
}

/// The converters of the hybrid gadget for digits of every size.
#[derive(Debug)]
struct Converters {
    /// For a group starting at prime `first` with `count` primes present, at
    /// `[first / limbs][count - 1]`.
    groups: Vec<Vec<BasisConverter>>,
}

impl PartialEq for Converters {
    fn eq(&self, _: &Self) -> bool {
        true // They are determined by the ring and the gadget.
    }
}

/// A decomposed polynomial, ready to be multiplied with any number of [`GadgetVector`]s
/// (*hoisting*).
#[derive(Debug)]
pub struct Digits {
    limbs: Limbs,
    /// Values of each digit over all limbs, lazy.
    digits: Vec<Poly<Eval>>,
}

impl GadgetVector {
    /// Joins pairs made for the weights of [`Gadget::weights`], in the same order.
    pub fn new(ring: &Arc<Ring>, gadget: Gadget, pairs: Vec<[Poly<Eval>; 2]>) -> GadgetVector {
        debug_assert_eq!(pairs.len(), gadget.digit_count(ring, ring.chain_len()));
        GadgetVector { gadget, pairs, converters: Arc::new(Converters::new(ring, gadget)) }
    }

    /// As [`GadgetVector::new`], sharing the tables of `like`, which must be of the same gadget and
    /// ring.
    pub fn like(like: &GadgetVector, pairs: Vec<[Poly<Eval>; 2]>) -> GadgetVector {
        debug_assert_eq!(pairs.len(), like.pairs.len());
        GadgetVector { gadget: like.gadget, pairs, converters: Arc::clone(&like.converters) }
    }

    /// The pairs, in the order of [`Gadget::weights`].
    pub fn pairs(&self) -> &[[Poly<Eval>; 2]] {
        &self.pairs
    }

    /// The gadget it was made for.
    pub fn gadget(&self) -> Gadget {
        self.gadget
    }

    /// Cuts `c`, which has chain limbs only, into digits over those and the special primes.
    ///
    /// Transforms: `l` inverse, `d (l + K) - l` forward for the hybrid gadget with `d` digits,
    /// `d l` for the positional one.
    pub fn decompose(&self, c: &Poly<Eval>) -> Digits {
        let source = Source::new(self, c);
        let ring = c.ring();
        let limbs = Limbs::extended(c.limbs().chain_count(), ring.special_len());
        let digits = (0..source.digit_count())
            .map(|g| {
                let mut digit = Poly::uninitialised(ring, limbs);
                for (row, prime) in ring.prime_indices(limbs).enumerate() {
                    match source.ready_row(g, prime) {
                        Some(ready) => digit.row_mut(row).copy_from_slice(ready),
                        None => source.fill_row(g, prime, digit.row_mut(row)),
                    }
                }
                digit
            })
            .collect();
        Digits { limbs, digits }
    }

    /// `sum_g d_g (b_g, a_g)` over the limbs of `c` and the special primes.
    ///
    /// The same as [`GadgetVector::decompose`] followed by [`GadgetVector::multiply`], but prime by
    /// prime, so that the rows stay in the nearest cache. Transforms as
    /// [`GadgetVector::decompose`].
    pub fn product(&self, c: &Poly<Eval>) -> [Poly<Eval>; 2] {
        let source = Source::new(self, c);
        let ring = c.ring();
        let limbs = Limbs::extended(c.limbs().chain_count(), ring.special_len());
        let mut out = [Poly::uninitialised(ring, limbs), Poly::uninitialised(ring, limbs)];
        let (n, count) = (ring.degree(), source.digit_count());
        let mut scratch = ring.pool().take(n * count);
        for (row, prime) in ring.prime_indices(limbs).enumerate() {
            for (g, digit) in scratch.chunks_exact_mut(n).enumerate() {
                if source.ready_row(g, prime).is_none() {
                    source.fill_row(g, prime, digit);
                }
            }
            let digits: Vec<&[u64]> = (0..count)
                .zip(scratch.chunks_exact(n))
                .map(|(g, filled)| source.ready_row(g, prime).unwrap_or(filled))
                .collect();
            self.accumulate(prime, out.each_mut().map(|p| p.row_mut(row)), &digits, ring);
        }
        out
    }

    /// `sum_g d_g (b_g, a_g)` for digits made by [`GadgetVector::decompose`] of a vector with the
    /// same gadget and ring. No transforms.
    pub fn multiply(&self, digits: &Digits) -> [Poly<Eval>; 2] {
        let ring = Arc::clone(self.pairs[0][0].ring());
        let limbs = digits.limbs;
        let mut out = [Poly::uninitialised(&ring, limbs), Poly::uninitialised(&ring, limbs)];
        for (row, prime) in ring.prime_indices(limbs).enumerate() {
            let rows: Vec<&[u64]> = digits.digits.iter().map(|d| d.row(row)).collect();
            self.accumulate(prime, out.each_mut().map(|p| p.row_mut(row)), &rows, &ring);
        }
        out
    }

    fn accumulate(&self, prime: usize, out: [&mut [u64]; 2], digits: &[&[u64]], ring: &Ring) {
        let keys = [0, 1].map(|h| {
            self.pairs.iter().take(digits.len()).map(|p| p[h].row_of(prime)).collect::<Vec<_>>()
        });
        ring.kernel().dot_pair(ring.modulus(prime), out, digits, [&keys[0], &keys[1]]);
    }
}

impl Converters {
    fn new(ring: &Arc<Ring>, gadget: Gadget) -> Converters {
        let Gadget::Hybrid { limbs } = gadget else { return Converters { groups: Vec::new() } };
        let groups = (0..ring.chain_len())
            .step_by(limbs)
            .map(|first| {
                let full: Vec<usize> = group(first, limbs, ring.chain_len()).collect();
                (1..=full.len()).map(|k| BasisConverter::new(ring, &full[..k], 1)).collect()
            })
            .collect();
        Converters { groups }
    }
}

/// The rows of one hybrid digit, and the way from them to other primes.
type Group<'a> = (&'a BasisConverter, Prepared<'static>);

/// A polynomial being cut, with what its digits share.
enum Source<'a> {
    Hybrid { limbs: usize, c: &'a Poly<Eval>, groups: Vec<Group<'a>> },
    Positional { ring: &'a Ring, digits: Vec<Vec<i64>> },
}

impl<'a> Source<'a> {
    fn new(vector: &'a GadgetVector, c: &'a Poly<Eval>) -> Source<'a> {
        let chain = c.limbs().chain_count();
        match vector.gadget {
            Gadget::Hybrid { limbs } => {
                let groups = (0..chain)
                    .step_by(limbs)
                    .map(|first| {
                        let count = group(first, limbs, chain).len();
                        let converter = &vector.converters.groups[first / limbs][count - 1];
                        (converter, converter.prepare(|i| c.row_of(i)))
                    })
                    .collect();
                Source::Hybrid { limbs, c, groups }
            }
            Gadget::Positional { bits } => {
                let coefficients = c.clone().into_coeff();
                let ring: &Ring = c.ring();
                let digits = (0..chain)
                    .flat_map(|i| cut(coefficients.row(i), ring.modulus(i).bits(), bits))
                    .collect();
                Source::Positional { ring, digits }
            }
        }
    }

    fn digit_count(&self) -> usize {
        match self {
            Source::Hybrid { groups, .. } => groups.len(),
            Source::Positional { digits, .. } => digits.len(),
        }
    }

    /// The values of digit `g` modulo a prime of its own group: the polynomial's own row.
    fn ready_row(&self, g: usize, prime: usize) -> Option<&[u64]> {
        match self {
            Source::Hybrid { limbs, c, groups } => {
                groups[g].0.sources().contains(&prime).then(|| {
                    debug_assert_eq!(prime / limbs, g);
                    c.row_of(prime)
                })
            }
            Source::Positional { .. } => None,
        }
    }

    /// The values of digit `g` modulo another prime, lazy.
    fn fill_row(&self, g: usize, prime: usize, out: &mut [u64]) {
        match self {
            Source::Hybrid { groups, .. } => groups[g].0.convert_to_eval(&groups[g].1, prime, out),
            Source::Positional { ring, digits } => {
                let m = ring.modulus(prime);
                for (word, &d) in out.iter_mut().zip(&digits[g]) {
                    *word = m.from_signed(d);
                }
                ring.forward_lazy(prime, out);
            }
        }
    }
}

/// Signed digits, lowest first: `sum_k digits[k] 2^(k bits)` is the residue, every digit is at
/// least `-2^(bits-1)` and all but the highest are below `2^(bits-1)`.
fn cut(row: &[u64], modulus_bits: u32, bits: u32) -> Vec<Vec<i64>> {
    let count = positions(modulus_bits, bits);
    let half = 1u64 << (bits - 1);
    let offset: u64 = (0..count).map(|k| half << (k as u32 * bits)).sum();
    let mask = |k: usize| if k + 1 == count { u64::MAX } else { (1 << bits) - 1 };
    let digit = |k: usize, word: u64| {
        (((word + offset) >> (k as u32 * bits)) & mask(k)) as i64 - half as i64
    };
    (0..count).map(|k| row.iter().map(|&w| digit(k, w)).collect()).collect()
}

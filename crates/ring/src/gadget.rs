//! Gadget decomposition and the product with a key-switching key.
//!
//! A polynomial `c` modulo `Q` is written as `c = sum_g d_g w_g mod Q` with small digits `d_g`.
//! Multiplied by pairs `(b_g, a_g)` that encrypt `P w_g s'`, the digits give a pair that encrypts
//! `P c s'`; the division by `P` that follows ([`crate::ModDown`]) leaves `c s'`, with a noise
//! proportional to the size of the digits divided by `P`.
//!
//! There are two gadgets. In the *hybrid* one (Han and Ki, eprint 2019/688) a digit is the centred
//! representative of `c` modulo the product of `alpha` consecutive primes, and its weight is 1
//! modulo these primes and 0 modulo the others. There are few digits, but `P` has to be about as
//! long as one. In the *positional* one (Fan and Vercauteren, eprint 2012/144) the centred residue
//! modulo each prime is cut into signed digits in base `2^base_log`. There are many digits, and `P
//! = 1` is allowed.
//!
//! *Bounds.* All digits are exact, so that the sum above is an identity and not an approximation. A
//! hybrid digit of one prime `p` is uniform on the `p` integers around zero. A digit of several
//! primes comes from the floating-point base conversion, which may exceed half of their product by
//! a relative `2^-45` ([`crate::convert`]). Positional digits have the mean exactly zero: the
//! residue is centred first, and every division by the base rounds to the nearest integer with ties
//! to even, which is an odd function. Adding half of the base before a shift, the usual way, would
//! give every digit but the highest the mean -1/2, and the same error under one key would grow as
//! `K` instead of `sqrt(K)` in a sum of `K` ciphertexts. The sub-Gaussian parameter of positional
//! digits is `B/2 + 3/2` (theorem in `docs/maths/key_switch.md`).
//!
//! *Speed.* The weights for fewer limbs are the first of those for more, so that one key serves
//! every level. A digit of one prime needs no base conversion: the forward transforms modulo the
//! other primes start from its centred residues, which the inverse transform stores increased by
//! `(p - 1) / 2`. The row of a digit modulo its own primes is the polynomial's own row, which saves
//! `l` of the `d (l + K)` forward transforms. [`GadgetVector::product`] goes prime by prime and
//! never stores the transformed digits; [`GadgetVector::decompose`] stores them, for many products
//! with different keys (hoisting).

use crate::convert::{BasisConverter, Prepared};
use crate::cut::{Cut, positions};
use crate::{Buffer, Eval, Limbs, Poly, Ring, Scalar};
use fathom_kernels::{Digit, KeyRow};
use std::sync::Arc;

/// A gadget: the rule by which a polynomial is decomposed into digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gadget {
    /// Groups of `limbs` consecutive chain primes (Han and Ki, eprint 2019/688); needs special
    /// primes.
    Hybrid {
        /// Number of primes in a digit, `alpha` in the literature.
        limbs: usize,
    },
    /// The centred residue modulo every prime is decomposed into signed digits in base `2^base_log`
    /// (Fan and Vercauteren, eprint 2012/144); needs no special primes.
    Positional {
        /// Log2 of the base, 2 to 30.
        base_log: u32,
    },
}

impl Gadget {
    /// Returns the number of digits of a polynomial with `chain` limbs in this ring.
    pub fn digit_count(self, ring: &Ring, chain: usize) -> usize {
        self.digits_of(&sizes(ring, chain))
    }

    /// Returns the number of digits of a polynomial over primes of these sizes in bits.
    pub fn digits_of(self, prime_bits: &[f64]) -> usize {
        match self {
            Gadget::Hybrid { limbs } => prime_bits.len().div_ceil(limbs),
            Gadget::Positional { base_log } => {
                prime_bits.iter().map(|size| positions(size.ceil() as u32, base_log)).sum()
            }
        }
    }

    /// Returns `log2` of the sub-Gaussian parameter of the digits of a uniformly random polynomial
    /// over primes of these sizes in bits: for real `u`, the sum of `u_i d_i` over any digits'
    /// coefficients `d_i` has mean zero and tails at most those of a Gaussian of deviation
    /// `parameter |u|_2`. Derivation: `docs/maths/key_switch.md`.
    pub fn parameter_bits_of(self, prime_bits: &[f64]) -> f64 {
        // Uniform on an interval of integers around zero whose length is odd.
        let uniform = |width: f64| width - 12f64.log2() / 2.0;
        match self {
            Gadget::Hybrid { limbs } => {
                let widths = prime_bits.chunks(limbs).map(|digit| digit.iter().sum());
                uniform(widths.fold(0.0, f64::max))
            }
            Gadget::Positional { base_log } => {
                let of_prime = |&size: &f64| match positions(size.ceil() as u32, base_log) {
                    1 => uniform(size),
                    _ => (f64::from(base_log - 1).exp2() + 1.5).log2(),
                };
                prime_bits.iter().map(of_prime).fold(f64::MIN, f64::max)
            }
        }
    }

    /// Returns [`Gadget::parameter_bits_of`] for a polynomial with `chain` limbs in this ring.
    pub fn digit_parameter_bits(self, ring: &Ring, chain: usize) -> f64 {
        self.parameter_bits_of(&sizes(ring, chain))
    }

    /// Returns the weights `P w_g` of the digits of a polynomial with `chain` limbs, as integers
    /// modulo every prime of the ring. Modulo the primes that both have, those for fewer limbs are
    /// the first of those for more.
    pub fn weights(self, ring: &Ring, chain: usize) -> Vec<Scalar> {
        let special = Scalar::special_product(ring);
        let unit = |holds: &dyn Fn(usize) -> bool, shift: u32| {
            let mut index = 0;
            Scalar::new(ring, |m| {
                let i = index;
                index += 1;
                let weight = m.pow(2 % m.value(), u64::from(shift));
                // Modulo the special primes the weight is zero because P is: whatever a digit's
                // weight is there, P times it vanishes.
                if holds(i) { m.mul(special.constant(i).value(), weight) } else { 0 }
            })
        };
        match self {
            Gadget::Hybrid { limbs } => (0..chain)
                .step_by(limbs)
                .map(|first| unit(&|i| group(first, limbs, chain).contains(&i), 0))
                .collect(),
            Gadget::Positional { base_log } => (0..chain)
                .flat_map(|limb| {
                    (0..positions(ring.modulus(limb).bits(), base_log)).map(move |k| (limb, k))
                })
                .map(|(limb, k)| unit(&|i| i == limb, k as u32 * base_log))
                .collect(),
        }
    }
}

fn group(first: usize, limbs: usize, chain: usize) -> std::ops::Range<usize> {
    first..(first + limbs).min(chain)
}

fn sizes(ring: &Ring, chain: usize) -> Vec<f64> {
    (0..chain).map(|i| (ring.modulus(i).value() as f64).log2()).collect()
}

/// A key-switching key for polynomials with up to as many chain limbs as it has: pairs
/// `(b_g, a_g)`, one for each digit, over these limbs and the special primes.
#[derive(Clone, Debug)]
pub struct GadgetVector {
    ring: Arc<Ring>,
    gadget: Gadget,
    limbs: Limbs,
    /// The rows of all pairs, for each of the limbs.
    rows: Vec<KeyRow>,
    tables: Arc<Tables>,
}

/// The constants that a decomposition precomputes.
#[derive(Debug)]
enum Tables {
    /// The base converters of the hybrid gadget for digits of every size. At
    /// `[first / limbs][count - 1]`, the converter of the group that starts at prime `first` when
    /// `count` of its primes are present.
    Hybrid(Vec<Vec<BasisConverter>>),
    /// The cut of the positional gadget.
    Positional(Cut),
}

impl PartialEq for GadgetVector {
    fn eq(&self, other: &Self) -> bool {
        // The tables are determined by the ring and the gadget.
        Arc::ptr_eq(&self.ring, &other.ring)
            && self.gadget == other.gadget
            && self.rows == other.rows
    }
}

/// The digits of a polynomial, which can be multiplied with any number of [`GadgetVector`]s
/// (*hoisting*: Halevi, Shoup, eprint 2018/244).
#[derive(Debug)]
pub struct Digits {
    limbs: Limbs,
    /// Values of each digit over all limbs, lazy.
    digits: Vec<Poly<Eval>>,
}

impl GadgetVector {
    /// Assembles a key from pairs for the weights of [`Gadget::weights`], in the same order. All
    /// have the same chain limbs, for which the key then is, and the special primes.
    pub fn new(ring: &Arc<Ring>, gadget: Gadget, pairs: &[[Poly<Eval>; 2]]) -> GadgetVector {
        GadgetVector::with_tables(ring, gadget, Arc::new(Tables::new(ring, gadget)), pairs)
    }

    /// Assembles a key like [`GadgetVector::new`] and shares the tables of `like`, which must have
    /// the same gadget and ring.
    pub fn like(like: &GadgetVector, pairs: &[[Poly<Eval>; 2]]) -> GadgetVector {
        GadgetVector::with_tables(&like.ring, like.gadget, Arc::clone(&like.tables), pairs)
    }

    fn with_tables(
        ring: &Arc<Ring>,
        gadget: Gadget,
        tables: Arc<Tables>,
        pairs: &[[Poly<Eval>; 2]],
    ) -> GadgetVector {
        let limbs = pairs.first().map_or(ring.all_limbs(), |[half, _]| half.limbs());
        debug_assert_eq!(pairs.len(), gadget.digit_count(ring, limbs.chain_count()));
        let words = 2 * pairs.len() * limbs.len() * ring.degree();
        // Keys that stay in the second cache are read faster as whole words than as packed ones.
        let packed = words >= PACKED_FROM;
        let rows = ring.prime_indices(limbs).map(|prime| {
            let rows: Vec<_> =
                pairs.iter().map(|pair| pair.each_ref().map(|p| p.row_of(prime))).collect();
            if packed { KeyRow::packed(ring.modulus(prime), &rows) } else { KeyRow::new(&rows) }
        });
        let mut rows: Vec<_> = rows.collect();
        KeyRow::side_by_side(&mut rows);
        GadgetVector { rows, ring: Arc::clone(ring), gadget, limbs, tables }
    }

    /// Returns the number of chain limbs that a polynomial may have.
    pub fn chain_count(&self) -> usize {
        self.limbs.chain_count()
    }

    /// Returns the same key for polynomials with at most `chain` limbs, which takes less memory.
    #[must_use]
    pub fn restricted(&self, chain: usize) -> GadgetVector {
        debug_assert!((1..=self.chain_count()).contains(&chain));
        let limbs = Limbs::extended(chain, self.ring.special_len());
        let count = self.gadget.digit_count(&self.ring, chain);
        let pairs: Vec<_> =
            self.pairs().take(count).map(|pair| pair.map(|half| half.restricted(limbs))).collect();
        GadgetVector::like(self, &pairs)
    }

    /// Returns the rows for a prime, by its index in the ring.
    fn row(&self, prime: usize) -> &KeyRow {
        let absent = self.ring.chain_len() - self.chain_count();
        debug_assert!(prime < self.chain_count() || prime >= self.ring.chain_len());
        &self.rows[if prime < self.chain_count() { prime } else { prime - absent }]
    }

    /// Returns the pairs, in the order of [`Gadget::weights`].
    pub fn pairs(&self) -> impl Iterator<Item = [Poly<Eval>; 2]> + '_ {
        let half = |g: usize, half: usize| {
            let mut poly = Poly::uninitialized(&self.ring, self.limbs);
            for (row, key) in self.rows.iter().enumerate() {
                key.copy_half(g, half, poly.row_mut(row));
            }
            poly
        };
        let count = self.gadget.digit_count(&self.ring, self.chain_count());
        (0..count).map(move |g| [half(g, 0), half(g, 1)])
    }

    /// Returns the gadget of the key.
    pub fn gadget(&self) -> Gadget {
        self.gadget
    }

    /// Decomposes `c`, which has only chain limbs, into digits over these and the special primes.
    ///
    /// Transforms at `l` limbs of `c` and `K` special primes: `l` inverse; forward `d (l + K) - l`
    /// for the hybrid gadget with `d` digits, `d l` for the positional one.
    pub fn decompose(&self, c: &Poly<Eval>) -> Digits {
        let source = Source::new(self, c);
        let ring = c.ring();
        let limbs = Limbs::extended(c.limbs().chain_count(), ring.special_len());
        let digits = (0..source.digit_count())
            .map(|g| {
                let mut digit = Poly::uninitialized(ring, limbs);
                for (row, prime) in ring.prime_indices(limbs).enumerate() {
                    source.fill_row(ring, g, prime, digit.row_mut(row));
                }
                digit
            })
            .collect();
        Digits { limbs, digits }
    }

    /// Returns `sum_g d_g (b_g, a_g)` over the limbs of `c` and the special primes.
    ///
    /// `c` has at most [`GadgetVector::chain_count`] limbs.
    ///
    /// Equal to [`GadgetVector::decompose`] followed by [`GadgetVector::multiply`], but computed
    /// prime by prime without storing the values of the digits. Takes the same transforms as
    /// [`GadgetVector::decompose`].
    pub fn product(&self, c: &Poly<Eval>) -> [Poly<Eval>; 2] {
        let source = Source::new(self, c);
        let ring = c.ring();
        let limbs = Limbs::extended(c.limbs().chain_count(), ring.special_len());
        let mut out = [Poly::uninitialized(ring, limbs), Poly::uninitialized(ring, limbs)];
        // All digits of one prime are transformed before the products: they share the pass over the
        // key.
        let room = ring.degree() + STAGGER;
        let mut rooms = ring.pool().take(room * source.digit_count());
        for (row, prime) in ring.prime_indices(limbs).enumerate() {
            let rooms = rooms.chunks_exact_mut(room).map(|room| &mut room[STAGGER..]).enumerate();
            let mut digits: Vec<_> =
                rooms.map(|(g, room)| source.digit(ring, g, prime, room)).collect();
            let out = out.each_mut().map(|p| p.row_mut(row));
            ring.key_product(prime, out, &mut digits, self.row(prime));
        }
        out
    }

    /// Returns `sum_g d_g (b_g, a_g)` for digits from [`GadgetVector::decompose`] of a key with the
    /// same gadget and ring, of a polynomial with at most [`GadgetVector::chain_count`] limbs.
    /// Takes no transforms.
    pub fn multiply(&self, digits: &Digits) -> [Poly<Eval>; 2] {
        let limbs = digits.limbs;
        let mut out = [(); 2].map(|()| Poly::uninitialized(&self.ring, limbs));
        for (row, prime) in self.ring.prime_indices(limbs).enumerate() {
            let mut rows: Vec<_> =
                digits.digits.iter().map(|d| Digit::Values(d.row(row))).collect();
            let out = out.each_mut().map(|p| p.row_mut(row));
            self.ring.key_product(prime, out, &mut rows, self.row(prime));
        }
        out
    }
}

/// Number of words from which keys are packed: smaller ones stay in the second cache, from which
/// whole words are read faster (`docs/maths/key_switch.md`).
const PACKED_FROM: usize = 1 << 16;

/// Number of words between the rows in which digits are transformed: rows at distances of a power
/// of two would map to the same cache sets.
const STAGGER: usize = 128;

impl Tables {
    fn new(ring: &Arc<Ring>, gadget: Gadget) -> Tables {
        let limbs = match gadget {
            Gadget::Hybrid { limbs } => limbs,
            Gadget::Positional { base_log } => return Tables::Positional(Cut::new(base_log)),
        };
        let groups = (0..ring.chain_len())
            .step_by(limbs)
            .map(|first| {
                let full: Vec<usize> = group(first, limbs, ring.chain_len()).collect();
                (1..=full.len()).map(|k| BasisConverter::new(ring, &full[..k], 1)).collect()
            })
            .collect();
        Tables::Hybrid(groups)
    }
}

/// A polynomial during its decomposition, with the data that its digits share.
enum Source<'a> {
    Hybrid {
        c: &'a Poly<Eval>,
        groups: Vec<Group<'a>>,
    },
    /// The digits of all primes, each increased by half of the base.
    Positional {
        cut: &'a Cut,
        digits: Vec<Buffer>,
    },
}

/// The coefficients of one hybrid digit.
enum Group<'a> {
    /// A single prime `p`, by index, and the digit, the centred representative modulo it, increased
    /// by `(p - 1) / 2`.
    Prime(usize, Buffer),
    /// Residues modulo several primes, and the converter to other primes.
    Primes(&'a BasisConverter, Prepared<'static>),
}

impl Group<'_> {
    fn holds(&self, prime: usize) -> bool {
        match self {
            Group::Prime(own, _) => *own == prime,
            Group::Primes(converter, _) => converter.sources().contains(&prime),
        }
    }
}

impl<'a> Source<'a> {
    fn new(vector: &'a GadgetVector, c: &'a Poly<Eval>) -> Source<'a> {
        let ring: &Ring = c.ring();
        let chain = c.limbs().chain_count();
        let centered = |prime: usize| {
            let mut row = ring.pool().take(ring.degree());
            ring.inverse_excess(prime, &mut row, c.row_of(prime));
            row
        };
        match &*vector.tables {
            Tables::Hybrid(converters) => {
                // The first group is full, or the only one.
                let limbs = converters[0].len();
                let part = |first: usize| match group(first, limbs, chain).len() {
                    // A digit of one prime is its centred residue: no quotient, no base conversion.
                    1 => Group::Prime(first, centered(first)),
                    count => {
                        let converter = &converters[first / limbs][count - 1];
                        Group::Primes(converter, converter.prepare(|i| c.row_of(i)))
                    }
                };
                Source::Hybrid { c, groups: (0..chain).step_by(limbs).map(part).collect() }
            }
            Tables::Positional(cut) => {
                let digits = (0..chain).flat_map(|i| cut.digits(ring, i, centered(i))).collect();
                Source::Positional { cut, digits }
            }
        }
    }

    fn digit_count(&self) -> usize {
        match self {
            Source::Hybrid { groups, .. } => groups.len(),
            Source::Positional { digits, .. } => digits.len(),
        }
    }

    /// Returns the values of digit `g` modulo a prime of its own group, which are the polynomial's
    /// own row.
    fn ready_row(&self, g: usize, prime: usize) -> Option<&[u64]> {
        match self {
            Source::Hybrid { c, groups } => groups[g].holds(prime).then(|| c.row_of(prime)),
            Source::Positional { .. } => None,
        }
    }

    /// Returns digit `g` modulo a prime: an existing row, or coefficients with `room` for the
    /// transform.
    fn digit<'b>(
        &'b self,
        ring: &'b Ring,
        g: usize,
        prime: usize,
        room: &'b mut [u64],
    ) -> Digit<'b> {
        if let Some(row) = self.ready_row(g, prime) {
            return Digit::Values(row);
        }
        match self {
            Source::Hybrid { groups, .. } => match &groups[g] {
                Group::Prime(own, row) => Digit::Excess { row, modulus: ring.modulus(*own), room },
                Group::Primes(converter, prepared) => {
                    converter.convert(prepared, prime, room);
                    Digit::Coefficients(room)
                }
            },
            Source::Positional { cut, digits } => {
                Digit::Excess { row: &digits[g], modulus: &cut.range, room }
            }
        }
    }

    /// Computes the values of digit `g` modulo a prime, lazy.
    fn fill_row(&self, ring: &Ring, g: usize, prime: usize, out: &mut [u64]) {
        if let Some(row) = self.ready_row(g, prime) {
            return out.copy_from_slice(row);
        }
        match self {
            Source::Hybrid { groups, .. } => match &groups[g] {
                Group::Prime(own, row) => {
                    ring.forward_centered(prime, out, row, ring.modulus(*own));
                }
                Group::Primes(converter, prepared) => {
                    converter.convert_to_eval(prepared, prime, out);
                }
            },
            Source::Positional { cut, digits } => {
                ring.forward_centered(prime, out, &digits[g], &cut.range);
            }
        }
    }
}

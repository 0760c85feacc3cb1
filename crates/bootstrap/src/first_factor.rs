//! The raise of the modulus, and the first factor of the map from coefficients to slots, which is
//! applied to the raised ciphertext.
//!
//! *The raise.* Every coefficient modulo the last prime `q` is lifted, centred and exactly, to all
//! primes of the raised ring. Under the sparse secret `s'` of 32 nonzero coefficients the phase
//! becomes `m + q I` with `|m + q I| <= 33 q / 2`, so that `|I| <= 16` where `|m| <= q / 8`.
//! Nothing is assumed of the ciphertext, and nothing can fail. With the dense secret of the users
//! the overflow `I` would have the deviation `sqrt(N / 18)`, 60 turns at degree 2^16, a failure
//! probability, and a polynomial of many times the degree.
//!
//! *The factor* is `sum_k d_k rot(ct, k)` for its diagonals `d_k`. Key `k` encrypts `T_k rot(s',
//! k)` under the secret key of the users, where `T_k` is the diagonal at the scale `P S / q`. The
//! products with the rotated components therefore need no decomposition into digits, all of them
//! share one division by `P`, and the factor leads back from the sparse secret without a key switch
//! and without a level (eprints 2025/1298 and 2025/1403). The price is one key for each diagonal.
//!
//! *Errors.* The raised components have coefficients up to `q / 2` and multiply the errors of the
//! keys as they are, without digits; the division by `P` makes them small. The diagonals are
//! rounded to integers at the scale above, and their roundings multiply message and overflow.
//! docs/maths/bootstrap.md bounds both.

use super::layers::{Direction, Factor, factors};
use super::slot_map::{Pair, embedding_of, encoded};
use super::stages::Stages;
use super::steps::twisted_exponent;
use super::threads::Threads;
use fathom_ring::{
    Automorphism, BlockPoly, Eval, Limbs, Poly, SecretCoefficients, SecretPoly, SecretRng, Seed,
    WideCoefficients, uniform_eval,
};
use fathom_rings::internals::{COVER, encryption_of_zero};

/// The keys of the first factor, one for each diagonal, in the order of their shifts.
#[derive(Debug)]
pub(super) struct FirstKeys {
    /// The seed of the uniform halves.
    pub(super) seed: Seed,
    pub(super) pairs: Vec<Pair>,
}

/// A diagonal and its rotation.
#[derive(Debug)]
struct Turn {
    automorphism: Automorphism,
    diagonal: BlockPoly,
}

/// The prepared factor.
#[derive(Debug)]
pub(super) struct FirstFactor {
    turns: Vec<Turn>,
}

impl Stages {
    /// Returns the limbs of the keys of the first factor.
    pub(super) fn first_limbs(&self) -> Limbs {
        Limbs::extended(self.raised.ring.chain_len(), self.schedule.first_special)
    }

    /// Returns the number of keys of the first factor: one for each diagonal.
    pub(super) fn first_count(&self) -> usize {
        self.first_factor().diagonals.len()
    }

    /// Returns the first factor of the map from coefficients to slots.
    fn first_factor(&self) -> Factor {
        let all = factors(Direction::ToSlots, self.slots(), &self.in_layers);
        all.into_iter().next().expect("a map has factors").times(FIRST_GAIN)
    }

    /// Returns the uniform half of a key of the first factor.
    fn first_mask(&self, seed: &Seed, key: usize) -> Poly<Eval> {
        uniform_eval(&self.raised.ring, self.first_limbs(), &seed.child(key as u32))
    }

    /// Returns the scale of the diagonals of the first factor: it takes the coefficients of the
    /// raised polynomial, in units of the last prime, to the argument of the exponential, in half.
    fn first_scale(&self) -> f64 {
        let ring = &self.raised.ring;
        let special = (0..self.schedule.first_special)
            .map(|i| ring.modulus(ring.chain_len() + i).value() as f64);
        special.product::<f64>() * self.exponential_scale() / self.last()
    }
}

impl FirstFactor {
    /// Prepares the factor.
    pub(super) fn prepare(stages: &Stages) -> FirstFactor {
        let context = &stages.raised;
        let factor = stages.first_factor();
        let embedding = embedding_of(factor.period);
        let (scale, limbs) = (stages.first_scale(), stages.first_limbs());
        let turn = |(&shift, values): (&i64, &Vec<_>)| Turn {
            automorphism: Automorphism::new(
                context.degree(),
                twisted_exponent(context.degree(), shift),
            ),
            diagonal: encoded(context, &embedding, values, scale, limbs),
        };
        FirstFactor { turns: factor.diagonals.iter().map(turn).collect() }
    }

    /// Applies the factor to a ciphertext under the sparse secret, whose components are modulo the
    /// last prime and are lifted to the raised modulus.
    pub(super) fn apply(
        &self,
        stages: &Stages,
        keys: &FirstKeys,
        threads: &Threads,
        raised: &Pair,
    ) -> Pair {
        let limbs = stages.first_limbs();
        let [c0, c1] = raised;
        let chunks: Vec<_> = self.turns.chunks(AT_ONCE).zip(keys.pairs.chunks(AT_ONCE)).collect();
        let sum_of = |(turns, keys): (&[Turn], &[Pair])| -> Pair {
            let turned: Vec<Pair> =
                turns.iter().map(|turn| [c0, c1].map(|c| turn.automorphism.apply(c))).collect();
            let diagonals: Vec<_> = turns.iter().map(|turn| &turn.diagonal).collect();
            let [first, second] = [0, 1]
                .map(|half| -> Vec<_> { turned.iter().map(|pair: &Pair| &pair[half]).collect() });
            let [bodies, masks] =
                [0, 1].map(|half| -> Vec<_> { keys.iter().map(|pair| &pair[half]).collect() });
            let mut b = BlockPoly::dot(&diagonals, &first, limbs);
            b.add_assign(&Poly::dot(&bodies, &second, limbs));
            [b, Poly::dot(&masks, &second, limbs)]
        };
        let plus = |mut sum: Pair, part: Pair| {
            sum.iter_mut().zip(&part).for_each(|(sum, part)| sum.add_assign(part));
            sum
        };
        // Each thread adds up its own part, so that few sums are in memory.
        let workers = threads.count().min(chunks.len());
        // The rotated components have small coefficients as they are and multiply the keys without
        // digits: a key product of one digit for each diagonal.
        let parts = threads.map(workers, |worker| {
            let own = chunks.iter().skip(worker).step_by(workers);
            own.map(|chunk| sum_of(*chunk)).reduce(plus).expect("a worker has a chunk")
        });
        let sum = parts.into_iter().reduce(plus);
        sum.expect("a factor has diagonals").map(|half| stages.first_down.apply(half))
    }
}

/// Factor by which the first factor is multiplied: slots then hold half of the argument of the
/// exponential, because the sum with the conjugate is twice the real part.
const FIRST_GAIN: f64 = 1.0 / (2.0 * COVER);

/// Rotations that are held at a time.
const AT_ONCE: usize = 8;

impl FirstKeys {
    /// Generates the keys from the sparse secret to the secret key.
    pub(super) fn generate(
        stages: &Stages,
        secret: &SecretPoly,
        sparse: &SecretCoefficients,
        rng: &mut SecretRng,
    ) -> FirstKeys {
        let context = &stages.raised;
        let (seed, limbs) = (rng.next_seed(), stages.first_limbs());
        let sparse = sparse.to_eval(&context.ring, limbs);
        let factor = FirstFactor::prepare(stages);
        let pair = |(k, turn): (usize, &Turn)| {
            let a = stages.first_mask(&seed, k);
            let mut b = encryption_of_zero(context, secret, &a, rng);
            let turned = SecretPoly::new(turn.automorphism.apply(sparse.expose()));
            let product = BlockPoly::dot(&[&turn.diagonal], &[turned.expose()], limbs);
            b.add_assign(SecretPoly::new(product).expose());
            [b, a]
        };
        FirstKeys { seed, pairs: factor.turns.iter().enumerate().map(pair).collect() }
    }

    /// Rebuilds the keys from their seed and the halves that are not uniform.
    pub(super) fn from_halves(stages: &Stages, seed: Seed, halves: Vec<Poly<Eval>>) -> FirstKeys {
        let pair = |(k, b)| [b, stages.first_mask(&seed, k)];
        FirstKeys { seed, pairs: halves.into_iter().enumerate().map(pair).collect() }
    }
}

/// Lifts a ciphertext modulo the last primes to the raised modulus: every coefficient to its
/// centred representative.
pub(super) fn raised(stages: &Stages, parts: Pair) -> Pair {
    let ring = &stages.raised.ring;
    // A centred coefficient modulo the last prime is an integer of at most half of it: the lift to
    // the other primes is exact.
    let bound = stages.last() / 2.0;
    parts.map(|part| {
        let integers = part.into_coeff().centered_integers();
        let integers = integers.expect("the last modulus has fewer than 126 bits");
        let wide = WideCoefficients::from_integers(&integers, bound);
        SecretPoly::into_masked(wide.to_eval(ring, stages.first_limbs()))
    })
}

//! The keys that a computation needs, each with the level from which it is used.

use super::{Level, Rotations};
use std::collections::BTreeMap;

/// The operation that a switching key serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KeyUse {
    /// Products: back from three components to two.
    Relinearization,
    /// Rotations, row swaps and conjugations: the automorphism `X -> X^e` of this odd exponent,
    /// below `2N`.
    Galois(usize),
}

/// The keys that a computation needs, each with the highest level at which it is used.
///
/// A key for a level serves the ciphertexts at that level and below. It has fewer digits over fewer
/// primes than one for the top level: with `l` of `L` chain primes, `K` special ones and `d(l)`
/// digits, about `d(l) (l + K)` of `d(L) (L + K)` bytes. A simulated run of a program says what the
/// program needs:
///
/// ```
/// # use fathom_rings as fathom;
/// use fathom::prelude::*;
///
/// # fn main() -> Result<(), Error> {
/// let params = ckks::Params::preset(ckks::Preset::E3)?;
/// // Nothing but the sum follows the products, so that it may be taken at a low level.
/// let program = |server: &ckks::Evaluator, x: &ckks::Ciphertext| {
///     let square = server.square(x)?;
///     server.sum_slots(&server.mod_switch_to(&server.square(&square)?, 1)?)
/// };
/// let plan = ckks::Evaluator::simulated(&params)?;
/// let x = plan.simulated_encryption(Encryption::SecretKey, params.top_level())?;
/// program(&plan, &x)?;
///
/// let mut rng = SecretRng::from_os()?;
/// let secret = ckks::SecretKey::generate(&params, &mut rng);
/// let keys = secret.keys_for(&plan.used_keys(), &mut rng)?;
/// let all = secret.evaluation_keys(&plan.used_rotations(), &mut rng)?;
/// assert!(2 * keys.byte_len() < all.byte_len());
/// let x = secret.encrypt(&params.encode(&[0.5, 1.0])?, &mut rng)?;
/// let sum = program(&ckks::Evaluator::new(keys), &x)?;
/// let sum = secret.decrypt(&sum)?;
/// assert!((sum.slots()[0] - 1.0625).abs() <= sum.error_bound());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPlan {
    levels: BTreeMap<KeyUse, Level>,
}

impl KeyPlan {
    /// Returns the plan of no keys.
    pub fn none() -> KeyPlan {
        KeyPlan::default()
    }

    /// Adds a key for ciphertexts at `level` and below. A key that is planned for a higher level
    /// stays.
    #[must_use]
    pub fn with(mut self, key: KeyUse, level: impl Into<Level>) -> KeyPlan {
        self.note(key, level.into());
        self
    }

    /// Adds the keys of `rotations` for ciphertexts at `level` and below, under parameters of this
    /// degree.
    #[must_use]
    pub fn with_rotations(
        self,
        rotations: &Rotations,
        degree: usize,
        level: impl Into<Level>,
    ) -> KeyPlan {
        let level = level.into();
        let exponents = rotations.exponents(degree).into_iter();
        exponents.fold(self, |plan, exponent| plan.with(KeyUse::Galois(exponent), level))
    }

    /// Returns the keys with their levels.
    pub fn iter(&self) -> impl Iterator<Item = (KeyUse, Level)> + '_ {
        self.levels.iter().map(|(&key, &level)| (key, level))
    }

    pub(crate) fn note(&mut self, key: KeyUse, level: Level) {
        let planned = self.levels.entry(key).or_insert(level);
        *planned = level.max(*planned);
    }
}

//! Galois keys.

use super::{Encoding, Galois, Level, Params, Rotations, SecretKey};
use crate::{Error, KeyId};
use fathom_ring::{GadgetVector, SecretRng};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The keys that rotations need, one for each Galois element. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GaloisKeys<S: Encoding> {
    pub(crate) params: Params<S>,
    /// The secret key they belong to.
    pub(crate) key: KeyId,
    pub(crate) keys: BTreeMap<usize, Arc<Galois>>,
}

impl<S: Encoding> GaloisKeys<S> {
    /// Returns the parameters they belong to.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the identifier of the secret key they belong to.
    pub fn key_id(&self) -> KeyId {
        self.key
    }

    /// Returns the Galois elements that there are keys for, in ascending order.
    pub fn elements(&self) -> impl Iterator<Item = usize> + '_ {
        self.keys.keys().copied()
    }
}

/// Returns the keys among `keys` that `rotations` need.
pub(crate) fn selected<S: Encoding>(
    keys: &BTreeMap<usize, Arc<Galois>>,
    params: &Params<S>,
    rotations: &Rotations,
) -> Result<BTreeMap<usize, Arc<Galois>>, Error> {
    let find = |exponent| {
        let rotation = "selection".to_owned();
        let missing = Error::MissingGaloisKey { exponent, rotation };
        Ok((exponent, Arc::clone(keys.get(&exponent).ok_or(missing)?)))
    };
    rotations.exponents(params.degree()).into_iter().map(find).collect()
}

impl<S: Encoding> SecretKey<S> {
    /// Generates the keys for these Galois elements, each for its level. All share the conversion
    /// tables of `tables`, or of the first of them.
    pub(crate) fn galois_keys_like(
        &self,
        tables: Option<&GadgetVector>,
        elements: &BTreeMap<usize, Level>,
        rng: &mut SecretRng,
    ) -> GaloisKeys<S> {
        let context = self.params.context();
        let mut first: Option<Arc<Galois>> = None;
        let mut keys = BTreeMap::new();
        for (&exponent, &level) in elements {
            let tables = tables.or(first.as_ref().map(|galois| &galois.key.vector));
            let galois = Arc::new(Galois::generate(context, level, &self.s, exponent, tables, rng));
            first.get_or_insert_with(|| Arc::clone(&galois));
            keys.insert(exponent, galois);
        }
        GaloisKeys { params: self.params.clone(), key: self.id, keys }
    }

    /// Returns the Galois elements of `rotations`, each at the top level.
    pub(crate) fn elements_of(&self, rotations: &Rotations) -> BTreeMap<usize, Level> {
        let (degree, top) = (self.params.degree(), self.params.top_level());
        rotations.exponents(degree).into_iter().map(|exponent| (exponent, top)).collect()
    }
}

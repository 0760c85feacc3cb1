//! The expanded evaluation key, in the Fourier domain, as bootstraps read it.

use super::automorphism_keys::{AutomorphismKeys, AutomorphismShape};
use super::expand_rows::{Expansion, RowExpander};
use super::key_streams::{automorphism_seed, rotation_seed, switch_masks};
use crate::KeyId;
use crate::tfhe::keys::table_shape::table_shape;
use crate::tfhe::{ClientKey, Error, Owner, Params, SeededEvaluationKeys};
use crate::threads::share;
use fathom_ring::{KeySwitchShape, KeySwitchTable, RealRow, SecretRng, SwitchKey, TorusRing};

/// The public evaluation key in the Fourier domain: a bootstrapping key, a key-switching key and,
/// for the parameter sets of integers, automorphism keys. It is large
/// ([`EvaluationKeys::byte_len`]). It is expanded from a [`SeededEvaluationKeys`] or generated
/// together with one.
pub struct EvaluationKeys {
    pub(in crate::tfhe) params: Params,
    pub(super) key_id: KeyId,
    pub(in crate::tfhe) ring: TorusRing,
    /// The keys of all steps of the blind rotation.
    pub(in crate::tfhe) rotation: RealRow,
    pub(in crate::tfhe) switch_table: KeySwitchTable,
    pub(in crate::tfhe) switch: SwitchKey,
    /// Empty if the parameters do not provide for encrypted tables.
    pub(in crate::tfhe) automorphisms: AutomorphismKeys,
}

impl std::fmt::Debug for EvaluationKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EvaluationKeys({}, {})", self.params.name(), self.key_id)
    }
}

impl SeededEvaluationKeys {
    /// Expands the keys: draws the masks from the seed and transforms all rows, on several
    /// [threads](crate::tfhe#threads).
    ///
    /// # Errors
    /// [`Error::Ring`] if the kernel named in the environment does not exist.
    pub fn expand(&self) -> Result<EvaluationKeys, Error> {
        let ring = TorusRing::new(self.params().spec().degree)?;
        let rotation = expand_rotation(self.params(), &ring, self);
        Ok(EvaluationKeys::with_rotation(self, ring, rotation))
    }
}

impl ClientKey {
    /// Generates evaluation keys, for an evaluator in the same process.
    /// [`ClientKey::seeded_evaluation_keys`] generates those to be sent.
    ///
    /// # Errors
    /// [`Error::Ring`] if the kernel named in the environment does not exist.
    pub fn evaluation_keys(&self, rng: &mut SecretRng) -> Result<EvaluationKeys, Error> {
        Ok(self.evaluation_keys_in_both_forms(rng)?.1)
    }

    /// Generates evaluation keys in both forms.
    ///
    /// The result is the same as that of [`ClientKey::seeded_evaluation_keys`] followed by
    /// [`SeededEvaluationKeys::expand`], but takes less time because the masks are drawn only once.
    ///
    /// # Errors
    /// [`Error::Ring`] if the kernel named in the environment does not exist.
    pub fn evaluation_keys_in_both_forms(
        &self,
        rng: &mut SecretRng,
    ) -> Result<(SeededEvaluationKeys, EvaluationKeys), Error> {
        let ring = TorusRing::new(self.params().spec().degree)?;
        let expander = RowExpander::new(self.params(), &ring);
        let mut rotation = expander.empty_key();
        let steps = expander.steps(&mut rotation);
        let seeded =
            SeededEvaluationKeys::generate_and_use(self, rng, &ring, steps, Expansion::lay)?;
        let expanded = EvaluationKeys::with_rotation(&seeded, ring, rotation);
        Ok((seeded, expanded))
    }
}

impl EvaluationKeys {
    /// Expands everything but the bootstrapping key.
    fn with_rotation(
        seeded: &SeededEvaluationKeys,
        ring: TorusRing,
        rotation: RealRow,
    ) -> EvaluationKeys {
        let params = seeded.params().clone();
        let switch_table = KeySwitchTable::new(switch_shape(&params));
        let switch = expand_switch(&params, &switch_table, seeded);
        let shape = table_shape(&params).unwrap_or(AutomorphismShape::NONE);
        let seed = automorphism_seed(seeded.seed());
        let bodies = seeded.automorphisms();
        let automorphisms = AutomorphismKeys::expand(&params, &ring, &shape, &seed, bodies);
        let key_id = seeded.key_id();
        EvaluationKeys { params, key_id, ring, rotation, switch_table, switch, automorphisms }
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the identifier of the secret key from which the keys were made.
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    pub(in crate::tfhe) fn owner(&self) -> Owner {
        Owner::new(self.key_id, &self.params)
    }

    /// Returns the size in memory, in bytes.
    pub fn byte_len(&self) -> usize {
        8 * self.rotation.len() + self.switch.bytes() + self.automorphisms.bytes()
    }
}

pub(super) fn switch_shape(params: &Params) -> KeySwitchShape {
    let spec = params.spec();
    KeySwitchShape {
        input_dimension: params.big_dimension(),
        output_dimension: spec.small_dimension,
        degree: spec.key_switch_degree,
        digits: spec.key_switch,
    }
}

fn expand_rotation(params: &Params, ring: &TorusRing, seeded: &SeededEvaluationKeys) -> RealRow {
    let expander = RowExpander::new(params, ring);
    let (shape, rows) = (params.product_shape(), params.product_shape().rows_of_step());
    let bodies = seeded.rotation().chunks_exact(rows * shape.degree);
    let mut key = expander.empty_key();
    share(
        expander.steps(&mut key).zip(bodies).enumerate(),
        || vec![0; shape.columns() * shape.degree],
        |row, (step, (mut expansion, bodies))| {
            for (index, body) in bodies.chunks_exact(shape.degree).enumerate() {
                let (masks, last) = row.split_at_mut(shape.rank * shape.degree);
                rotation_seed(seeded.seed(), step * rows + index).fill_words(masks);
                last.copy_from_slice(body);
                expansion.lay(index, row);
            }
        },
    );
    key
}

/// Rows are ordered by piece of the input key, then by level; each has its masks, then its body.
fn expand_switch(
    params: &Params,
    table: &KeySwitchTable,
    seeded: &SeededEvaluationKeys,
) -> SwitchKey {
    let degree = params.spec().key_switch_degree;
    let rows = seeded.switch().chunks_exact(degree).enumerate().flat_map(|(row, body)| {
        let mut words = switch_masks(params, seeded.seed(), row);
        words.extend_from_slice(body);
        words
    });
    table.pack(&rows.map(|word| u64::from(word) << 32).collect::<Vec<u64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_made_at_once_are_those_made_one_after_the_other() {
        for name in ["u_bool_40", "b_bool_40", "u_1_1_40"] {
            let params = Params::preset(name).unwrap();
            let client = ClientKey::generate(&params, &mut SecretRng::insecure_from_seed(1));
            let rng = || SecretRng::insecure_from_seed(2);
            let (seeded, key) = client.evaluation_keys_in_both_forms(&mut rng()).unwrap();
            assert_eq!(seeded, client.seeded_evaluation_keys(&mut rng()).unwrap());
            let expanded = seeded.expand().unwrap();
            assert_eq!(key.rotation, expanded.rotation, "{name}");
            assert!(key.rotation.iter().any(|&value| value != 0.0));
        }
    }
}

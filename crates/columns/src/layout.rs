//! Layouts: how the integers of a column become slots, under which parameters, and what that costs.
//!
//! A value is stored as its distance from the least value of the column, in limbs of 16 bits; each
//! limb of the rows of a block is one BFV ciphertext, a row in each slot. The plaintext modulus is
//! a prime of 25 bits, so that the sum of 256 limbs does not wrap: sums of more blocks are kept in
//! several ciphertexts, one for every 256 blocks, which the client adds.
//!
//! A column that serves variances also stores the squares of the deviations from the middle of its
//! range. The variance then follows from two sums, without a product of ciphertexts: for `int32`,
//! the squares take four more limbs. Residues modulo three primes under parameters for a product
//! take as many bytes, but a product for each block, and have no room for a mask.
//!
//! Columns that serve predicates are stored under parameters with room for one product with a mask.

use crate::{EncryptedColumn, Error, Schema, Use};
use fathom::prelude::*;
use serde::{Deserialize, Serialize};

/// Bits of a limb.
pub(crate) const LIMB_BITS: u32 = 16;
/// Rows of a block: the slots of the smallest ring that has room for these plaintexts.
pub(crate) const ROWS: usize = 4096;
/// Blocks in one sum of slots. More could wrap, or exceed the planned noise.
pub(crate) const TERMS: usize = 256;
/// Bits of the sum of [`TERMS`] limbs.
const SUM_BITS: u32 = LIMB_BITS + TERMS.ilog2();

/// The two sets of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Sums of ciphertexts.
    Sums,
    /// Sums of ciphertexts times a mask.
    Masks,
}

/// A component is one number of every row that a column stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Component {
    /// Distances from the least value.
    Values,
    /// Squares of the deviations from the middle of the range.
    Squares,
}

/// The cost of one encrypted column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnPlan {
    /// Name of the column.
    pub name: String,
    /// Parameters of its ciphertexts.
    pub family: Family,
    /// Ciphertexts for each block.
    pub ciphertexts: usize,
    /// Bytes of each.
    pub ciphertext_bytes: usize,
    /// Bytes a row of a full block.
    pub bytes_a_row: f64,
    /// Bits of security of the parameters, by the estimator.
    pub security_bits: f64,
}

/// Plans the layout of every encrypted column.
///
/// # Errors
/// [`Error::Schema`]; [`Error::Fathom`] if the library finds no parameters.
pub fn plan(schema: &Schema) -> Result<Vec<ColumnPlan>, Error> {
    schema.check()?;
    schema
        .encrypted
        .iter()
        .map(|column| {
            let family = column.family();
            let params = family.params()?;
            let ciphertext_bytes = frame_bytes(&params)?;
            Ok(ColumnPlan {
                name: column.name.clone(),
                family,
                ciphertexts: column.limbs().count(),
                ciphertext_bytes,
                bytes_a_row: bytes_a_row(column, ciphertext_bytes),
                security_bits: params.assessment().classical_bits,
            })
        })
        .collect()
}

/// Returns the bytes a row that a column would take with one use more.
pub(crate) fn price_with(column: &EncryptedColumn, added: Use) -> Result<f64, Error> {
    let mut column = column.clone();
    column.uses.insert(added);
    Ok(bytes_a_row(&column, frame_bytes(&column.family().params()?)?))
}

pub(crate) fn bytes_a_row(column: &EncryptedColumn, frame_bytes: usize) -> f64 {
    (column.limbs().count() * frame_bytes) as f64 / ROWS as f64
}

/// Returns the bytes of a fresh ciphertext, which are those of any other.
pub(crate) fn frame_bytes(params: &bfv::Params) -> Result<usize, Error> {
    let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
    let secret = bfv::SecretKey::generate(params, &mut rng);
    Ok(secret.encrypt(&params.encode(&[])?, &mut rng)?.byte_len())
}

impl Family {
    /// Finds the parameters: 128 bits of security, a failure probability of 2^-128.
    pub(crate) fn params(self) -> Result<bfv::Params, Error> {
        let circuit = Circuit {
            products: usize::from(self == Family::Masks),
            rotations: 0,
            terms: 1,
            results: TERMS,
            encryption: Encryption::SecretKey,
        };
        let plan = bfv::Params::for_slots(ROWS, SUM_BITS, circuit, SecurityLevel::Bits128)?;
        Ok(plan.into_params())
    }

    /// Checks parameters from a file: as many slots as a block has rows, and sums that do not wrap.
    pub(crate) fn check(params: &bfv::Params) -> Result<(), Error> {
        if params.slot_count() == ROWS && params.plain_modulus() >= 1 << SUM_BITS {
            return Ok(());
        }
        Err(Error::malformed("the parameters of a table", "they are not those of its layout"))
    }
}

impl EncryptedColumn {
    /// Returns the parameters of its ciphertexts.
    pub(crate) fn family(&self) -> Family {
        if self.uses.contains(&Use::Filter) { Family::Masks } else { Family::Sums }
    }

    /// Returns what is stored.
    pub(crate) fn components(&self) -> &'static [Component] {
        if self.uses.contains(&Use::Variance) {
            &[Component::Values, Component::Squares]
        } else {
            &[Component::Values]
        }
    }

    /// Returns the ciphertexts of a block, in order: components, and the limbs of each from the
    /// lowest.
    pub(crate) fn limbs(&self) -> impl Iterator<Item = (Component, u32)> {
        self.components()
            .iter()
            .flat_map(|&part| (0..self.limb_count(part)).map(move |i| (part, i)))
    }

    pub(crate) fn limb_count(&self, component: Component) -> u32 {
        let greatest = self.greatest(component);
        (u64::BITS - greatest.leading_zeros()).div_ceil(LIMB_BITS)
    }

    /// Returns the greatest stored value.
    pub(crate) fn greatest(&self, component: Component) -> u64 {
        match component {
            Component::Values => self.span(),
            Component::Squares => self.greatest_square(),
        }
    }

    /// Returns what is stored for a value within the range.
    pub(crate) fn stored(&self, component: Component, value: i64) -> u64 {
        match component {
            Component::Values => value.abs_diff(self.limits()[0]),
            Component::Squares => {
                let deviation = value.abs_diff(self.middle());
                deviation * deviation
            }
        }
    }
}

/// Returns one limb of a stored value.
pub(crate) fn limb(stored: u64, index: u32) -> u64 {
    (stored >> (index * LIMB_BITS)) & ((1 << LIMB_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Width;
    use std::collections::BTreeSet;

    fn column(width: Width, uses: &[Use]) -> EncryptedColumn {
        let uses: BTreeSet<_> = uses.iter().copied().collect();
        EncryptedColumn { name: "a".into(), width, range: None, uses, nulls: false }
    }

    fn price(width: Width, uses: &[Use]) -> f64 {
        let schema = Schema { encrypted: vec![column(width, uses)], clear: Vec::new() };
        plan(&schema).unwrap()[0].bytes_a_row
    }

    #[test]
    fn bytes_a_row_are_within_their_goals() {
        assert!(price(Width::Int32, &[]) <= 10.0);
        assert!(price(Width::Int16, &[]) <= 5.0);
        assert!(price(Width::Int32, &[Use::Variance]) <= 30.0);
        assert!(price(Width::Int32, &[Use::Filter]) <= 20.0);
    }

    #[test]
    fn a_sum_of_all_greatest_limbs_does_not_wrap() {
        for family in [Family::Sums, Family::Masks] {
            let params = family.params().unwrap();
            Family::check(&params).unwrap();
            assert!(TERMS as u64 * ((1 << LIMB_BITS) - 1) < params.plain_modulus());
            assert!(params.assessment().classical_bits >= 128.0);
        }
    }

    #[test]
    fn limbs_of_stored_values_add_up_at_the_ends_of_every_range() {
        for width in [Width::Int8, Width::Int16, Width::Int32, Width::UInt8, Width::UInt32] {
            let column = column(width, &[Use::Variance]);
            for value in column.limits().into_iter().chain([column.middle()]) {
                for &part in column.components() {
                    let stored = column.stored(part, value);
                    assert!(stored <= column.greatest(part));
                    let limbs = (0..column.limb_count(part)).map(|i| limb(stored, i) << (16 * i));
                    assert_eq!(limbs.sum::<u64>(), stored);
                }
            }
        }
        let wide = column(Width::Int64, &[]);
        assert_eq!(wide.stored(Component::Values, i64::MAX), u64::MAX);
        assert_eq!(wide.limb_count(Component::Values), 4);
    }
}

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
//!
//! A column that serves comparisons also stores its bits, a ciphertext for each bit that the range
//! needs, modulo 65537 under parameters with room for the tree of a comparison and the product with
//! the values that it selects, and, where several columns are compared, for a conjunction or
//! disjunction of two. Selected values are in limbs of 8 bits, so that sums of 256 blocks fit, and
//! at a low level, where ciphertexts are small.

use crate::{EncryptedColumn, Error, Schema, Use};
use fathom::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Bits of a limb.
pub(crate) const LIMB_BITS: u32 = 16;
/// Bits of a limb that is multiplied by a selection.
const SELECTED_LIMB_BITS: u32 = 8;
/// Rows of a block: the slots of the smallest ring that has room for these plaintexts.
pub(crate) const ROWS: usize = 4096;
/// Rows of a block of a table with encrypted comparisons, whose depth takes a larger ring.
pub(crate) const COMPARED_ROWS: usize = 16_384;
/// Blocks in one sum of slots. More could wrap, or exceed the planned noise.
pub(crate) const TERMS: usize = 256;
/// The level of limbs that are multiplied by a selection: the product is at the lowest one.
const SELECTED_LEVEL: usize = 1;

/// The sets of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Sums of ciphertexts.
    Sums,
    /// Sums of ciphertexts times a mask.
    Masks,
    /// Comparisons of encrypted bits, and sums of ciphertexts times their results.
    Compare,
}

/// A component is one number of every row that a column stores, in limbs of a certain width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Component {
    /// Distances from the least value.
    Values,
    /// Squares of the deviations from the middle of the range.
    Squares,
    /// The bits of the distances.
    Bits,
    /// The distances, to be multiplied by a selection.
    SelectedValues,
    /// The squares, to be multiplied by a selection.
    SelectedSquares,
}

/// The cost of one encrypted column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnPlan {
    /// Name of the column.
    pub name: String,
    /// Parameters of the ciphertexts for sums.
    pub family: Family,
    /// Ciphertexts for sums of each block.
    pub ciphertexts: usize,
    /// Bytes of each.
    pub ciphertext_bytes: usize,
    /// Ciphertexts of each block for encrypted predicates; none without the uses `compare` and
    /// `select`.
    pub compared: Vec<StoredPart>,
    /// Bytes a row of a full block, all ciphertexts together.
    pub bytes_a_row: f64,
    /// Bits of security of the parameters, by the estimator: the least of all.
    pub security_bits: f64,
}

/// Ciphertexts of a block that have the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StoredPart {
    /// Ciphertexts for each block.
    pub ciphertexts: usize,
    /// Bytes of each.
    pub ciphertext_bytes: usize,
}

/// Plans the layout of every encrypted column.
///
/// # Errors
/// [`Error::Schema`]; [`Error::Fathom`] if the library finds no parameters.
pub fn plan(schema: &Schema) -> Result<Vec<ColumnPlan>, Error> {
    schema.check()?;
    let sizes = Sizes::new(schema)?;
    Ok(schema.encrypted.iter().map(|column| sizes.plan(column)).collect())
}

/// Returns the bytes a row that a column takes, and those with one use more.
pub(crate) fn prices(
    schema: &Schema,
    column: &EncryptedColumn,
    added: Use,
) -> Result<[f64; 2], Error> {
    let mut with = schema.clone();
    for own in with.encrypted.iter_mut().filter(|own| own.name == column.name) {
        own.uses.insert(added);
    }
    let of = |schema: &Schema| -> Result<f64, Error> {
        let own = schema.encrypted.iter().find(|own| own.name == column.name);
        let own = own.expect("the column is one of the schema");
        Ok(Sizes::new(schema)?.plan(own).bytes_a_row)
    };
    Ok([of(schema)?, of(&with)?])
}

/// The bytes of fresh ciphertexts, which do not depend on their content.
pub(crate) struct Sizes {
    rows: usize,
    params: BTreeMap<Family, bfv::Params>,
    bytes: BTreeMap<(Family, Level), usize>,
}

impl Sizes {
    /// Finds the sizes under the parameters that a schema takes.
    fn new(schema: &Schema) -> Result<Sizes, Error> {
        let mut params = BTreeMap::new();
        for family in schema.families() {
            params.insert(family, family.params(schema)?);
        }
        Sizes::with_params(schema, params)
    }

    /// Finds the sizes under these parameters, one set for each family of the schema.
    pub(crate) fn with_params(
        schema: &Schema,
        params: BTreeMap<Family, bfv::Params>,
    ) -> Result<Sizes, Error> {
        let mut bytes = BTreeMap::new();
        let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
        for (family, params) in &params {
            // Sizes are measured instead of computed: an encryption of zero is as long as any
            // other.
            let secret = bfv::SecretKey::generate(params, &mut rng);
            for level in family.levels(params) {
                let zero = secret.encrypt_at(&params.encode(&[])?, level, &mut rng)?;
                bytes.insert((*family, level), zero.byte_len());
            }
        }
        Ok(Sizes { rows: schema.block_rows(), params, bytes })
    }

    /// Returns the bytes of a ciphertext of a component.
    pub(crate) fn bytes(&self, family: Family, component: Component) -> usize {
        self.bytes[&(family, component.level(&self.params[&family]))]
    }

    fn plan(&self, column: &EncryptedColumn) -> ColumnPlan {
        let stored = |component: Component| StoredPart {
            ciphertexts: column.limb_count(component) as usize,
            ciphertext_bytes: self.bytes(column.family(component), component),
        };
        let (sums, compared): (Vec<_>, Vec<_>) = column
            .components()
            .into_iter()
            .partition(|component| column.family(*component) != Family::Compare);
        let compared: Vec<_> = compared.into_iter().map(stored).collect();
        let ciphertexts = sums.iter().map(|part| stored(*part).ciphertexts).sum();
        let ciphertext_bytes = stored(Component::Values).ciphertext_bytes;
        let bytes = |part: &StoredPart| part.ciphertexts * part.ciphertext_bytes;
        let total = ciphertexts * ciphertext_bytes + compared.iter().map(bytes).sum::<usize>();
        let families: BTreeSet<_> =
            column.components().into_iter().map(|part| column.family(part)).collect();
        let security = families.iter().map(|f| self.params[f].assessment().classical_bits);
        ColumnPlan {
            name: column.name.clone(),
            family: column.family(Component::Values),
            ciphertexts,
            ciphertext_bytes,
            compared,
            bytes_a_row: total as f64 / self.rows as f64,
            security_bits: security.fold(f64::INFINITY, f64::min),
        }
    }
}

impl Family {
    /// Finds the parameters: 128 bits of security, a failure probability of 2^-128.
    pub(crate) fn params(self, schema: &Schema) -> Result<bfv::Params, Error> {
        let circuit = match self {
            Family::Sums => circuit(0, 1, TERMS),
            Family::Masks => circuit(1, 1, TERMS),
            Family::Compare => schema.comparison_circuit(),
        };
        let rows = schema.block_rows();
        let plan = bfv::Params::for_slots(rows, self.sum_bits(), circuit, SecurityLevel::Bits128)?;
        Ok(plan.into_params())
    }

    /// Returns the bits of the sum of [`TERMS`] limbs.
    fn sum_bits(self) -> u32 {
        let limb = if self == Family::Compare { SELECTED_LIMB_BITS } else { LIMB_BITS };
        limb + TERMS.ilog2()
    }

    /// Returns the levels of its fresh ciphertexts.
    fn levels(self, params: &bfv::Params) -> BTreeSet<Level> {
        let lower = (self == Family::Compare).then(|| Level::new(SELECTED_LEVEL));
        lower.into_iter().chain([params.top_level()]).collect()
    }

    /// Checks parameters from a file: as many slots as a block has rows, and sums that do not wrap.
    pub(crate) fn check(self, params: &bfv::Params, schema: &Schema) -> Result<(), Error> {
        let fits = params.slot_count() == schema.block_rows()
            && params.plain_modulus() >= 1 << self.sum_bits()
            && (self != Family::Compare || params.top_level() >= Level::new(SELECTED_LEVEL));
        if fits {
            return Ok(());
        }
        Err(Error::malformed("the parameters of a table", "they are not those of its layout"))
    }
}

impl Component {
    /// Returns the bits of a limb.
    pub(crate) fn limb_bits(self) -> u32 {
        match self {
            Component::Values | Component::Squares => LIMB_BITS,
            Component::Bits => 1,
            Component::SelectedValues | Component::SelectedSquares => SELECTED_LIMB_BITS,
        }
    }

    /// Returns the component that holds the same number for a sum of selected rows.
    pub(crate) fn selected(self) -> Component {
        match self {
            Component::Values | Component::Bits | Component::SelectedValues => {
                Component::SelectedValues
            }
            Component::Squares | Component::SelectedSquares => Component::SelectedSquares,
        }
    }

    /// Returns whether it holds squares.
    pub(crate) fn is_square(self) -> bool {
        matches!(self, Component::Squares | Component::SelectedSquares)
    }

    /// Returns the name in the columns of a file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Component::Values => "values",
            Component::Squares => "squares",
            Component::Bits => "bits",
            Component::SelectedValues => "selected_values",
            Component::SelectedSquares => "selected_squares",
        }
    }

    /// Returns the level of its fresh ciphertexts.
    pub(crate) fn level(self, params: &bfv::Params) -> Level {
        match self {
            Component::Values | Component::Squares | Component::Bits => params.top_level(),
            Component::SelectedValues | Component::SelectedSquares => Level::new(SELECTED_LEVEL),
        }
    }
}

impl Schema {
    /// Returns the rows of a block.
    pub(crate) fn block_rows(&self) -> usize {
        let compares = self.families().contains(&Family::Compare);
        if compares { COMPARED_ROWS } else { ROWS }
    }

    /// Returns the sets of parameters of all columns.
    pub(crate) fn families(&self) -> BTreeSet<Family> {
        let of = |column: &EncryptedColumn| {
            column.components().into_iter().map(|part| column.family(part)).collect::<Vec<_>>()
        };
        self.encrypted.iter().flat_map(of).collect()
    }

    /// Returns the circuit of the deepest predicate that tables serve.
    ///
    /// Its products are those of the tree of a comparison, the one with the selected values, and,
    /// where several columns are compared, a conjunction or disjunction of two, which adds to its
    /// last sum. The mask of a clear condition and the sums of a list take less than a product:
    /// small trees get one more, and larger ones more terms for each product. A test pins that what
    /// is promised fits.
    fn comparison_circuit(&self) -> Circuit {
        let compared = self.encrypted.iter().filter(|column| column.uses.contains(&Use::Compare));
        let bits: Vec<u32> = compared.map(|own| own.limb_count(Component::Bits)).collect();
        let most = bits.iter().copied().max().unwrap_or(1);
        let tree = most.next_power_of_two().ilog2() as usize;
        let joint = usize::from(bits.len() > 1);
        let mask = usize::from(tree < 2);
        let terms = match (joint, tree) {
            (_, 2) => 16,
            (1, 3) => 8,
            (0, 3 | 4) | (1, 4 | 5) => 4,
            _ => 2,
        };
        circuit(tree + 1 + joint + mask, terms, 2 * TERMS)
    }
}

/// Returns a circuit on encryptions under the secret key, without rotations.
fn circuit(products: usize, terms: usize, results: usize) -> Circuit {
    Circuit { products, rotations: 0, terms, results, encryption: Encryption::SecretKey }
}

impl EncryptedColumn {
    /// Returns the parameters of the ciphertexts of a component.
    pub(crate) fn family(&self, component: Component) -> Family {
        match component {
            Component::Values | Component::Squares if self.uses.contains(&Use::Filter) => {
                Family::Masks
            }
            Component::Values | Component::Squares => Family::Sums,
            Component::Bits | Component::SelectedValues | Component::SelectedSquares => {
                Family::Compare
            }
        }
    }

    /// Returns the components that a column with these uses stores.
    pub(crate) fn components(&self) -> Vec<Component> {
        let squares = self.uses.contains(&Use::Variance);
        let bits = self.uses.contains(&Use::Compare);
        let selected = bits || self.uses.contains(&Use::Select);
        let all = [
            (true, Component::Values),
            (squares, Component::Squares),
            (bits, Component::Bits),
            (selected, Component::SelectedValues),
            (selected && squares, Component::SelectedSquares),
        ];
        all.into_iter().filter(|(stored, _)| *stored).map(|(_, part)| part).collect()
    }

    /// Returns the ciphertexts of a block, in order: components, and the limbs of each from the
    /// lowest.
    pub(crate) fn limbs(&self) -> impl Iterator<Item = (Component, u32)> {
        self.components()
            .into_iter()
            .flat_map(|part| (0..self.limb_count(part)).map(move |i| (part, i)))
    }

    pub(crate) fn limb_count(&self, component: Component) -> u32 {
        let greatest = self.greatest(component);
        (u64::BITS - greatest.leading_zeros()).div_ceil(component.limb_bits())
    }

    /// Returns the greatest stored value.
    pub(crate) fn greatest(&self, component: Component) -> u64 {
        if component.is_square() { self.greatest_square() } else { self.span() }
    }

    /// Returns the number that a component stores for a value within the range.
    pub(crate) fn stored(&self, component: Component, value: i64) -> u64 {
        if component.is_square() {
            let deviation = value.abs_diff(self.middle());
            return deviation * deviation;
        }
        value.abs_diff(self.limits()[0])
    }
}

/// Returns one limb of a stored value.
pub(crate) fn limb(stored: u64, component: Component, index: u32) -> u64 {
    let bits = component.limb_bits();
    (stored >> (index * bits)) & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Width;
    use std::collections::BTreeSet;

    fn column(width: Width, uses: &[Use]) -> EncryptedColumn {
        let uses: BTreeSet<_> = uses.iter().copied().collect();
        EncryptedColumn { name: "a".into(), kind: width.into(), range: None, uses, nulls: false }
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
        let compared = column(Width::Int32, &[Use::Compare]);
        let schema = Schema { encrypted: vec![compared], clear: Vec::new() };
        let families = [
            (Family::Sums, Component::Values),
            (Family::Masks, Component::Values),
            (Family::Compare, Component::SelectedValues),
        ];
        for (family, component) in families {
            let params = family.params(&schema).unwrap();
            family.check(&params, &schema).unwrap();
            let greatest = (1 << component.limb_bits()) - 1;
            assert!(TERMS as u64 * greatest < params.plain_modulus());
            assert!(params.assessment().classical_bits >= 128.0);
        }
    }

    #[test]
    fn limbs_of_stored_values_add_up_at_the_ends_of_every_range() {
        for width in [Width::Int8, Width::Int16, Width::Int32, Width::UInt8, Width::UInt32] {
            let column = column(width, &[Use::Variance, Use::Compare]);
            for value in column.limits().into_iter().chain([column.middle()]) {
                for part in column.components() {
                    let stored = column.stored(part, value);
                    assert!(stored <= column.greatest(part));
                    let limbs = (0..column.limb_count(part))
                        .map(|i| limb(stored, part, i) << (part.limb_bits() * i));
                    assert_eq!(limbs.sum::<u64>(), stored);
                }
            }
        }
        let wide = column(Width::Int64, &[]);
        assert_eq!(wide.stored(Component::Values, i64::MAX), u64::MAX);
        assert_eq!(wide.limb_count(Component::Values), 4);
    }
}

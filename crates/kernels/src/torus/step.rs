//! The steps of a blind rotation.

use super::base::Base;
use super::octet::{Line, lines};
use super::product::{ProductShape, Rotation};
use super::table::FourierTable;

/// One step of a blind rotation.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(super) table: &'a FourierTable,
    pub(super) shape: ProductShape,
    pub(super) key: &'a [Line],
    /// The gadget base of each column.
    pub(super) bases: [Base; 4],
    rotation: Rotation<'a>,
    index: usize,
}

impl<'a> Step<'a> {
    /// Returns the step before `index` and the one at `index`, each if the key has it.
    pub(super) fn around(
        index: usize,
        table: &'a FourierTable,
        rotation: &Rotation<'a>,
    ) -> [Option<Step<'a>>; 2] {
        let shape = rotation.shape;
        let bases = std::array::from_fn(|column| Base::new(shape.decomposition(column).base()));
        let any = Step { table, shape, key: &[], bases, rotation: *rotation, index: 0 };
        [index.checked_sub(1).and_then(|before| any.at(before)), any.at(index)]
    }

    /// Returns the next step.
    pub(super) fn next(self) -> Option<Step<'a>> {
        self.at(self.index + 1)
    }

    fn at(self, index: usize) -> Option<Step<'a>> {
        let length = self.shape.step_len();
        let key = self.rotation.key.get(index * length..(index + 1) * length)?;
        Some(Step { key: lines(key), index, ..self })
    }

    /// Returns the exponents of a ciphertext, one for each selector.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn exponents(&self, ciphertext: usize) -> &'a [u32] {
        let selectors = self.shape.selectors;
        let steps = self.rotation.key.len() / self.shape.step_len();
        let at = (ciphertext * steps + self.index) * selectors;
        &self.rotation.exponents[at..at + selectors]
    }
}

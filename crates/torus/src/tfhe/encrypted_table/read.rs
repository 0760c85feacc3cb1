//! Reading encrypted tables, for circuits beyond machine integers.

use super::Lookup;
use crate::tfhe::TableError;
use crate::tfhe::{Block, Error, Evaluator};

/// A table of encrypted values and the places at which it is to be read.
///
/// Let `half` be half the number of messages, 16 for integers. The table holds `slots` in the
/// places from 0 on, and 0 in the other places below `half`. Places count modulo `2 half`; place
/// `p + half` holds the negated value of place `p`.
#[derive(Clone, Debug)]
pub struct TableRead {
    /// The values in the places from 0 on, at most `half` of them.
    pub slots: Vec<Block>,
    /// The encrypted integer that is added to every place that is read.
    pub index: Block,
    /// The places, each below `half`.
    pub places: Vec<usize>,
}

impl Evaluator {
    /// Reads encrypted tables at encrypted indices and returns, for every place, the value at the
    /// sum of the place and the index.
    ///
    /// All reads form one layer. Each costs one bootstrap, whatever the number of its places, and
    /// a key switch for each of its values. The noise variance of a result is that of the noisiest
    /// value plus 2. Results of one read, and of reads of tables with common values, have noise in
    /// common: their sums need a bootstrap of each first.
    ///
    /// # Errors
    /// [`TableError::Domain`] if a table has too many values or a place is not below `half`;
    /// [`Error::NoiseExceeded`] if an index is too noisy; [`Error::Spec`] if the parameters have no
    /// tables; [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Simulated`].
    pub fn read_tables(&self, reads: &[TableRead]) -> Result<Vec<Vec<Block>>, Error> {
        let space = self.params().space();
        let places = reads.iter().flat_map(|read| &read.places);
        if let Some(&place) = places.clone().find(|&&place| place >= space.half() as usize) {
            let high = i32::try_from(place).unwrap_or(i32::MAX);
            return Err(TableError::Domain { low: 0, high, outputs: 1, bits: space.bits() }.into());
        }
        let tables = self.tables(reads.iter().map(|read| read.slots.clone()).collect())?;
        let lookups = reads.iter().zip(&tables);
        let lookups: Vec<_> = lookups
            .map(|(read, table)| Lookup { index: &read.index, table, places: &read.places })
            .collect();
        self.look_up(&lookups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::Params;

    #[test]
    fn values_are_read_at_the_sum_of_place_and_index() {
        let params = Params::preset(Params::INTEGERS).unwrap();
        let (evaluator, space) = (Evaluator::simulated(&params), params.space());
        let slots: Vec<_> = (0..5).map(|x| Block::simulated(space, x % 4, (0, 3))).collect();
        for index in -5..=0 {
            let read = TableRead {
                slots: slots.clone(),
                index: Block::simulated(space, index, (-5, 0)),
                places: vec![0, 4],
            };
            let results = evaluator.read_tables(&[read]).unwrap().swap_remove(0);
            for (block, place) in results.iter().zip([0, 4]) {
                let at = place + index;
                let expected = if at < 0 { 0 } else { at % 4 };
                assert_eq!(space.decode(block.lwe().body()), expected);
                assert_eq!((block.range(), block.noise_variance()), ((0, 3), 3));
            }
        }
        assert_eq!(evaluator.counts().bootstraps, 6);
    }

    #[test]
    fn places_beyond_the_table_are_refused() {
        let params = Params::preset(Params::INTEGERS).unwrap();
        let (evaluator, space) = (Evaluator::simulated(&params), params.space());
        let index = Block::simulated(space, 0, (0, 3));
        let read = TableRead { slots: Vec::new(), index, places: vec![16] };
        let refused = evaluator.read_tables(&[read]).unwrap_err();
        assert_eq!(
            refused,
            Error::Table(TableError::Domain { low: 0, high: 16, outputs: 1, bits: 5 })
        );
    }
}

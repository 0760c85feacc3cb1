//! The predicate of the query.

use fathom::tfhe::{Block, Evaluator, Lut};

use super::tfhe::Row;
use super::{product_range, total_range};
use crate::Error;
use crate::schemes::blocks::map;

/// Returns a truth value for each row: 20 bootstraps a row, in eight layers for all of them.
pub(super) fn selected(evaluator: &Evaluator, rows: &[Row<'_>]) -> Result<Vec<Block>, Error> {
    let products = product_range::in_range(evaluator, rows)?;
    let totals = total_range::in_range(evaluator, rows)?;
    let sums = products.iter().zip(&totals).map(|(product, total)| product.add(total));
    let sums: Vec<Block> = sums.collect::<Result<_, _>>()?;
    let both = Lut::new(evaluator.params().space(), -2..=2, |x| i32::from(x == 2))?;
    map(evaluator, &sums, &both)
}

//! The predicate of the query.

use fathom::tfhe::{Block, Evaluator, Lut};

use super::row::Row;
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

#[cfg(test)]
mod tests {
    use fathom::tfhe::Params;

    use super::*;
    use crate::private_db::query::{PRODUCTS, TOTALS, selects};

    /// Returns the digits of an integer as simulated blocks.
    fn digits(evaluator: &Evaluator, value: u64, count: usize) -> Vec<Block> {
        let space = evaluator.params().space();
        let digit = |place: usize| ((value >> (2 * place)) & 3) as i32;
        (0..count).map(|place| Block::simulated(space, digit(place), (0, 3))).collect()
    }

    /// Checks the predicate on clear rows of salary, hours and bonus.
    fn check(rows: &[[u64; 3]]) {
        let evaluator = Evaluator::simulated(&Params::preset(Params::INTEGERS).unwrap());
        let columns: Vec<_> = rows
            .iter()
            .map(|&[salary, hours, bonus]| {
                [(salary, 4), (hours, 4), (bonus, 5)].map(|(v, n)| digits(&evaluator, v, n))
            })
            .collect();
        let blocks: Vec<_> =
            columns.iter().map(|[salary, hours, bonus]| Row { salary, hours, bonus }).collect();
        let space = evaluator.params().space();
        for (truth, &[salary, hours, bonus]) in
            selected(&evaluator, &blocks).unwrap().iter().zip(rows)
        {
            let expected = i32::from(selects(salary, hours, bonus));
            assert_eq!(space.decode(truth.lwe().body()), expected, "{salary} {hours} {bonus}");
        }
    }

    #[test]
    fn products_are_compared_for_all_hours_at_both_ends_of_the_range() {
        let mut rows = Vec::new();
        for hours in 0..256 {
            let mut salaries = vec![0, 1, 16, 255];
            for end in [*PRODUCTS.start(), *PRODUCTS.end()] {
                let near = end.checked_div(hours).unwrap_or(255).min(254);
                salaries.extend([near.saturating_sub(1), near, near + 1]);
            }
            rows.extend(salaries.into_iter().map(|salary| [salary, hours, 750 - salary]));
        }
        check(&rows);
    }

    #[test]
    fn totals_are_compared_for_all_salaries_at_both_ends_of_the_range() {
        let mut rows = Vec::new();
        for salary in 20..256 {
            let hours = (PRODUCTS.start() / salary + 1).min(255);
            let mut bonuses = vec![0, 255, 256, 767, 1023];
            for end in [*TOTALS.start(), *TOTALS.end()] {
                bonuses.extend((end - 2..end + 3).map(|total| total - salary));
            }
            rows.extend(bonuses.into_iter().map(|bonus| [salary, hours, bonus]));
        }
        check(&rows);
    }
}

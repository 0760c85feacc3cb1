//! Bonuses of the selected rows, as columns of digits that are ready to be added up.

use fathom::tfhe::{Block, Evaluator, Lut, TableRead};

use super::query::GROUPS;
use super::row::Row;
use crate::Error;
use crate::schemes::blocks::{map, pair};

/// Returns the digits of each bonus, or zeros for a row that is not selected. A row takes one
/// bootstrap: its truth value shifts the digits in an encrypted table to the places that are read.
pub(super) fn masked(
    evaluator: &Evaluator,
    rows: &[Row<'_>],
    selected: &[Block],
) -> Result<Vec<Vec<Block>>, Error> {
    let reads = rows.iter().zip(selected).map(|(row, selected)| {
        let digits = row.bonus.len();
        TableRead {
            slots: row.bonus.to_vec(),
            index: selected.add_scalar(-1).mul_scalar(digits as i32),
            places: (0..digits).collect(),
        }
    });
    Ok(evaluator.read_tables(&reads.collect::<Vec<_>>())?)
}

/// Returns for each row and each digit its value for all groups, which is zero for all but the
/// group of the row. `groups` are the digits of the groups' numbers. A row takes one bootstrap and
/// one for every two digits.
pub(super) fn grouped(
    evaluator: &Evaluator,
    groups: &[&[Block]],
    masked: &[Vec<Block>],
) -> Result<Vec<Vec<Vec<Block>>>, Error> {
    let space = evaluator.params().space();
    let numbers = groups.iter().map(|digits| pair(&digits[0], &digits[1]));
    let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
    let number = Lut::new(space, 0..=15, |x| x % GROUPS as i32)?;
    let numbers = map(evaluator, &numbers, &number)?;
    // One digit is at place 0 and one at place 8. Less the number of its group, a place from 0 to 7
    // reaches the first only at that number, and a place from 8 to 15 the second.
    let mut reads = Vec::new();
    for (number, digits) in numbers.iter().zip(masked) {
        for two in digits.chunks(2) {
            let mut slots = vec![Block::trivial(space, 0); two.len().saturating_sub(1) * GROUPS];
            slots.extend(two.last().cloned());
            slots[0] = two[0].clone();
            let places = (0..two.len() * GROUPS).collect();
            reads.push(TableRead { slots, index: number.neg(), places });
        }
    }
    let mut results = evaluator.read_tables(&reads)?.into_iter();
    let mut rows = Vec::with_capacity(masked.len());
    for digits in masked {
        let mut values = Vec::with_capacity(digits.len());
        for result in results.by_ref().take(digits.len().div_ceil(2)) {
            values.extend(result.chunks(GROUPS).map(<[Block]>::to_vec));
        }
        rows.push(values);
    }
    Ok(rows)
}

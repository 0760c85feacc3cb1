//! The range of the product `salary * hours`, without the product.
//!
//! For each number of hours, the salaries that are too low and those that are not too high are two
//! intervals from 0 on. Their ends are functions of eight bits: a function of the low nibble of the
//! hours for each value of the high nibble, and an encrypted table that the high nibble selects
//! from. Two comparisons with the salary follow. A row takes 13 bootstraps; the product and two
//! comparisons of 16 bits would take about 40.

use fathom::tfhe::{Block, Evaluator, Function, Lut, Space, TableRead};

use super::query::{BITS, PRODUCTS};
use super::row::Row;
use crate::Error;
use crate::schemes::blocks::{combination, layer, map, pair};

/// Number of values of a nibble.
const NIBBLE: usize = 16;
/// Number of parts of a salary that are compared: the high nibble and two digits.
const PARTS: usize = 3;
/// The greatest salary.
const MOST: u64 = (1 << BITS) - 1;

/// Returns the greatest salary whose product with `hours` is below `products`; at most [`MOST`].
fn greatest_below(products: u64, hours: u64) -> u64 {
    (products - 1).checked_div(hours).map_or(MOST, |salary| salary.min(MOST))
}

/// Returns the parts of a salary, the most significant first.
fn parts(salary: u64) -> [i32; PARTS] {
    [salary >> 4, (salary >> 2) & 3, salary & 3].map(|part| part as i32)
}

/// Returns the table of all parts of both ends, for every high nibble of the hours, as functions of
/// the low nibble.
fn ends_table(space: Space) -> Result<Lut, Error> {
    let ends = [*PRODUCTS.start(), PRODUCTS.end() + 1];
    let mut functions = Vec::new();
    for products in ends {
        for part in 0..PARTS {
            for high in 0..NIBBLE {
                functions.push(move |low: i32| {
                    let hours = 16 * high as u64 + low as u64;
                    parts(greatest_below(products, hours))[part]
                });
            }
        }
    }
    let functions: Vec<Function<'_>> = functions.iter().map(|f| f as Function<'_>).collect();
    Ok(Lut::multi_value(space, 0..=15, &functions)?)
}

/// Returns for each row a block in -1 to 1, which is 1 if the product is in the range and 0
/// otherwise.
pub(super) fn in_range(evaluator: &Evaluator, rows: &[Row<'_>]) -> Result<Vec<Block>, Error> {
    let space = evaluator.params().space();
    let table = ends_table(space)?;
    let mut jobs = Vec::with_capacity(rows.len());
    for row in rows {
        jobs.push((pair(&row.hours[0], &row.hours[1])?, &table));
    }
    let mut reads = Vec::new();
    for (row, outputs) in rows.iter().zip(layer(evaluator, &jobs)?) {
        let index = pair(&row.hours[2], &row.hours[3])?;
        reads.extend(outputs.chunks(NIBBLE).map(|slots| TableRead {
            slots: slots.to_vec(),
            index: index.clone(),
            places: vec![0],
        }));
    }
    let ends: Vec<Block> = evaluator.read_tables(&reads)?.into_iter().flatten().collect();
    let ends: Vec<&[Block]> = ends.chunks(2 * PARTS).collect();
    let sign = Lut::negacyclic(space, 0, &[&|x| x.signum()])?;
    let mut differences = Vec::new();
    for (row, ends) in rows.iter().zip(&ends) {
        let high = pair(&row.salary[2], &row.salary[3])?;
        for end in ends.chunks(PARTS) {
            differences.push(high.sub(&end[0])?);
            differences.push(row.salary[1].sub(&end[1])?);
        }
    }
    let signs = map(evaluator, &differences, &sign)?;
    // The sign of the most significant part that differs decides. The lowest digit needs no sign.
    let above = Lut::negacyclic(space, 1, &[&|x| i32::from(x > 0)])?;
    let mut sums = Vec::with_capacity(signs.len() / 2);
    for (index, signs) in signs.chunks(2).enumerate() {
        let lowest = rows[index / 2].salary[0].sub(&ends[index / 2][PARTS * (index % 2) + 2])?;
        sums.push(combination(&[(&signs[0], 8), (&signs[1], 4), (&lowest, 1)])?);
    }
    let above = map(evaluator, &sums, &above)?;
    above.chunks(2).map(|ends| Ok(ends[0].sub(&ends[1])?)).collect()
}

#[cfg(test)]
mod tests {
    use fathom::tfhe::Params;

    use super::*;

    #[test]
    fn the_noise_of_the_ends_leaves_room_for_a_comparison() {
        let space = Params::preset(Params::INTEGERS).unwrap().space();
        let table = ends_table(space).unwrap();
        let greatest = (0..table.functions()).map(|output| table.noise_variance(output).unwrap());
        let greatest = greatest.max();
        assert!(greatest <= Some(MOST_NOISE), "{greatest:?}");
    }

    /// The greatest noise variance of a part of an end, as docs/maths/tfhe-programs.md states it.
    const MOST_NOISE: u32 = 60;
}

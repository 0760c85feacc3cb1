//! Arithmetic on bits in the slots of BFV, one ciphertext for each bit.
//!
//! Sums of ciphertexts at different levels are free of noise: the higher one takes the factor of
//! the lower one before its level is switched. The order of the terms here gives every sum such a
//! pair.

use fathom::bfv::{Bfv, Ciphertext};
use fathom_planner::RingOperation;

use crate::Error;
use crate::schemes::ring::Counted;

/// The comparison of a group of neighbouring bits of two numbers, or the carry of their sum.
#[derive(Clone)]
pub(super) struct Group {
    /// 1 where the group of the first number is greater, or has a carry of its own; `None` for 0.
    pub(super) generate: Option<Ciphertext>,
    /// 1 where the groups are equal, or pass a carry on; `None` for the lowest group, for which
    /// nothing needs it.
    pub(super) propagate: Option<Ciphertext>,
}

/// Computes `1 - x`.
pub(super) fn complement(server: &Counted<Bfv>, x: &Ciphertext) -> Result<Ciphertext, Error> {
    server.count(RingOperation::Add, x.level().get(), 1);
    let evaluator = server.evaluator();
    Ok(evaluator.add_scalar(&evaluator.neg(x)?, 1)?)
}

/// Joins neighbouring groups, the lowest first, in a tree of `ceil(log2 n)` products for `n`
/// groups: `g = g_upper + p_upper g_lower` and `p = p_upper p_lower`. Returns `generate` of all.
pub(super) fn joined(
    server: &Counted<Bfv>,
    groups: Vec<Group>,
) -> Result<Option<Ciphertext>, Error> {
    let mut groups = groups;
    while groups.len() > 1 {
        let pairs: Vec<_> = groups.chunks(2).collect();
        groups = server.map(&pairs, |pair| pair_joined(server, pair))?;
    }
    Ok(groups.pop().and_then(|group| group.generate))
}

/// Joins a lower and an upper group; a group without an upper one stays as it is.
fn pair_joined(server: &Counted<Bfv>, pair: &[Group]) -> Result<Group, Error> {
    let [lower, Group { generate, propagate: Some(propagate) }] = pair else {
        return Ok(pair[0].clone());
    };
    let passed = |lower: &Option<Ciphertext>| -> Result<Option<Ciphertext>, Error> {
        lower.as_ref().map(|lower| server.mul(propagate, lower)).transpose()
    };
    let generate = match (generate, passed(&lower.generate)?) {
        (Some(own), Some(passed)) => Some(server.add(own, &passed)?),
        (own, passed) => own.clone().or(passed),
    };
    Ok(Group { generate, propagate: passed(&lower.propagate)? })
}

/// Computes `x + y - 2 x y`, the sum of two bits without the carry, from their product.
fn parity(
    server: &Counted<Bfv>,
    [x, y]: [&Ciphertext; 2],
    product: &Ciphertext,
) -> Result<Ciphertext, Error> {
    let twice = server.add(product, product)?;
    server.add(x, &server.sub(y, &twice)?)
}

/// Computes the sum and the carry of two or three bits, of which the third may be the deepest, with
/// a product for each but the first.
fn adder(server: &Counted<Bfv>, bits: &[Ciphertext]) -> Result<[Ciphertext; 2], Error> {
    let [x, y, rest @ ..] = bits else {
        return Err(Error::Message("an adder has at least two bits".into()));
    };
    let both = server.mul(x, y)?;
    let half = parity(server, [x, y], &both)?;
    let Some(z) = rest.first() else { return Ok([half, both]) };
    let product = server.mul(&half, z)?;
    Ok([parity(server, [&half, z], &product)?, server.add(&both, &product)?])
}

/// The bits of a stage of adders: those of one adder, with their weight.
type Job<B> = (usize, Vec<B>);

/// Reduces columns of bits, where the bits at number `k` have the weight `2^k`, to at most two of
/// each weight but the last, with the fewest adders and stages (Dadda 1965). Shallow bits are added
/// first. `add` returns the sum and the carry of each adder of a stage.
fn reduced<B>(
    columns: Vec<Vec<B>>,
    depth: impl Fn(&B) -> usize,
    add: impl Fn(&[Job<B>]) -> Result<Vec<[B; 2]>, Error>,
) -> Result<Vec<Vec<B>>, Error> {
    let mut columns = columns;
    let last = columns.len() - 1;
    while let Some(target) = next_height(&columns[..last]) {
        let mut jobs = Vec::new();
        // Sums and carries of this stage in the column.
        let mut added = vec![0; columns.len() + 1];
        for (weight, column) in columns.iter_mut().take(last).enumerate() {
            column.sort_by_key(&depth);
            let mut bits = std::mem::take(column).into_iter();
            while bits.len() + added[weight] > target {
                let count = if bits.len() + added[weight] == target + 1 { 2 } else { 3 };
                jobs.push((weight, bits.by_ref().take(count).collect()));
                added[weight] += 1;
                added[weight + 1] += 1;
            }
            column.extend(bits);
        }
        for ((weight, _), [sum, carry]) in jobs.iter().zip(add(&jobs)?) {
            columns[*weight].push(sum);
            columns[weight + 1].push(carry);
        }
    }
    Ok(columns)
}

/// Returns the height to which the next stage reduces columns: the largest of 2, 3, 4, 6, 9, ...
/// below the highest column, or `None` if no column has more than two bits.
fn next_height<B>(columns: &[Vec<B>]) -> Option<usize> {
    let highest = columns.iter().map(Vec::len).max()?;
    let heights = std::iter::successors(Some(2), |height| Some(height * 3 / 2));
    heights.take_while(|height| *height < highest).last()
}

/// Returns the columns of bits whose sum is `a b + (2^(2 n) - 1 - c)`, for numbers of `n`, `n` and
/// `2 n` bits: the complements of the bits of `c`, the products of the bits of `a` and `b`, row by
/// row, and an empty column for the carry.
pub(super) fn product_columns<B>(
    bits: usize,
    complements: Vec<B>,
    products: Vec<B>,
) -> Vec<Vec<B>> {
    let mut columns: Vec<Vec<B>> = complements.into_iter().map(|bit| vec![bit]).collect();
    for (index, product) in products.into_iter().enumerate() {
        columns[index / bits + index % bits].push(product);
    }
    columns.push(Vec::new());
    columns
}

/// Returns the depth of [`carry_out`] on the columns of a product, the products of bits included.
pub(super) fn product_depth(bits: usize) -> Result<usize, Error> {
    let columns = product_columns(bits, vec![0; 2 * bits], vec![1; bits * bits]);
    let columns = reduced(
        columns,
        |depth| *depth,
        |jobs| {
            // An adder of three bits has two products in a row; the second has the third bit.
            let deep = |(_, bits): &Job<usize>| {
                let half = bits[0].max(bits[1]) + 1;
                [bits.get(2).map_or(half, |third| half.max(*third) + 1); 2]
            };
            Ok(jobs.iter().map(deep).collect())
        },
    )?;
    let carry = columns[2 * bits].iter().copied().max().unwrap_or(0);
    let products = columns[..2 * bits].iter().map(|column| match column[..] {
        [depth] => depth,
        _ => column.iter().copied().max().unwrap_or(0) + 1,
    });
    let mut groups: Vec<usize> = products.collect();
    while groups.len() > 1 {
        let joined = |pair: &[usize]| match pair {
            [lower, upper] => *lower.max(upper) + 1,
            _ => pair[0],
        };
        groups = groups.chunks(2).map(joined).collect();
    }
    Ok(groups[0].max(carry))
}

/// Computes the bit of the weight of the last column of a sum of bits that has no bit beyond it.
/// The other columns have at least one bit each.
///
/// Stages of adders reduce every column to two bits; then a tree joins the carries.
pub(super) fn carry_out(
    server: &Counted<Bfv>,
    columns: Vec<Vec<Ciphertext>>,
) -> Result<Ciphertext, Error> {
    let top = server.evaluator().params().top_level().get();
    let depth = |bit: &Ciphertext| top - bit.level().get();
    let add = |jobs: &[Job<Ciphertext>]| server.map(jobs, |(_, bits)| adder(server, bits));
    let mut columns = reduced(columns, depth, add)?;
    // At most one of the bits of this weight is 1.
    let mut last = columns.pop().unwrap_or_default();
    let numbered: Vec<_> = columns.iter().enumerate().collect();
    let groups = server.map(&numbered, |(weight, column)| {
        let [x, y] = match &column[..] {
            [x] => return Ok(Group { generate: None, propagate: Some(x.clone()) }),
            [x, y] => [x, y],
            _ => return Err(Error::Message(format!("there are no bits of weight {weight}"))),
        };
        let product = server.mul(x, y)?;
        let needed = (*weight > 0).then(|| parity(server, [x, y], &product));
        Ok(Group { propagate: needed.transpose()?, generate: Some(product) })
    })?;
    last.extend(joined(server, groups)?);
    // A sum of a higher and a lower level is free of noise.
    last.sort_by_key(|bit| std::cmp::Reverse(depth(bit)));
    let mut bits = last.into_iter();
    let first = bits.next().ok_or_else(|| Error::Message("a sum has no carry".into()))?;
    bits.try_fold(first, |sum, bit| server.add(&bit, &sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_products_are_reduced_in_the_fewest_stages() {
        let depths: Vec<usize> = [2, 4, 6, 8].map(|bits| product_depth(bits).unwrap()).to_vec();
        assert_eq!(depths, [5, 9, 12, 13]);
        assert_eq!(next_height(&[vec![(); 9], vec![(); 4]]), Some(6));
        assert_eq!(next_height(&[vec![(); 2]]), None);
    }
}

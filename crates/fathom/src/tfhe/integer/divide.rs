//! Quotients and remainders.

use super::carry::CarryOut;
use super::digits::SPACE;
use super::radix::{Radix, constant, differences, nibbles, pair, total, two, weighted};
use super::{Integer, Operand, Side};
use crate::tfhe::{Block, Error, Evaluator, Lut};
use std::sync::LazyLock;

/// Multiples of the divisor that a digit of the quotient is found with: 1 to 3.
const MULTIPLES: usize = 3;

impl Evaluator {
    /// `a / b` and `a % b`; signed division rounds toward zero, and the remainder has the sign of
    /// `a`.
    ///
    /// Division by zero gives a quotient with all bits set (of `|a|` if signed, and then negated
    /// for a negative `a`) and the remainder `a`. The least value divided by -1 wraps.
    ///
    /// Cost, for n blocks: about 2.5 n^2 bootstraps; by a clear divisor about 0.3 n^2.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn div_rem<T: Integer>(&self, a: &T, b: impl Operand<T>) -> Result<(T, T), Error> {
        let radix = self.radix()?;
        let a = radix.blocks(a)?;
        let (quotient, remainder) = match radix.side(&b)? {
            Side::Clear(b) => {
                let quotient = radix.quotient_clear::<T>(a, b)?;
                let remainder = radix.remainder_clear(a, &quotient, b)?;
                (quotient, remainder)
            }
            Side::Encrypted(b) if T::SIGNED => radix.signed_quotient(a, b)?,
            Side::Encrypted(b) => radix.quotient(a, b)?,
        };
        Ok((T::wrap(quotient), T::wrap(remainder)))
    }

    /// `a / b`; see [`Evaluator::div_rem`], which costs no more with an encrypted divisor.
    ///
    /// # Errors
    /// As [`Evaluator::div_rem`].
    pub fn div<T: Integer>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let radix = self.radix()?;
        match radix.side(&b)? {
            Side::Clear(b) => Ok(T::wrap(radix.quotient_clear::<T>(radix.blocks(a)?, b)?)),
            Side::Encrypted(_) => Ok(self.div_rem(a, b)?.0),
        }
    }

    /// `a % b`; see [`Evaluator::div_rem`].
    ///
    /// # Errors
    /// As [`Evaluator::div_rem`].
    pub fn rem<T: Integer>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        Ok(self.div_rem(a, b)?.1)
    }
}

impl Radix<'_> {
    fn signed_quotient(&self, a: &[Block], b: &[Block]) -> Result<(Vec<Block>, Vec<Block>), Error> {
        let tops = [a, b].map(|blocks| blocks[blocks.len() - 1].clone());
        let signs = self.map(tops, &self.tables.sign_bit)?;
        let (quotient, remainder) =
            self.quotient(&self.negated_if(a, &signs[0])?, &self.negated_if(b, &signs[1])?)?;
        let differ = self.apply(&total(&signs), &self.tables.odd)?;
        Ok((self.negated_if(&quotient, &differ)?, self.negated_if(&remainder, &signs[0])?))
    }

    /// Long division in base 4. A digit of the quotient is the number of the multiples 1, 2, 3 of
    /// the divisor that the partial remainder reaches.
    fn quotient(&self, a: &[Block], b: &[Block]) -> Result<(Vec<Block>, Vec<Block>), Error> {
        let divisor = Divisor::new(self, b)?;
        let mut quotient = Vec::with_capacity(a.len());
        let mut remainder: Vec<Block> = Vec::with_capacity(a.len());
        for digit in a.iter().rev() {
            remainder.insert(0, digit.clone());
            let last = remainder.len() == a.len();
            let digit = self.quotient_digit(&remainder, &divisor)?;
            remainder = self.subtract_multiple(&remainder, &digit, b, last)?;
            quotient.push(digit);
        }
        // A digit is a sum of three truth values, too noisy to be an integer's.
        let quotient = self.map(quotient.into_iter().rev(), &self.tables.message)?;
        Ok((quotient, remainder))
    }

    /// How many of the multiples of the divisor the remainder reaches: 0 to 3.
    fn quotient_digit(&self, remainder: &[Block], divisor: &Divisor) -> Result<Block, Error> {
        let length = remainder.len();
        let mut padded = remainder.to_vec();
        padded.push(constant(0));
        // The divisor's own digits past the remainder are what `beyond` says of them.
        let items = divisor.multiples.iter().enumerate().map(|(index, multiple)| {
            let compared = if index == 0 { length } else { length + 1 };
            nibbles(&differences(&padded[..compared], multiple))
        });
        let items: Vec<Vec<Block>> = items.collect();
        let jobs = items.iter().flat_map(|items| self.sign_jobs(items)).collect::<Vec<_>>();
        let mut signs = self.layer(&jobs)?.into_iter().flatten();
        let signs = items.iter().map(|items| {
            let beyond = divisor.beyond.get(length).map(|beyond| beyond.times(-1));
            signs.by_ref().take(items.len()).chain(beyond).collect::<Vec<_>>()
        });
        let sums = self.sign_sums(signs.collect())?;
        let reached = self.map(sums, &self.tables.greater_equal)?;
        Ok(total(&reached))
    }

    /// For several lists of signs, the sums of [`Radix::sign_sum`], a layer for all at each level.
    fn sign_sums(&self, mut lists: Vec<Vec<Block>>) -> Result<Vec<Block>, Error> {
        while lists.iter().any(|signs| signs.len() > 4) {
            let groups = lists.iter().flat_map(|signs| signs.chunks(4));
            let jobs = groups.filter(|group| group.len() > 1);
            let jobs: Vec<_> = jobs.map(weighted).collect();
            let mut combined = self.map(jobs, &self.tables.sign)?.into_iter();
            for signs in &mut lists {
                let groups = signs.chunks(4).filter_map(|group| match group {
                    [sign] => Some(sign.clone()),
                    _ => combined.next(),
                });
                *signs = groups.collect();
            }
        }
        Ok(lists.iter().map(|signs| weighted(signs)).collect())
    }

    /// `remainder - digit divisor`, which is known to be less than the divisor and not negative.
    ///
    /// A digit of the result stands in the next comparison either alone in a nibble or as its lower
    /// digit, where it may be noisy, or as its upper digit, where it may not.
    fn subtract_multiple(
        &self,
        remainder: &[Block],
        digit: &Block,
        divisor: &[Block],
        last: bool,
    ) -> Result<Vec<Block>, Error> {
        let tables = TABLES.as_ref().map_err(Clone::clone)?;
        let jobs = divisor[..remainder.len()].iter();
        let jobs: Vec<_> = jobs.map(|block| (pair(block, digit), &tables.product)).collect();
        let mut high = constant(0);
        let mut borrow = constant(0);
        let mut result = Vec::with_capacity(remainder.len());
        for (place, (block, product)) in remainder.iter().zip(self.layer(&jobs)?).enumerate() {
            let [low, next_high] = two(vec![product]);
            // Both carries into a place together are at most 3: the lower digits of the remainder
            // are not less than 0, those of the multiple less than 3 times their place.
            let value = block.minus(&low).minus(&high).minus(&borrow).within(-6, 3);
            let mut jobs = Vec::new();
            if place + 1 == remainder.len() {
                jobs.push((value, &tables.message));
            } else if place == 0 {
                jobs.push((value, &tables.first));
            } else if place % 2 == 0 || last {
                jobs.push((value.clone(), &tables.message));
                jobs.push((value, &tables.borrow));
            } else {
                jobs.push((value, &tables.message_borrow));
            }
            let [message, next] = two(self.layer(&jobs)?);
            result.push(message);
            (high, borrow) = (next_high, next);
        }
        Ok(result)
    }
}

/// What is known of the divisor before the first digit.
struct Divisor {
    /// The divisor, its double and its triple; the latter with one digit more.
    multiples: [Vec<Block>; MULTIPLES],
    /// Whether a digit of the divisor at or past the index is not 0; no entry for the width.
    beyond: Vec<Block>,
}

impl Divisor {
    fn new(radix: &Radix<'_>, divisor: &[Block]) -> Result<Divisor, Error> {
        let tables = TABLES.as_ref().map_err(Clone::clone)?;
        let doubles = (0..=divisor.len()).map(|place| {
            let own = divisor.get(place).cloned().unwrap_or_else(|| constant(0));
            let lower = if place == 0 { constant(0) } else { divisor[place - 1].clone() };
            pair(&own, &lower)
        });
        let double = radix.map(doubles, &tables.double)?;
        let sums = double.iter().enumerate().map(|(place, double)| match divisor.get(place) {
            Some(block) => double.plus(block),
            None => double.clone(),
        });
        let triple = radix.propagate(sums.collect(), CarryOut::Dropped)?.0;
        // Four digits and a flag at a time, from the top.
        let mut beyond = vec![constant(0); divisor.len() + 1];
        let mut end = divisor.len();
        while end > 1 {
            let start = end.saturating_sub(4).max(1);
            let sums: Vec<_> =
                (start..end).map(|place| total(&divisor[place..end]).plus(&beyond[end])).collect();
            for (place, flag) in (start..end).zip(radix.map(sums, &radix.tables.any)?) {
                beyond[place] = flag;
            }
            end = start;
        }
        beyond.truncate(divisor.len());
        Ok(Divisor { multiples: [divisor.to_vec(), double, triple], beyond })
    }
}

/// The tables of division.
struct Tables {
    /// The digit of the double, of a digit and 4 times the one below it.
    double: Lut,
    /// Low and high digit of the product of two digits.
    product: Lut,
    /// `x mod 4` and what is borrowed, of a difference without borrow: -3 to 3.
    first: Lut,
    /// `x mod 4` and what is borrowed, of -6 to 3; noisy.
    message_borrow: Lut,
    /// `x mod 4` of -6 to 3.
    message: Lut,
    /// What is borrowed, of -6 to 3.
    borrow: Lut,
}

static TABLES: LazyLock<Result<Tables, Error>> = LazyLock::new(|| {
    let product = |x: i32| (x & 3) * (x >> 2);
    let message = |x: i32| x & 3;
    let borrow = |x: i32| -(x >> 2);
    Ok(Tables {
        double: Lut::new(SPACE, 0..=15, |x| ((2 * x) & 3) + (x >> 3))?,
        product: Lut::multi_value(SPACE, 0..=15, &[&|x| product(x) & 3, &|x| product(x) >> 2])?,
        first: Lut::many(SPACE, -3..=3, &[&message, &borrow])?,
        message_borrow: Lut::multi_value(SPACE, -6..=3, &[&message, &borrow])?,
        message: Lut::new(SPACE, -6..=3, message)?,
        borrow: Lut::new(SPACE, -6..=3, borrow)?,
    })
});

//! Comparisons of encrypted integers with constants and with each other, on bits in slots.
//!
//! Neighbouring bits form groups. For every group, `greater` is 1 where the value is greater than
//! the constant in these bits, and `equal` is 1 where they agree. A tree joins two groups with two
//! products: `greater = greater_upper + equal_upper greater_lower`, and
//! `equal = equal_upper equal_lower`.
//!
//! The leaves are digits of two bits `x1 x0`. Both functions of a digit are sums of `1`, `x1`, `x0`
//! and the product `x1 x0`, so that one product serves the digit for all constants:
//!
//! | digit of the constant | greater | equal |
//! |---|---|---|
//! | 0 | `x1 + x0 - x1 x0` | `1 - greater` |
//! | 1 | `x1` | `x0 - x1 x0` |
//! | 2 | `x1 x0` | `x1 - x1 x0` |
//! | 3 | 0 | `x1 x0` |
//!
//! For 32 bits that is a depth of 5 and at most 42 products, 16 of them at the top level. Digits
//! of the constant that are 3 at its lower end, below which nothing is greater, save products.
//!
//! A mask of zeros and ones is applied to the two bits of the top digit before all products, when
//! the noise is least; the other digits follow, since the top digit multiplies them.

use crate::Error;
use fathom::prelude::*;
use rayon::prelude::*;

/// A public mask of zeros and ones in slots.
pub(crate) struct Mask {
    factor: bfv::Multiplicand,
    ones: bfv::Plaintext,
}

impl Mask {
    pub(crate) fn new(params: &bfv::Params, slots: &[bool]) -> Result<Mask, Error> {
        let slots: Vec<u64> = slots.iter().map(|&one| u64::from(one)).collect();
        let ones = params.encode(&slots)?;
        Ok(Mask { factor: ones.to_multiplicand(), ones })
    }
}

/// An encrypted integer.
pub(crate) struct Integer<'a> {
    evaluator: &'a bfv::Evaluator,
    /// The bits of the values, from the lowest.
    bits: Vec<bfv::Ciphertext>,
    /// The product of the bits of each digit of two bits.
    products: Vec<bfv::Ciphertext>,
}

/// The top digit of an integer under a mask.
pub(crate) struct MaskedTop<'m> {
    bits: Vec<bfv::Ciphertext>,
    product: Option<bfv::Ciphertext>,
    ones: &'m bfv::Plaintext,
}

/// One or two bits.
#[derive(Clone, Copy)]
enum Digit<'d> {
    /// The top bit of an odd number of bits.
    One(&'d bfv::Ciphertext),
    /// Two bits, and their product.
    Two { high: &'d bfv::Ciphertext, low: &'d bfv::Ciphertext, both: &'d bfv::Ciphertext },
}

/// The comparison of some bits.
#[derive(Clone)]
struct Group {
    /// 1 where the value is greater; `None` for 0.
    greater: Option<bfv::Ciphertext>,
    /// 1 where they are equal; `None` for the lowest group, for which nothing needs it.
    equal: Option<bfv::Ciphertext>,
}

impl<'a> Integer<'a> {
    /// Prepares the digits of at least one bit, the lowest first.
    pub(crate) fn new(
        evaluator: &'a bfv::Evaluator,
        bits: Vec<bfv::Ciphertext>,
    ) -> Result<Integer<'a>, Error> {
        let products = bits.par_chunks_exact(2).map(|pair| evaluator.mul(&pair[1], &pair[0]));
        let products = products.collect::<Result<_, _>>()?;
        Ok(Integer { evaluator, bits, products })
    }

    /// Returns an encryption of the lowest bit.
    pub(crate) fn lowest_bit(&self) -> &bfv::Ciphertext {
        &self.bits[0]
    }

    /// Applies a mask to the top digit, for [`Integer::at_least`] and [`Integer::equal`].
    pub(crate) fn masked<'m>(&self, mask: &'m Mask) -> Result<MaskedTop<'m>, Error> {
        let top = &self.bits[2 * (self.digit_count() - 1)..];
        let bits = top.iter().map(|bit| self.evaluator.mul_plain(bit, &mask.factor));
        let bits = bits.collect::<Result<Vec<_>, _>>()?;
        let product = match (bits.get(1), top) {
            (Some(high), [low, _]) => Some(self.evaluator.mul(high, low)?),
            _ => None,
        };
        Ok(MaskedTop { bits, product, ones: &mask.ones })
    }

    /// Computes 1 where the integer is at least `number`, which is from 1 to its greatest value,
    /// and the mask of the top digit, if it has one, is 1.
    pub(crate) fn at_least(
        &self,
        number: u64,
        top: Option<&MaskedTop<'_>>,
    ) -> Result<bfv::Ciphertext, Error> {
        // At least `number` is greater than `number - 1`, which the groups compute.
        let constant = number - 1;
        // Digits below it are full in the constant: no value exceeds it there, so that they take no
        // part.
        let first = (0..self.digit_count())
            .find(|&index| self.digit(index, top).can_exceed(digit_of(constant, index)));
        let first = first.expect("a number up to the greatest value has a digit that is not full");
        let groups = (first..self.digit_count()).into_par_iter().map(|index| {
            let (digit, value) = (self.digit(index, top), digit_of(constant, index));
            let greater = digit.greater(self.evaluator, value)?;
            let ones = self.ones(index, top);
            let equal = match &greater {
                // Nothing lies below the first group that equality would have to pass on.
                _ if index == first => None,
                Some(greater) if value == 0 => Some(complement(self.evaluator, greater, ones)?),
                _ => Some(digit.equal(self.evaluator, value, ones)?),
            };
            Ok(Group { greater, equal })
        });
        joined(self.evaluator, groups.collect::<Result<_, Error>>()?)
    }

    /// Computes 1 where the integer is `number`, with a mask as in [`Integer::at_least`].
    pub(crate) fn equal(
        &self,
        number: u64,
        top: Option<&MaskedTop<'_>>,
    ) -> Result<bfv::Ciphertext, Error> {
        let digits = (0..self.digit_count()).into_par_iter().map(|index| {
            let value = digit_of(number, index);
            self.digit(index, top).equal(self.evaluator, value, self.ones(index, top))
        });
        product(self.evaluator, digits.collect::<Result<_, _>>()?)
    }

    fn digit_count(&self) -> usize {
        self.bits.len().div_ceil(2)
    }

    fn digit<'d>(&'d self, index: usize, top: Option<&'d MaskedTop<'_>>) -> Digit<'d> {
        let masked = top.filter(|_| index + 1 == self.digit_count());
        let (bits, both) = match masked {
            Some(top) => (top.bits.as_slice(), top.product.as_ref()),
            None => (&self.bits[2 * index..], self.products.get(index)),
        };
        match (bits, both) {
            ([low, high, ..], Some(both)) => Digit::Two { high, low, both },
            (bits, _) => Digit::One(&bits[0]),
        }
    }

    /// Returns what stands for 1 in a digit.
    fn ones<'m>(&self, index: usize, top: Option<&MaskedTop<'m>>) -> Option<&'m bfv::Plaintext> {
        top.filter(|_| index + 1 == self.digit_count()).map(|top| top.ones)
    }
}

fn digit_of(constant: u64, index: usize) -> u64 {
    constant >> (2 * index) & 3
}

impl Digit<'_> {
    /// Returns whether a digit can be greater than this one.
    fn can_exceed(self, value: u64) -> bool {
        match self {
            Digit::One(_) => value < 1,
            Digit::Two { .. } => value < 3,
        }
    }

    /// Computes 1 where the digit is greater; `None` for 0.
    fn greater(
        self,
        evaluator: &bfv::Evaluator,
        value: u64,
    ) -> Result<Option<bfv::Ciphertext>, Error> {
        Ok(match (self, value) {
            (Digit::One(bit), 0) => Some(bit.clone()),
            (Digit::Two { high, low, both }, 0) => {
                Some(evaluator.sub(&evaluator.add(high, low)?, both)?)
            }
            (Digit::Two { high, .. }, 1) => Some(high.clone()),
            (Digit::Two { both, .. }, 2) => Some(both.clone()),
            (Digit::One(_) | Digit::Two { .. }, _) => None,
        })
    }

    /// Computes 1 where the digit is the same. `ones` stands for 1 under a mask.
    fn equal(
        self,
        evaluator: &bfv::Evaluator,
        value: u64,
        ones: Option<&bfv::Plaintext>,
    ) -> Result<bfv::Ciphertext, Error> {
        Ok(match (self, value) {
            (Digit::One(bit), 1) => bit.clone(),
            (Digit::Two { low, both, .. }, 1) => evaluator.sub(low, both)?,
            (Digit::Two { high, both, .. }, 2) => evaluator.sub(high, both)?,
            (Digit::Two { both, .. }, 3) => both.clone(),
            (digit, _) => {
                let greater = digit.greater(evaluator, 0)?;
                complement(evaluator, &greater.expect("a digit can exceed 0"), ones)?
            }
        })
    }
}

/// Computes `1 - x`, or `ones - x` under a mask.
fn complement(
    evaluator: &bfv::Evaluator,
    x: &bfv::Ciphertext,
    ones: Option<&bfv::Plaintext>,
) -> Result<bfv::Ciphertext, Error> {
    let negated = evaluator.neg(x)?;
    Ok(match ones {
        None => evaluator.add_scalar(&negated, 1)?,
        Some(ones) => evaluator.add_plain(&negated, ones)?,
    })
}

/// Computes 1 where the first of two integers, in bits from the lowest, is greater than the second.
/// The result is zero where the mask is.
pub(crate) fn greater_of_two(
    evaluator: &bfv::Evaluator,
    pair: [&Integer<'_>; 2],
    mask: &Mask,
) -> Result<bfv::Ciphertext, Error> {
    joined(evaluator, groups_of_two(evaluator, pair, mask)?)
}

/// Computes 1 where two integers are equal. The result is zero where the mask is.
pub(crate) fn equal_of_two(
    evaluator: &bfv::Evaluator,
    pair: [&Integer<'_>; 2],
    mask: &Mask,
) -> Result<bfv::Ciphertext, Error> {
    let groups = groups_of_two(evaluator, pair, mask)?;
    product(evaluator, groups.into_iter().filter_map(|group| group.equal).collect())
}

/// Compares two integers bit by bit: with the product `p = a b` of two bits, `greater = a - p` and
/// `equal = 1 - a - b + 2 p`. Bits that only one of them has are compared with zero.
fn groups_of_two(
    evaluator: &bfv::Evaluator,
    [a, b]: [&Integer<'_>; 2],
    mask: &Mask,
) -> Result<Vec<Group>, Error> {
    let count = a.bits.len().max(b.bits.len());
    let group = |index: usize| {
        let mask = Some(mask).filter(|_| index + 1 == count);
        let ones = mask.map(|mask| &mask.ones);
        let masked = |bit: Option<&bfv::Ciphertext>| match (bit, mask) {
            (Some(bit), Some(mask)) => evaluator.mul_plain(bit, &mask.factor).map(Some),
            (bit, _) => Ok(bit.cloned()),
        };
        let (left, right) = (masked(a.bits.get(index))?, masked(b.bits.get(index))?);
        let (greater, equal) = match (left, right, b.bits.get(index)) {
            (Some(left), Some(right), Some(second)) => {
                // The mask is in one factor already; a second one would cost noise and change
                // nothing.
                let both = evaluator.mul(&left, second)?;
                let twice = evaluator.add(&both, &both)?;
                let differ = evaluator.sub(&evaluator.add(&left, &right)?, &twice)?;
                (Some(evaluator.sub(&left, &both)?), complement(evaluator, &differ, ones)?)
            }
            (Some(one), ..) => (Some(one.clone()), complement(evaluator, &one, ones)?),
            (None, Some(one), _) => (None, complement(evaluator, &one, ones)?),
            (None, None, _) => {
                let reason = "it has bits that no operand has";
                return Err(Error::malformed("a comparison", reason));
            }
        };
        Ok(Group { greater, equal: Some(equal) })
    };
    (0..count).into_par_iter().map(group).collect()
}

/// Joins groups, the lowest first, in a tree, and returns `greater` of all.
fn joined(evaluator: &bfv::Evaluator, groups: Vec<Group>) -> Result<bfv::Ciphertext, Error> {
    let mut groups = groups;
    while groups.len() > 1 {
        let pairs = groups.par_chunks(2).map(|pair| pair_joined(evaluator, pair));
        groups = pairs.collect::<Result<_, _>>()?;
    }
    let greater = groups.pop().and_then(|group| group.greater);
    greater.ok_or_else(|| Error::malformed("a comparison", "it has no bits"))
}

/// Joins a lower and an upper group; a group without an upper one stays as it is.
fn pair_joined(evaluator: &bfv::Evaluator, pair: &[Group]) -> Result<Group, Error> {
    let [lower, Group { greater, equal: Some(equal) }] = pair else { return Ok(pair[0].clone()) };
    let passed = |own: &Option<bfv::Ciphertext>| -> Result<Option<bfv::Ciphertext>, Error> {
        Ok(own.as_ref().map(|own| evaluator.mul(equal, own)).transpose()?)
    };
    let (below, equal) = rayon::join(|| passed(&lower.greater), || passed(&lower.equal));
    let greater = match (greater, below?) {
        (Some(own), Some(below)) => Some(evaluator.add(own, &below)?),
        (own, below) => own.clone().or(below),
    };
    Ok(Group { greater, equal: equal? })
}

/// Multiplies at least one ciphertext in a tree.
pub(crate) fn product(
    evaluator: &bfv::Evaluator,
    factors: Vec<bfv::Ciphertext>,
) -> Result<bfv::Ciphertext, Error> {
    let mut factors = factors;
    while factors.len() > 1 {
        let pairs = factors.par_chunks(2).map(|pair| match pair {
            [a, b] => evaluator.mul(a, b),
            one => Ok(one[0].clone()),
        });
        factors = pairs.collect::<Result<_, _>>()?;
    }
    factors.pop().ok_or_else(|| Error::malformed("a comparison", "it has no factors"))
}

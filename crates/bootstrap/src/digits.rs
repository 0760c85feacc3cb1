//! Integers of up to 32 bits as digits, compared by tables.
//!
//! A slot cannot carry 32 bits through a bootstrapping (docs/maths/bootstrap.md), so that a number
//! is a list of ciphertexts, one for each digit of eight bits, the lowest first. The difference of
//! two digits is an argument of nine bits; one bootstrapping gives both its sign and whether it is
//! zero, and products join the digits of a number. What a comparison selects is multiplied by up to
//! 255, so that a table of one bit, whose slope is zero, brings the bit nearer to 0 or 1 first.

use super::bootstrapper::Bootstrapper;
use super::prepared::Prepared;
use super::slot_function::Table;
use fathom_base::Error;
use fathom_base::error::BootstrapError;
use fathom_rings::ckks::{Automatic, Ckks, DomainError};
use fathom_rings::internals::{CkksCiphertextInternals, ParamsInternals, same_key};
use fathom_rings::rlwe::{self};

type Ciphertext = rlwe::Ciphertext<Ckks>;
type Evaluator = rlwe::Evaluator<Ckks>;

/// Tables for integers of up to 16 bits in slots, and for longer ones as digits of eight bits, all
/// prepared for one bootstrapper. Cheap to clone.
///
/// A number of several digits is a list of ciphertexts, the lowest digit first; operations work
/// slot by slot. All digits are integers from 0 to 255, but the highest may be from -128 to 127,
/// which makes the number a signed one. That slots hold such integers, up to the error bound of the
/// ciphertext, is promised by whoever calls an operation, and so is that the numbers of a
/// comparison, a maximum or an index of the largest are all signed or all unsigned: digits do not
/// tell, and the result for -128 and 255 would be wrong. Slots must be real numbers.
///
/// Results are exact: their [`error_bound`](fathom_rings::ckks::Ciphertext::error_bound) is below
/// 1/2, or the operation is refused with [`BootstrapError::Tolerance`].
///
/// # Errors of all operations
/// Those of `Bootstrapper::apply` and of products of the evaluator; [`DomainError::Complex`] for
/// slots that may be complex; [`BootstrapError::Argument`] for slots that may be larger than a
/// digit; [`Error::ListLength`] for numbers that have no digits or different numbers of them.
#[derive(Clone, Debug)]
pub struct DigitTables {
    server: Bootstrapper<Automatic>,
    evaluator: Evaluator,
    /// The lowest digit of an integer of 16 bits.
    lowest: Prepared<Automatic, 1>,
    /// The tables say whether an integer of nine bits is positive, and whether it is zero.
    order: Prepared<Automatic, 2>,
    /// A bit itself.
    bit: Prepared<Automatic, 1>,
}

/// A comparison of numbers `a` and `b` gives 1 in the slots where a relation holds and 0 in others.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The slots say whether `a < b`.
    pub less: Ciphertext,
    /// The slots say whether `a = b`.
    pub equal: Ciphertext,
    /// The slots say whether `a > b`.
    pub greater: Ciphertext,
}

/// The largest of several numbers, slot by slot.
#[derive(Clone, Debug)]
pub struct Largest {
    /// Index of the first number that is the largest, as an integer.
    pub index: Ciphertext,
    /// The digits, lowest first: a ciphertext each.
    pub digits: Vec<Ciphertext>,
}

impl DigitTables {
    /// Bits of a digit.
    pub const DIGIT_BITS: u32 = 8;

    /// Prepares the tables. The evaluator needs a relinearisation key. Takes seconds, and about a
    /// gigabyte at degree 2^16.
    ///
    /// # Errors
    /// [`BootstrapError::Levels`] for a set with fewer than 6 levels, such as `boot-c`, and
    /// [`BootstrapError::Precision`] for one that is not precise enough: `boot-t` is made for it.
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn new(
        server: &Bootstrapper<Automatic>,
        evaluator: &Evaluator,
    ) -> Result<DigitTables, Error> {
        server.params().same(evaluator.params())?;
        if let Some(key) = evaluator.keys().key_id() {
            same_key(key, server.key_id())?;
        }
        let bit = |holds: bool| f64::from(u8::from(holds));
        let lowest = Table::new(8, f64::from)?.for_slots_up_to(LARGEST_SPLIT);
        let order = [
            Table::signed(9, |v| bit(v > 0))?.for_slots_up_to(LARGEST_DIFFERENCE),
            Table::signed(9, |v| bit(v == 0))?.for_slots_up_to(LARGEST_DIFFERENCE),
        ];
        Ok(DigitTables {
            lowest: server.prepare(&[lowest])?,
            order: server.prepare(&order)?,
            bit: server.prepare(&[Table::new(1, f64::from)?])?,
            server: server.clone(),
            evaluator: evaluator.clone(),
        })
    }

    /// Splits integers from 0 to 2^16 - 1 into both digits, or from -2^15 to 2^15 - 1 into the
    /// lower digit and a signed one. One bootstrapping: what is left without the lower digit is
    /// divided by 256, which takes a level of the operand.
    ///
    /// # Errors
    /// Those of all operations.
    pub fn split(&self, a: &Ciphertext) -> Result<[Ciphertext; 2], Error> {
        check("DigitTables::split", [a], LARGEST_SPLIT)?;
        let [low] = self.server.apply(a, &self.lowest)?;
        let rest = self.evaluator.sub(a, &low)?;
        let high = self.evaluator.mul_scalar(&rest, 1.0 / BASE)?;
        let high = exact(high.bounded(BASE - 1.0))?;
        Ok([exact(low)?, high])
    }

    /// Compares numbers of as many digits, both signed or both unsigned: one bootstrapping for each
    /// digit, and two products for each digit but one, on as many levels as the number of digits
    /// has bits.
    ///
    /// # Errors
    /// Those of all operations.
    pub fn compare(&self, a: &[Ciphertext], b: &[Ciphertext]) -> Result<Comparison, Error> {
        let [greater, equal] = self.ordered("DigitTables::compare", a, b)?;
        let either = self.evaluator.add(&greater, &equal)?.bounded(1.0);
        let less = exact(self.complement(&either)?)?;
        Ok(Comparison { less, equal: exact(equal)?, greater: exact(greater)? })
    }

    /// Computes the larger of two numbers, slot by slot, with one bootstrapping more than there are
    /// digits, and a product on one level of the digits.
    ///
    /// # Errors
    /// Those of all operations.
    pub fn maximum(&self, a: &[Ciphertext], b: &[Ciphertext]) -> Result<Vec<Ciphertext>, Error> {
        let [greater, _] = self.ordered("DigitTables::maximum", a, b)?;
        self.selected(&self.sharpened(&greater)?, a, b)
    }

    /// Computes the largest of several numbers of as many digits and its index, slot by slot, in a
    /// tournament with as many maxima as there are numbers less one.
    ///
    /// # Errors
    /// Those of all operations; [`Error::Shape`] for fewer than two numbers.
    pub fn argmax(&self, numbers: &[Vec<Ciphertext>]) -> Result<Largest, Error> {
        let operation = "DigitTables::argmax";
        if numbers.len() < 2 {
            let (wanted, got) = ("two numbers or more".to_owned(), numbers.len().to_string());
            return Err(Error::Shape { operation, wanted, got });
        }
        let entrant = |(index, digits): (usize, &Vec<Ciphertext>)| Entrant {
            index: Index::Known(index as f64),
            digits: digits.clone(),
        };
        let mut entrants: Vec<_> = numbers.iter().enumerate().map(entrant).collect();
        while entrants.len() > 1 {
            let matches = entrants.chunks(2).map(|pair| match pair {
                [first, second] => self.winner(first, second),
                others => Ok(others[0].clone()),
            });
            entrants = matches.collect::<Result<_, Error>>()?;
        }
        let Entrant { index, digits } = entrants.remove(0);
        let Index::Encrypted(index) = index else { unreachable!("two numbers have met") };
        Ok(Largest { index: exact(index.bounded((numbers.len() - 1) as f64))?, digits })
    }

    /// Computes -1, 0 or 1: the signs of numbers whose highest digit is signed. One bootstrapping
    /// for the highest digit, and one for every one or two others.
    ///
    /// # Errors
    /// Those of all operations.
    pub fn sign(&self, a: &[Ciphertext]) -> Result<Ciphertext, Error> {
        let (negative, mut zero) = self.negative("DigitTables::sign", a)?;
        for digits in a[..a.len() - 1].chunks(2) {
            // At most 510, of which no multiple of 512 but zero is one.
            let sum = self.evaluator.sum(digits)?.bounded(2.0 * BASE - 2.0);
            let [_, own] = self.server.apply(&sum, &self.order)?;
            zero = self.evaluator.mul(&zero, &own)?.bounded(1.0);
        }
        let below = self.evaluator.mul_scalar(&negative, 2.0)?;
        let above = self.complement(&self.evaluator.add(&below, &zero)?)?;
        exact(above.bounded(1.0))
    }

    /// Computes the larger of 0 and a number whose highest digit is signed, with two bootstrappings
    /// and a product on one level of the digits.
    ///
    /// # Errors
    /// Those of all operations.
    pub fn relu(&self, a: &[Ciphertext]) -> Result<Vec<Ciphertext>, Error> {
        let (negative, _) = self.negative("DigitTables::relu", a)?;
        let keep = self.sharpened(&self.complement(&negative)?)?;
        let kept = |digit| exact(self.evaluator.mul(&keep, digit)?.bounded(BASE - 1.0));
        a.iter().map(kept).collect()
    }

    /// Computes whether numbers are negative, and whether their highest digits are zero.
    fn negative(
        &self,
        operation: &'static str,
        a: &[Ciphertext],
    ) -> Result<(Ciphertext, Ciphertext), Error> {
        check(operation, a, BASE)?;
        let Some(highest) = a.last() else {
            return Err(Error::ListLength { operation, left: 0, right: 0 });
        };
        let opposite = self.evaluator.neg(highest)?;
        let [negative, zero] = self.server.apply(&opposite, &self.order)?;
        Ok((negative, zero))
    }

    /// Computes whether `a > b` and whether `a = b`.
    fn ordered(
        &self,
        operation: &'static str,
        a: &[Ciphertext],
        b: &[Ciphertext],
    ) -> Result<[Ciphertext; 2], Error> {
        if a.is_empty() || a.len() != b.len() {
            return Err(Error::ListLength { operation, left: a.len(), right: b.len() });
        }
        check(operation, a.iter().chain(b), BASE)?;
        let each = a.iter().zip(b).map(|(a, b)| {
            // The tracked magnitude of a difference is the sum of both, up to 512. Digits of one
            // range, unsigned or signed, differ by at most 255.
            let difference = self.evaluator.sub(a, b)?;
            self.server.apply(&difference.bounded(BASE - 1.0), &self.order)
        });
        let mut each = each.collect::<Result<Vec<_>, Error>>()?;
        // In pairs, so that products take few levels.
        while each.len() > 1 {
            let joined = each.chunks(2).map(|pair| match pair {
                [low, high] => self.joined(low, high),
                others => Ok(others[0].clone()),
            });
            each = joined.collect::<Result<_, Error>>()?;
        }
        Ok(each.remove(0))
    }

    /// Joins the order of lower digits with that of higher ones, which decides unless it is equal.
    fn joined(
        &self,
        [low_greater, low_equal]: &[Ciphertext; 2],
        [greater, equal]: &[Ciphertext; 2],
    ) -> Result<[Ciphertext; 2], Error> {
        let evaluator = &self.evaluator;
        let below = evaluator.mul(equal, low_greater)?;
        // Both exclude each other, so that the sum is a bit.
        let greater = evaluator.add(greater, &below)?.bounded(1.0);
        Ok([greater, evaluator.mul(equal, low_equal)?.bounded(1.0)])
    }

    /// Returns bits with a smaller error, of second order in that of the operand.
    fn sharpened(&self, bit: &Ciphertext) -> Result<Ciphertext, Error> {
        let [bit] = self.server.apply(bit, &self.bit)?;
        Ok(bit)
    }

    /// Computes `1 - a`.
    fn complement(&self, a: &Ciphertext) -> Result<Ciphertext, Error> {
        self.evaluator.add_scalar(&self.evaluator.neg(a)?, 1.0)
    }

    /// Selects the digits of `a` where a bit is 1 and those of `b` where it is 0.
    fn selected(
        &self,
        bit: &Ciphertext,
        a: &[Ciphertext],
        b: &[Ciphertext],
    ) -> Result<Vec<Ciphertext>, Error> {
        let evaluator = &self.evaluator;
        let digit = |(a, b): (&Ciphertext, &Ciphertext)| {
            let difference = evaluator.sub(a, b)?.bounded(BASE - 1.0);
            let chosen = evaluator.add(b, &evaluator.mul(bit, &difference)?)?;
            exact(chosen.bounded(BASE - 1.0))
        };
        a.iter().zip(b).map(digit).collect()
    }

    /// Returns the larger of two numbers, the first one where they are equal.
    fn winner(&self, first: &Entrant, second: &Entrant) -> Result<Entrant, Error> {
        let [greater, _] = self.ordered("DigitTables::argmax", &second.digits, &first.digits)?;
        let bit = self.sharpened(&greater)?;
        let digits = self.selected(&bit, &second.digits, &first.digits)?;
        let index = self.index(&bit, &first.index, &second.index)?;
        let index = Index::Encrypted(Box::new(index));
        Ok(Entrant { index, digits })
    }

    /// Returns the first index where a bit is 0 and the second one where it is 1.
    fn index(&self, bit: &Ciphertext, first: &Index, second: &Index) -> Result<Ciphertext, Error> {
        let evaluator = &self.evaluator;
        match (first, second) {
            // Clear indices differ by a clear number, so that the first round takes no product for
            // indices.
            (Index::Known(a), Index::Known(b)) => {
                evaluator.add_scalar(&evaluator.mul_scalar(bit, b - a)?, *a)
            }
            (Index::Encrypted(a), Index::Known(b)) => {
                let difference = evaluator.add_scalar(&evaluator.neg(a)?, *b)?;
                evaluator.add(a, &evaluator.mul(bit, &difference)?)
            }
            (Index::Known(a), Index::Encrypted(b)) => {
                let difference = evaluator.sub_scalar(b, *a)?;
                evaluator.add_scalar(&evaluator.mul(bit, &difference)?, *a)
            }
            (Index::Encrypted(a), Index::Encrypted(b)) => {
                let difference = evaluator.sub(b, a)?;
                evaluator.add(a, &evaluator.mul(bit, &difference)?)
            }
        }
    }
}

/// Numbers of a digit.
const BASE: f64 = 256.0;
/// The largest integer that is split.
const LARGEST_SPLIT: f64 = 65536.0;
/// The largest argument of nine bits.
const LARGEST_DIFFERENCE: f64 = 512.0;

/// A number in a tournament.
#[derive(Clone, Debug)]
struct Entrant {
    index: Index,
    digits: Vec<Ciphertext>,
}

/// The index of a number in a tournament, clear or encrypted.
#[derive(Clone, Debug)]
enum Index {
    /// The same in every slot.
    Known(f64),
    Encrypted(Box<Ciphertext>),
}

/// Refuses slots that may be complex or larger than this.
fn check<'a>(
    operation: &'static str,
    all: impl IntoIterator<Item = &'a Ciphertext>,
    limit: f64,
) -> Result<(), Error> {
    for a in all {
        if !a.is_real() {
            return Err(DomainError::Complex { operation }.into());
        }
        let magnitude = a.tracked_magnitude();
        // What is not a number is refused too.
        let fits = magnitude <= limit;
        if !fits {
            let remedy = "give the integers as digits of eight bits";
            return Err(BootstrapError::Argument { magnitude, limit, remedy }.into());
        }
    }
    Ok(())
}

/// Refuses integers that could not be told from their neighbours.
fn exact(a: Ciphertext) -> Result<Ciphertext, Error> {
    let error = a.error_bound();
    if error < 0.5 {
        return Ok(a);
    }
    let remedy = "take digits of smaller errors: fresh ones, or results of tables";
    Err(BootstrapError::Tolerance { error_bits: error.log2(), allowed_bits: -1.0, remedy }.into())
}

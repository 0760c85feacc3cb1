//! Equality and lexicographic order.

use super::text::byte;
use super::{BYTE_BLOCKS, ByteStrings, FheBytes, Padding, Text};
use crate::tfhe::integer::blocks::{constant, total};
use crate::tfhe::integer::{FheBool, Integers};
use crate::tfhe::{Block, Error, Lut};
use std::borrow::Cow;
use std::cmp::Ordering;

impl ByteStrings {
    /// Computes `a == b`. Cost: about 2.1 bootstraps per byte; less for a clear operand; one more
    /// if one of two encrypted strings is padded; none if the capacities tell that they differ.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn eq<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBool, Error> {
        let integers = &self.integers;
        let pair = Pair::new(integers, a.into(), b.into())?;
        pair.compared(integers, [&integers.tables.equals, &integers.tables.none], false)
    }

    /// Computes `a != b`. Cost: that of [`ByteStrings::eq`].
    ///
    /// # Errors
    /// As [`ByteStrings::eq`].
    pub fn ne<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBool, Error> {
        let integers = &self.integers;
        let pair = Pair::new(integers, a.into(), b.into())?;
        pair.compared(integers, [&integers.tables.differs, &integers.tables.any], true)
    }

    /// Computes `a < b` in lexicographic order. Cost: about 2.7 bootstraps per byte of the shorter
    /// string.
    ///
    /// # Errors
    /// As [`ByteStrings::eq`].
    pub fn lt<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBool, Error> {
        self.order(a, b.into(), |order| order == Ordering::Less)
    }

    /// Computes `a <= b` in lexicographic order. Cost: that of [`ByteStrings::lt`].
    ///
    /// # Errors
    /// As [`ByteStrings::eq`].
    pub fn le<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBool, Error> {
        self.order(a, b.into(), |order| order != Ordering::Greater)
    }

    /// Computes `a > b` in lexicographic order. Cost: that of [`ByteStrings::lt`].
    ///
    /// # Errors
    /// As [`ByteStrings::eq`].
    pub fn gt<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBool, Error> {
        self.order(a, b.into(), |order| order == Ordering::Greater)
    }

    /// Computes `a >= b` in lexicographic order. Cost: that of [`ByteStrings::lt`].
    ///
    /// # Errors
    /// As [`ByteStrings::eq`].
    pub fn ge<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBool, Error> {
        self.order(a, b.into(), |order| order != Ordering::Less)
    }

    fn order(
        &self,
        a: &FheBytes,
        b: Text<'_>,
        holds: fn(Ordering) -> bool,
    ) -> Result<FheBool, Error> {
        let integers = &self.integers;
        let pair = Pair::new(integers, a.into(), b)?;
        let [a, b] = pair.digits(integers)?;
        // If all of them are equal, the lengths decide.
        let relation = relation(integers, holds(Ordering::Less), holds(pair.lengths()));
        FheBool::from_block(integers.order(&a, &b, false, relation)?)
    }
}

/// Returns the table of the relation that holds between a lesser and a greater string if `less`,
/// the other way round if not, and between equal bytes if `equal`.
fn relation(integers: &Integers, less: bool, equal: bool) -> &'static Lut {
    let tables = integers.tables;
    match (less, equal) {
        (true, false) => &tables.less,
        (true, true) => &tables.less_equal,
        (false, false) => &tables.greater,
        (false, true) => &tables.greater_equal,
    }
}

/// Two strings that are compared.
///
/// A padded string has no zero byte, and is compared as if it were continued by zeros. Where an
/// unpadded string has a zero byte, it can therefore only be greater than a padded one that agrees
/// so far. If they agree up to the end of the unpadded string, and that ends with a zero byte, the
/// padded one is shorter.
pub(super) struct Pair<'a> {
    a: Side<'a>,
    b: Side<'a>,
}

/// One of the two strings.
struct Side<'a> {
    blocks: Cow<'a, [Block]>,
    text: Text<'a>,
}

impl<'a> Side<'a> {
    fn new(text: Text<'a>) -> Side<'a> {
        Side { blocks: text.blocks(), text }
    }

    fn is_padded(&self) -> bool {
        self.text.padding() == Padding::Zeros
    }

    /// Returns the last byte, if the string is encrypted and has one.
    fn last_byte(&self) -> Option<&[Block]> {
        match self.text {
            Text::Encrypted(_) => self.blocks.rchunks_exact(BYTE_BLOCKS).next(),
            Text::Clear(_) => None,
        }
    }
}

impl<'a> Pair<'a> {
    /// Returns the pair, if both strings belong to the evaluator's parameters and key.
    pub(super) fn new(integers: &Integers, a: Text<'a>, b: Text<'a>) -> Result<Pair<'a>, Error> {
        a.check(integers)?;
        b.check(integers)?;
        Ok(Pair { a: Side::new(a), b: Side::new(b) })
    }

    /// Returns the number of blocks of the shorter string.
    fn common(&self) -> usize {
        self.a.blocks.len().min(self.b.blocks.len())
    }

    /// Returns the order of two strings whose [`Pair::digits`] agree, which is public.
    fn lengths(&self) -> Ordering {
        let (a, b) = (self.a.text.capacity(), self.b.text.capacity());
        match (self.a.is_padded(), self.b.is_padded()) {
            (false, false) => a.cmp(&b),
            (true, false) if a < b || self.b.text.ends_with_zero() => Ordering::Less,
            (false, true) if b < a || self.a.text.ends_with_zero() => Ordering::Greater,
            (true, true | false) | (false, true) => Ordering::Equal,
        }
    }

    /// Returns the byte of a longer padded string behind the end of the other one. If it is zero,
    /// so are all bytes behind it.
    fn next(&self) -> Option<&[Block]> {
        let longer = if self.a.blocks.len() > self.b.blocks.len() { &self.a } else { &self.b };
        let place = self.common() / BYTE_BLOCKS;
        let next = longer.is_padded() && longer.blocks.len() > self.common();
        next.then(|| byte(&longer.blocks, place))
    }

    /// Returns the last byte of an encrypted string without padding, if the other one is padded and
    /// has room for it: they differ if this byte is zero.
    fn last_byte(&self) -> Option<&[Block]> {
        let (padded, other) = match (self.a.is_padded(), self.b.is_padded()) {
            (true, false) => (&self.a, &self.b),
            (false, true) => (&self.b, &self.a),
            (true, true) | (false, false) => return None,
        };
        other.last_byte().filter(|_| other.blocks.len() <= padded.blocks.len())
    }

    /// Returns as many digits of both strings as decide on their order, besides the lengths: the
    /// least significant one first, so that the first byte comes last.
    fn digits(&self, integers: &Integers) -> Result<[Vec<Block>; 2], Error> {
        let common = self.common();
        let [mut a, mut b] = [&self.a, &self.b].map(|side| side.blocks[..common].to_vec());
        if let Some(next) = self.next() {
            let zeros = vec![constant(0); BYTE_BLOCKS];
            let a_is_longer = self.a.blocks.len() > self.b.blocks.len();
            let (longer, shorter) = if a_is_longer { (&mut a, &mut b) } else { (&mut b, &mut a) };
            longer.extend_from_slice(next);
            shorter.extend(zeros);
        }
        let reversed = |blocks: Vec<Block>| -> Vec<Block> {
            blocks.rchunks(BYTE_BLOCKS).flatten().cloned().collect()
        };
        let mut digits = [a, b].map(reversed);
        if let Some(last) = self.last_byte() {
            let ends_with_zero = integers.apply(&total(last), &integers.tables.none)?;
            let lowest = if self.a.is_padded() {
                [constant(0), ends_with_zero]
            } else {
                [ends_with_zero, constant(0)]
            };
            for (digits, lowest) in digits.iter_mut().zip(lowest) {
                digits.insert(0, lowest);
            }
        }
        Ok(digits)
    }

    /// Evaluates the tables on the differences: `one` on a single difference, `many` on the number
    /// of differences. `different` is the result for strings that are known to differ.
    pub(super) fn compared(
        &self,
        integers: &Integers,
        tables: [&Lut; 2],
        different: bool,
    ) -> Result<FheBool, Error> {
        if self.lengths() != Ordering::Equal {
            return Ok(FheBool::trivial(different));
        }
        let common = self.common();
        let a = &self.a.blocks[..common];
        let mut jobs = match self.b.text {
            Text::Clear(bytes) => integers.clear_difference_jobs(a, |index| {
                super::fhe_bytes::digits_of(bytes[index / BYTE_BLOCKS])[index % BYTE_BLOCKS]
            }),
            Text::Encrypted(_) => integers.difference_jobs(a, &self.b.blocks[..common]),
        };
        if let Some(next) = self.next() {
            jobs.extend(integers.clear_difference_jobs(next, |_| 0));
        }
        jobs.extend(self.last_byte().map(|last| (total(last), &integers.tables.none)));
        FheBool::from_block(integers.any_of_jobs(&jobs, tables)?)
    }
}

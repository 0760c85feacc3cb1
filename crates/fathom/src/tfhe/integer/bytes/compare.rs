//! Equality and lexicographic order.

use super::super::FheBool;
use super::super::radix::{Radix, constant, truth};
use super::text::byte;
use super::{BYTE_BLOCKS, ByteStrings, FheBytes, Padding, Text};
use crate::tfhe::{Block, Error, Lut};
use std::cmp::Ordering;

impl ByteStrings {
    /// Computes `a == b`. Cost: about 2.1 bootstraps per byte; less for a clear operand; none for
    /// two unpadded strings of different lengths.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn eq<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBool, Error> {
        let radix = self.evaluator().radix()?;
        let pair = Pair::new(&radix, a.into(), b.into())?;
        pair.compared(&radix, [&radix.tables.equals, &radix.tables.none], false)
    }

    /// Computes `a != b`. Cost: that of [`ByteStrings::eq`].
    ///
    /// # Errors
    /// As [`ByteStrings::eq`].
    pub fn ne<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBool, Error> {
        let radix = self.evaluator().radix()?;
        let pair = Pair::new(&radix, a.into(), b.into())?;
        pair.compared(&radix, [&radix.tables.differs, &radix.tables.any], true)
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
        let radix = self.evaluator().radix()?;
        let pair = Pair::new(&radix, a.into(), b)?;
        let digits = |blocks: &[Block]| -> Vec<Block> {
            // The first byte is the most significant one.
            blocks.rchunks(BYTE_BLOCKS).flatten().cloned().collect()
        };
        let (a, b) = pair.with_next();
        // If all bytes are equal, the lengths decide.
        let relation = relation(&radix, holds(Ordering::Less), holds(pair.lengths()));
        truth(radix.order(&digits(&a), &digits(&b), false, relation)?)
    }
}

/// Returns the table of the relation that holds between a lesser and a greater string if `less`,
/// the other way round if not, and between equal bytes if `equal`.
fn relation<'r>(radix: &Radix<'r>, less: bool, equal: bool) -> &'r Lut {
    let tables = radix.tables;
    match (less, equal) {
        (true, false) => &tables.less,
        (true, true) => &tables.less_equal,
        (false, false) => &tables.greater,
        (false, true) => &tables.greater_equal,
    }
}

/// Two strings that are compared.
pub(super) struct Pair<'a> {
    a: std::borrow::Cow<'a, [Block]>,
    b: std::borrow::Cow<'a, [Block]>,
    /// The second string, if it is clear.
    clear: Option<&'a [u8]>,
    padding: Padding,
}

impl<'a> Pair<'a> {
    /// Returns the pair, if both strings belong to the evaluator's parameters and key.
    pub(super) fn new(radix: &Radix<'_>, a: Text<'a>, b: Text<'a>) -> Result<Pair<'a>, Error> {
        a.check(radix)?;
        b.check(radix)?;
        let padded = [a, b].iter().any(|text| text.padding() == Padding::Zeros);
        let padding = if padded { Padding::Zeros } else { Padding::None };
        let clear = if let Text::Clear(bytes) = b { Some(bytes) } else { None };
        Ok(Pair { a: a.blocks(), b: b.blocks(), clear, padding })
    }

    /// Returns the number of blocks of the shorter string.
    fn common(&self) -> usize {
        self.a.len().min(self.b.len())
    }

    /// Returns the order of strings of these lengths, one of which starts with the other. It is
    /// equality if the lengths are hidden.
    fn lengths(&self) -> Ordering {
        match self.padding {
            Padding::None => self.a.len().cmp(&self.b.len()),
            Padding::Zeros => Ordering::Equal,
        }
    }

    /// Returns the byte of the longer string behind the end of the shorter one, if it matters. If
    /// it is zero, so are all bytes behind it.
    fn next(&self) -> Option<&[Block]> {
        let longer = if self.a.len() > self.b.len() { &self.a } else { &self.b };
        let place = self.common() / BYTE_BLOCKS;
        let next = self.padding == Padding::Zeros && longer.len() > self.common();
        next.then(|| byte(longer, place))
    }

    /// Returns as many blocks of both strings as decide on their order, besides the lengths.
    fn with_next(&self) -> (Vec<Block>, Vec<Block>) {
        let common = self.common();
        let [mut a, mut b] = [&self.a, &self.b].map(|blocks| blocks[..common].to_vec());
        if let Some(next) = self.next() {
            let zeros = vec![constant(0); BYTE_BLOCKS];
            let (longer, shorter) =
                if self.a.len() > self.b.len() { (&mut a, &mut b) } else { (&mut b, &mut a) };
            longer.extend_from_slice(next);
            shorter.extend(zeros);
        }
        (a, b)
    }

    /// Evaluates the tables on the differences: `one` on a single difference, `many` on the number
    /// of differences. `different` is the result for strings that are known to differ.
    pub(super) fn compared(
        &self,
        radix: &Radix<'_>,
        tables: [&Lut; 2],
        different: bool,
    ) -> Result<FheBool, Error> {
        if self.lengths() != Ordering::Equal {
            return Ok(FheBool::trivial(different));
        }
        let common = self.common();
        let mut jobs = match self.clear {
            Some(bytes) => radix.clear_difference_jobs(&self.a[..common], |index| {
                super::fhe_bytes::digits_of(bytes[index / BYTE_BLOCKS])[index % BYTE_BLOCKS]
            }),
            None => radix.difference_jobs(&self.a[..common], &self.b[..common]),
        };
        if let Some(next) = self.next() {
            jobs.extend(radix.clear_difference_jobs(next, |_| 0));
        }
        truth(radix.any_of_jobs(&jobs, tables)?)
    }
}

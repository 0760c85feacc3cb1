//! Search for a pattern.

use super::compare::Pair;
use super::text::byte;
use super::{BYTE_BLOCKS, ByteStrings, FheBytes, Padding, Text};
use crate::tfhe::integer::blocks::total;
use crate::tfhe::integer::{FheBool, FheUint32, Integers};
use crate::tfhe::{Block, Error};

impl ByteStrings {
    /// Returns whether a string contains a pattern.
    ///
    /// Cost, for n bytes and a pattern of m: about `3 n` bootstraps for a clear pattern of up to
    /// eight bytes, `2 m (n - m + 1)` for an encrypted one, and `3 m n` for a padded one.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn contains<'p>(
        &self,
        string: &FheBytes,
        pattern: impl Into<Text<'p>>,
    ) -> Result<FheBool, Error> {
        let (integers, pattern) = (&self.integers, pattern.into());
        let found = FheBool::from_block(integers.any_flag(self.matches(string, pattern)?)?)?;
        self.if_without_zero(string, pattern, found)
    }

    /// Returns the first place at which a pattern stands in a string, and whether there is one; if
    /// not, the place is meaningless. Cost: that of [`ByteStrings::contains`], and about
    /// 0.7 bootstraps per byte.
    ///
    /// # Errors
    /// As [`ByteStrings::contains`].
    pub fn find<'p>(
        &self,
        string: &FheBytes,
        pattern: impl Into<Text<'p>>,
    ) -> Result<(FheUint32, FheBool), Error> {
        let (integers, pattern) = (&self.integers, pattern.into());
        let matches = self.matches(string, pattern)?;
        let (place, found) = integers.first_flag(&matches)?;
        Ok((place, self.if_without_zero(string, pattern, found)?))
    }

    /// Returns whether a string starts with a pattern. Cost: that of [`ByteStrings::eq`] for as
    /// many bytes as the pattern has, or three bootstraps per byte of a padded one.
    ///
    /// # Errors
    /// As [`ByteStrings::contains`].
    pub fn starts_with<'p>(
        &self,
        string: &FheBytes,
        pattern: impl Into<Text<'p>>,
    ) -> Result<FheBool, Error> {
        let (integers, pattern) = (&self.integers, pattern.into());
        pattern.check(integers)?;
        Text::from(string).check(integers)?;
        if pattern.padding() == Padding::Zeros {
            let flags = integers.mismatches(string.blocks(), pattern, 1)?;
            return FheBool::from_block(integers.none_of(or_one(flags))?.swap_remove(0));
        }
        if pattern.capacity() > string.capacity() || stands_in_padding(string, pattern) {
            return Ok(FheBool::trivial(false));
        }
        self.is_part(string, 0, pattern)
    }

    /// Returns whether a string ends with a pattern. Cost: that of [`ByteStrings::starts_with`] if
    /// neither is padded; otherwise that of [`ByteStrings::contains`] and a bootstrap per byte, or
    /// `2 m n` for a padded pattern.
    ///
    /// # Errors
    /// As [`ByteStrings::contains`].
    pub fn ends_with<'p>(
        &self,
        string: &FheBytes,
        pattern: impl Into<Text<'p>>,
    ) -> Result<FheBool, Error> {
        let (integers, pattern) = (&self.integers, pattern.into());
        Text::from(string).check(integers)?;
        pattern.check(integers)?;
        if let (Text::Encrypted(pattern), Padding::Zeros) = (pattern, pattern.padding()) {
            let flags = integers.differences_from_ends(string, pattern.blocks())?;
            return FheBool::from_block(integers.any_flag(integers.none_of(flags)?)?);
        }
        let Some(first) = string.capacity().checked_sub(pattern.capacity()) else {
            return Ok(FheBool::trivial(false));
        };
        if stands_in_padding(string, pattern) {
            return Ok(FheBool::trivial(false));
        }
        if string.padding() == Padding::None {
            return self.is_part(string, first, pattern);
        }
        // The byte behind the pattern must be padding, or the end.
        let mut flags = integers.mismatches(string.blocks(), pattern, first + 1)?;
        let behind =
            integers.nonzero_bytes(&string.blocks()[BYTE_BLOCKS * pattern.capacity()..])?;
        for (flags, behind) in flags.iter_mut().zip(behind) {
            flags.push(behind);
        }
        let found = FheBool::from_block(integers.any_flag(integers.none_of(flags)?)?)?;
        self.if_without_zero(string, pattern, found)
    }

    /// Returns whether a pattern was found that stands within the string, not in its padding: the
    /// last byte of a pattern in a padded string is not zero. Cost: two bootstraps for an encrypted
    /// pattern without padding in a padded string, and none otherwise.
    fn if_without_zero(
        &self,
        string: &FheBytes,
        pattern: Text<'_>,
        found: FheBool,
    ) -> Result<FheBool, Error> {
        let hidden = string.padding() == Padding::Zeros && pattern.padding() == Padding::None;
        let (Text::Encrypted(pattern), true) = (pattern, hidden) else { return Ok(found) };
        let Some(last) = pattern.blocks().rchunks_exact(BYTE_BLOCKS).next() else {
            return Ok(found);
        };
        let integers = &self.integers;
        let is_nonzero = FheBool::from_block(integers.apply(&total(last), &integers.tables.any)?)?;
        self.integers.and(&found, &is_nonzero)
    }

    /// Returns whether the pattern, which is not padded, is equal to the bytes from `first` on.
    fn is_part(
        &self,
        string: &FheBytes,
        first: usize,
        pattern: Text<'_>,
    ) -> Result<FheBool, Error> {
        let integers = &self.integers;
        let part = string.slice(first..first + pattern.capacity())?;
        let pair = Pair::new(integers, (&part).into(), pattern)?;
        pair.compared(integers, [&integers.tables.equals, &integers.tables.none], false)
    }

    /// Returns, for each place, whether the pattern stands there; nothing if there is no place for
    /// it.
    fn matches(&self, string: &FheBytes, pattern: Text<'_>) -> Result<Vec<Block>, Error> {
        let integers = &self.integers;
        Text::from(string).check(integers)?;
        pattern.check(integers)?;
        let places = match pattern.padding() {
            Padding::Zeros => string.capacity().max(1),
            Padding::None => (string.capacity() + 1).saturating_sub(pattern.capacity()),
        };
        if places == 0 || stands_in_padding(string, pattern) {
            return Ok(Vec::new());
        }
        let flags = integers.mismatches(string.blocks(), pattern, places)?;
        integers.none_of(if pattern.capacity() == 0 { or_one(flags) } else { flags })
    }
}

/// Returns the lists, or one empty list for a pattern without bytes, which stands everywhere.
fn or_one(lists: Vec<Vec<Block>>) -> Vec<Vec<Block>> {
    if lists.is_empty() { vec![Vec::new()] } else { lists }
}

/// Returns whether a clear pattern has a zero byte, which a padded string does not have.
fn stands_in_padding(string: &FheBytes, pattern: Text<'_>) -> bool {
    let zeros = matches!(pattern, Text::Clear(bytes) if bytes.contains(&0));
    zeros && string.padding() == Padding::Zeros
}

impl Integers {
    /// Returns, for each end of the string, flags that are all 0 if it is equal to the padded
    /// pattern.
    fn differences_from_ends(
        &self,
        string: &FheBytes,
        pattern: &[Block],
    ) -> Result<Vec<Vec<Block>>, Error> {
        let (blocks, padded) = (string.blocks(), string.padding() == Padding::Zeros);
        let ends = (0..=blocks.len()).step_by(BYTE_BLOCKS).map(|first| &blocks[first..]);
        // Without padding, an end has as many bytes as it is long.
        let ends = ends.filter(|end| padded || end.len() <= pattern.len());
        let jobs: Vec<Vec<_>> = ends
            .map(|end| {
                let common = end.len().min(pattern.len());
                let mut jobs = self.difference_jobs(&end[..common], &pattern[..common]);
                let longer = if end.len() > common { end } else { pattern };
                if longer.len() > common {
                    // If it is zero, so are all bytes behind it.
                    let next = byte(longer, common / BYTE_BLOCKS);
                    jobs.extend(self.clear_difference_jobs(next, |_| 0));
                }
                if let (Some(last), false) = (end.rchunks_exact(BYTE_BLOCKS).next(), padded) {
                    jobs.push((total(last), &self.tables.none));
                }
                jobs
            })
            .collect();
        let mut flags = self.layer(&jobs.concat())?.into_iter().flatten();
        Ok(jobs.iter().map(|jobs| flags.by_ref().take(jobs.len()).collect()).collect())
    }
}

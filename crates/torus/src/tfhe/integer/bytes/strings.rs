//! The face of byte strings, their lengths and their concatenation.

use super::encrypt::check_nonzero;
use super::{BYTE_BLOCKS, FheBytes, Padding, Text};
use crate::tfhe::integer::blocks::{constant, total};
use crate::tfhe::integer::shift::blocks::Move;
use crate::tfhe::integer::shift::clear::{Direction, Fill, Mode};
use crate::tfhe::integer::value::digits;
use crate::tfhe::integer::{FheUint32, FheValue, Integers, Typed};
use crate::tfhe::{Block, Error, EvaluationKeys, Evaluator, Params};
use std::sync::Arc;

/// Computes on encrypted byte strings. It is cheap to clone.
///
/// It stands beside [`Integers`], whose keys it takes. An operand is a string, and the other one a
/// string or clear bytes ([`Text`]).
///
/// A string is the sequence of its bytes, without padding. Since a padded string has no zero byte,
/// a string with one, even at the end, differs from every padded string and is no part of it.
///
/// ```
/// # use fathom_torus as fathom;
/// use fathom::prelude::*;
///
/// # fn main() -> Result<(), Error> {
/// let mut rng = SecretRng::from_os()?;
/// let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
/// let client = tfhe::ClientKey::generate(&params, &mut rng);
/// let strings = ByteStrings::with_keys(client.evaluation_keys(&mut rng)?, 2)?;
///
/// let name = client.encrypt_bytes_padded(b"Ada", 4, &mut rng)?; // the server sees at most 4 bytes
/// let lower = strings.to_ascii_lowercase(&name)?;
/// assert!(client.decrypt(&strings.eq(&lower, b"ada")?)?);
/// assert_eq!(client.decrypt(&lower)?, b"ada");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ByteStrings {
    pub(super) integers: Integers,
}

impl ByteStrings {
    /// Returns the operations on byte strings over an evaluator.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if its parameters are not those of integers.
    pub fn new(evaluator: Evaluator) -> Result<ByteStrings, Error> {
        Ok(ByteStrings { integers: Integers::new(evaluator)? })
    }

    /// Returns the operations on byte strings under `keys`, on `threads` threads of their own.
    ///
    /// # Errors
    /// As [`ByteStrings::new`] and [`Integers::new`].
    pub fn with_keys(
        keys: impl Into<Arc<EvaluationKeys>>,
        threads: usize,
    ) -> Result<ByteStrings, Error> {
        ByteStrings::new(Evaluator::new(keys, threads)?)
    }

    /// Returns the operations on byte strings without keys, which compute in the clear.
    ///
    /// # Errors
    /// As [`ByteStrings::new`].
    pub fn simulated(params: &Params) -> Result<ByteStrings, Error> {
        ByteStrings::new(Evaluator::simulated(params))
    }

    /// Returns the evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        self.integers.evaluator()
    }
}

impl ByteStrings {
    /// Returns the number of bytes of a string, without its padding. Cost: about 1.2 bootstraps per
    /// byte; none if the string is not padded.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn len(&self, string: &FheBytes) -> Result<FheUint32, Error> {
        let integers = &self.integers;
        Text::from(string).check(integers)?;
        match string.padding() {
            Padding::None => FheUint32::trivial(string.capacity() as u64),
            Padding::Zeros => {
                let blocks = integers.flag_count(&integers.nonzero_bytes(string.blocks())?)?;
                FheUint32::from_blocks(blocks)
            }
        }
    }

    /// Returns `a` followed by `b`, which is padded if one of them is. Cost: no bootstrap if `a` is
    /// not padded. Otherwise, `b` moves to an encrypted place: the length of `a`, and for each
    /// base-4 digit of it, and once more, about a bootstrap per block of the result.
    ///
    /// If only one of two encrypted strings is padded, the caller states that the other one has no
    /// zero byte, as in [`FheBytes::from_integers`]: the result could not tell it from padding.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] if `a` is padded and `b` is clear and has a zero byte;
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn concat<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBytes, Error> {
        let integers = &self.integers;
        let b = b.into();
        Text::from(a).check(integers)?;
        b.check(integers)?;
        if let (Padding::Zeros, Text::Clear(bytes)) = (a.padding(), b) {
            check_nonzero(bytes)?;
        }
        let mut moved = b.blocks().into_owned();
        if a.padding() == Padding::None {
            let blocks = a.blocks().iter().cloned().chain(moved).collect();
            return Ok(FheBytes::wrap(blocks, b.padding()));
        }
        let length = self.len(a)?;
        let places = digits::count((usize::BITS - a.capacity().leading_zeros()) as usize);
        let mode = Mode { direction: Direction::Left, fill: Fill::Zero };
        let (mut step, mut reach) = (1, b.capacity());
        for digit in &length.blocks()[..places] {
            reach = (reach + 3 * step).min(a.capacity() + b.capacity());
            moved.resize(BYTE_BLOCKS * reach, constant(0));
            let by = Move { multiple: digit.clone(), step: BYTE_BLOCKS * step };
            moved = integers.moved(&moved, None, &by, mode)?;
            step *= 4;
        }
        moved.resize(BYTE_BLOCKS * (a.capacity() + b.capacity()), constant(0));
        // One of the two blocks at each place is 0.
        for (block, own) in moved.iter_mut().zip(a.blocks()) {
            *block = block.unchecked_add(own).within(0, digits::DIGIT_MAX);
        }
        let blocks = integers.apply_each(moved, &integers.tables.message)?;
        Ok(FheBytes::wrap(blocks, Padding::Zeros))
    }
}

impl Integers {
    /// Returns, for each byte, whether it is nonzero.
    pub(super) fn nonzero_bytes(&self, blocks: &[Block]) -> Result<Vec<Block>, Error> {
        // The sum of the digits is at most 12.
        self.apply_each(blocks.chunks_exact(BYTE_BLOCKS).map(total), &self.tables.any)
    }
}

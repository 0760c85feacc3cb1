//! Encryption and decryption of integers and truth values, one by one and in lists, under the
//! secret key and under a public key.

use super::value::digits::{self, CANONICAL_NOISE_VARIANCE, check_params};
use super::value::radix_int::integer_type;
use super::value::{Clear, FheBool, FheInteger, FheUint64, RadixInt, Typed, ValueType};
use crate::tfhe::{
    Block, ClientKey, CompactList, Decrypt, Encrypt, Error, ListError, Params, PublicKey,
    SeededList,
};
use fathom_ring::SecretRng;
use std::ops::Range;

impl<T: Typed> Encrypt for T {
    type Message = Clear;

    fn encrypt_under(
        client: &ClientKey,
        message: Clear,
        rng: &mut SecretRng,
    ) -> Result<Self, Error> {
        check_params(client.params())?;
        let bits = message.bits_of(ValueType::of::<T>())?;
        let blocks = digits::of(bits, T::BITS).map(|digit| client.encrypt_block(digit as u32, rng));
        T::from_fresh(blocks.collect::<Result<_, _>>()?)
    }
}

impl<T: FheInteger> Decrypt for T {
    type Message = T::Message;

    fn decrypt_under(&self, client: &ClientKey) -> Result<T::Message, Error> {
        let digits = self.blocks().iter().map(|block| client.decrypt_block(block));
        let digits: Vec<i32> = digits.collect::<Result<_, _>>()?;
        Ok(self.message(digits::join(digits.into_iter())))
    }
}

impl Decrypt for FheBool {
    type Message = bool;

    fn decrypt_under(&self, client: &ClientKey) -> Result<bool, Error> {
        Ok(client.decrypt_block(self.block())? == 1)
    }
}

impl PublicKey {
    /// Encrypts clear values as integers or truth values of type `T`, in one list.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold a value; [`Error::ParamsMismatch`] if the
    /// blocks of the key do not have the 2 bits of message and 2 of carry that integers need; the
    /// errors of [`PublicKey::encrypt`].
    pub fn encrypt_list<T: Typed>(
        &self,
        values: impl IntoIterator<Item = impl Into<Clear>>,
        rng: &mut SecretRng,
    ) -> Result<CompactList, Error> {
        let digits = digits_of::<T>(self.params(), values)?;
        Ok(self.encrypt(&digits, rng)?.typed(Some(ValueType::of::<T>())))
    }
}

impl ClientKey {
    /// Encrypts a clear value as an integer of type `ty`.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value; [`Error::TypeMismatch`] if
    /// `ty` is not a type of integers; [`Error::ParamsMismatch`] if the blocks of the key do not
    /// have the 2 bits of message and 2 of carry that integers need.
    pub fn encrypt_radix(
        &self,
        ty: ValueType,
        value: impl Into<Clear>,
        rng: &mut SecretRng,
    ) -> Result<RadixInt, Error> {
        check_params(self.params())?;
        let bits = value.into().bits_of(integer_type(ty)?)?;
        let digits = digits::of(bits, ty.bits().into());
        let blocks = rng.during(|rng| {
            digits.map(|digit| self.encrypt_block(digit as u32, rng)).collect::<Result<_, _>>()
        });
        RadixInt::from_blocks(ty, blocks?)
    }

    /// Encrypts clear values as integers or truth values of type `T`, in one list with one seed for
    /// all masks. An integer of `b` bits takes `b / 2` words of [`Params::seeded_bits`] bits, and a
    /// truth value one.
    ///
    /// # Errors
    /// As [`PublicKey::encrypt_list`].
    pub fn encrypt_list<T: Typed>(
        &self,
        values: impl IntoIterator<Item = impl Into<Clear>>,
        rng: &mut SecretRng,
    ) -> Result<SeededList, Error> {
        let digits = digits_of::<T>(self.params(), values)?;
        Ok(self.encrypt_seeded(&digits, rng)?.typed(Some(ValueType::of::<T>())))
    }
}

/// Returns the digits of all values one after the other.
fn digits_of<T: Typed>(
    params: &Params,
    values: impl IntoIterator<Item = impl Into<Clear>>,
) -> Result<Vec<u32>, Error> {
    check_params(params)?;
    let (mut all, ty) = (Vec::new(), ValueType::of::<T>());
    for value in values {
        let bits = value.into().bits_of(ty)?;
        all.extend(digits::of(bits, T::BITS).map(|digit| digit as u32));
    }
    Ok(all)
}

/// Defines how values are taken out of a list. Each of them is expanded when its turn comes.
macro_rules! values {
    ($list:ty) => {
        impl $list {
            /// Returns the integers or truth values of type `T` that the blocks of the list form,
            /// in order. For long lists, whose values take some hundred times as many bytes as the
            /// list, there are [`Self::iter_values`] and [`Self::values_in`].
            ///
            /// # Errors
            /// [`Error::TypeMismatch`] if the list has another type; [`Error::NotCanonical`] if its
            /// length is not a multiple of the type's, or its blocks are not those of such values.
            pub fn values<T: Typed>(&self) -> Result<Vec<T>, Error> {
                self.iter_values()?.collect()
            }

            /// Returns the values with these indices.
            ///
            /// # Errors
            /// [`ListError::OutsideList`], in values, if the range ends past the list; the errors
            /// of [`Self::values`].
            pub fn values_in<T: Typed>(&self, values: Range<usize>) -> Result<Vec<T>, Error> {
                let all = self.iter_values()?;
                check_range(&values, all.len())?;
                all.skip(values.start).take(values.len()).collect()
            }

            /// Iterates over the values, of which only one is in memory at a time.
            ///
            /// # Errors
            /// As [`Self::values`].
            pub fn iter_values<T: Typed>(
                &self,
            ) -> Result<impl ExactSizeIterator<Item = Result<T, Error>> + use<'_, T>, Error> {
                let (expected, got) = (ValueType::of::<T>(), self.value_type());
                if got != Some(expected) {
                    return Err(Error::TypeMismatch { expected, got });
                }
                let (length, count) = (expected.blocks(), whole(self.len(), expected)?);
                let blocks = move |index| (index * length..).take(length).map(|i| self.block(i));
                Ok((0..count).map(move |index| T::from_fresh(blocks(index).collect())))
            }

            /// Returns the integers of the list, whatever their type is.
            ///
            /// # Errors
            /// [`Error::TypeMismatch`] if it is a list of blocks or truth values;
            /// [`Error::NotCanonical`] as for integers of a type that is known.
            pub fn radix_integers(&self) -> Result<Vec<RadixInt>, Error> {
                let expected = ValueType::of::<FheUint64>();
                let got = self.value_type();
                let ty = got.filter(|ty| ty.bits() > 1);
                let ty = ty.ok_or(Error::TypeMismatch { expected, got })?;
                let (length, count) = (ty.blocks(), whole(self.len(), ty)?);
                let blocks = |index| (index * length..).take(length).map(|i| self.block(i));
                (0..count).map(|index| RadixInt::from_blocks(ty, blocks(index).collect())).collect()
            }

            /// Returns the blocks with these indices, as [`Self::expand`] returns all of them.
            ///
            /// # Errors
            /// [`ListError::OutsideList`] if the range ends past the list.
            pub fn expand_range(&self, blocks: Range<usize>) -> Result<Vec<Block>, Error> {
                check_range(&blocks, self.len())?;
                Ok(blocks.map(|index| self.block(index)).collect())
            }
        }
    };
}

values! { CompactList }
values! { SeededList }

/// Returns the number of integers of this type that so many blocks form.
fn whole(blocks: usize, ty: ValueType) -> Result<usize, Error> {
    if blocks.is_multiple_of(ty.blocks()) {
        return Ok(blocks / ty.blocks());
    }
    Err(Error::NotCanonical {
        blocks: ty.blocks(),
        top: digits::DIGIT_MAX,
        noise_variance: CANONICAL_NOISE_VARIANCE,
    })
}

/// Refuses a range that is not within a list of this length.
fn check_range(range: &Range<usize>, length: usize) -> Result<(), Error> {
    if range.start <= range.end && range.end <= length {
        return Ok(());
    }
    Err(ListError::OutsideList { start: range.start, end: range.end, length }.into())
}

//! Reading a clear array at an encrypted index.

use crate::tfhe::ListError;
use crate::tfhe::integer::blocks::nibbles;
use crate::tfhe::integer::value::digits::{self, DIGIT_BITS, SPACE};
use crate::tfhe::integer::value::radix_int::integer_type;
use crate::tfhe::integer::value::traits::sealed::Sealed;
use crate::tfhe::integer::{Clear, FheInteger, Integers, RadixInt, Typed, U256, ValueType};
use crate::tfhe::{Block, Error, Function, Lut};

/// The number of values that one nibble of the index selects from.
const GROUP: usize = 16;
/// Reserve in noise variance for reading by the other nibbles of the index.
const LATER_NORM: u32 = 24;

impl Integers {
    /// Reads a clear array of integers or truth values at an encrypted index, which is taken as
    /// unsigned. An index past the end reads 0, or false.
    ///
    /// Cost, for integers of n blocks: n bootstraps for up to 16 values, which is a lookup table of
    /// any function of an index below 16; about `2 n + 1` for up to 256; about `k n / 256` more for
    /// more. Digits of the index that are beyond those of the array's length cost n bootstraps and
    /// another quarter of one each.
    ///
    /// # Errors
    /// [`ListError::EmptyList`]; [`Error::ClearOutOfRange`] if `T` cannot hold a value;
    /// [`Error::ParamsMismatch`].
    pub fn lookup_clear<T: Typed>(
        &self,
        array: &[impl Into<Clear> + Copy],
        index: &impl FheInteger,
    ) -> Result<T, Error> {
        let ty = ValueType::of::<T>();
        Ok(T::wrap(ty, self.read_clear(array, ty, self.blocks(index)?)?))
    }

    /// Computes [`Integers::lookup_clear`] for values of a type that is known at run time.
    ///
    /// # Errors
    /// As [`Integers::lookup_clear`]; [`Error::TypeMismatch`] if `ty` is not a type of integers.
    pub fn lookup_clear_to(
        &self,
        array: &[impl Into<Clear> + Copy],
        index: &impl FheInteger,
        ty: ValueType,
    ) -> Result<RadixInt, Error> {
        let ty = integer_type(ty)?;
        Ok(RadixInt::wrap(ty, self.read_clear(array, ty, self.blocks(index)?)?))
    }
}

impl Integers {
    /// Reads values of type `ty`.
    fn read_clear(
        &self,
        values: &[impl Into<Clear> + Copy],
        ty: ValueType,
        index: &[Block],
    ) -> Result<Vec<Block>, Error> {
        if values.is_empty() {
            return Err(ListError::EmptyList.into());
        }
        let values = values.iter().map(|&value| value.into().bits_of(ty));
        let values: Vec<U256> = values.collect::<Result<_, _>>()?;
        let digits = self.read_clear_digits(&values, ty.blocks(), index)?;
        Ok(digits.into_iter().map(|digit| digit.within(0, ty.top())).collect())
    }

    fn read_clear_digits(
        &self,
        values: &[U256],
        length: usize,
        index: &[Block],
    ) -> Result<Vec<Block>, Error> {
        let (low, high) = index.split_at(index.len().min(2));
        let nibble = nibbles(low).swap_remove(0);
        let groups = self.read_clear_groups(values, length, &nibble)?;
        if groups.len() > 1 {
            return self.read_by_nibbles(groups, high);
        }
        let [group] = <[_; 1]>::try_from(groups).expect("there is one group");
        if high.is_empty() { Ok(group) } else { self.unless_beyond(&group, high) }
    }

    /// Returns the digits that the nibble selects from each group of 16 values. Several groups
    /// share one multi-value bootstrap, except for functions of too much noise.
    fn read_clear_groups(
        &self,
        values: &[U256],
        length: usize,
        nibble: &Block,
    ) -> Result<Vec<Vec<Block>>, Error> {
        let groups: Vec<&[U256]> = values.chunks(GROUP).collect();
        let top = nibble.span().high;
        let function = |group: &[U256], place: usize| {
            let digits: Vec<i32> = group.iter().map(|&value| digits::digit(value, place)).collect();
            move |x: i32| digits.get(x as usize).copied().unwrap_or(0)
        };
        let places = groups.iter().flat_map(|group| (0..length).map(|place| (*group, place)));
        let functions: Vec<_> = places.map(|(group, place)| function(group, place)).collect();
        let shared = if groups.len() == 1 { 0 } else { self.params().max_noise_variance() };
        let mut together: Vec<Function<'_>> = Vec::new();
        let mut tables = Vec::new();
        let mut alone = Vec::with_capacity(functions.len());
        for function in &functions {
            let single = Lut::multi_value(SPACE, 0..=top, &[function])?;
            let is_alone = single.noise_variance(0)?.saturating_add(LATER_NORM) > shared;
            alone.push(is_alone);
            if is_alone {
                tables.push(Lut::new(SPACE, 0..=top, function)?);
            } else {
                together.push(function);
            }
        }
        if !together.is_empty() {
            tables.push(Lut::multi_value(SPACE, 0..=top, &together)?);
        }
        let jobs: Vec<_> = tables.iter().map(|table| (nibble.clone(), table)).collect();
        let mut outputs = self.layer(&jobs)?;
        let together = if together.is_empty() { None } else { outputs.pop() };
        let mut together = together.into_iter().flatten();
        let mut single = outputs.into_iter().flatten();
        let digits = alone.iter().map(|&alone| {
            let output = if alone { single.next() } else { together.next() };
            output.expect("every function is in one of the tables")
        });
        let digits: Vec<Block> = digits.collect();
        debug_assert_eq!(DIGIT_BITS * length, digits.len() / groups.len() * DIGIT_BITS);
        Ok(digits.chunks(length).map(<[Block]>::to_vec).collect())
    }
}

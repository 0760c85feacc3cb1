//! Reading an array of integers at an encrypted index.

use crate::tfhe::ListError;
use crate::tfhe::encrypted_table::{EncryptedTable, Lookup};
use crate::tfhe::integer::blocks::{constant, nibbles, pair};
use crate::tfhe::integer::value::digits::DIGIT_MAX;
use crate::tfhe::integer::{FheInteger, FheValue, Integers};
use crate::tfhe::{Block, Error, Lut};

/// The number of values in one encrypted table.
const SLOTS: usize = 16;
/// The number of values in an array that one digit can index.
const SMALL: usize = DIGIT_MAX as usize + 1;

impl Integers {
    /// Reads an encrypted array of integers or truth values at an encrypted index, which is taken
    /// as unsigned. An index past the end reads 0, or false.
    ///
    /// Cost, for `k` integers of n blocks: about `n k / 15 + n` bootstraps; `n / 4 + n` for up to
    /// four integers. Digits of the index that are beyond those of the array's length cost another
    /// quarter of a bootstrap each.
    ///
    /// # Errors
    /// [`ListError::EmptyList`]; [`Error::TypeMismatch`] if elements have different types;
    /// [`Error::ParamsMismatch`].
    pub fn lookup<T: FheValue>(&self, array: &[T], index: &impl FheInteger) -> Result<T, Error> {
        let first = first_of(array)?;
        let values = array.iter().map(|value| self.blocks(value).map(<[Block]>::to_vec));
        let values: Vec<_> = values.collect::<Result<_, _>>()?;
        let digits = self.read_array(values, self.blocks(index)?)?.into_iter();
        let top = first.value_type().top();
        Ok(first.like(digits.map(|digit| digit.within(0, top)).collect()))
    }
}

/// Returns the first element, if there is one and all have its type.
pub(super) fn first_of<T: FheValue>(array: &[T]) -> Result<&T, Error> {
    let first = array.first().ok_or(ListError::EmptyList)?;
    let expected = first.value_type();
    match array.iter().map(FheValue::value_type).find(|&got| got != expected) {
        Some(got) => Err(Error::TypeMismatch { expected, got: Some(got) }),
        None => Ok(first),
    }
}

/// Encrypted tables of up to four integers, each of which holds several digits of them.
pub(in crate::tfhe::integer) struct SmallArray {
    digits: usize,
    tables: Vec<EncryptedTable>,
}

impl Integers {
    /// Makes the tables of up to four integers of the same length.
    pub(in crate::tfhe::integer) fn small_array(
        &self,
        values: &[Vec<Block>],
    ) -> Result<SmallArray, Error> {
        debug_assert!(values.len() <= SMALL);
        let digits = values.first().expect("tables are made of at least one integer").len();
        let places: Vec<usize> = (0..digits).collect();
        let table = |places: &[usize]| {
            let slots = places.iter().flat_map(|&place| {
                (0..SMALL).map(move |index| match values.get(index) {
                    Some(value) => value[place].clone(),
                    None => constant(0),
                })
            });
            slots.collect()
        };
        let tables = places.chunks(SLOTS / SMALL).map(table).collect();
        Ok(SmallArray { digits, tables: self.evaluator().tables(tables)? })
    }

    /// Reads the tables at several indices of one digit. The results have more noise than integers
    /// have.
    pub(in crate::tfhe::integer) fn read_small(
        &self,
        array: &SmallArray,
        indices: &[Block],
    ) -> Result<Vec<Vec<Block>>, Error> {
        let places: Vec<usize> = (0..array.digits).map(|place| place * SMALL % SLOTS).collect();
        let mut lookups = Vec::new();
        for index in indices {
            let tables = array.tables.iter().zip(places.chunks(SLOTS / SMALL));
            lookups.extend(tables.map(|(table, places)| Lookup { index, table, places }));
        }
        let mut read = self.evaluator().look_up(&lookups)?.into_iter().flatten();
        Ok(indices.iter().map(|_| read.by_ref().take(array.digits).collect()).collect())
    }

    /// Reads an array at an encrypted index.
    fn read_array(&self, values: Vec<Vec<Block>>, index: &[Block]) -> Result<Vec<Block>, Error> {
        if values.len() <= SMALL {
            let array = self.small_array(&values)?;
            let read = self.read_small(&array, &index[..1])?.swap_remove(0);
            return self.unless_beyond(&read, &index[1..]);
        }
        self.read_by_nibbles(values, index)
    }

    /// Reads an array by one nibble of the index at a time: each step leaves one of 16 values.
    pub(super) fn read_by_nibbles(
        &self,
        mut values: Vec<Vec<Block>>,
        index: &[Block],
    ) -> Result<Vec<Block>, Error> {
        let mut used = 0;
        while values.len() > 1 && used < index.len() {
            let end = index.len().min(used + 2);
            let nibble = nibbles(&index[used..end]).swap_remove(0);
            values = self.read_groups(&values, &nibble)?;
            used = end;
        }
        self.unless_beyond(&values[0], &index[used..])
    }

    /// Reads each group of 16 values at the same index.
    fn read_groups(&self, values: &[Vec<Block>], nibble: &Block) -> Result<Vec<Vec<Block>>, Error> {
        let digits = values[0].len();
        let tables = values.chunks(SLOTS).flat_map(|group| {
            (0..digits).map(move |place| group.iter().map(|value| value[place].clone()).collect())
        });
        let tables = self.evaluator().tables(tables.collect())?;
        let lookup = |table| Lookup { index: nibble, table, places: &[0] };
        let read = self.evaluator().look_up(&tables.iter().map(lookup).collect::<Vec<_>>())?;
        let read: Vec<Block> = read.into_iter().flatten().collect();
        Ok(read.chunks(digits).map(<[Block]>::to_vec).collect())
    }

    /// Returns the digits with the noise of bootstraps, or zeros if a digit of `high` is nonzero.
    pub(super) fn unless_beyond(
        &self,
        digits: &[Block],
        high: &[Block],
    ) -> Result<Vec<Block>, Error> {
        let beyond = self.any_nonzero(high)?;
        let inputs = digits.iter().map(|digit| pair(digit, &beyond));
        let table = Lut::new(beyond.space(), 0..=7, |x| if x > DIGIT_MAX { 0 } else { x })?;
        self.apply_each(inputs, &table)
    }
}

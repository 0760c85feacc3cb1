//! Columns of encrypted values.

use std::any::Any;
use std::collections::BTreeMap;

use fathom_workloads::{Data, Error};
use rayon::prelude::*;
use tfhe::{ClientKey, FheBool, FheUint, ServerKey};

use super::values::Value;
use super::width::with_width;

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Unsigned integers of a number of bits.
    Integer(usize),
    /// Truth values.
    Truth,
}

/// Encrypts a value.
type Encryption = fn(u64, &ClientKey) -> Result<Vec<u8>, Error>;

/// Decrypts a value.
type Decryption = fn(&[u8], &ClientKey) -> Result<u64, Error>;

/// A column of ciphertexts.
#[derive(Clone, Debug)]
pub(super) struct Field {
    name: &'static str,
    kind: Kind,
    count: usize,
}

impl Field {
    /// Describes a column.
    pub(super) fn new(name: &'static str, kind: Kind, count: usize) -> Self {
        Self { name, kind, count }
    }

    /// Encrypts a column, one frame for each value.
    pub(super) fn encrypt(&self, data: &Data, key: &ClientKey) -> Result<Vec<Vec<u8>>, Error> {
        let column = |problem| Error::Column { column: self.name.into(), problem };
        let values = data.integers(self.name)?;
        if values.len() != self.count {
            let problem = format!("has {} values in place of {}", values.len(), self.count);
            return Err(column(problem));
        }
        let bits = self.bits();
        if let Some(value) = values.iter().find(|value| bits < 64 && **value >> bits != 0) {
            return Err(column(format!("holds {value}: more than {bits} bits")));
        }
        let encrypt = self.encryption()?;
        values.par_iter().map(|value| encrypt(*value, key)).collect()
    }

    /// Decrypts the frames of a column.
    pub(super) fn decrypt(&self, frames: &[&[u8]], key: &ClientKey) -> Result<Vec<u64>, Error> {
        let decrypt = self.decryption()?;
        frames.par_iter().map(|frame| decrypt(frame, key)).collect()
    }

    /// Takes the frames of this column from those of all.
    pub(super) fn take<'a, 'b>(
        &self,
        frames: &mut &'a [&'b [u8]],
    ) -> Result<&'a [&'b [u8]], Error> {
        let short = || Error::Message(format!("column {} is cut off", self.name));
        let (own, rest) = frames.split_at_checked(self.count).ok_or_else(short)?;
        *frames = rest;
        Ok(own)
    }

    /// Returns the name.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    fn encryption(&self) -> Result<Encryption, Error> {
        match self.kind {
            Kind::Truth => Ok(FheBool::encrypt),
            Kind::Integer(bits) => with_width!(bits, Id => Ok(<FheUint<Id> as Value>::encrypt)),
        }
    }

    fn decryption(&self) -> Result<Decryption, Error> {
        match self.kind {
            Kind::Truth => Ok(FheBool::decrypt),
            Kind::Integer(bits) => with_width!(bits, Id => Ok(<FheUint<Id> as Value>::decrypt)),
        }
    }

    fn bits(&self) -> usize {
        match self.kind {
            Kind::Truth => 1,
            Kind::Integer(bits) => bits,
        }
    }
}

/// Columns of ciphertexts by name; each is a vector of one type.
#[derive(Default)]
pub(super) struct Encrypted(BTreeMap<&'static str, Box<dyn Any + Send + Sync>>);

impl Encrypted {
    /// Adds a column.
    pub(super) fn with<V: Send + Sync + 'static>(
        mut self,
        name: &'static str,
        values: Vec<V>,
    ) -> Self {
        self.0.insert(name, Box::new(values));
        self
    }

    /// Returns a column.
    pub(super) fn column<V: 'static>(&self, name: &str) -> Result<&[V], Error> {
        let values = self.0.get(name).and_then(|values| values.downcast_ref::<Vec<V>>());
        let missing = || "is not a column of this type".to_owned();
        let column = || Error::Column { column: name.into(), problem: missing() };
        values.map(Vec::as_slice).ok_or_else(column)
    }

    /// Reads the columns of the client.
    pub(super) fn expand(
        fields: &[Field],
        mut frames: &[&[u8]],
        key: &ServerKey,
    ) -> Result<Self, Error> {
        let mut columns = Self::default();
        for field in fields {
            let own = field.take(&mut frames)?;
            columns = match field.kind {
                Kind::Truth => columns.with(field.name, expand::<FheBool>(own, key)?),
                Kind::Integer(bits) => with_width!(bits, Id =>
                    expand::<FheUint<Id>>(own, key).map(|values| columns.with(field.name, values))
                )?,
            };
        }
        all_taken(frames)?;
        Ok(columns)
    }

    /// Writes columns, one frame for each value.
    pub(super) fn write(&self, fields: &[Field]) -> Result<Vec<Vec<u8>>, Error> {
        let mut frames = Vec::new();
        for field in fields {
            frames.extend(match field.kind {
                Kind::Truth => self.frames::<FheBool>(field)?,
                Kind::Integer(bits) => with_width!(bits, Id => self.frames::<FheUint<Id>>(field))?,
            });
        }
        Ok(frames)
    }

    fn frames<V: Value>(&self, field: &Field) -> Result<Vec<Vec<u8>>, Error> {
        self.column::<V>(field.name)?.iter().map(Value::write).collect()
    }
}

/// Refuses frames that belong to no column.
pub(super) fn all_taken(frames: &[&[u8]]) -> Result<(), Error> {
    let text = || format!("{} values belong to no column", frames.len());
    if frames.is_empty() { Ok(()) } else { Err(Error::Message(text())) }
}

fn expand<V: Value>(frames: &[&[u8]], key: &ServerKey) -> Result<Vec<V>, Error> {
    frames.par_iter().map(|frame| V::expand(frame, key)).collect()
}

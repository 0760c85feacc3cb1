//! Values of torus schemes that handles refer to.

use ethnum::U256;
use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{FheBool, FheValue, RadixInt};
use fathom::tfhe::{Block, ClientKey};

use super::integers::{self, Outcome};
use crate::ops::torus::IntegerType;
use crate::protocol::{Code, Numbers, Refusal};

/// A clear value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Clear {
    /// A message of a block, or a bit.
    Small(u32),
    /// The messages of several blocks.
    Batch(Vec<u32>),
    /// The bits of a machine integer.
    Integer(IntegerType, U256),
}

impl Clear {
    /// Returns the values in the form of the protocol.
    pub(super) fn values(&self) -> Numbers {
        match self {
            Self::Small(value) => vec![i64::from(*value)].into(),
            Self::Batch(values) => {
                values.iter().map(|&value| value.into()).collect::<Vec<i64>>().into()
            }
            Self::Integer(_, value) => vec![*value].into(),
        }
    }

    /// Encrypts under the secret key.
    pub(super) fn encrypt(&self, client: &ClientKey, rng: &mut SecretRng) -> Result<Value, Error> {
        match self {
            // A parameter set without carry bits is one for gates.
            Self::Small(value) if client.params().spec().carry_bits == 0 => {
                client.encrypt::<Bit>(*value != 0, rng).map(Value::Bit)
            }
            Self::Small(value) => client.encrypt(*value, rng).map(Value::Block),
            Self::Batch(values) => {
                let blocks = values.iter().map(|value| client.encrypt(*value, rng));
                blocks.collect::<Result<_, _>>().map(Value::Batch)
            }
            Self::Integer(ty, value) => {
                integers::encrypt(*ty, *value, client, rng).map(Value::Integer)
            }
        }
    }
}

fn other_type(wanted: &str) -> Refusal {
    Refusal::new(Code::BadRequest, format!("the operation needs {wanted} here"))
}

/// An encrypted value.
pub(super) enum Value {
    /// A bit.
    Bit(Bit),
    /// A small integer.
    Block(Block),
    /// Several small integers.
    Batch(Vec<Block>),
    /// A truth value.
    Truth(FheBool),
    /// A machine integer.
    Integer(RadixInt),
}

impl From<Outcome> for Value {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Truth(truth) => Self::Truth(truth),
            Outcome::Integer(integer) => Self::Integer(integer),
        }
    }
}

impl Value {
    /// Returns the block, if the value is one.
    pub(super) fn block(&self) -> Result<&Block, Refusal> {
        match self {
            Self::Block(block) => Ok(block),
            Self::Bit(_) | Self::Batch(_) | Self::Truth(_) | Self::Integer(_) => {
                Err(other_type("a block"))
            }
        }
    }

    /// Returns the bit, if the value is one.
    pub(super) fn bit(&self) -> Result<&Bit, Refusal> {
        match self {
            Self::Bit(bit) => Ok(bit),
            Self::Block(_) | Self::Batch(_) | Self::Truth(_) | Self::Integer(_) => {
                Err(other_type("a bit"))
            }
        }
    }

    /// Returns the machine integer, if the value is one.
    pub(super) fn integer(&self) -> Result<&RadixInt, Refusal> {
        match self {
            Self::Integer(integer) => Ok(integer),
            Self::Bit(_) | Self::Truth(_) | Self::Block(_) | Self::Batch(_) => {
                Err(other_type("an integer"))
            }
        }
    }

    /// Returns the blocks of the value.
    pub(super) fn blocks(&self) -> Vec<&Block> {
        match self {
            Self::Bit(bit) => vec![bit.block()],
            Self::Block(block) => vec![block],
            Self::Batch(blocks) => blocks.iter().collect(),
            Self::Truth(truth) => vec![truth.block()],
            Self::Integer(integer) => integer.blocks().iter().collect(),
        }
    }

    /// Decrypts the value.
    pub(super) fn decrypt(&self, client: &ClientKey) -> Result<Clear, Error> {
        match self {
            Self::Bit(bit) => Ok(Clear::Small(client.decrypt(bit)?.into())),
            Self::Block(block) => message(block, client).map(Clear::Small),
            Self::Batch(blocks) => {
                let messages = blocks.iter().map(|block| message(block, client));
                messages.collect::<Result<_, _>>().map(Clear::Batch)
            }
            Self::Truth(truth) => Ok(Clear::Small(client.decrypt(truth.block())? as u32)),
            Self::Integer(integer) => {
                let (ty, value) = integers::decrypt(integer, client)?;
                Ok(Clear::Integer(ty, value))
            }
        }
    }
}

/// Decrypts the message of a block, without its carry.
fn message(block: &Block, client: &ClientKey) -> Result<u32, Error> {
    let carry = u32::MAX << client.params().spec().message_bits;
    Ok(client.decrypt(block)? as u32 & !carry)
}

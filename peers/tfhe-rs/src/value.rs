//! Values that handles refer to.

use ethnum::U256;
use fathom_drivers::ops::torus::IntegerType;
use fathom_drivers::protocol::{CiphertextBytes, Code, Numbers, Refusal};
use serde::Serialize;
use tfhe::integer::{
    self, BooleanBlock, IntegerCiphertext, IntegerRadixCiphertext, RadixCiphertext,
    SignedRadixCiphertext,
};
use tfhe::{boolean, shortint};

/// Number of bits in a block of an integer.
const DIGIT_BITS: u32 = 2;

/// A clear value.
#[derive(Clone)]
pub(crate) enum Clear {
    /// A message of a block, or a bit.
    Small(u64),
    /// The messages of several blocks.
    Batch(Vec<u64>),
    /// The bits of a machine integer.
    Integer(IntegerType, U256),
}

/// An encrypted value.
pub(crate) enum Value {
    /// A bit, with a parameter set for gates.
    Bit(boolean::ciphertext::Ciphertext),
    /// A small integer.
    Block(shortint::Ciphertext),
    /// Several small integers.
    Batch(Vec<shortint::Ciphertext>),
    /// A truth value that results from integers.
    Truth(BooleanBlock),
    /// A bit count, in as many blocks as tfhe-rs returns.
    Count(RadixCiphertext),
    /// An unsigned machine integer.
    Unsigned(RadixCiphertext),
    /// A signed machine integer.
    Signed(SignedRadixCiphertext),
}

/// An encrypted value and its origin.
pub(crate) struct Encrypted {
    pub(crate) value: Value,
    /// True for an encryption, false for a result; only the mask of an encryption can be seeded.
    pub(crate) fresh: bool,
}

impl Encrypted {
    /// Wraps an encryption.
    pub(crate) fn fresh(value: Value) -> Self {
        Self { value, fresh: true }
    }

    /// Wraps a result.
    pub(crate) fn result(value: Value) -> Self {
        Self { value, fresh: false }
    }
}

impl Clear {
    /// Returns the values in the form of the protocol.
    pub(crate) fn values(&self) -> Numbers {
        match self {
            Self::Small(value) => vec![value.cast_signed()].into(),
            Self::Batch(values) => {
                values.iter().map(|value| value.cast_signed()).collect::<Vec<_>>().into()
            }
            Self::Integer(_, value) => vec![*value].into(),
        }
    }
}

/// The keys that encrypt.
#[derive(Clone, Copy)]
pub(crate) enum ClientKey<'a> {
    /// The key of a parameter set for gates.
    Gates(&'a boolean::client_key::ClientKey),
    /// The key of a parameter set for blocks.
    Blocks(&'a integer::ClientKey),
}

impl ClientKey<'_> {
    /// Encrypts a value.
    ///
    /// # Errors
    /// `unsupported` for integers if the messages of the set do not have 2 bits.
    pub(crate) fn encrypt(self, clear: &Clear) -> Result<Value, Refusal> {
        Ok(match (self, clear) {
            (Self::Gates(key), Clear::Small(bit)) => Value::Bit(key.encrypt(*bit != 0)),
            (Self::Blocks(key), Clear::Small(value)) => Value::Block(key.encrypt_one_block(*value)),
            (Self::Blocks(key), Clear::Batch(values)) => {
                Value::Batch(values.iter().map(|value| key.encrypt_one_block(*value)).collect())
            }
            (Self::Gates(_), Clear::Batch(_)) => return Err(wrong("a bit")),
            (_, &Clear::Integer(ty, value)) => {
                let (key, blocks) = (self.for_integers()?, blocks(ty));
                if ty.is_signed() {
                    Value::Signed(key.encrypt_signed_radix(signed(ty, value), blocks))
                } else {
                    Value::Unsigned(key.encrypt_radix(unsigned(value), blocks))
                }
            }
        })
    }

    /// Decrypts a value.
    ///
    /// # Errors
    /// `bad_request` for a value of another set.
    pub(crate) fn decrypt(self, value: &Value) -> Result<Clear, Refusal> {
        Ok(match (self, value) {
            (Self::Gates(key), Value::Bit(bit)) => Clear::Small(key.decrypt(bit).into()),
            (Self::Blocks(key), Value::Block(block)) => Clear::Small(key.decrypt_one_block(block)),
            (Self::Blocks(key), Value::Batch(blocks)) => {
                Clear::Batch(blocks.iter().map(|block| key.decrypt_one_block(block)).collect())
            }
            (Self::Blocks(key), Value::Truth(truth)) => {
                Clear::Small(key.decrypt_bool(truth).into())
            }
            (Self::Blocks(key), Value::Count(count)) => Clear::Small(key.decrypt_radix(count)),
            (Self::Blocks(key), Value::Unsigned(word)) => {
                // The top block of an unchecked result may hold a carry.
                let (ty, bits) = (ty(word)?, of_words(key.decrypt_radix::<integer::U256>(word)));
                Clear::Integer(ty, ty.wrap(bits))
            }
            (Self::Blocks(key), Value::Signed(word)) => {
                let value: integer::I256 = key.decrypt_signed_radix(word);
                let bits = value.data().iter().rev();
                let value = bits.fold(U256::ZERO, |value, limb| (value << 64) | U256::from(*limb));
                let ty = ty(word)?;
                Clear::Integer(ty, ty.wrap(value))
            }
            (Self::Gates(_), _) | (Self::Blocks(_), Value::Bit(_)) => {
                return Err(wrong("a value of this session"));
            }
        })
    }

    /// Returns the sizes of a ciphertext. The seeded size is that of another encryption, because
    /// tfhe-rs creates the seeded form only when it encrypts.
    pub(crate) fn bytes(self, encrypted: &Encrypted) -> CiphertextBytes {
        let value = &encrypted.value;
        let packed = value.byte_len();
        let seeded = encrypted.fresh.then(|| self.seeded_len(value)).flatten();
        CiphertextBytes { packed, seeded, theory: value.theory() }
    }

    fn seeded_len(self, value: &Value) -> Option<u64> {
        match (self, value) {
            (Self::Gates(key), Value::Bit(_)) => Some(byte_len(&key.encrypt_compressed(false))),
            (Self::Blocks(key), Value::Block(_)) => {
                let key: &shortint::ClientKey = key.as_ref();
                Some(byte_len(&key.encrypt_compressed(0)))
            }
            (Self::Blocks(key), Value::Unsigned(word)) => {
                Some(byte_len(&key.encrypt_radix_compressed(0_u64, word.blocks().len())))
            }
            (Self::Blocks(key), Value::Signed(word)) => {
                Some(byte_len(&key.encrypt_signed_radix_compressed(0_i64, word.blocks().len())))
            }
            _ => None,
        }
    }

    fn for_integers(&self) -> Result<&integer::ClientKey, Refusal> {
        match self {
            Self::Blocks(key) if key.parameters().message_modulus().0 == 1 << DIGIT_BITS => Ok(key),
            Self::Blocks(_) | Self::Gates(_) => {
                Err(Refusal::unsupported("integers want a set with messages of 2 bits"))
            }
        }
    }
}

impl Value {
    /// Returns the length of the serialisation with bincode, as the documentation of tfhe-rs
    /// recommends.
    fn byte_len(&self) -> u64 {
        match self {
            Self::Bit(bit) => byte_len(bit),
            Self::Block(block) => byte_len(block),
            Self::Batch(blocks) => byte_len(blocks),
            Self::Truth(truth) => byte_len(truth),
            Self::Count(word) | Self::Unsigned(word) => byte_len(word),
            Self::Signed(word) => byte_len(word),
        }
    }

    /// Returns the theoretical size: one torus word for each coefficient of each mask and for each
    /// body.
    fn theory(&self) -> u64 {
        let words = |blocks: &[shortint::Ciphertext]| -> u64 {
            blocks.iter().map(|block| block.ct.lwe_size().0 as u64).sum()
        };
        match self {
            Self::Bit(boolean::ciphertext::Ciphertext::Encrypted(bit)) => {
                size_of::<u32>() as u64 * bit.lwe_size().0 as u64
            }
            Self::Bit(boolean::ciphertext::Ciphertext::Trivial(_)) => 0,
            Self::Block(block) => 8 * words(std::slice::from_ref(block)),
            Self::Batch(blocks) => 8 * words(blocks),
            Self::Truth(truth) => 8 * words(std::slice::from_ref(truth.as_ref())),
            Self::Count(word) | Self::Unsigned(word) => 8 * words(word.blocks()),
            Self::Signed(word) => 8 * words(word.blocks()),
        }
    }

    /// Returns the bit, if the value is one.
    pub(crate) fn bit(&self) -> Result<&boolean::ciphertext::Ciphertext, Refusal> {
        if let Self::Bit(bit) = self { Ok(bit) } else { Err(wrong("a bit")) }
    }

    /// Returns the block, if the value is one.
    pub(crate) fn block(&self) -> Result<&shortint::Ciphertext, Refusal> {
        if let Self::Block(block) = self { Ok(block) } else { Err(wrong("a block")) }
    }
}

/// An encrypted integer, signed or unsigned, in the operations that tfhe-rs has for both.
pub(crate) trait Word: IntegerRadixCiphertext + Sync {
    /// Converts the integer to a value.
    fn value(self) -> Value;

    /// Returns the integer of this type in a value.
    ///
    /// # Errors
    /// `bad_request` if the value is not an integer of that type.
    fn of(value: &Value, ty: IntegerType) -> Result<&Self, Refusal>;
}

impl Word for RadixCiphertext {
    fn value(self) -> Value {
        Value::Unsigned(self)
    }

    fn of(value: &Value, ty: IntegerType) -> Result<&Self, Refusal> {
        match value {
            Value::Unsigned(word) if word.blocks().len() == blocks(ty) => Ok(word),
            _ => Err(wrong(&ty.to_string())),
        }
    }
}

impl Word for SignedRadixCiphertext {
    fn value(self) -> Value {
        Value::Signed(self)
    }

    fn of(value: &Value, ty: IntegerType) -> Result<&Self, Refusal> {
        match value {
            Value::Signed(word) if word.blocks().len() == blocks(ty) => Ok(word),
            _ => Err(wrong(&ty.to_string())),
        }
    }
}

/// Returns the type of an integer with blocks of 2 bits.
fn ty<T: Word>(word: &T) -> Result<IntegerType, Refusal> {
    let of = if T::IS_SIGNED { IntegerType::signed } else { IntegerType::unsigned };
    let bits = u16::try_from(word.blocks().len() * DIGIT_BITS as usize).ok();
    bits.and_then(of).ok_or_else(|| Refusal::new(Code::Internal, "an integer of unknown width"))
}

fn blocks(ty: IntegerType) -> usize {
    (ty.bits() / DIGIT_BITS) as usize
}

/// Returns the integer of tfhe-rs with these bits.
pub(crate) fn unsigned(value: U256) -> integer::U256 {
    let (high, low) = value.into_words();
    integer::U256::from((low, high))
}

/// Returns the integer of tfhe-rs with these bits, sign-extended.
pub(crate) fn signed(ty: IntegerType, value: U256) -> integer::I256 {
    let (high, low) = ty.sign_extend(value).as_u256().into_words();
    integer::I256::from((low, high))
}

fn of_words(value: integer::U256) -> U256 {
    let (low, high) = value.to_low_high_u128();
    U256::from_words(high, low)
}

/// Returns the length of the bincode serialisation; 0 if bincode fails, which it does for no type
/// of tfhe-rs.
pub(crate) fn byte_len(item: &impl Serialize) -> u64 {
    bincode::serialized_size(item).unwrap_or(0)
}

fn wrong(wanted: &str) -> Refusal {
    Refusal::new(Code::BadRequest, format!("the operation wants {wanted} here"))
}

//! The types of encrypted values as values.

use std::fmt;

/// Message bits of a block.
pub const DIGIT_BITS: usize = 2;

/// Greatest digit.
pub const DIGIT_MAX: i32 = 3;

/// Returns the number of blocks of an integer of `bits` bits.
pub fn count(bits: usize) -> usize {
    bits.div_ceil(DIGIT_BITS)
}

/// The type of an encrypted integer, truth value, bit or small integer: what a frame, a list or a
/// `RadixInt` says of its blocks, where no Rust type does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueType {
    bits: u16,
    form: Form,
}

/// The encoding of a value in its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// Base-4 digits.
    Unsigned,
    /// Base-4 digits in two's complement.
    Signed,
    /// A bit of gates, in one block.
    Bit,
    /// A message with carry, in one block.
    ShortInt,
}

impl ValueType {
    /// The number of bytes of a type in frames.
    #[doc(hidden)]
    pub const WIRE_BYTES: usize = 3;

    /// The type of a bit of gates, `Bit`.
    #[doc(hidden)]
    pub const BIT: ValueType = ValueType { bits: 1, form: Form::Bit };

    /// Returns the unsigned type of the same number of bits.
    #[doc(hidden)]
    pub fn to_unsigned(self) -> ValueType {
        ValueType { form: Form::Unsigned, ..self }
    }

    /// Returns the type of integers of `bits` bits, `None` unless `bits` is even and between 2 and
    /// 256.
    #[doc(hidden)]
    pub fn integer(bits: usize, signed: bool) -> Option<ValueType> {
        let allowed = (2..=256).contains(&bits) && bits.is_multiple_of(2);
        let form = if signed { Form::Signed } else { Form::Unsigned };
        allowed.then_some(ValueType { bits: bits as u16, form })
    }

    /// Returns the type of values of `bits` bits: a truth value if `bits` is 1, else an integer.
    #[doc(hidden)]
    pub const fn radix(bits: usize, signed: bool) -> ValueType {
        let form = if signed { Form::Signed } else { Form::Unsigned };
        ValueType { bits: bits as u16, form }
    }

    /// Returns the type `ShortInt` for messages of this many bits.
    #[doc(hidden)]
    pub fn short_int(message_bits: u32) -> ValueType {
        ValueType { bits: message_bits as u16, form: Form::ShortInt }
    }

    /// Encodes the number of bits and the form, as in frames.
    #[doc(hidden)]
    pub fn to_wire(self) -> [u8; ValueType::WIRE_BYTES] {
        let [low, high] = self.bits.to_le_bytes();
        [low, high, self.form as u8]
    }

    /// Returns the type with this encoding, if there is one.
    #[doc(hidden)]
    pub fn from_wire([low, high, form]: [u8; ValueType::WIRE_BYTES]) -> Option<ValueType> {
        let bits = u16::from_le_bytes([low, high]);
        let form = match (form, bits) {
            (0, 1) => Form::Unsigned,
            (0, 2..=256) if bits.is_multiple_of(2) => Form::Unsigned,
            (1, 2..=256) if bits.is_multiple_of(2) => Form::Signed,
            (2, 1) => Form::Bit,
            (3, 1..=11) => Form::ShortInt,
            _ => return None,
        };
        Some(ValueType { bits, form })
    }

    /// Returns whether lists can have this type, that is, whether it is an integer or a truth
    /// value.
    #[doc(hidden)]
    pub fn is_radix(self) -> bool {
        matches!(self.form, Form::Unsigned | Form::Signed)
    }

    /// Returns the number of bits of a value.
    pub fn bits(self) -> u16 {
        self.bits
    }

    /// Returns whether values are in two's complement.
    pub fn is_signed(self) -> bool {
        self.form == Form::Signed
    }

    /// Returns the number of blocks of a value.
    #[doc(hidden)]
    pub fn blocks(self) -> usize {
        if self.is_radix() { count(self.bits.into()) } else { 1 }
    }

    /// Returns the greatest digit.
    #[doc(hidden)]
    pub fn top(self) -> i32 {
        if self.bits == 1 { 1 } else { DIGIT_MAX }
    }
}

impl ValueType {
    /// Returns the identifier of the type `T`.
    pub fn of<T: StaticType>() -> ValueType {
        T::TYPE
    }
}

/// A Rust type whose values all have the same [`ValueType`].
pub trait StaticType {
    /// The type of the values.
    #[doc(hidden)]
    const TYPE: ValueType;
}

/// Writes the name of the type.
impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.form, self.bits) {
            (Form::Unsigned, 1) => f.write_str("FheBool"),
            (Form::Unsigned, bits) => write!(f, "FheUint{bits}"),
            (Form::Signed, bits) => write!(f, "FheInt{bits}"),
            (Form::Bit, _) => f.write_str("Bit"),
            (Form::ShortInt, bits) => write!(f, "ShortInt of {bits} bits"),
        }
    }
}

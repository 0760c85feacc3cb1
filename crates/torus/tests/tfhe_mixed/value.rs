//! Encrypted values of all kinds in one type.

use fathom::Error;
use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{
    FheBool, FheInt8, FheInt16, FheUint8, FheUint32, FheValue, Typed, ValueType,
};
use fathom::tfhe::shortint::ShortInt;
use fathom::tfhe::{Block, Params};
use fathom::wire::{Wire, WireValue};

/// A type of encrypted values.
pub(crate) trait Kind: Clone + WireValue + 'static {
    const NAME: &'static str;

    fn wrapped(self) -> Value;

    /// Returns the value as this type.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if it has another.
    fn of(value: &Value) -> Result<&Self, Error>;

    /// Returns values as this type.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if one has another.
    fn all<'a>(values: &[&'a Value]) -> Result<Vec<&'a Self>, Error> {
        values.iter().map(|value| Self::of(value)).collect()
    }
}

macro_rules! kinds {
    ($($variant:ident: $type:ty, $name:literal;)*) => {
        /// An encrypted value of any kind.
        #[derive(Clone, Debug)]
        pub(crate) enum Value {
            $($variant($type),)*
        }

        impl Value {
            /// The names of all kinds.
            pub(crate) const KINDS: &[&str] = &[$($name,)*];

            pub(crate) fn kind(&self) -> &'static str {
                match self {
                    $(Value::$variant(_) => $name,)*
                }
            }

            pub(crate) fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, Error> {
                match self {
                    $(Value::$variant(x) => x.to_bytes(params),)*
                }
            }

            /// Reads bytes as a value of this kind.
            pub(crate) fn from_bytes(
                kind: &str,
                params: &Params,
                bytes: &[u8],
            ) -> Result<Value, Error> {
                match kind {
                    $($name => <$type>::from_bytes(params, bytes).map(Value::$variant),)*
                    _ => panic!("no kind has the name {kind}"),
                }
            }
        }

        $(impl Kind for $type {
            const NAME: &'static str = $name;

            fn wrapped(self) -> Value {
                Value::$variant(self)
            }

            fn of(value: &Value) -> Result<&$type, Error> {
                if let Value::$variant(x) = value {
                    return Ok(x);
                }
                Err(Error::TypeMismatch { expected: ValueType::of::<FheBool>(), got: None })
            }
        })*
    };
}

kinds! {
    Short: ShortInt, "short";
    Bit: Bit, "bit";
    Bool: FheBool, "bool";
    U8: FheUint8, "u8";
    I8: FheInt8, "i8";
    I16: FheInt16, "i16";
    U32: FheUint32, "u32";
}

impl Value {
    pub(crate) fn blocks(&self) -> &[Block] {
        match self {
            Value::Short(x) => std::slice::from_ref(x.block()),
            Value::Bit(x) => std::slice::from_ref(x.block()),
            Value::Bool(x) => x.blocks(),
            Value::U8(x) => x.blocks(),
            Value::I8(x) => x.blocks(),
            Value::I16(x) => x.blocks(),
            Value::U32(x) => x.blocks(),
        }
    }

    /// Returns whether nothing in it is encrypted.
    pub(crate) fn is_clear(&self) -> bool {
        self.blocks().iter().all(Block::is_clear)
    }

    /// Returns whether it comes from a simulation, and belongs to no key.
    pub(crate) fn is_simulated(&self) -> bool {
        self.blocks().iter().any(|block| block.key_id().is_none() && !block.is_clear())
    }
}

/// Returns a number reduced to the range of the type.
pub(crate) fn reduced<T: Typed>(value: i64) -> i64 {
    let unused = 64 - T::BITS as u32;
    if T::SIGNED { value << unused >> unused } else { value & ((1 << T::BITS) - 1) }
}

//! The names that most programs on TFHE need; users have them from `fathom::prelude`.

pub use crate::tfhe::boolean::{Bit, Gate, Gates};
pub use crate::tfhe::integer::{
    ByteStrings, FheBool, FheBytes, FheInt, FheInt8, FheInt16, FheInt32, FheInt64, FheInt128,
    FheInt256, FheInteger, FheUint, FheUint8, FheUint16, FheUint32, FheUint64, FheUint128,
    FheUint256, FheValue, Integers, Padding, RadixInt, Typed, U256, ValueType,
};
pub use crate::tfhe::shortint::{ShortInt, ShortInts};
pub use crate::wire::{Wire, WireError, WireFresh, WireObject, WireValue};
pub use crate::{CancelToken, Error, KeyId, SecretRng, SecurityLevel, tfhe, wire};
#[cfg(feature = "serde")]
pub use crate::{Framed, FreshWithin, Within};

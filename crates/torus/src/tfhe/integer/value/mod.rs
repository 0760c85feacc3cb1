//! Encrypted values: their types, the traits that the types share, and clear values.
//!
//! A value is its [`ValueType`] and a vector of canonical blocks. [`RadixInt`] holds just that; of
//! the other types, the Rust type tells the [`ValueType`]. Three traits say what a function needs:
//!
//! | trait | types | needed by |
//! |---|---|---|
//! | [`FheValue`] | all | what every value has: equality, bitwise operations, selection |
//! | [`FheInteger`] | all but `FheBool` | arithmetic, order and shifts, which truth values lack |
//! | [`Typed`] | all but `RadixInt` | results whose type nothing but the Rust type tells |

pub(in crate::tfhe::integer) mod digits;
pub(in crate::tfhe::integer) mod operand;
pub(in crate::tfhe::integer) mod radix_int;
pub(in crate::tfhe) mod traits;
mod types;

pub use crate::tfhe::clear::Clear;
pub use fathom_base::ValueType;
pub use operand::{Amount, Operand};
pub use radix_int::RadixInt;
pub use traits::{FheInteger, FheValue, Typed};
pub use types::{
    FheBool, FheInt, FheInt8, FheInt16, FheInt32, FheInt64, FheInt128, FheInt256, FheUint,
    FheUint8, FheUint16, FheUint32, FheUint64, FheUint128, FheUint256,
};

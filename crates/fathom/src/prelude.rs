//! The names that most programs need: `use fathom::prelude::*`.
//!
//! Names that several schemes have, such as `Params` and `Evaluator`, are reached through the
//! module of the scheme.
//!
//! ```
//! use fathom::prelude::*;
//!
//! # fn main() -> Result<(), fathom::Error> {
//! let params = bgv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bgv::SecretKey::generate(&params, &mut rng);
//! let server = bgv::Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
//! let x = secret.encrypt(&params.encode(&[2, 3])?, &mut rng)?;
//! let square = server.square(&x)?;
//! assert_eq!(secret.decrypt(&square)?.slots()?[..2], [4, 9]);
//! # Ok(())
//! # }
//! ```

pub use crate::rlwe::modular::{Circuit, Preset};
pub use crate::rlwe::{Encryption, Level, Rotations, RowSwap};
pub use crate::tfhe::boolean::{Bit, Gate, Gates};
pub use crate::tfhe::integer::{
    ByteStrings, FheBool, FheBytes, FheInt, FheInt8, FheInt16, FheInt32, FheInt64, FheInt128,
    FheInt256, FheInteger, FheUint, FheUint8, FheUint16, FheUint32, FheUint64, FheUint128,
    FheUint256, FheValue, Integers, Padding, RadixInt, Typed, U256, ValueType,
};
pub use crate::tfhe::shortint::{ShortInt, ShortInts};
pub use crate::wire::{Wire, WireError, WireFresh, WireObject, WireValue};
pub use crate::{
    CancelToken, Error, KeyId, SecretRng, SecurityLevel, bfv, bgv, ckks, tfhe, wide, wire,
};
#[cfg(feature = "serde")]
pub use crate::{Framed, FreshWithin, Within};

//! The names that most programs on rings need; users have them from `fathom::prelude`.

pub use crate::rlwe::modular::{Circuit, Preset};
pub use crate::rlwe::{Encryption, Level, Rotations, RowSwap};
pub use crate::wire::{Wire, WireError, WireFresh, WireObject, WireValue};
pub use crate::{CancelToken, Error, KeyId, SecretRng, SecurityLevel, bfv, bgv, ckks, wide, wire};
#[cfg(feature = "serde")]
pub use crate::{Framed, FreshWithin, Within};

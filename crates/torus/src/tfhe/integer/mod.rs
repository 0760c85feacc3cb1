//! Encrypted machine integers: [`FheUint`], [`FheInt`] and [`FheBool`].
//!
//! ```
//! # use fathom_torus as fathom;
//! use fathom::SecretRng;
//! use fathom::tfhe::integer::{FheUint8, Integers};
//! use fathom::tfhe::{ClientKey, Params};
//!
//! let mut rng = SecretRng::from_os()?;
//! let client = ClientKey::generate(&Params::preset(Params::INTEGERS)?, &mut rng);
//! let integers = Integers::with_keys(client.evaluation_keys(&mut rng)?, 1)?;
//!
//! let a: FheUint8 = client.encrypt(7_u8, &mut rng)?;
//! let b: FheUint8 = client.encrypt(9_u8, &mut rng)?;
//! let larger = integers.select(&integers.gt(&a, &b)?, &a, &b)?;
//! let sum = integers.add(&larger, 1_u8)?; // the second operand may be clear
//! assert_eq!(client.decrypt(&sum)?, 10);
//! # Ok::<(), fathom::Error>(())
//! ```
//!
//! An integer is a vector of blocks of two bits each, the least significant first. A server
//! creates [`Integers`] from its evaluation keys, and the operations are its methods:
//! `integers.add(&a, &b)?`. The second operand is an integer of the same type or a clear value.
//! [`Integers::scope`] and [`Integers::bind`] provide the Rust operators.
//!
//! The types are [`FheUint`], [`FheInt`] and [`FheBool`], and [`RadixInt`] for an integer whose
//! type is known at run time. Functions of any of them are bounded by three traits:
//!
//! | trait | values | for |
//! |---|---|---|
//! | [`FheValue`] | of every type | equality, bitwise operations, selection |
//! | [`FheInteger`] | of every type but `FheBool` | arithmetic, order, shifts |
//! | [`Typed`] | of every type but `RadixInt` | encryption, conversion, reading a list |
//!
//! The results of all operations are canonical: each block holds a value from 0 to 3, and the
//! variance of its noise is at most [`CANONICAL_NOISE_VARIANCE`] times that of the output of a
//! bootstrap. Operations can therefore be chained without limit.
//!
//! Algorithms, lookup tables and bootstrap counts: docs/maths/tfhe-integers.md.
#![expect(
    clippy::needless_pass_by_value,
    reason = "operands are references or clear values, written without a borrow at the call"
)]

mod arithmetic;
mod array;
mod bits;
mod blocks;
mod bytes;
mod comparison;
mod encryption;
mod integers;
mod lists;
mod operators;
mod shift;
mod tables;
pub(super) mod value;

pub use bytes::{ByteStrings, FheBytes, Padding, Text};
pub use ethnum::{I256, U256};
pub use integers::Integers;
pub use operators::Outcome;
pub use value::digits::CANONICAL_NOISE_VARIANCE;
pub use value::{
    Amount, Clear, FheBool, FheInt, FheInt8, FheInt16, FheInt32, FheInt64, FheInt128, FheInt256,
    FheInteger, FheUint, FheUint8, FheUint16, FheUint32, FheUint64, FheUint128, FheUint256,
    FheValue, Operand, RadixInt, Typed, ValueType,
};

//! Encrypted machine integers: [`FheUint`], [`FheInt`] and [`FheBool`].
//!
//! ```
//! use fathom::SecretRng;
//! use fathom::tfhe::integer::{FheUint8, Integers};
//! use fathom::tfhe::{ClientKey, Evaluator, Params};
//!
//! let mut rng = SecretRng::from_os()?;
//! let client = ClientKey::generate(&Params::preset(Params::INTEGERS)?, &mut rng);
//! let integers = Integers::new(Evaluator::new(client.evaluation_keys(&mut rng)?, 1)?)?;
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
//! creates [`Integers`] from its evaluation keys. Every operation is a method of
//! [`Evaluator`](super::Evaluator), to which `Integers` dereferences, such as
//! `integers.add(&a, &b)?`. The second operand is an integer of the same type or a clear value.
//! [`Evaluator::bind`](super::Evaluator::bind) and [`Evaluator::scope`](super::Evaluator::scope)
//! provide the Rust operators.
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

mod abs;
mod add;
mod amount;
mod array;
mod bitwise;
mod boolean;
mod bytes;
mod carry;
mod cast;
mod checked;
mod clear;
mod columns;
mod compare;
mod count;
mod digits;
mod divide;
mod divide_clear;
mod dot_clear;
mod encrypt;
mod encrypt_list;
mod integers;
mod isqrt;
mod min_sum;
mod multiples;
mod multiply;
mod multiply_clear;
mod multiply_wide;
mod operand;
mod operators;
mod overflow;
mod parity;
mod power;
mod product_order;
mod radix;
mod radix_int;
mod radix_value;
mod refresh;
mod saturate;
mod select;
mod shift;
mod shift_blocks;
mod shift_clear;
mod shift_stages;
mod shifted_copies;
mod signed;
mod suffix;
mod sum;
mod tables;
mod unsigned;
mod value;
mod value_type;
mod widths;

pub use amount::{Amount, ShiftAmount};
pub use boolean::FheBool;
pub use bytes::{ByteStrings, FheBytes, Padding, Text};
pub use clear::Clear;
pub use ethnum::{I256, U256};
pub use integers::Integers;
pub use multiply_wide::Widening;
pub use operand::{Operand, Side};
pub use operators::{Bound, Outcome};
pub use radix_int::RadixInt;
pub use radix_value::{AnyInteger, AnyRadixValue, Integer, RadixValue};
pub use signed::{FheInt, FheInt8, FheInt16, FheInt32, FheInt64, FheInt128, FheInt256};
pub use sum::Summand;
pub use unsigned::{FheUint, FheUint8, FheUint16, FheUint32, FheUint64, FheUint128, FheUint256};
pub use value::Value;
pub use value_type::ValueType;

/// Greatest noise variance of the blocks of an integer between operations, in units of the variance
/// of a bootstrap's output.
pub const CANONICAL_NOISE_VARIANCE: u32 = 2;

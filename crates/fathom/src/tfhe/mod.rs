//! TFHE: exact computing on small encrypted integers by programmable bootstrapping.
//!
//! | module or type | what it is for |
//! |---|---|
//! | [`boolean`] | gates on bits |
//! | [`shortint`] | integers of a few bits, with any function of one or two of them |
//! | [`integer`] | machine integers of 2 to 256 bits: `FheUint`, `FheInt`, `FheBool` |
//! | [`Block`], [`Lut`] | what these are made of, for tables of one's own |
//! | [`CompressedList`] | results, packed into few bytes by whoever computed them |
//! | [`PublicKey`], [`CompactList`] | inputs, encrypted without the secret key |
//! | [`fhew`] | gates by three other blind rotations, for comparisons |
//!
//! ```
//! use fathom::SecretRng;
//! use fathom::tfhe::integer::FheUint8;
//! use fathom::tfhe::{ClientKey, EvaluationKey, Evaluator, Params, SeededEvaluationKey};
//! use std::sync::Arc;
//!
//! let mut rng = SecretRng::from_os()?;
//! let client = ClientKey::generate(&Arc::new(Params::message_2_carry_2()), &mut rng);
//! let seeded = SeededEvaluationKey::generate(&client, &mut rng)?; // what travels to the server
//! let evaluator = Evaluator::new(EvaluationKey::expand(&seeded)?, 2)?;
//!
//! let a: FheUint8 = client.encrypt_integer(200_u8, &mut rng)?;
//! let sum = evaluator.add(&a, 100_u8)?;
//! assert_eq!(client.decrypt_integer(&sum)?, 44);
//! # Ok::<(), fathom::tfhe::Error>(())
//! ```
//!
//! [`Params::message_2_carry_2`] (`u_2_2_128`) is the default and the set of the integers,
//! [`Params::boolean`] (`u_bool_128`) that of the gates. [`Params::preset`] takes a name: the key
//! family, `u` or `b`; bits of message and of carry, or `bool`; and `128`, `64` or `40`, for a
//! bootstrap that errs with probability `2^-128`, `2^-64` or `2^-40`. Larger blocks take more
//! functions, and longer for each. [`Params::presets`] has all sets.
//!
//! **Sets named `b_` rest on a less studied assumption**, [`KeyFamily::BlockBinary`]. **Sets named
//! `_64` and `_40`, and those of [`fhew`], are IND-CPA only**: whoever learns of a failure learns
//! of the key ([`Params::is_ind_cpa_only`]).
//!
//! Every block carries the range of its integer and its *norm*, the variance of its noise in units
//! of a bootstrap's output. A lookup table refuses a range beyond its domain
//! ([`Error::OutsideDomain`]) and noise past [`Params::max_norm`] ([`Error::NoiseExceeded`]). Gates
//! and integers stay within both by themselves. Bits of [`fhew`] carry neither.
//!
//! Mathematics: docs/maths/tfhe.md. Security and noise: docs/maths/tfhe-parameters.md.

mod accumulator_noise;
mod automorphism_keys;
mod block;
pub mod boolean;
mod bootstrap;
mod client_key;
mod encrypted_table;
mod error;
mod evaluation_key;
mod evaluator;
mod expand_rows;
pub mod fhew;
pub mod integer;
mod list;
mod lut;
mod merge;
mod modulus_switch;
mod name;
mod noise;
#[cfg(test)]
mod noise_record;
mod owner;
mod params;
mod preset_table;
mod presets;
mod public_key;
mod rotation_rows;
mod seeded_key;
pub mod shortint;
mod space;

pub use block::Block;
pub(crate) use block::Claims;
pub use client_key::ClientKey;
pub(crate) use encrypted_table::{EncryptedTable, Lookup, table_shape};
pub use error::Error;
pub use evaluation_key::EvaluationKey;
pub use evaluator::{Counts, Evaluator, Job, Policy};
pub use list::{CompressedList, PackingKey, SeededPackingKey};
pub(crate) use list::{Origin, PackingShape, Run};
pub use lut::{Function, Lut};
pub use name::Name;
pub(crate) use owner::Owner;
pub use params::{Decomposition, KeyFamily, Params, Spec};
pub use public_key::{CompactList, PublicKey};
pub use seeded_key::SeededEvaluationKey;
pub use space::Space;

//! TFHE: exact computation on small encrypted integers by programmable bootstrapping.
//!
//! The client generates a [`ClientKey`] and sends a [`SeededEvaluationKey`] to the server, which
//! expands it and computes with an [`Evaluator`]. Bits, small integers and machine integers each
//! have a module of their own; [`Block`] and [`Lut`] are the layer below them.
//!
//! | module or type | purpose |
//! |---|---|
//! | [`boolean`] | gates on bits |
//! | [`shortint`] | integers of a few bits, with any function of one or two of them |
//! | [`integer`] | machine integers of 2 to 256 bits: `FheUint`, `FheInt`, `FheBool` |
//! | [`Block`], [`Lut`] | the LWE ciphertexts and lookup tables underneath, for custom circuits |
//! | [`CompressedList`] | many results in few bytes, packed by the server |
//! | [`PublicKey`], [`CompactList`] | inputs encrypted without the secret key |
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
//! let seeded = SeededEvaluationKey::generate(&client, &mut rng)?; // sent to the server
//! let evaluator = Evaluator::new(EvaluationKey::expand(&seeded)?, 2)?;
//!
//! let a: FheUint8 = client.encrypt_integer(200_u8, &mut rng)?;
//! let sum = evaluator.add(&a, 100_u8)?;
//! assert_eq!(client.decrypt_integer(&sum)?, 44);
//! # Ok::<(), fathom::tfhe::Error>(())
//! ```
//!
//! [`Params::message_2_carry_2`] (`u_2_2_128`) is the default set and the one for integers;
//! [`Params::boolean`] (`u_bool_128`) is the one for gates. [`Params::preset`] takes a name that
//! consists of the key family (`u` or `b`), the bits of message and of carry (or `bool`), and
//! `128`, `64` or `40` for a bootstrap that fails with probability `2^-128`, `2^-64` or `2^-40`.
//! Larger blocks allow more functions per bootstrap, but each bootstrap takes longer.
//! [`Params::presets`] returns all sets.
//!
//! **Sets named `b_` rest on a less studied assumption**, [`KeyFamily::BlockBinary`]. **Sets named
//! `_64` and `_40`, and those of [`fhew`], are IND-CPA only**: a decryption failure leaks
//! information on the key ([`Params::is_ind_cpa_only`]).
//!
//! Every block carries the range of its integer and its *norm*: the variance of its noise, in units
//! of the variance of a bootstrap's output. A lookup table refuses a block whose range exceeds its
//! domain ([`Error::OutsideDomain`]) or whose noise exceeds [`Params::max_norm`]
//! ([`Error::NoiseExceeded`]). Gates and integers respect both limits automatically. Bits of
//! [`fhew`] carry neither a range nor a noise variance.
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
mod lockstep;
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

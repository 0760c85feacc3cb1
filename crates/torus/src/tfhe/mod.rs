//! TFHE: exact computation on small encrypted integers by programmable bootstrapping.
//!
//! The client generates a [`ClientKey`] and sends a [`SeededEvaluationKeys`] to the server, which
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
//! | [`SeededList`] | inputs in few bytes, encrypted under the secret key |
//! | [`PublicKey`], [`CompactList`] | inputs encrypted without the secret key |
//!
//! ```
//! # use fathom_torus as fathom;
//! use fathom::SecretRng;
//! use fathom::tfhe::integer::{FheUint8, Integers};
//! use fathom::tfhe::{ClientKey, Params};
//!
//! let mut rng = SecretRng::from_os()?;
//! let client = ClientKey::generate(&Params::preset(Params::INTEGERS)?, &mut rng);
//! let seeded = client.seeded_evaluation_keys(&mut rng)?; // sent to the server
//! let integers = Integers::with_keys(seeded.expand()?, 2)?;
//!
//! let a: FheUint8 = client.encrypt(200_u8, &mut rng)?;
//! let sum = integers.add(&a, 100_u8)?;
//! assert_eq!(client.decrypt(&sum)?, 44);
//! # Ok::<(), fathom::Error>(())
//! ```
//!
//! [`Params::INTEGERS`] (`u_2_2_128`) is the default set and the one for integers;
//! [`Params::GATES`] (`u_bool_128`) is the one for gates. [`Params::preset`] takes a name that
//! consists of the key family (`u` or `b`), the bits of message and of carry (or `bool`), and
//! `128`, `64` or `40` for a bootstrap that fails with probability `2^-128`, `2^-64` or `2^-40`.
//! Larger blocks allow more functions per bootstrap, but each bootstrap takes longer.
//! [`Params::presets`] returns all sets.
//!
//! **Sets named `b_` rest on a less studied assumption**, [`KeyFamily::BlockBinary`]. **Sets named
//! `_64` and `_40` are IND-CPA only**: a decryption failure leaks information on the key
//! ([`Params::is_ind_cpa_only`]).
//!
//! Every block carries the range of its integer and its noise variance: the variance of its noise,
//! in units of the variance of a bootstrap's output. A lookup table refuses a block whose range
//! exceeds its domain ([`TableError::OutsideDomain`]) or
//! whose noise exceeds [`Params::max_noise_variance`] ([`Error::NoiseExceeded`]). Gates and
//! integers respect both limits automatically.
//!
//! # Threads
//!
//! An evaluator may be shared between threads, and called from a loop of rayon, from tokio's
//! `spawn_blocking`, or within another pool. A caller computes a single bootstrap itself and sleeps
//! while the threads of the evaluator compute a batch; it takes up no other work meanwhile. A
//! program thus has as many operations in progress as threads that call. Keys are generated,
//! expanded and read by the calling thread and others that are started for this: in all as many as
//! there are cores or, if the caller belongs to a rayon pool, as that pool has, but at most 16.
//!
//! Closures of `map` and `zip`, of an evaluator or of integers, may share locks and wait for each
//! other. A closure may rely on the operations of *earlier* elements: those of later ones start
//! only when there are threads for them. Without the feature `rayon`, and where the operating
//! system starts no threads, the calling thread does all the work.
//!
//! [`Evaluator::with_cancel`] ends long operations from outside.
//!
//! Mathematics: docs/maths/tfhe.md. Security and noise: docs/maths/tfhe-parameters.md.

mod accumulator;
mod block;
pub mod boolean;
mod bootstrap;
mod clear;
mod codec;
mod encrypted_table;
mod encryption;
mod evaluator;
mod helpers;
mod in_step;
pub mod integer;
mod keys;
mod list;
mod lockstep;
mod low_bits;
mod modulus_switch;
mod noise;
mod owner;
mod params;
pub mod shortint;
mod span;
mod step;
mod table;

pub(crate) use crate::Error;
pub use block::Block;
pub(crate) use block::Claims;
pub use encrypted_table::TableRead;
pub use encryption::{Decrypt, Encrypt};
pub use evaluator::{Counts, Evaluator, Job, Policy};
pub use keys::{
    ClientKey, CompactList, EvaluationKeys, PackingKeys, PublicKey, SeededEvaluationKeys,
    SeededList, SeededPackingKeys,
};
pub(crate) use keys::{PackingShape, table_shape};
pub use list::{CompressedList, ListError};
pub(crate) use list::{Origin, Run};
#[doc(hidden)]
pub use owner::Owner;
pub use params::{Decomposition, KeyFamily, Name, Params, Space, Spec};
pub(crate) use span::Span;
pub use table::{Function, Lut, TableError};

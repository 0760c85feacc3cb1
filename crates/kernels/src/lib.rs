//! Row arithmetic for homomorphic encryption.
//!
//! A *row* is the residues of one polynomial modulo one prime: `degree` words of 64 bits. This
//! crate transforms, multiplies, sums and converts rows, with one [`Kernel`] for each instruction
//! set. The crates above it work on whole rows and contain no `unsafe` code. Operations on rows of
//! bits have their own trait, [`BitKernel`]; those on rows of torus words and of spectra are in
//! [`torus`].
//!
//! ```
//! use fathom_kernels::{Modulus, NttTable, Row, best_for};
//!
//! let modulus = Modulus::new(0x3a83_a7e0_0001)?; // a prime, 1 modulo 2^18
//! let kernel = best_for(&[modulus])?;
//! let table = NttTable::new(modulus, 1024, kernel)?;
//! let mut row = Row::zeroed(1024);
//! row[1] = 5; // the polynomial 5 X
//! kernel.ntt_forward(&table, &mut row);
//! kernel.ntt_inverse(&table, &mut row, &table.plain_inverse_scale());
//! assert_eq!(row[1], 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arch;
mod arrays;
mod bit_table;
mod bits;
mod constant;
mod counter_message;
mod float;
mod generic;
mod kernel;
mod kernel_info;
mod key_row;
mod key_spectra;
mod lanes;
mod line;
mod modulus;
pub mod order;
mod pages;
mod pairs;
mod passes;
pub mod reference;
mod row;
mod select;
mod shared_row;
mod table;
pub mod torus;
mod twiddles;

pub use bit_table::{BitTable, PackedRows};
pub use bits::{BitKernel, MASK_WORDS};
pub use constant::{Constant, Form};
pub use counter_message::{CounterMessage, SHA256_INITIAL_STATE};
pub use kernel::{Kernel, TensorRows};
pub use kernel_info::KernelInfo;
pub use key_row::{Digit, KeyRow};
pub use modulus::{Modulus, ModulusError};
pub use row::{
    AlignedRow, Element, IntegerRow, RealRow, Row, RowBlock, ShortRow, as_bytes_mut, as_integers,
    wipe, wipe_stack_below, wipe_stack_of_keystream, wipe_stack_of_short_hash,
};
pub use select::{
    SelectError, available, available_bits, available_torus, best_bits, best_for, best_torus,
};
pub use shared_row::SharedRow;
pub use table::{InverseScale, NttTable, TableError};

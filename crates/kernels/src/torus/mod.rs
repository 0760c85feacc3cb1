//! Rows of torus words and of spectra: the second interface of this crate, for schemes over the
//! torus.
//!
//! A polynomial over the torus is a row of `degree` doubles or words. A [`TorusKernel`] transforms
//! it by the negacyclic FFT ([`FourierTable`]), and computes the two costly operations of a
//! bootstrap: the blind rotation, whose steps are external products ([`ProductShape`],
//! [`SharedRotation`]), and the module key switch of LWE ciphertexts ([`KeySwitchTable`]).
//! [`PreciseTransform`] computes the spectra of keys. The kernels are listed by
//! [`crate::available_torus`] and chosen by [`crate::best_torus`].
//!
//! ```
//! use fathom_kernels::best_torus;
//! use fathom_kernels::torus::FourierTable;
//!
//! let (kernel, table) = (best_torus()?, FourierTable::new(256));
//! let (mut a, mut spectrum, mut product) = (vec![0.0; 256], vec![0.0; 256], vec![0.0; 256]);
//! a[255] = 1.0; // the polynomial X^255
//! kernel.forward(&table, &a, &mut spectrum);
//! let mut square = vec![0.0; 256];
//! kernel.multiply_add(&mut square, &spectrum, &spectrum);
//! kernel.inverse_add(&table, &mut square, &mut product);
//! assert_eq!((product[254] / 128.0).round(), -1.0); // X^510 = -X^254
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod admission;
mod barrier;
mod base;
mod butterflies;
mod digits;
mod ends;
mod extended;
mod fetch;
mod grouped;
mod kernel;
mod key_switch;
mod key_switch_table;
pub(crate) mod lanes;
mod monomials;
pub(crate) mod octet;
mod pack;
mod precise;
mod product;
mod rotation;
mod secret;
mod shared;
mod shared_parts;
mod short_sum;
mod step;
mod sums_of_keys;
mod sweeps;
mod table;
mod tail;
mod tail_by_fours;
mod tail_rows;
mod transform;
mod whole;

pub(crate) use extended::multiply_extended;
pub(crate) use fetch::{Fetch, Prefetch};
pub(crate) use grouped::{multiply_groups, turn_over_all};
pub use kernel::TorusKernel;
pub(crate) use key_switch::key_switch;
pub use key_switch_table::{KeySwitchShape, KeySwitchTable, SwitchKey};
pub(crate) use octet::Line;
pub use precise::PreciseTransform;
pub use product::{Decomposition, MAX_EXTENSION, MAX_SELECTORS, ProductShape, Rotation};
pub(crate) use rotation::{multiply_all, rotate, transform_all};
pub(crate) use secret::{binary_product, short_binary_product};
pub(crate) use shared::{Columns, Group, Places};
pub use shared::{Patience, SharedRotation};
pub(crate) use shared_parts::SharedParts;
pub(crate) use short_sum::{add_each, short_sum};
pub(crate) use step::Step;
pub(crate) use sweeps::{sweep_down, sweep_up};
pub use table::FourierTable;
pub(crate) use table::{Pass, Tail};
pub(crate) use tail::{group_down, group_up, tails_down, tails_up};
pub(crate) use whole::{forward, inverse_add, multiply_add};

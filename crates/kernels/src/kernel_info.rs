//! The properties of a kernel on which precomputed tables depend.

use crate::{Form, Modulus};
use std::fmt::Debug;

/// The name of a kernel, the moduli that it supports and the form of its multiplicands: what a
/// table needs to know of the [`crate::Kernel`] for which it is laid out.
pub trait KernelInfo: Debug + Send + Sync + 'static {
    /// Returns the stable name, as in `FATHOM_KERNEL=<name>` and in bench ids: `portable`, `avx2`,
    /// `avx512`, `ifma`.
    fn name(&self) -> &'static str;

    /// Returns true if every operation supports this modulus: `portable` supports all, the vector
    /// kernels odd ones below `2^52 / 70`.
    fn supports(&self, modulus: &Modulus) -> bool;

    /// Returns the form in which the transforms read precomputed multiplicands from a table.
    fn form(&self) -> Form;
}

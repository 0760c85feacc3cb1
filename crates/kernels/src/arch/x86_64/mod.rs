//! x86-64.

use crate::Kernel;

/// The vector kernels this CPU can run, fastest first.
pub(crate) fn detect() -> Vec<&'static dyn Kernel> {
    Vec::new()
}

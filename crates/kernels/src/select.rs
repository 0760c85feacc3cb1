//! Selection of the kernel.

use crate::torus::TorusKernel;
use crate::{BitKernel, Kernel, Modulus, arch};
use std::sync::LazyLock;

/// Kernels for residues that this CPU can run, fastest first.
static AVAILABLE: LazyLock<Vec<&'static dyn Kernel>> = LazyLock::new(arch::detect);

/// Kernels for floating-point arithmetic that this CPU can run, fastest first.
static AVAILABLE_TORUS: LazyLock<Vec<&'static dyn TorusKernel>> = LazyLock::new(arch::detect_torus);

/// Kernels for rows of bits that this CPU can run, fastest first.
static AVAILABLE_BITS: LazyLock<Vec<&'static dyn BitKernel>> = LazyLock::new(arch::detect_bits);

/// Environment variable that names the kernel to use; empty means not set.
const VARIABLE: &str = "FATHOM_KERNEL";

/// Returns the name in the environment, if there is one.
fn name_in_environment() -> Option<String> {
    let name = std::env::var_os(VARIABLE)?;
    (!name.is_empty()).then(|| name.to_string_lossy().into_owned())
}

/// Reason why the kernel named in the environment cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// No kernel of that name runs on this CPU.
    #[error("FATHOM_KERNEL={name}: no such kernel on this CPU; it has {available}")]
    Unknown {
        /// The requested name.
        name: String,
        /// The available names, separated by commas.
        available: String,
    },
    /// The kernel does not support a modulus.
    #[error(
        "FATHOM_KERNEL={name} does not support the modulus {modulus}; this CPU has {available}"
    )]
    Unsupported {
        /// The requested name.
        name: String,
        /// The first modulus that it does not support.
        modulus: u64,
        /// The available names, separated by commas.
        available: String,
    },
}

/// Returns the kernels that this CPU can run, fastest first. The last is always `portable`.
pub fn available() -> Vec<&'static dyn Kernel> {
    AVAILABLE.clone()
}

/// Returns the kernel of that name, if this CPU can run it.
pub(crate) fn by_name(name: &str) -> Option<&'static dyn Kernel> {
    AVAILABLE.iter().copied().find(|kernel| kernel.name() == name)
}

/// Returns the fastest kernel of this CPU that supports all of `moduli`, unless the environment
/// variable `FATHOM_KERNEL` names another.
///
/// # Errors
/// If `FATHOM_KERNEL` names a kernel that does not exist here ([`SelectError::Unknown`]) or that
/// does not support all of `moduli` ([`SelectError::Unsupported`]).
pub fn best_for(moduli: &[Modulus]) -> Result<&'static dyn Kernel, SelectError> {
    choose(name_in_environment().as_deref(), moduli)
}

/// Selects a kernel like [`best_for`], with the value of `FATHOM_KERNEL` as an argument.
///
/// # Errors
/// The errors of [`best_for`].
pub(crate) fn choose(
    name: Option<&str>,
    moduli: &[Modulus],
) -> Result<&'static dyn Kernel, SelectError> {
    let Some(name) = name else {
        let best = AVAILABLE.iter().find(|kernel| moduli.iter().all(|m| kernel.supports(m)));
        return Ok(best.copied().unwrap_or(&arch::Portable));
    };
    let Some(kernel) = by_name(name) else {
        return Err(SelectError::Unknown { name: name.to_owned(), available: names() });
    };
    match moduli.iter().find(|m| !kernel.supports(m)) {
        None => Ok(kernel),
        Some(modulus) => Err(SelectError::Unsupported {
            name: name.to_owned(),
            modulus: modulus.value(),
            available: names(),
        }),
    }
}

/// Returns the kernels for floating-point arithmetic that this CPU can run, fastest first. The last
/// is always `portable`.
pub fn available_torus() -> Vec<&'static dyn TorusKernel> {
    AVAILABLE_TORUS.clone()
}

/// Returns the fastest kernel of this CPU for floating-point arithmetic, unless the environment
/// variable `FATHOM_KERNEL` names another; `ifma` selects `avx512` here.
///
/// # Errors
/// [`SelectError::Unknown`] if `FATHOM_KERNEL` names a kernel that does not exist here.
pub fn best_torus() -> Result<&'static dyn TorusKernel, SelectError> {
    choose_torus(name_in_environment().as_deref())
}

/// Selects a kernel like [`best_torus`], with the value of `FATHOM_KERNEL` as an argument.
///
/// # Errors
/// The errors of [`best_torus`].
pub(crate) fn choose_torus(name: Option<&str>) -> Result<&'static dyn TorusKernel, SelectError> {
    let name = name.map(|name| if name == "ifma" { "avx512" } else { name });
    let fits = |kernel: &&&'static dyn TorusKernel| name.is_none_or(|name| kernel.name() == name);
    AVAILABLE_TORUS.iter().find(fits).copied().ok_or_else(|| SelectError::Unknown {
        name: name.expect("without a name the first kernel fits").to_owned(),
        available: names(),
    })
}

/// Returns the kernels for rows of bits that this CPU can run, fastest first. The last is always
/// `portable`.
pub fn available_bits() -> Vec<&'static dyn BitKernel> {
    AVAILABLE_BITS.clone()
}

/// Returns the fastest kernel of this CPU for rows of bits, unless the environment variable
/// `FATHOM_KERNEL` names another one.
///
/// # Errors
/// [`SelectError::Unknown`] if `FATHOM_KERNEL` names a kernel that does not exist here.
pub fn best_bits() -> Result<&'static dyn BitKernel, SelectError> {
    choose_bits(name_in_environment().as_deref())
}

/// Selects a kernel like [`best_bits`], with the value of `FATHOM_KERNEL` as an argument. If a
/// kernel of that name exists for residues only, returns the fastest for rows of bits.
///
/// # Errors
/// The errors of [`best_bits`].
pub(crate) fn choose_bits(name: Option<&str>) -> Result<&'static dyn BitKernel, SelectError> {
    let fastest = AVAILABLE_BITS.first().copied().unwrap_or(&arch::PortableBits);
    let Some(name) = name else { return Ok(fastest) };
    let named = AVAILABLE_BITS.iter().copied().find(|kernel| kernel.name() == name);
    let fallback = by_name(name).map(|_| fastest);
    named
        .or(fallback)
        .ok_or_else(|| SelectError::Unknown { name: name.to_owned(), available: names() })
}

fn names() -> String {
    let names: Vec<_> = AVAILABLE.iter().map(|kernel| kernel.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulus::W46_MAX;

    #[test]
    fn portable_is_always_there_and_last() {
        assert_eq!(available().last().unwrap().name(), "portable");
    }

    #[test]
    fn the_fastest_kernel_that_supports_all_moduli_is_chosen() {
        let [small, large] = [W46_MAX - 1, 1 << 60].map(|q| Modulus::new(q | 1).unwrap());
        assert_eq!(choose(None, &[small]).unwrap().name(), available()[0].name());
        assert_eq!(choose(None, &[small, large]).unwrap().name(), "portable");
    }

    #[test]
    fn a_named_kernel_is_taken() {
        for kernel in available() {
            assert_eq!(choose(Some(kernel.name()), &[]).unwrap().name(), kernel.name());
        }
    }

    #[test]
    fn every_name_of_a_kernel_chooses_one_for_bits() {
        assert_eq!(available_bits().last().unwrap().name(), "portable");
        assert_eq!(choose_bits(None).unwrap().name(), available_bits()[0].name());
        for kernel in available_bits() {
            assert_eq!(choose_bits(Some(kernel.name())).unwrap().name(), kernel.name());
        }
        assert!(available().iter().all(|kernel| choose_bits(Some(kernel.name())).is_ok()));
        assert!(choose_bits(Some("abacus")).unwrap_err().to_string().contains("abacus"));
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_names_there_are() {
        let error = choose(Some("abacus"), &[]).unwrap_err();
        let available = names();
        assert!(error.to_string().contains("abacus") && error.to_string().contains(&available));
        assert_eq!(error, SelectError::Unknown { name: "abacus".into(), available });
    }

    #[test]
    fn a_named_kernel_that_does_not_support_a_modulus_is_refused() {
        let modulus = Modulus::new((1 << 60) + 1).unwrap();
        for kernel in available().into_iter().filter(|kernel| !kernel.supports(&modulus)) {
            let name = kernel.name().to_owned();
            let error = choose(Some(&name), &[modulus]).unwrap_err();
            let expected =
                SelectError::Unsupported { name, modulus: modulus.value(), available: names() };
            assert_eq!(error, expected);
        }
    }
}

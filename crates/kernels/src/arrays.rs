//! Arrays that are computed element by element, inlined whatever the profile of the build.
//!
//! `std`'s `map` and `from_fn` pass the closure through functions of `core` that are only hints to
//! inline. With `lto = "off"` and several codegen units, LLVM finds them in other units, each
//! intrinsic in the closure becomes a call, and a transform takes five times as long. So kernels
//! use these two functions for vectors.

/// Returns `f(array[0]), f(array[1]), ...`; evaluates `f` once for every element, in order.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn map<T: Copy, U: Copy, const N: usize>(
    array: [T; N],
    mut f: impl FnMut(T) -> U,
) -> [U; N] {
    from_fn(|i| f(array[i]))
}

/// Returns `f(0), f(1), ..., f(N - 1)` for `N >= 1`; evaluates `f` once for every index, in order.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn from_fn<U: Copy, const N: usize>(mut f: impl FnMut(usize) -> U) -> [U; N] {
    const { assert!(N > 0, "the first element fills the array") };
    let mut out = [f(0); N];
    for (i, out) in out.iter_mut().enumerate().skip(1) {
        *out = f(i);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_computed_once_and_in_order() {
        let mut seen = Vec::new();
        let squares: [usize; 5] = from_fn(|i| {
            seen.push(i);
            i * i
        });
        assert_eq!(squares, [0, 1, 4, 9, 16]);
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        assert_eq!(map([3_u8, 1, 2], |x| u64::from(x) + 1), [4, 2, 3]);
    }
}

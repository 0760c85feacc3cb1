//! Calls of intrinsics by the holder of a token.

use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// Prefetches the cache line of a value.
#[inline]
#[target_feature(enable = "sse")]
pub(super) fn prefetch<T>(value: &T) {
    _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
}

/// Evaluates calls of intrinsics, given the token of their instruction set.
macro_rules! with {
    ($token:expr, $call:expr) => {{
        let Self { .. } = $token;
        // SAFETY: a token exists only where its instruction set was detected.
        unsafe { $call }
    }};
}

pub(super) use with;

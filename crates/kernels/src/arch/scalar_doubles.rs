//! Eight doubles on any CPU, without fused multiply-add.

use super::scalar::Portable;
use crate::arch::instantiate::torus_kernel;
use crate::arrays::{from_fn, map};
use crate::torus::Prefetch;
use crate::torus::add_each;
use crate::torus::lanes::Doubles;
use crate::torus::octet::Octet;

torus_kernel!(Portable, "portable",);

/// Returns `f(a, b, c)` in every lane.
#[cfg_attr(optimized, inline(always))]
fn lanes(a: Octet, b: Octet, c: Octet, f: impl Fn(f64, f64, f64) -> f64) -> Octet {
    from_fn(|i| f(a[i], b[i], c[i]))
}

impl Prefetch for Portable {
    #[cfg_attr(optimized, inline(always))]
    fn prefetch(self, _line: &Octet) {}
}

impl Doubles for Portable {
    type Vector = Octet;
    const PARTS: usize = 1;
    const UNROLL: bool = false;

    #[cfg_attr(optimized, inline(always))]
    fn load(self, octet: &Octet, _part: usize) -> Octet {
        *octet
    }

    #[cfg_attr(optimized, inline(always))]
    fn load_integers(self, octet: &[i32; 8], _part: usize) -> Octet {
        map(*octet, f64::from)
    }

    #[cfg_attr(optimized, inline(always))]
    fn store(self, octet: &mut Octet, _part: usize, x: Octet) {
        *octet = x;
    }

    #[cfg_attr(optimized, inline(always))]
    fn splat(self, x: f64) -> Octet {
        [x; 8]
    }

    #[cfg_attr(optimized, inline(always))]
    fn add(self, a: Octet, b: Octet) -> Octet {
        lanes(a, b, b, |a, b, _| a + b)
    }

    #[cfg_attr(optimized, inline(always))]
    fn sub(self, a: Octet, b: Octet) -> Octet {
        lanes(a, b, b, |a, b, _| a - b)
    }

    #[cfg_attr(optimized, inline(always))]
    fn mul(self, a: Octet, b: Octet) -> Octet {
        lanes(a, b, b, |a, b, _| a * b)
    }

    #[cfg_attr(optimized, inline(always))]
    fn add_mul(self, c: Octet, a: Octet, b: Octet) -> Octet {
        lanes(a, b, c, |a, b, c| c + a * b)
    }

    #[cfg_attr(optimized, inline(always))]
    fn sub_mul(self, c: Octet, a: Octet, b: Octet) -> Octet {
        lanes(a, b, c, |a, b, c| c - a * b)
    }

    #[cfg_attr(optimized, inline(always))]
    fn neg_mul(self, c: Octet, a: Octet, b: Octet) -> Octet {
        lanes(a, b, c, |a, b, c| -c - a * b)
    }

    #[cfg_attr(optimized, inline(always))]
    fn transpose(self, rows: [Octet; 8]) -> [Octet; 8] {
        from_fn(|i| from_fn(|j| rows[j][i]))
    }

    #[cfg_attr(optimized, inline(always))]
    fn add_short(self, sum: &mut [u32; 8], a: &[u32; 8], b: &[u32; 8]) {
        add_each(sum, a, b);
    }
}

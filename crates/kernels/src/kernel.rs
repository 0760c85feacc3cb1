//! The contract of every row operation.
//!
//! A *row* is the residues of one polynomial modulo one prime: `degree` words of 64 bits.
//! "Canonical" means every word is in `[0, q)`; "lazy" means in `[0, 2q)`. Each operation states
//! which it takes and which it gives. Canonical results are bit-identical for every kernel; lazy
//! ones are equal modulo `q`.

use crate::{Constant, Digit, Form, InverseScale, KeyRow, Modulus, NttTable};
use std::fmt::Debug;

/// Arithmetic on whole rows for one instruction set.
///
/// A value of an implementing type is proof that the CPU can run it. Rows of one call have equal
/// length, a multiple of 64 (checked by `debug_assert!`); they need no alignment, but 64-byte
/// alignment ([`crate::Row`]) is faster.
pub trait Kernel: Debug + Send + Sync + 'static {
    /// Stable name, as in `FATHOM_KERNEL=<name>` and in bench ids: `portable`, `avx2`, `avx512`,
    /// `ifma`.
    fn name(&self) -> &'static str;

    /// Whether every operation takes this modulus: `portable` takes all, the vector kernels odd
    /// ones below [`crate::W46_MAX`].
    fn supports(&self, modulus: &Modulus) -> bool;

    /// The form of the multiplicands that the transforms read from a table.
    fn form(&self) -> Form;

    // ---- transforms -----------------------------------------------------------------------------

    /// Forward negacyclic NTT in place. Lazy in, lazy out. Output order: see [`crate::order`].
    fn ntt_forward_lazy(&self, table: &NttTable, row: &mut [u64]);
    /// Forward negacyclic NTT in place. Lazy in, canonical out.
    fn ntt_forward(&self, table: &NttTable, row: &mut [u64]);
    /// Forward negacyclic NTT, into `out`, of the centred representatives of canonical residues
    /// modulo the odd number `source`, which this kernel supports. Lazy out.
    fn ntt_forward_centred(
        &self,
        table: &NttTable,
        out: &mut [u64],
        residues: &[u64],
        source: &Modulus,
    );
    /// Forward negacyclic NTT, into `out`, of `integers[i] * factor`, plus `addend[i]` if there is
    /// one. The integers are below [`crate::W46_MAX`] in magnitude (`portable`: `2^61`), the
    /// addends as in [`Kernel::lift`]. Lazy out.
    fn ntt_forward_scaled(
        &self,
        table: &NttTable,
        out: &mut [u64],
        integers: &[i64],
        factor: &Constant,
        addend: Option<&[i64]>,
    );
    /// Inverse negacyclic NTT in place, times the constant in `scale` (which holds the `1/N`). Lazy
    /// in, canonical out.
    fn ntt_inverse(&self, table: &NttTable, row: &mut [u64], scale: &InverseScale);

    // ---- pointwise: canonical out; canonical in, or lazy where stated ---------------------------

    /// `a[i] + b[i]` into `out`.
    fn add(&self, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
    /// `a[i] - b[i]` into `out`.
    fn sub(&self, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
    /// `-a[i]` into `out`.
    fn neg(&self, m: &Modulus, out: &mut [u64], a: &[u64]);
    /// `a[i] + b[i]` into `a`.
    fn add_assign(&self, m: &Modulus, a: &mut [u64], b: &[u64]);
    /// `a[i] - b[i]` into `a`.
    fn sub_assign(&self, m: &Modulus, a: &mut [u64], b: &[u64]);
    /// `-a[i]` into `a`.
    fn neg_assign(&self, m: &Modulus, a: &mut [u64]);
    /// `a[i] * b[i]` into `out`. `a` canonical or lazy.
    fn mul(&self, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
    /// `a[i] * b[i]` into `a`.
    fn mul_assign(&self, m: &Modulus, a: &mut [u64], b: &[u64]);
    /// `acc[i] + a[i] * b[i]` into `acc`. `acc` and `a` canonical or lazy.
    fn mul_add_assign(&self, m: &Modulus, acc: &mut [u64], a: &[u64], b: &[u64]);
    /// `a[i] * c` into `a`.
    fn mul_constant_assign(&self, m: &Modulus, a: &mut [u64], c: &Constant);
    /// `acc[i] + a[i] * c` into `acc`.
    fn mul_constant_add_assign(&self, m: &Modulus, acc: &mut [u64], a: &[u64], c: &Constant);

    // ---- fused sums of products -----------------------------------------------------------------

    /// `sum_j x_j[i] * k_j[i]` into `out`, accumulated without intermediate reduction where the
    /// kernel can. Any number of terms; `x` lazy, `k` canonical, `out` canonical.
    fn dot(&self, m: &Modulus, out: &mut [u64], x: &[&[u64]], k: &[&[u64]]);
    /// The inner loop of key switching: `out[h] = sum_g ntt(digits[g]) * key[h][g]`, canonical. Any
    /// number of digits, at most as many as the key has.
    fn key_product(
        &self,
        table: &NttTable,
        out: [&mut [u64]; 2],
        digits: &mut [Digit<'_>],
        key: &KeyRow,
    );
    /// Sum over pairs of the tensor products of two-component ciphertexts:
    /// `out = [sum a0 b0, sum a0 b1 + a1 b0, sum a1 b1]`. Any number of pairs; canonical in,
    /// canonical out.
    fn tensor(&self, m: &Modulus, out: [&mut [u64]; 3], pairs: &[TensorRows<'_>]);

    // ---- change of basis ------------------------------------------------------------------------

    /// `floor(1/2 + sum_j sources[j][i] as f64 * inverses[j])` into `out`: how often the product of
    /// the source moduli must be taken off for the centred representative. `inverses[j] = 1 / q_j`.
    /// The sum runs left to right with separate multiplication and addition (no FMA), so that the
    /// result is the same on every kernel. Sources canonical for their own moduli (below 2^52 on
    /// vector kernels).
    fn round_quotient(&self, out: &mut [u64], sources: &[&[u64]], inverses: &[f64]);
    /// `sum_j sources[j][i] * weights[j] mod m` into `out`. Any number of sources; each source word
    /// below 2^52 on vector kernels and below 2^61 on `portable`; weights canonical; `out` lazy.
    fn base_convert(&self, m: &Modulus, out: &mut [u64], sources: &[&[u64]], weights: &[u64]);
    /// The same with small integers among the terms: the sum of [`Kernel::base_convert`] plus
    /// `sum_j small[j][i] * weights[sources.len() + j]`. Small integers as in [`Kernel::lift`].
    fn base_convert_small(
        &self,
        m: &Modulus,
        out: &mut [u64],
        sources: &[&[u64]],
        small: &[&[i64]],
        weights: &[u64],
    );
    /// `(acc[i] - delta[i]) * inverse` into `acc`, plus `addend[i] * factor` if there is one: the
    /// last step of a rescale or mod-down. `acc` and `addend` canonical, `delta` lazy, result
    /// canonical.
    fn mod_down_assign(
        &self,
        m: &Modulus,
        acc: &mut [u64],
        delta: &[u64],
        inverse: &Constant,
        addend: Option<(&[u64], &Constant)>,
    );

    // ---- sampling ----------------------------------------------------------------------------

    /// How many of the `thresholds` are above `words[i]`, into `words[i]`: the inversion of a
    /// cumulative distribution. Every word is compared with every threshold, without a branch.
    fn count_above_assign(&self, words: &mut [u64], thresholds: &[u64]);
    /// Differences of the numbers of ones among two groups of 21 bits, in two's complement: a
    /// centred binomial distribution of variance 10.5. The first two thirds of `row`, rounded up to
    /// twice a third rounded up, hold uniform words; each gives a difference of bits 0 to 20 and 21
    /// to 41 in its own place. Bits 42 to 62 of two words, a third of the row apart, give those of
    /// the last third.
    fn weight_differences(&self, row: &mut [u64]);
    /// Values of -1, 0, 1 in two's complement. The first quarter of `row` holds uniform words. The
    /// upper 62 bits of each are a fraction whose first four digits in base three, less one, take
    /// its place and those a quarter, a half and three quarters of the row further.
    fn ternary_digits(&self, row: &mut [u64]);
    /// `small[i] mod m` into `out`, canonical, for `-q < small[i] < q`, without a branch on the
    /// sign.
    fn lift(&self, m: &Modulus, out: &mut [u64], small: &[i64]);
    /// Of the representatives of `row[i]` for odd `q` the one from which `row[i] + small[i]` is of
    /// magnitude at most `(q - 1) / 2`, in two's complement, into `row[i]`. Canonical in; `small`
    /// as in [`Kernel::lift`].
    fn centre_beside_assign(&self, m: &Modulus, row: &mut [u64], small: &[i64]);
    /// The representative of `a[i] * c` of magnitude at most `(q - 1) / 2` into `out`, for odd `q`;
    /// `a` canonical.
    fn mul_constant_centred(&self, m: &Modulus, out: &mut [i64], a: &[u64], c: &Constant);
    /// `acc[i] + small[i] * c` into `acc`, for `small` as in [`Kernel::lift`]. Canonical in and
    /// out, or lazy in and out.
    fn mul_small_add_assign(&self, m: &Modulus, acc: &mut [u64], small: &[i64], c: &Constant);

    // ---- moves ----------------------------------------------------------------------------------

    /// `a[indices[i]]` into `out[i]`: an automorphism in the NTT domain (see [`crate::order`]).
    /// Panics if an index is out of range.
    fn permute(&self, out: &mut [u64], a: &[u64], indices: &[u32]);
}

/// The rows of one pair of two-component operands, see [`Kernel::tensor`].
#[derive(Clone, Copy, Debug)]
pub struct TensorRows<'a> {
    /// Components 0 and 1 of the left operand.
    pub a: [&'a [u64]; 2],
    /// Components 0 and 1 of the right operand.
    pub b: [&'a [u64]; 2],
}

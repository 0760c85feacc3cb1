//! The row operations on residues modulo a prime.
//!
//! A *row* is the residues of one polynomial modulo one prime: `degree` words of 64 bits.
//! "Canonical" means that every word is in `[0, q)`; "lazy" means that it is in `[0, 2q)`. Each
//! operation states the ranges of its inputs and outputs. Canonical results are bit-identical for
//! every kernel; lazy results are equal modulo `q`.

use crate::{Constant, Digit, InverseScale, KernelInfo, KeyRow, Modulus, NttTable};

/// Arithmetic on whole rows for one instruction set.
///
/// A value of an implementing type is proof that the CPU can run it. Rows of one call have equal
/// length, a multiple of 64 (checked by `debug_assert!`); they need no alignment, but 64-byte
/// alignment ([`crate::Row`]) is faster.
pub trait Kernel: KernelInfo {
    // ---- transforms -----------------------------------------------------------------------------

    /// Transforms `row` in place by the forward negacyclic NTT, from coefficients to values at the
    /// odd powers of the root.
    ///
    /// Ranges: lazy in, lazy out. Order of the output: [`crate::order`].
    /// Source: Longa, Naehrig, eprint 2016/504; Harvey, arXiv:1205.2926; bounds in
    /// docs/maths/ntt.md.
    fn ntt_forward_lazy(&self, table: &NttTable, row: &mut [u64]);
    /// Transforms `row` like [`Kernel::ntt_forward_lazy`]. Ranges: lazy in, canonical out.
    fn ntt_forward(&self, table: &NttTable, row: &mut [u64]);
    /// Transforms integers between `-h` and `h`, given increased by `h = (p - 1) / 2` for an odd
    /// number `p`, by the forward negacyclic NTT into `out`.
    ///
    /// Ranges: `excess` canonical modulo `p`, a modulus that this kernel supports; `out` lazy.
    fn ntt_forward_centered(&self, table: &NttTable, out: &mut [u64], excess: &[u64], p: &Modulus);
    /// Transforms `integers[i] * factor`, plus `addend[i]` if present, by the forward negacyclic
    /// NTT into `out`.
    ///
    /// Ranges: integers below `2^52 / 70` in magnitude (`portable`: `2^61`), addends as in
    /// [`Kernel::lift`], `out` lazy.
    fn ntt_forward_scaled(
        &self,
        table: &NttTable,
        out: &mut [u64],
        integers: &[i64],
        factor: &Constant,
        addend: Option<&[i64]>,
    );
    /// Transforms `row` in place by the inverse negacyclic NTT and multiplies it by the constant in
    /// `scale`, which includes the factor `1/N`.
    ///
    /// Ranges: lazy in, canonical out. Source: docs/maths/ntt.md.
    fn ntt_inverse(&self, table: &NttTable, row: &mut [u64], scale: &InverseScale);
    /// Transforms `values` like [`Kernel::ntt_inverse`] into `out` and adds `(q - 1) / 2`: each
    /// result is the centred representative of a coefficient, increased by `(q - 1) / 2`.
    ///
    /// Ranges: lazy in, canonical out. The modulus is odd.
    fn ntt_inverse_excess(
        &self,
        table: &NttTable,
        out: &mut [u64],
        values: &[u64],
        scale: &InverseScale,
    );

    // ---- pointwise: canonical out; canonical in, or lazy if stated -----------------------------

    /// Computes `out[i] = a[i] + b[i]`.
    fn add(&self, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
    /// Computes `out[i] = a[i] - b[i]`.
    fn sub(&self, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
    /// Computes `out[i] = -a[i]`.
    fn neg(&self, m: &Modulus, out: &mut [u64], a: &[u64]);
    /// Computes `a[i] += b[i]`.
    fn add_assign(&self, m: &Modulus, a: &mut [u64], b: &[u64]);
    /// Computes `a[i] -= b[i]`.
    fn sub_assign(&self, m: &Modulus, a: &mut [u64], b: &[u64]);
    /// Computes `a[i] = -a[i]`.
    fn neg_assign(&self, m: &Modulus, a: &mut [u64]);
    /// Computes `out[i] = a[i] * b[i]`; `a` canonical or lazy.
    fn mul(&self, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
    /// Computes `a[i] *= b[i]`.
    fn mul_assign(&self, m: &Modulus, a: &mut [u64], b: &[u64]);
    /// Computes `acc[i] += a[i] * b[i]`; `acc` and `a` canonical or lazy.
    fn mul_add_assign(&self, m: &Modulus, acc: &mut [u64], a: &[u64], b: &[u64]);
    /// Computes `a[i] *= c`.
    fn mul_constant_assign(&self, m: &Modulus, a: &mut [u64], c: &Constant);
    /// Computes `a[i] *= c^times` by `times` products of each word, without memory accesses between
    /// them: the rate of these products is the limit of the instruction set (a roofline).
    fn mul_constant_repeatedly_assign(
        &self,
        m: &Modulus,
        a: &mut [u64],
        c: &Constant,
        times: usize,
    );
    /// Computes `acc[i] += a[i] * c`.
    fn mul_constant_add_assign(&self, m: &Modulus, acc: &mut [u64], a: &[u64], c: &Constant);

    // ---- fused sums of products -----------------------------------------------------------------

    /// Computes the sum of products `out[i] = sum_j x_j[i] * k_j[i]` with as few intermediate
    /// reductions as the kernel needs. Any number of terms; `x` lazy, `k` canonical, `out`
    /// canonical.
    fn dot(&self, m: &Modulus, out: &mut [u64], x: &[&[u64]], k: &[&[u64]]);
    /// Computes sums of the same rows, each with its own weights:
    /// `out[k][i] = sum_j weights[k][j] * rows[j][i]`.
    ///
    /// Ranges: rows and `out` canonical; weights of magnitude up to `2^61`. Any number of rows and
    /// of sums.
    fn weighted_sums(
        &self,
        m: &Modulus,
        out: &mut [&mut [u64]],
        rows: &[&[u64]],
        weights: &[&[i64]],
    );
    /// Computes the inner products of key switching: `out[h] = sum_g ntt(digits[g]) * key[h][g]`
    /// for the two components `h`. Any number of digits up to that of the key; `out` canonical.
    fn key_product(
        &self,
        table: &NttTable,
        out: [&mut [u64]; 2],
        digits: &mut [Digit<'_>],
        key: &KeyRow,
    );
    /// Computes the sum of the tensor products of pairs of two-component ciphertexts:
    /// `out = [sum a0 b0, sum (a0 b1 + a1 b0), sum a1 b1]`. Any number of pairs; canonical in,
    /// canonical out.
    fn tensor(&self, m: &Modulus, out: [&mut [u64]; 3], pairs: &[TensorRows<'_>]);

    // ---- change of basis ------------------------------------------------------------------------

    /// Computes the quotient `v` of the CRT lift:
    /// `out[i] = floor(1/2 + sum_j sources[j][i] * inverses[j])` in `f64`, with
    /// `inverses[j] = 1 / q_j`. With `D` the product of the source moduli,
    /// `sum_j sources[j][i] * D / q_j - v * D` is the centred representative.
    ///
    /// Ranges: sources canonical for their own moduli (below `2^52` on vector kernels). The sum
    /// runs from left to right with separate multiplication and addition (no FMA), so that the
    /// result is the same on every kernel.
    /// Source: Halevi, Polyakov, Shoup, eprint 2018/117; docs/maths/rns.md.
    fn round_quotient(&self, out: &mut [u64], sources: &[&[u64]], inverses: &[f64]);
    /// Computes the base conversion `out[i] = sum_j sources[j][i] * weights[j] mod m`. Any number
    /// of sources, with words below `2^52` on vector kernels and below `2^61` on `portable`;
    /// weights canonical, `out` lazy.
    fn base_convert(&self, m: &Modulus, out: &mut [u64], sources: &[&[u64]], weights: &[u64]);
    /// Computes the base conversion of [`Kernel::base_convert`] plus the sum over small integers
    /// `sum_j small[j][i] * weights[sources.len() + j]`. Small integers as in [`Kernel::lift`].
    fn base_convert_small(
        &self,
        m: &Modulus,
        out: &mut [u64],
        sources: &[&[u64]],
        small: &[&[i64]],
        weights: &[u64],
    );
    /// Computes `acc[i] = (acc[i] - delta[i]) * inverse`, plus `addend[i] * factor` if present: the
    /// last step of rescaling and mod-down. `acc` and `addend` canonical, `delta` lazy, result
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

    /// Replaces every word by the number of `thresholds` above it, which inverts a cumulative
    /// distribution function. Every word is compared with every threshold, without a branch.
    fn count_above_assign(&self, words: &mut [u64], thresholds: &[u64]);
    /// Draws from the centred binomial distribution of variance 10.5: every result is the
    /// difference of the Hamming weights of two groups of 21 uniform bits, in two's complement.
    ///
    /// Shapes: with `third = ceil(row.len() / 3)`, the first `2 third` words of `row` are uniform
    /// on input. Word `i` is replaced by the difference of its bits 0 to 20 and 21 to 41; word
    /// `2 third + i` by that of bits 42 to 62 of the words `i` and `third + i`.
    fn weight_differences(&self, row: &mut [u64]);
    /// Draws uniform values of -1, 0, 1, in two's complement.
    ///
    /// Shapes: the first quarter of `row` holds uniform words on input. The upper 62 bits of word
    /// `i` are a fraction; its first four digits in base three, less one, are written to the
    /// positions `i`, `i + n/4`, `i + n/2` and `i + 3n/4`, with `n = row.len()`.
    fn ternary_digits(&self, row: &mut [u64]);
    /// Computes `out[i] = small[i] mod m` without a branch on the sign. Ranges:
    /// `-q < small[i] < q`, `out` canonical.
    fn lift(&self, m: &Modulus, out: &mut [u64], small: &[i64]);
    /// Replaces `row[i]` by its representative `x`, in two's complement, for which
    /// `|x + small[i]| <= (q - 1) / 2`, for odd `q`. Ranges: `row` canonical on input, `small` as
    /// in [`Kernel::lift`].
    fn center_beside_assign(&self, m: &Modulus, row: &mut [u64], small: &[i64]);
    /// Computes `out[i] = a[i] * c` as the centred representative, of magnitude at most
    /// `(q - 1) / 2`, for odd `q`; `a` canonical.
    fn mul_constant_centered(&self, m: &Modulus, out: &mut [i64], a: &[u64], c: &Constant);
    /// Computes `acc[i] += small[i] * c`, for `small` as in [`Kernel::lift`]. Canonical in and out,
    /// or lazy in and out.
    fn mul_small_add_assign(&self, m: &Modulus, acc: &mut [u64], small: &[i64], c: &Constant);

    // ---- moves ----------------------------------------------------------------------------------

    /// Permutes a row: `out[i] = a[indices[i]]`. With the indices of
    /// [`crate::order::automorphism_indices`] this is an automorphism in the NTT domain. Panics if
    /// an index is out of range.
    fn permute(&self, out: &mut [u64], a: &[u64], indices: &[u32]);
}

/// The rows of one pair of operands of [`Kernel::tensor`].
#[derive(Clone, Copy, Debug)]
pub struct TensorRows<'a> {
    /// Components 0 and 1 of the left operand.
    pub a: [&'a [u64]; 2],
    /// Components 0 and 1 of the right operand.
    pub b: [&'a [u64]; 2],
}

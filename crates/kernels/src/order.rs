//! The order of values in a transformed row, the same for every kernel.
//!
//! Let `brv` reverse the `log2 N` bits of an index. The textbook transform leaves the value at
//! `psi^(2 brv(i) + 1)` in element `i`. Here every aligned block of 64 elements is transposed as an
//! 8 x 8 matrix: element `64 b + 8 r + c` is stored at position `64 b + 8 c + r`, which saves the
//! vector kernels one transposition. A position is thus named by its *exponent*: the odd `e` below
//! `2N` such that the row holds `p(psi^e)` there.

/// Exchanges the two octal digits of the position within its block of 64; an involution.
fn transpose(index: usize) -> usize {
    (index & !63) | (index & 7) << 3 | (index >> 3 & 7)
}

/// Reverses the `log2 degree` low bits.
pub(crate) fn reverse(degree: usize, index: usize) -> usize {
    // The shift is split, because a single shift by all 64 bits, for degree 1, would overflow.
    index.reverse_bits() >> 1 >> (usize::BITS - 1 - degree.trailing_zeros())
}

/// Returns the exponent at a position: the odd `e` below `2 degree` such that a transformed row
/// holds the value of its polynomial at `psi^e` there. `degree` is a power of two, at least 64.
pub fn exponent(degree: usize, position: usize) -> usize {
    debug_assert!(degree.is_power_of_two() && degree >= 64 && position < degree);
    2 * reverse(degree, transpose(position)) + 1
}

/// Returns the position of an exponent (odd, taken modulo `2 degree`); inverts [`exponent`].
pub fn position(degree: usize, exponent: usize) -> usize {
    debug_assert!(degree.is_power_of_two() && degree >= 64 && exponent % 2 == 1);
    transpose(reverse(degree, exponent % (2 * degree) / 2))
}

/// Returns the indices with which [`crate::Kernel::permute`] applies the automorphism
/// `p(X) -> p(X^galois)` to transformed rows. `galois` is odd and taken modulo `2 degree`.
pub fn automorphism_indices(degree: usize, galois: usize) -> Vec<u32> {
    let galois = galois % (2 * degree);
    (0..degree).map(|at| position(degree, exponent(degree, at) * galois) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_all_odd_numbers_once_and_positions_invert_them() {
        for degree in [64, 128, 4096] {
            let mut seen = vec![false; 2 * degree];
            for at in 0..degree {
                let e = exponent(degree, at);
                assert!(e % 2 == 1 && !std::mem::replace(&mut seen[e], true));
                assert_eq!(position(degree, e), at);
                assert_eq!(position(degree, e + 2 * degree), at);
            }
        }
    }

    #[test]
    fn blocks_are_transposed() {
        assert_eq!(exponent(64, 0), 1);
        assert_eq!(exponent(64, 1), 2 * reverse(64, 8) + 1);
        assert_eq!(exponent(4096, 64 + 8), 2 * reverse(4096, 64 + 1) + 1);
    }

    #[test]
    fn automorphism_indices_compose() {
        let [five, twenty_five] = [5, 25].map(|galois| automorphism_indices(256, galois));
        for at in 0..256 {
            assert_eq!(five[five[at] as usize], twenty_five[at]);
        }
        assert!(automorphism_indices(64, 1).into_iter().eq(0..64));
    }
}

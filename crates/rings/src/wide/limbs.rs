//! Arithmetic on integers of a fixed number of 64-bit limbs, lowest first, without branches on
//! their content.
//!
//! The integers are messages modulo `M = 2^N + 1`, from `-2^(N-1)` to `2^(N-1)`. They are secret,
//! so that no branch, no index and no length depends on their value: every function runs over all
//! limbs and selects with masks. They have `N / 64 + 1` limbs in two's complement; the top one
//! holds the sign and what exceeds `2^N` in between.
//!
//! `2^N` is `-1` modulo `M`. A carry out of the limbs below the top one is therefore subtracted at
//! the bottom, and one conditional addition and subtraction of `M` centre the result ([`center`]).
//!
//! *Division* by a chain prime `q` removes the factor of a message after decryption. It adds the
//! multiple `c M`, `0 <= c < q`, that makes the number divisible by `q`, and then divides exactly
//! from the lowest limb up, by the inverse of `q` modulo `2^64`: one product for each limb, and no
//! estimate of a quotient digit that would have to be corrected. `q` must not divide `M`, which
//! parameters guarantee.
//!
//! General libraries for big integers do not serve here, because their lengths and branches depend
//! on the value.

use fathom_ring::Modulus;

/// Adds `other`, extended by zeros, and returns the carry.
pub(super) fn add(a: &mut [u64], other: &[u64]) -> u64 {
    let mut carry = false;
    for (i, limb) in a.iter_mut().enumerate() {
        let addend = other.get(i).copied().unwrap_or(0);
        (*limb, carry) = limb.carrying_add(addend, carry);
    }
    u64::from(carry)
}

/// Subtracts `other`, extended by its sign, from a number in two's complement.
pub(super) fn subtract_signed(a: &mut [u64], other: i128) {
    let words = [other as u64, (other >> 64) as u64];
    let sign = (other >> 127) as u64;
    let mut borrow = false;
    for (i, limb) in a.iter_mut().enumerate() {
        (*limb, borrow) = limb.borrowing_sub(words.get(i).copied().unwrap_or(sign), borrow);
    }
}

/// Negates a number in two's complement if `mask` is all ones; `mask` zero leaves it.
pub(super) fn negate_if(a: &mut [u64], mask: u64) {
    let mut carry = mask & 1;
    for limb in a {
        let (sum, over) = (*limb ^ mask).overflowing_add(carry);
        (*limb, carry) = (sum, u64::from(over));
    }
}

/// Returns all ones if a number in two's complement is negative, else zero.
pub(super) fn sign(a: &[u64]) -> u64 {
    a.last().map_or(0, |&top| ((top as i64) >> 63) as u64)
}

/// Brings a number in two's complement, of absolute value below `2^N + 2^126`, to its
/// representative modulo `2^N + 1` of absolute value at most `2^(N-1)`. The number has
/// `N / 64 + 1` limbs.
pub(super) fn center(a: &mut [u64]) {
    // Above 2^(N-1): subtract 2^N + 1.
    let above = is_above_half(a);
    shift_by_modulus(a, above, u64::MAX);
    // Below -2^(N-1): add it.
    negate_if(a, u64::MAX);
    let below = is_above_half(a);
    negate_if(a, u64::MAX);
    shift_by_modulus(a, below, 0);
}

/// Returns all ones if a number in two's complement exceeds `2^(N-1)`, else zero.
fn is_above_half(a: &[u64]) -> u64 {
    let top = a.len() - 1;
    // The sign of 2^(N-1) - a.
    let mut borrow = false;
    let mut last = 0;
    for (i, &limb) in a.iter().enumerate() {
        let half: u64 = if i + 1 == top { 1 << 63 } else { 0 };
        (last, borrow) = half.borrowing_sub(limb, borrow);
    }
    ((last as i64) >> 63) as u64
}

/// Adds `2^N + 1`, or its negative if `sign` is all ones, where `mask` is all ones.
fn shift_by_modulus(a: &mut [u64], mask: u64, sign: u64) {
    let top = a.len() - 1;
    let mut carry = sign & mask & 1;
    for (i, limb) in a.iter_mut().enumerate() {
        let modulus = u64::from(i == 0) | u64::from(i == top);
        let (sum, over) = limb.overflowing_add((modulus ^ sign) & mask);
        let (sum, again) = sum.overflowing_add(carry);
        (*limb, carry) = (sum, u64::from(over | again));
    }
}

/// Multiplies a magnitude by a word and reduces modulo `2^N + 1`; the result is in two's
/// complement and centred.
pub(super) fn multiply(a: &mut [u64], word: u64) {
    let top = a.len() - 1;
    let mut carry = 0;
    for limb in &mut a[..top] {
        (*limb, carry) = limb.carrying_mul(word, carry);
    }
    // A magnitude is at most 2^(N-1).
    a[top] = 0;
    subtract_signed(a, i128::from(carry));
    center(a);
}

/// Divides a magnitude by a prime modulo `2^N + 1`: adds the multiple of the modulus that makes the
/// division exact. The result is in two's complement and centred.
pub(super) fn divide(a: &mut [u64], prime: &Modulus) {
    let top = a.len() - 1;
    let q = prime.value();
    // The multiple c of M = 2^N + 1 with a + c M = 0 modulo the prime.
    let residue = a
        .iter()
        .rev()
        .fold(0, |residue, &limb| prime.reduce_u128(u128::from(residue) << 64 | u128::from(limb)));
    let norm = prime.add(prime.pow(prime.reduce(2), 64 * top as u64), 1);
    let inverse = prime.inverse(norm).expect("parameters refuse primes that divide 2^N + 1");
    let multiple = prime.neg(prime.mul(residue, inverse));
    let mut addend = vec![0; a.len()];
    (addend[0], addend[top]) = (multiple, multiple);
    add(a, &addend);
    addend.fill(0);
    // Exact division, lowest limb first, by the inverse modulo 2^64.
    let inverse = inverse_modulo_word(q);
    let mut carry = 0u64;
    for limb in a.iter_mut() {
        let (rest, borrow) = limb.overflowing_sub(carry);
        *limb = rest.wrapping_mul(inverse);
        carry = ((u128::from(*limb) * u128::from(q)) >> 64) as u64 + u64::from(borrow);
    }
    center(a);
}

/// Returns the inverse of an odd word modulo `2^64`, by Newton's iteration.
fn inverse_modulo_word(odd: u64) -> u64 {
    (0..6)
        .fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn modulus(limbs: usize) -> BigInt {
        (BigInt::from(1) << (64 * limbs)) + 1
    }

    fn signed(a: &[u64]) -> BigInt {
        let mut magnitude = a.to_vec();
        let negative = sign(a);
        negate_if(&mut magnitude, negative);
        let digits = magnitude.iter().rev();
        let value = digits.fold(BigInt::from(0), |sum, &limb| (sum << 64) + limb);
        if negative == 0 { value } else { -value }
    }

    proptest! {
        #[test]
        fn products_and_quotients_by_words_are_those_of_the_ring(
            limbs in prop::collection::vec(any::<u64>(), 3),
            halve: bool,
        ) {
            // A magnitude of at most half of the modulus.
            let mut start = limbs;
            start[2] >>= 1;
            if halve {
                start = vec![0, 0, 1 << 63];
            }
            start.push(0);
            let prime = Modulus::new(134_176_769).unwrap();
            let m = modulus(3);
            let value = signed(&start);
            let mut product = start.clone();
            multiply(&mut product, prime.value());
            let expected = &value * prime.value();
            prop_assert_eq!((signed(&product) - expected) % &m, BigInt::from(0));
            prop_assert!(signed(&product).magnitude() * 2u32 <= m.magnitude() + 0u32);
            let mut quotient = start.clone();
            divide(&mut quotient, &prime);
            prop_assert_eq!((signed(&quotient) * prime.value() - value) % &m, BigInt::from(0));
            prop_assert!(signed(&quotient).magnitude() * 2u32 <= m.magnitude() + 0u32);
        }
    }
}

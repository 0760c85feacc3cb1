//! Factors of messages: found small multipliers that bring two ciphertexts to one.

use fathom_ring::Modulus;

/// Small integers `(l, r)` with `l * left = r * right mod t`, both nonzero, so that sums of
/// ciphertexts with factors `left` and `right` can be formed at the least cost in noise: about
/// `sqrt(t)` each (rational reconstruction by Euclid's algorithm).
pub(crate) fn matching_multipliers(t: &Modulus, left: u64, right: u64) -> (i64, i64) {
    // Factors are products of units modulo the prime t.
    let ratio = t.mul(right, t.inverse(left).unwrap_or(1));
    let (mut previous, mut current) = ((t.value() as i64, 0i64), (ratio as i64, 1i64));
    let mut best = current;
    while current.0 != 0 {
        if size(current) < size(best) {
            best = current;
        }
        let quotient = previous.0 / current.0;
        let next = (previous.0 - quotient * current.0, previous.1 - quotient * current.1);
        (previous, current) = (current, next);
    }
    best
}

fn size((l, r): (i64, i64)) -> u64 {
    l.unsigned_abs().max(r.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN_MODULI: [u64; 4] = [257, 65537, 786_433, 2_013_265_921];

    proptest! {
        #[test]
        fn multipliers_match_and_are_small(t in prop::sample::select(PLAIN_MODULI.to_vec()),
                                           left in 1u64.., right in 1u64..) {
            let m = Modulus::new(t).unwrap();
            let (left, right) = (left % (t - 1) + 1, right % (t - 1) + 1);
            let (l, r) = matching_multipliers(&m, left, right);
            prop_assert_eq!(m.mul(m.from_signed(l), left), m.mul(m.from_signed(r), right));
            prop_assert!(l != 0 && r != 0);
            prop_assert!(size((l, r)) as f64 <= (t as f64).sqrt() + 1.0);
        }
    }

    #[test]
    fn equal_factors_need_nothing() {
        let m = Modulus::new(65537).unwrap();
        assert_eq!(matching_multipliers(&m, 5, 5), (1, 1));
    }
}

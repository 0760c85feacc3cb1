//! Deterministic primality tests and the search for NTT-friendly primes.

use crate::Error;

/// Miller-Rabin bases that decide primality of every 64-bit integer: the first twelve primes
/// (Sorenson and Webster, 2015).
const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// The least composite number that passes for the first seven bases (Jaeschke, *On strong
/// pseudoprimes to several bases*, 1993).
const SEVEN_SUFFICE: u64 = 341_550_071_728_321;

/// Returns true if `n` is prime, by the Miller-Rabin test with bases that are exact for 64 bits.
pub fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    if let Some(&p) = WITNESSES.iter().find(|&&p| n.is_multiple_of(p)) {
        return n == p;
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    let needed = if n < SEVEN_SUFFICE { 7 } else { WITNESSES.len() };
    WITNESSES[..needed].iter().all(|&base| passes(n, base, odd, twos))
}

fn passes(n: u64, base: u64, odd: u64, twos: u32) -> bool {
    let mut x = power(base, odd, n);
    if x == 1 || x == n - 1 {
        return true;
    }
    for _ in 1..twos {
        x = product(x, x, n);
        if x == n - 1 {
            return true;
        }
    }
    false
}

fn product(a: u64, b: u64, n: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

fn power(mut base: u64, mut exponent: u64, n: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, base, n);
        }
        base = product(base, base, n);
        exponent >>= 1;
    }
    result
}

/// Returns the `count` largest primes below `2^bits` that are 1 modulo `step` and not in
/// `excluded`, in descending order. `bits` may be fractional: the largest primes of the vector
/// kernels lie below 2^45.87.
///
/// # Errors
/// [`Error::PrimeSupply`] if there are fewer that are at least `2^(bits - 1)`, or if `bits` is not
/// between 2 and 64.
pub fn primes_below(
    bits: f64,
    step: u64,
    count: usize,
    excluded: &[u64],
) -> Result<Vec<u64>, Error> {
    if !(2.0..=64.0).contains(&bits) {
        return Err(Error::PrimeSupply { bits, step, wanted: count, found: 0 });
    }
    let bound = bits.exp2() as u64;
    let mut candidate = (bound - 2) / step * step + 1;
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        if candidate < bound / 2 || candidate <= step {
            return Err(Error::PrimeSupply { bits, step, wanted: count, found: found.len() });
        }
        if !excluded.contains(&candidate) && is_prime(candidate) {
            found.push(candidate);
        }
        candidate -= step;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_trial_division_on_small_numbers() {
        let slow =
            |n: u64| n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        for n in 0..5000 {
            assert_eq!(is_prime(n), slow(n), "{n}");
        }
    }

    #[test]
    fn knows_large_primes_and_strong_pseudoprimes() {
        assert!(is_prime(2_305_843_009_213_693_951)); // 2^61 - 1
        assert!(is_prime(65537) && is_prime(786_433) && is_prime(2_013_265_921));
        assert!(!is_prime(3_215_031_751)); // strong pseudoprime to 2, 3, 5, 7
        assert!(!is_prime(3_825_123_056_546_413_051)); // to the first nine primes
    }

    #[test]
    fn search_returns_descending_primes_of_the_right_residue() {
        let found = primes_below(30.0, 8192, 5, &[]).unwrap();
        assert!(found.windows(2).all(|w| w[0] > w[1]));
        assert!(found.iter().all(|&p| p < 1 << 30 && p % 8192 == 1 && is_prime(p)));
        assert!(!primes_below(30.0, 8192, 1, &found[..1]).unwrap().contains(&found[0]));
    }

    #[test]
    fn a_size_that_is_none_has_no_primes() {
        for bits in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 5e-324, 1.5, 64.5, 1e308] {
            let refused = primes_below(bits, 128, 1, &[]);
            assert!(matches!(refused, Err(Error::PrimeSupply { found: 0, .. })), "{bits}");
        }
    }

    #[test]
    fn says_when_the_supply_is_exhausted() {
        let refused = primes_below(17.5, 1 << 16, 9, &[]);
        assert!(matches!(refused, Err(Error::PrimeSupply { wanted: 9, .. })));
    }
}

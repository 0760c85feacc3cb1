//! Maps on torus polynomials that permute words up to sign: monomials, windows, automorphisms.

/// Multiplies each polynomial by `X^power` modulo `X^degree + 1`, in place, for a power below twice
/// the degree. Coefficients are integers modulo `2^64`.
///
/// Shapes: the length of `polynomials` is a multiple of `degree`.
pub fn multiply_monomial(degree: usize, power: usize, polynomials: &mut [u64]) {
    debug_assert!(power < 2 * degree);
    for polynomial in polynomials.chunks_exact_mut(degree) {
        polynomial.rotate_right(power % degree);
        let (wrapped, kept) = polynomial.split_at_mut(power % degree);
        let negated = if power < degree { wrapped } else { kept };
        for word in negated {
            *word = word.wrapping_neg();
        }
    }
}

/// Multiplies each polynomial by `1 + X + ... + X^(width - 1)` modulo `X^degree + 1`, in place, for
/// a width from 1 to the degree. Coefficients are integers modulo `2^64`.
///
/// Shapes: the length of `polynomials` is a multiple of `degree`.
pub fn multiply_window(degree: usize, width: usize, polynomials: &mut [u64]) {
    debug_assert!((1..=degree).contains(&width));
    for polynomial in polynomials.chunks_exact_mut(degree) {
        let terms = polynomial.to_vec();
        // Terms below the constant coefficient wrap around with the opposite sign.
        let wrapped = &terms[degree + 1 - width..];
        let mut sum = wrapped.iter().fold(0_u64, |sum, &word| sum.wrapping_sub(word));
        for (place, word) in polynomial.iter_mut().enumerate() {
            sum = sum.wrapping_add(terms[place]);
            *word = sum;
            let leaving = match (place + 1).checked_sub(width) {
                Some(place) => terms[place],
                None => terms[degree + place + 1 - width].wrapping_neg(),
            };
            sum = sum.wrapping_sub(leaving);
        }
    }
}

/// Applies `X -> X^exponent` to each polynomial, for an odd exponent.
///
/// Shapes: `input` and `output` have equal length, a multiple of `degree`.
pub fn torus_automorphism(degree: usize, exponent: usize, input: &[u64], output: &mut [u64]) {
    debug_assert_eq!(exponent % 2, 1);
    let polynomials = input.chunks_exact(degree).zip(output.chunks_exact_mut(degree));
    for (input, output) in polynomials {
        for (place, &word) in input.iter().enumerate() {
            let to = place * exponent % (2 * degree);
            output[to % degree] = if to < degree { word } else { word.wrapping_neg() };
        }
    }
}

/// Returns the mask polynomials whose products with the key's polynomials have `<mask, key>` as
/// their constant coefficient: `a_0 - sum_(j >= 1) a_j X^(degree - j)` for every `degree` words.
pub fn constant_masks(degree: usize, mask: &[u64]) -> impl Iterator<Item = u64> {
    mask.chunks_exact(degree).flat_map(|mask| {
        let rest = mask[1..].iter().rev().map(|word| word.wrapping_neg());
        mask[..1].iter().copied().chain(rest)
    })
}

/// Returns the polynomials `P_u` of degree `small` with `P = sum_u P_u(X^g) X^u` and
/// `g = degree / small`, for a polynomial `P` of degree `degree`.
///
/// Shapes: `degree` words for each polynomial, on input and output.
pub fn subring_parts(
    degree: usize,
    small: usize,
    polynomials: &[u64],
) -> impl Iterator<Item = u64> {
    let gap = degree / small;
    polynomials.chunks_exact(degree).flat_map(move |polynomial| {
        (0..gap).flat_map(move |part| polynomial[part..].iter().step_by(gap).copied())
    })
}

/// Returns the factors by which the [`subring_parts`] `S_v` of a key enter part 0 of the product of
/// a mask and the key: `A_0` for `S_0` and `X A_(g - v)` for `S_v`, where `A_u` are the subring
/// parts of the mask and `g = degree / small`. Shapes: as [`subring_parts`].
pub fn subring_masks(degree: usize, small: usize, masks: &[u64]) -> Vec<u64> {
    let gap = degree / small;
    let mut parts: Vec<u64> = subring_parts(degree, small, masks).collect();
    for parts in parts.chunks_exact_mut(degree) {
        multiply_monomial(small, 1, &mut parts[small..]);
        // The order `1, ..., g - 1` is reversed to `g - 1, ..., 1`.
        let others: Vec<u64> =
            (1..gap).rev().flat_map(|part| &parts[part * small..][..small]).copied().collect();
        parts[small..].copy_from_slice(&others);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, add_words};
    use fathom_kernels::reference::negacyclic_integers;

    fn words(seed: u8, count: usize) -> Vec<u64> {
        Seed([seed; 32]).words(count)
    }

    fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
        let [a, b] = [a, b].map(|words| words.iter().map(|&word| word as i64).collect::<Vec<_>>());
        negacyclic_integers(&a, &b).iter().map(|&word| word as u64).collect()
    }

    #[test]
    fn monomials_turn_polynomials() {
        for power in [0, 1, 5, 15, 16, 17, 31] {
            let mut monomial = vec![0; 16];
            monomial[power % 16] = if power < 16 { 1 } else { u64::MAX };
            let polynomial = words(1, 16);
            let mut turned = polynomial.clone();
            multiply_monomial(16, power, &mut turned);
            assert_eq!(turned, product(&polynomial, &monomial), "X^{power}");
        }
    }

    #[test]
    fn windows_are_products() {
        for width in [1, 2, 7, 15, 16] {
            let window: Vec<u64> = (0..16).map(|place| u64::from(place < width)).collect();
            let mut both = words(8, 32);
            let [first, second] = [&both[..16], &both[16..]].map(|part| product(part, &window));
            multiply_window(16, width, &mut both);
            assert_eq!(both, [first, second].concat(), "{width}");
        }
    }

    #[test]
    fn automorphisms_respect_products() {
        for exponent in [3, 5, 17, 31] {
            let map = |polynomial: &[u64]| {
                let mut out = vec![0; 16];
                torus_automorphism(16, exponent, polynomial, &mut out);
                out
            };
            let (a, b) = (words(2, 16), words(3, 16));
            assert_eq!(map(&product(&a, &b)), product(&map(&a), &map(&b)));
        }
    }

    #[test]
    fn the_constant_coefficient_is_an_inner_product() {
        let (mask, key) = (words(4, 32), words(5, 32));
        let inner =
            mask.iter().zip(&key).fold(0_u64, |sum, (a, s)| sum.wrapping_add(a.wrapping_mul(*s)));
        let masks: Vec<u64> = constant_masks(16, &mask).collect();
        let products = masks.chunks(16).zip(key.chunks(16)).map(|(a, s)| product(a, s)[0]);
        assert_eq!(products.fold(0, u64::wrapping_add), inner);
    }

    #[test]
    fn products_in_the_subring_are_sums_over_parts() {
        let (mask, key) = (words(6, 64), words(7, 64));
        let whole = product(&mask, &key);
        let masks = subring_masks(64, 16, &mask);
        let keys: Vec<u64> = subring_parts(64, 16, &key).collect();
        let mut sum = [0_u64; 16];
        for (mask, key) in masks.chunks(16).zip(keys.chunks(16)) {
            add_words(&mut sum, &product(mask, key));
        }
        assert!(sum.iter().eq(whole.iter().step_by(4)));
    }
}

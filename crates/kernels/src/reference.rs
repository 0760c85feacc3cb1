//! Reference implementations for the tests: every row operation by its definition, slowly.
//!
//! Input words are residues in any range; results are canonical.

use crate::torus::{Decomposition, KeySwitchShape, ProductShape};
use crate::{Modulus, order};

/// Returns `x mod q` of a wide integer.
fn residue(m: &Modulus, x: u128) -> u64 {
    (x % m.value() as u128) as u64
}

/// Returns `a b mod q` of any two words.
pub fn product(m: &Modulus, a: u64, b: u64) -> u64 {
    residue(m, a as u128 * b as u128)
}

/// Returns the canonical residues of words.
pub fn canonical(m: &Modulus, a: &[u64]) -> Vec<u64> {
    a.iter().map(|&a| a % m.value()).collect()
}

/// Returns `a[i] + b[i]`.
pub fn add(m: &Modulus, a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(&a, &b)| residue(m, a as u128 + b as u128)).collect()
}

/// Returns `-a[i]`.
pub fn neg(m: &Modulus, a: &[u64]) -> Vec<u64> {
    a.iter().map(|&a| (m.value() - a % m.value()) % m.value()).collect()
}

/// Returns `a[i] - b[i]`.
pub fn sub(m: &Modulus, a: &[u64], b: &[u64]) -> Vec<u64> {
    add(m, a, &neg(m, b))
}

/// Returns `a[i] * b[i]`.
pub fn mul(m: &Modulus, a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(&a, &b)| product(m, a, b)).collect()
}

/// Returns `sum_i words[i] * bits[i]` modulo `2^64`.
pub fn binary_product(words: &[u64], bits: &[i64]) -> u64 {
    let products = words.iter().zip(bits).map(|(&word, &bit)| word.wrapping_mul(bit as u64));
    products.fold(0, u64::wrapping_add)
}

/// Returns `a[i] * c`.
pub fn mul_constant(m: &Modulus, a: &[u64], c: u64) -> Vec<u64> {
    a.iter().map(|&a| product(m, a, c)).collect()
}

/// Returns `sum_j x_j[i] * k_j[i]`, over rows of `len` words.
pub fn dot(m: &Modulus, len: usize, x: &[&[u64]], k: &[&[u64]]) -> Vec<u64> {
    let terms = x.iter().zip(k).map(|(x, k)| mul(m, x, k));
    terms.fold(vec![0; len], |sum, term| add(m, &sum, &term))
}

/// Computes `out[i] = sum_j weights[j] * rows[j][i]`.
pub fn weighted_sum(m: &Modulus, len: usize, rows: &[&[u64]], weights: &[i64]) -> Vec<u64> {
    let term = |row: &[u64], weight, i: usize| {
        let residue = i128::from(weight).rem_euclid(m.value().into()) as u64;
        m.mul(residue, row[i])
    };
    let sum = |i| rows.iter().zip(weights).fold(0, |sum, (row, &w)| m.add(sum, term(row, w, i)));
    (0..len).map(sum).collect()
}

/// Returns `sum_j sources[j][i] * weights[j]`, over rows of `len` words.
pub fn base_convert(m: &Modulus, len: usize, sources: &[&[u64]], weights: &[u64]) -> Vec<u64> {
    let terms = sources.iter().zip(weights).map(|(row, &weight)| mul_constant(m, row, weight));
    terms.fold(vec![0; len], |sum, term| add(m, &sum, &term))
}

/// Returns `floor(1/2 + sum_j sources[j][i] * inverses[j])`, over rows of `len` words.
pub fn round_quotient(len: usize, sources: &[&[u64]], inverses: &[f64]) -> Vec<u64> {
    let word = |i: usize| {
        let terms = sources.iter().zip(inverses).map(|(row, inverse)| row[i] as f64 * inverse);
        terms.fold(0.5, |sum, term| sum + term).floor() as u64
    };
    (0..len).map(word).collect()
}

/// Returns, for each word, the number of thresholds above it.
pub fn count_above(words: &[u64], thresholds: &[u64]) -> Vec<u64> {
    words.iter().map(|w| thresholds.iter().filter(|t| *t > w).count() as u64).collect()
}

/// Returns `len` differences of Hamming weights of 21 bits; see
/// [`crate::Kernel::weight_differences`].
pub fn weight_differences(len: usize, words: &[u64]) -> Vec<i64> {
    let weight = |bits: u64| i64::from((bits & 0x1f_ffff).count_ones());
    let third = words.len() / 2;
    let own = words.iter().map(|&w| weight(w) - weight(w >> 21));
    let shared = (0..third).map(|i| weight(words[i] >> 42) - weight(words[i + third] >> 42));
    own.chain(shared).take(len).collect()
}

/// Returns the first four digits in base three of the fractions `floor(words[i] / 4) / 2^62`, minus
/// one: the first digit of all words, then the second, and so on.
pub fn ternary_digits(words: &[u64]) -> Vec<i64> {
    let digit = |word: u64, place: u32| {
        ((u128::from(word >> 2) * 3_u128.pow(place + 1)) >> 62) as i64 % 3 - 1
    };
    (0..4).flat_map(|place| words.iter().map(move |&word| digit(word, place))).collect()
}

/// Returns `a[i] * c` as representatives of magnitude at most `(q - 1) / 2`, for odd `q`.
pub fn mul_constant_centered(m: &Modulus, a: &[u64], c: u64) -> Vec<i64> {
    let centered = |&word: &u64| {
        let above = if word > m.value() / 2 { m.value() as i64 } else { 0 };
        word as i64 - above
    };
    mul_constant(m, a, c).iter().map(centered).collect()
}

/// Returns the residues of signed integers.
pub fn lift(m: &Modulus, small: &[i64]) -> Vec<u64> {
    small.iter().map(|&c| i128::from(c).rem_euclid(i128::from(m.value())) as u64).collect()
}

/// Returns the row whose element `i` is `a[indices[i]]`.
pub fn permute(a: &[u64], indices: &[u32]) -> Vec<u64> {
    indices.iter().map(|&index| a[index as usize]).collect()
}

/// Returns the product of two polynomials modulo `X^N + 1`.
pub fn negacyclic_product(m: &Modulus, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; a.len()];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let term = product(m, a, b);
            let at = (i + j) % out.len();
            out[at] = if i + j < out.len() { m.add(out[at], term) } else { m.sub(out[at], term) };
        }
    }
    out
}

/// Returns the values of a polynomial at the odd powers of `root`, in the fixed [`order`].
pub fn ntt(m: &Modulus, root: u64, a: &[u64]) -> Vec<u64> {
    let value = |at: usize| {
        let point = m.pow(root, order::exponent(a.len(), at) as u64);
        a.iter().rev().fold(0, |sum, &a| m.add(product(m, sum, point), a % m.value()))
    };
    (0..a.len()).map(value).collect()
}

/// Applies the automorphism `p(X) -> p(X^galois)` to coefficients; `galois` is odd.
pub fn automorphism(m: &Modulus, a: &[u64], galois: usize) -> Vec<u64> {
    let mut out = vec![0; a.len()];
    for (i, &a) in a.iter().enumerate() {
        let at = i * galois % (2 * out.len());
        let sign_kept = at < out.len();
        let at = at % out.len();
        out[at] = if sign_kept { a % m.value() } else { m.neg(a % m.value()) };
    }
    out
}

/// Returns the product of integer polynomials modulo `X^N + 1` and modulo `2^64`.
pub fn negacyclic_integers(a: &[i64], b: &[i64]) -> Vec<i64> {
    let mut out = vec![0_i64; a.len()];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let (place, term) = (i + j, a.wrapping_mul(b));
            if place < out.len() {
                out[place] = out[place].wrapping_add(term);
            } else {
                let place = place - out.len();
                out[place] = out[place].wrapping_sub(term);
            }
        }
    }
    out
}

/// Returns the signed digits of a torus word rounded to 53 bits, most significant first; ties go to
/// even.
pub(crate) fn torus_digits(decomposition: Decomposition, word: u64) -> Vec<i64> {
    let mut rest = i128::from(word as i64) as f64 as i128;
    let digit = |level: usize| {
        let shift = 64 - decomposition.base_log * (level as u32 + 1);
        let half = (1_i128 << shift) / 2;
        let even = rest >> shift & 1;
        let digit = if shift == 0 { rest } else { (rest + half - 1 + even) >> shift };
        rest -= digit << shift;
        digit as i64
    };
    (0..decomposition.levels).map(digit).collect()
}

/// Switches an LWE ciphertext to another key; see [`crate::torus::TorusKernel::key_switch`]. The
/// rows are those of [`crate::torus::KeySwitchTable::pack`].
pub fn key_switch(shape: &KeySwitchShape, rows: &[u64], input: &[u64]) -> Vec<u64> {
    let degree = shape.degree;
    let columns = shape.output_dimension / degree + 1;
    let mut sums = vec![0_u64; columns * degree];
    let mut rows = rows.chunks_exact(degree);
    for piece in input[..shape.input_dimension].chunks_exact(degree) {
        let reversed = (0..degree).map(|j| match j {
            0 => piece[0],
            _ => piece[degree - j].wrapping_neg(),
        });
        let digits: Vec<_> = reversed.map(|a| torus_digits(shape.digits, a)).collect();
        for level in 0..shape.digits.levels {
            let digits: Vec<_> = digits.iter().map(|digits| digits[level]).collect();
            for sum in sums.chunks_exact_mut(degree) {
                let row: Vec<_> = rows.next().unwrap_or(&[]).iter().map(|&x| x as i64).collect();
                let product = negacyclic_integers(&digits, &row);
                sum.iter_mut().zip(product).for_each(|(s, p)| *s = s.wrapping_sub(p as u64));
            }
        }
    }
    let (masks, body) = sums.split_at(shape.output_dimension);
    let mask = |i: usize| match i % degree {
        0 => masks[i],
        j => masks[i - j + degree - j].wrapping_neg(),
    };
    let body = input[shape.input_dimension].wrapping_add(body[0]);
    (0..shape.output_dimension).map(mask).chain([body]).collect()
}

/// Computes [`crate::BitKernel::masked_parities`] from given rows of the keystream.
pub fn masked_parities(stream: &[u64], mask: &[u64; crate::MASK_WORDS]) -> (u128, Vec<u64>) {
    let rows = stream.chunks_exact(crate::MASK_WORDS + 1);
    let parity = |row: &[u64]| row.iter().zip(mask).map(|(a, b)| (a & b).count_ones()).sum::<u32>();
    let parities = rows.clone().map(|row| u128::from(parity(row) % 2));
    let sum = parities.enumerate().fold(0, |sum, (r, parity)| sum | parity << r);
    (sum, rows.map(|row| row[crate::MASK_WORDS]).collect())
}

/// Computes [`crate::BitKernel::carryless_low`].
pub fn carryless_low(a: u128, b: u128) -> u128 {
    (0..128).filter(|i| a >> i & 1 == 1).fold(0, |sum, i| sum ^ b << i)
}

/// Computes one step of a blind rotation on torus words; see [`ProductShape`]. The rows of `key`
/// are polynomials in the order selector, digit polynomial, column.
pub fn rotate_step(shape: &ProductShape, key: &[u64], exponents: &[u32], acc: &[u64]) -> Vec<u64> {
    let cmux = shape.selectors == 1;
    let decomposed = if cmux { times_binomial(shape, exponents[0], acc) } else { acc.to_vec() };
    let mut out = acc.to_vec();
    let keys = key.chunks_exact(shape.rows() * shape.columns() * shape.degree);
    for (key, &exponent) in keys.zip(exponents) {
        let mut product = external_product(shape, key, &decomposed);
        if !cmux {
            product = times_binomial(shape, exponent, &product);
        }
        out.iter_mut().zip(product).for_each(|(out, x)| *out = out.wrapping_add(x));
    }
    out
}

/// Returns the product of each component of an accumulator with the key of one selector.
fn external_product(shape: &ProductShape, key: &[u64], acc: &[u64]) -> Vec<u64> {
    let mut product = vec![0_u64; acc.len()];
    for part in 0..shape.extension {
        let at = |column: usize| (column * shape.extension + part) * shape.degree;
        let columns = (0..shape.columns()).map(|column| &acc[at(column)..][..shape.degree]);
        let ciphertext = columns.collect::<Vec<_>>().concat();
        let mut rows = key.chunks_exact(shape.degree);
        for digits in all_digits(shape, &ciphertext) {
            for column in 0..shape.columns() {
                let row: Vec<_> = rows.next().unwrap_or(&[]).iter().map(|&x| x as i64).collect();
                let terms = negacyclic_integers(&digits, &row);
                let sum = &mut product[at(column)..][..shape.degree];
                sum.iter_mut().zip(terms).for_each(|(x, term)| *x = x.wrapping_add(term as u64));
            }
        }
    }
    product
}

/// Returns the digit polynomials of a ciphertext.
fn all_digits(shape: &ProductShape, ciphertext: &[u64]) -> Vec<Vec<i64>> {
    let columns = ciphertext.chunks_exact(shape.degree).enumerate();
    let digits = columns.flat_map(|(column, polynomial)| {
        let decomposition = shape.decomposition(column);
        let digits: Vec<_> =
            polynomial.iter().map(|&word| torus_digits(decomposition, word)).collect();
        (0..decomposition.levels).map(move |level| digits.iter().map(|d| d[level]).collect())
    });
    digits.collect()
}

/// Returns `X^exponent - 1` times each polynomial of an accumulator.
fn times_binomial(shape: &ProductShape, exponent: u32, acc: &[u64]) -> Vec<u64> {
    let degree = shape.extension * shape.degree;
    // Position of the coefficient of `X^i`.
    let place = |i: usize| i % shape.extension * shape.degree + i / shape.extension;
    let mut out: Vec<u64> = acc.iter().map(|x| x.wrapping_neg()).collect();
    for (out, x) in out.chunks_exact_mut(degree).zip(acc.chunks_exact(degree)) {
        for i in 0..degree {
            let to = (i + exponent as usize) % (2 * degree);
            let turned = if to < degree { x[place(i)] } else { x[place(i)].wrapping_neg() };
            let out = &mut out[place(to % degree)];
            *out = out.wrapping_add(turned);
        }
    }
    out
}

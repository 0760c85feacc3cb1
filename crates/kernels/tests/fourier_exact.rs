//! The external product against exact integers.

use fathom_kernels::{
    Decomposition, FourierTable, ProductShape, RealRow, Rotation, available_torus, reference,
};

/// Bits of a key's coefficients below the unit `q / B`.
const FRACTION: u32 = 20;

fn words(seed: u64, count: usize) -> Vec<u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    std::iter::repeat_with(step).take(count).collect()
}

/// `word` as a signed integer of `bits` bits.
fn signed(word: u64, bits: u32) -> i64 {
    (word << (64 - bits)) as i64 >> (64 - bits)
}

fn monomial_less_one(a: &[i64], exponent: usize) -> Vec<i64> {
    let degree = a.len();
    let rotated = |place: usize| {
        let from = (place + 2 * degree - exponent) % (2 * degree);
        if from < degree { a[from] } else { a[from - degree].wrapping_neg() }
    };
    (0..degree).map(|place| rotated(place).wrapping_sub(a[place])).collect()
}

/// One step with random digits and keys of full size: the errors of the transforms, in units of
/// `q / B`, have a deviation below one.
#[test]
fn a_step_is_exact_but_for_the_precision_of_doubles() {
    let one = |base_log| Decomposition { base_log, levels: 1 };
    for (degree, rank, base_log, selectors) in [(2048, 1, 23, 3), (2048, 1, 23, 1), (512, 3, 17, 3)]
    {
        let shape =
            ProductShape { degree, rank, mask: one(base_log), body: one(base_log), selectors };
        let table = FourierTable::new(degree);
        let columns = shape.columns();
        let digits: Vec<i64> =
            words(1, columns * degree).iter().map(|&w| signed(w, base_log)).collect();
        let exponents: Vec<u32> =
            words(2, selectors).iter().map(|w| (w % (2 * degree as u64)) as u32).collect();
        let keys: Vec<i64> = words(3, selectors * columns * columns * degree)
            .iter()
            .map(|&w| signed(w, base_log + FRACTION))
            .collect();
        let key_at = |j: usize, row: usize, column: usize| {
            let at = ((j * columns + row) * columns + column) * degree;
            &keys[at..at + degree]
        };
        let mut expected = Vec::new();
        for column in 0..columns {
            let mut sum = vec![0_i64; degree];
            for j in 0..selectors {
                for (row, digits) in digits.chunks(degree).enumerate() {
                    let product = reference::negacyclic_integers(digits, key_at(j, row, column));
                    let product = monomial_less_one(&product, exponents[j] as usize);
                    sum.iter_mut().zip(product).for_each(|(s, p)| *s = s.wrapping_add(p));
                }
            }
            expected.extend(sum);
        }
        for kernel in available_torus() {
            let mut key = RealRow::zeroed(shape.step_len());
            let mut spectrum = RealRow::zeroed(degree);
            for j in 0..selectors {
                for row in 0..columns {
                    for column in 0..columns {
                        let scale = 2.0 / degree as f64 / f64::from(1 << FRACTION);
                        let polynomial: Vec<f64> =
                            key_at(j, row, column).iter().map(|&k| k as f64 * scale).collect();
                        kernel.forward(&table, &polynomial, &mut spectrum);
                        for line in 0..degree / 16 {
                            let at = shape.key_offset(line, j, row, column);
                            key[at..at + 8].copy_from_slice(&spectrum[8 * line..][..8]);
                            let imaginary = degree / 2 + 8 * line;
                            key[at + 8..at + 16].copy_from_slice(&spectrum[imaginary..][..8]);
                        }
                    }
                }
            }
            let start: Vec<f64> = digits.iter().map(|&d| d as f64).collect();
            let mut accumulator = RealRow::from(&start[..]);
            let mut scratch = RealRow::zeroed(shape.scratch_len());
            let rotation = Rotation { shape, key: &key, exponents: &exponents };
            kernel.rotate(&table, &rotation, &mut accumulator, &mut scratch);
            let turn = shape.mask.base();
            let errors = accumulator.iter().zip(&digits).zip(&expected).map(|((got, d), e)| {
                let e = signed(*e as u64, base_log + FRACTION) as f64 / f64::from(1 << FRACTION);
                let error = (got - *d as f64 - e).rem_euclid(turn);
                error.min(turn - error)
            });
            let variance = errors.map(|e| e * e).sum::<f64>() / digits.len() as f64;
            assert!(variance.sqrt() < 1.0, "{} {}", kernel.name(), variance.sqrt());
        }
    }
}

//! The transforms of real rows and the external product, for every kernel of this CPU.

use crate::common::{integers, words};
use fathom_kernels::torus::{
    Decomposition, FourierTable, Patience, ProductShape, Rotation, SharedRotation, TorusKernel,
};
use fathom_kernels::{RealRow, available_torus, reference};
use proptest::prelude::*;
use std::time::Duration;

/// Longer than any wait.
const LONG: Duration = Duration::from_hours(1);

const DEGREES: [usize; 9] = [256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];

fn real(values: &[i64]) -> RealRow {
    let values: Vec<f64> = values.iter().map(|&value| value as f64).collect();
    RealRow::from(&values[..])
}

fn spectrum(kernel: &dyn TorusKernel, table: &FourierTable, polynomial: &[f64]) -> RealRow {
    let mut spectrum = RealRow::zeroed(polynomial.len());
    kernel.forward(table, polynomial, &mut spectrum);
    spectrum
}

/// `a b` modulo `X^N + 1` by way of spectra.
fn product(kernel: &dyn TorusKernel, table: &FourierTable, a: &[i64], b: &[i64]) -> RealRow {
    let (a, b) = (spectrum(kernel, table, &real(a)), spectrum(kernel, table, &real(b)));
    let (mut sum, mut out) = (RealRow::zeroed(a.len()), RealRow::zeroed(a.len()));
    kernel.multiply_add(&mut sum, &a, &b);
    kernel.inverse_add(table, &mut sum, &mut out);
    let scale = 2.0 / out.len() as f64;
    out.iter_mut().for_each(|value| *value *= scale);
    out
}

#[test]
fn products_agree_with_the_schoolbook() {
    for degree in [256, 512, 1024, 2048] {
        let table = FourierTable::new(degree);
        let (a, b) = (integers(1, degree, 1000), integers(2, degree, 1000));
        let expected = reference::negacyclic_integers(&a, &b);
        for kernel in available_torus() {
            for (got, &expected) in product(kernel, &table, &a, &b).iter().zip(&expected) {
                assert!((got - expected as f64).abs() < 1e-3, "{} {degree}", kernel.name());
            }
        }
    }
}

#[test]
fn large_degrees_multiply_by_monomials() {
    for degree in DEGREES {
        let table = FourierTable::new(degree);
        let a = integers(3, degree, 1 << 20);
        for shift in [0, 1, degree / 2 - 1, degree - 1] {
            let mut monomial = vec![0; degree];
            monomial[shift] = 1;
            for kernel in available_torus() {
                let got = product(kernel, &table, &a, &monomial);
                for i in 0..degree {
                    let wrapped = (i + degree - shift) % degree;
                    let sign = if i < shift { -1.0 } else { 1.0 };
                    let expected = sign * a[wrapped] as f64;
                    assert!((got[i] - expected).abs() < 1e-6, "{} {degree}", kernel.name());
                }
            }
        }
    }
}

#[test]
fn kernels_with_fused_multiply_add_give_the_same_bits() {
    let fused: Vec<_> = available_torus().into_iter().filter(|k| k.name() != "portable").collect();
    for degree in DEGREES {
        let table = FourierTable::new(degree);
        let (a, b) = (integers(4, degree, 1 << 40), integers(5, degree, 1 << 22));
        let products = fused.iter().map(|&kernel| product(kernel, &table, &a, &b));
        let products: Vec<_> = products.collect();
        assert!(products.windows(2).all(|pair| pair[0] == pair[1]), "{degree}");
    }
}

/// The key of one step in which selector `chosen`, if any, encrypts one: gadget constants, with no
/// mask and no noise.
fn clear_key(
    kernel: &dyn TorusKernel,
    table: &FourierTable,
    shape: &ProductShape,
    chosen: Option<usize>,
) -> RealRow {
    let mut key = RealRow::zeroed(shape.step_len());
    let Some(selector) = chosen else { return key };
    let columns = (0..shape.columns()).flat_map(|column| {
        (0..shape.decomposition(column).levels).map(move |level| (column, level))
    });
    for (row, (column, level)) in columns.enumerate() {
        let base = shape.decomposition(column).base();
        let mut gadget = RealRow::zeroed(shape.degree);
        gadget[0] = 2.0 / shape.degree as f64 * base.powi(-(level as i32));
        let gadget = spectrum(kernel, table, &gadget);
        for line in 0..shape.degree / 16 {
            let at = shape.key_offset(line, selector, row, column);
            key[at..at + 16].copy_from_slice(&gadget[16 * line..16 * line + 16]);
        }
    }
    key
}

fn shapes() -> impl Strategy<Value = ProductShape> {
    let digits = |levels| Decomposition { base_log: 8, levels };
    (8_u32..12, 1_usize..4, [1_usize..4, 1_usize..4], 1_usize..5, 0_u32..4).prop_map(
        move |(log, rank, [mask, body], selectors, log_extension)| {
            let (mask, body) = (digits(mask), digits(body));
            let extension = 1 << log_extension;
            ProductShape { degree: 1 << log, extension, rank, mask, body, selectors }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Choosing selector `j` multiplies by `X^(a_j)`; choosing none changes nothing.
    #[test]
    fn a_step_multiplies_by_the_chosen_monomial(
        shape in shapes(),
        pick in 0_usize..5,
        seed: u64,
    ) {
        let table = FourierTable::new(shape.degree);
        let chosen = (pick < shape.selectors).then_some(pick);
        let batch = 2;
        let degree = shape.extension * shape.degree;
        let order = 2 * degree;
        let exponents: Vec<u32> = integers(seed, batch * shape.selectors, 1 << 30)
            .iter()
            .map(|value| value.rem_euclid(order as i64) as u32)
            .collect();
        let levels = shape.mask.levels.min(shape.body.levels);
        let unit = (-8.0 * (levels as f64 - 1.0)).exp2();
        let bound = 1 << (8 * levels - 1);
        let start: Vec<f64> = integers(!seed, batch * shape.accumulator_len(), bound - 1)
            .iter()
            .map(|&value| value as f64 * unit)
            .collect();
        for kernel in available_torus() {
            let key = clear_key(kernel, &table, &shape, chosen);
            let mut accumulators = RealRow::from(&start[..]);
            let mut scratch = RealRow::zeroed(batch * shape.scratch_len());
            let rotation = Rotation { shape, key: &key, exponents: &exponents };
            let work = SharedRotation::new(rotation, &mut accumulators, &mut scratch, 1);
            kernel.rotate(&table, &work);
            for (i, got) in accumulators.iter().enumerate() {
                // Coefficients come by their places modulo the extension.
                let (row, place) = (i / degree, i % degree);
                let place = place % shape.degree * shape.extension + place / shape.degree;
                let ciphertext = i / shape.accumulator_len();
                let exponent = chosen.map_or(0, |j| {
                    exponents[ciphertext * shape.selectors + j] as usize
                });
                let from = (place + order - exponent) % order;
                let sign = if from < degree { 1.0 } else { -1.0 };
                let from = from % degree;
                let from = from % shape.extension * shape.degree + from / shape.extension;
                let expected = sign * start[row * degree + from];
                let error = (got - expected).rem_euclid(256.0);
                let error = error.min(256.0 - error);
                prop_assert!(error < unit / 64.0, "{} at {i}: {error}", kernel.name());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A rotation of several steps has the same bits for any number of threads.
    #[test]
    fn threads_share_a_rotation(shape in shapes(), asked in 2_usize..6, seed: u64) {
        let (steps, batch) = (5, 2);
        let table = FourierTable::new(shape.degree);
        let key = real(&integers(seed, steps * shape.step_len(), 1 << 20));
        let order = 2 * (shape.extension * shape.degree) as i64;
        let exponents: Vec<u32> = integers(!seed, batch * steps * shape.selectors, 1 << 30)
            .iter()
            .map(|value| value.rem_euclid(order) as u32)
            .collect();
        let rotation = Rotation { shape, key: &key, exponents: &exponents };
        let start = real(&integers(seed ^ 1, batch * shape.accumulator_len(), 127));
        for kernel in available_torus() {
            let rotated = |threads, patience| {
                let mut accumulators = start.clone();
                let mut scratch = RealRow::zeroed(batch * shape.scratch_len());
                let work = SharedRotation::new(rotation, &mut accumulators, &mut scratch, threads)
                    .with_patience(patience);
                assert_eq!(work.threads(), threads.min(shape.columns()));
                std::thread::scope(|scope| {
                    for _ in 0..=work.threads() {
                        scope.spawn(|| kernel.rotate(&table, &work)); // One too many.
                    }
                });
                accumulators
            };
            let patient = Patience { steps_alone: usize::MAX, in_all: LONG };
            let alone = rotated(1, patient);
            prop_assert!(alone != start);
            prop_assert!(alone == rotated(asked, patient), "{}", kernel.name());
            // Threads that come late are left out, and the first does the rest alone from the first
            // synchronisation or from any.
            let hasty = Patience { steps_alone: 0, ..patient };
            let [first, any] = [0, 60].map(Duration::from_micros);
            let [first, any] = [first, any].map(|in_all| Patience { in_all, ..patient });
            for patience in [hasty, first, any] {
                prop_assert!(alone == rotated(asked, patience), "{} {patience:?}", kernel.name());
            }
        }
    }
}

#[test]
fn products_with_bits_are_exact_for_every_length() {
    for length in [0, 1, 7, 8, 63, 64, 65, 1536, 2048, 2049] {
        let words = words(length as u64 + 1, length);
        let bits: Vec<i64> = words.iter().map(|word| (word.count_ones() & 1) as i64).collect();
        let expected = reference::binary_product(&words, &bits);
        for kernel in available_torus() {
            let mut sum = 1;
            kernel.binary_product(&words, &bits, &mut sum);
            assert_eq!(sum, expected, "{} of {length}", kernel.name());
        }
        let short: Vec<u32> = words.iter().map(|&word| word as u32).collect();
        let words: Vec<u64> = short.iter().map(|&word| word.into()).collect();
        let expected = reference::binary_product(&words, &bits);
        for kernel in available_torus() {
            let mut sum = 1;
            kernel.short_binary_product(&short, &bits, &mut sum);
            assert_eq!(sum, expected, "{} of {length} short", kernel.name());
        }
    }
}

#[test]
fn sums_of_short_words_wrap_round_for_every_length() {
    for length in [0, 1, 7, 8, 63, 64, 65, 1536, 2048, 2049] {
        let row = |seed| -> Vec<u32> {
            words(seed, length).iter().map(|&word| (word >> 32) as u32).collect()
        };
        let (a, b) = (row(length as u64 + 1), row(length as u64 + 2));
        let sums = a.iter().zip(&b).map(|(&a, &b)| (u64::from(a) + u64::from(b)) as u32);
        let expected: Vec<u32> = sums.collect();
        for kernel in available_torus() {
            let mut sum = vec![1; length];
            kernel.short_sum(&mut sum, &a, &b);
            assert_eq!(sum, expected, "{} of {length}", kernel.name());
        }
    }
}

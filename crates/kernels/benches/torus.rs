//! The transforms of real rows and the blind rotation, on every kernel of this CPU.
//!
//! Sketch of one step of a blind rotation at `N = 2048`, `k = 1`, one level, three selectors: four
//! transforms of 1024 complex values at 10 levels of 384 fused operations, and 128 lines of 84
//! fused operations; at two operations of eight lanes a cycle that is 13 000 cycles. The key is
//! 196 KB a step, so that a single ciphertext waits for memory and a batch does not.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fathom_kernels::torus::{
    Decomposition, FourierTable, KeySwitchShape, KeySwitchTable, PreciseTransform, ProductShape,
    Rotation, SharedRotation,
};
use fathom_kernels::{RealRow, available_torus};
use std::hint::black_box;

fn transforms(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("torus_transform");
    for kernel in available_torus() {
        for degree in [512, 1024, 2048, 8192, 32_768] {
            let table = FourierTable::new(degree);
            let mut polynomial = RealRow::zeroed(degree);
            polynomial.iter_mut().enumerate().for_each(|(i, x)| *x = i as f64);
            let mut spectrum = RealRow::zeroed(degree);
            let id = |name: &str| BenchmarkId::new(name, format!("{}/n{degree}", kernel.name()));
            group.bench_function(id("forward"), |bencher| {
                bencher.iter(|| kernel.forward(&table, black_box(&polynomial), &mut spectrum));
            });
            let mut out = RealRow::zeroed(degree);
            group.bench_function(id("inverse_add"), |bencher| {
                bencher.iter(|| {
                    spectrum.fill(0.0);
                    kernel.inverse_add(&table, black_box(&mut spectrum), &mut out);
                });
            });
        }
    }
}

/// A transform of a key: 5120 butterflies at `N = 2048`, of four products of 128 bits each.
fn precise_transforms(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("torus_precise_transform");
    for degree in [512, 2048] {
        let transform = PreciseTransform::new(degree);
        let word = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let words: Vec<_> = (0..degree).map(word).collect();
        let (mut scratch, mut spectrum) = (words.clone(), vec![0.0; degree]);
        group.bench_function(BenchmarkId::from_parameter(degree), |bencher| {
            bencher.iter(|| {
                scratch.copy_from_slice(&words);
                transform.transform(black_box(&mut scratch), 1.0, &mut spectrum);
            });
        });
    }
}

fn rotations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("torus_rotate");
    let one = Decomposition { base_log: 22, levels: 1 };
    let two = Decomposition { base_log: 15, levels: 2 };
    let shape = |degree, rank, mask, selectors| ProductShape {
        degree,
        extension: 1,
        rank,
        mask,
        body: one,
        selectors,
    };
    let cases = [
        ("tfhe_rs_918", shape(2048, 1, one, 1), 918),
        ("tfhe_rs_918_pairs", shape(2048, 1, one, 3), 459),
        ("integer_896", shape(2048, 1, one, 1), 896),
        ("integer_pairs_896", shape(2048, 1, one, 3), 448),
        ("integer_block_3_960", shape(2048, 1, one, 3), 320),
        ("integer_block_4_960", shape(2048, 1, one, 4), 240),
        ("gate_pairs_672", shape(512, 3, one, 3), 336),
        ("integer_3_3_pairs_960", ProductShape { extension: 4, ..shape(2048, 1, two, 3) }, 480),
    ];
    for (name, shape, steps) in cases {
        let mut key = RealRow::zeroed(steps * shape.step_len());
        key.iter_mut().enumerate().for_each(|(i, x)| *x = (i % 977) as f64 * 1e-6);
        for kernel in available_torus() {
            let table = FourierTable::new(shape.degree);
            let order = 2 * shape.extension * shape.degree;
            for batch in [1, 4, 8] {
                let count = batch * steps * shape.selectors;
                let exponents: Vec<u32> = (0..count).map(|i| (i * 911 % order) as u32).collect();
                let mut accumulators = RealRow::zeroed(batch * shape.accumulator_len());
                accumulators[0] = 1e5;
                let mut scratch = RealRow::zeroed(batch * shape.scratch_len());
                group.sample_size(10).throughput(Throughput::Elements(batch as u64));
                let id = BenchmarkId::new(name, format!("{}/batch{batch}", kernel.name()));
                group.bench_function(id, |bencher| {
                    bencher.iter(|| {
                        let rotation = Rotation { shape, key: &key, exponents: &exponents };
                        let work =
                            SharedRotation::new(rotation, &mut accumulators, &mut scratch, 1);
                        kernel.rotate(&table, &work);
                    });
                });
            }
        }
    }
}

/// Sketch at degree 64, 2048 to 896: 256 digit polynomials of 32 points times 15 polynomials, that
/// is 16 000 complex products of eight lanes, each of four fused operations and two conversions:
/// 48 000 cycles. The key is 1 MB of floats.
fn key_switches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("torus_key_switch");
    for (output_dimension, degree, [base_log, levels]) in
        [(848, 16, [2, 8]), (896, 64, [2, 8]), (896, 128, [2, 8]), (896, 128, [1, 17])]
    {
        let digits = Decomposition { base_log: base_log as u32, levels };
        let shape = KeySwitchShape { input_dimension: 2048, output_dimension, degree, digits };
        let table = KeySwitchTable::new(shape);
        let word = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let rows: Vec<_> = (0..table.rows_len()).map(word).collect();
        let key = table.pack(&rows);
        for kernel in available_torus() {
            for batch in [1, 8] {
                let inputs: Vec<_> = (0..batch * 2049).map(word).collect();
                let mut outputs = vec![0; batch * (output_dimension + 1)];
                let mut scratch = RealRow::zeroed(batch * table.scratch_len());
                group.throughput(Throughput::Elements(batch as u64));
                let id = format!("{}/d{degree}x{levels}/batch{batch}", kernel.name());
                group.bench_function(id, |bencher| {
                    bencher.iter(|| {
                        kernel.key_switch(&table, &key, &inputs, &mut outputs, &mut scratch);
                    });
                });
            }
        }
    }
}

/// The products of a decryption: two rows from the first cache, at 16 words a cycle.
fn secret_products(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("torus_binary_product");
    for kernel in available_torus() {
        for dimension in [1536, 2048] {
            let word = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let words: Vec<_> = (0..dimension).map(word).collect();
            let bits: Vec<_> = words.iter().map(|word| (word >> 63) as i64).collect();
            let mut sum = 0;
            let id = format!("{}/n{dimension}", kernel.name());
            group.bench_function(id, |bencher| {
                bencher.iter(|| kernel.binary_product(black_box(&words), &bits, &mut sum));
            });
            let short: Vec<_> = words.iter().map(|&word| (word >> 32) as u32).collect();
            let id = format!("{}/short/n{dimension}", kernel.name());
            group.bench_function(id, |bencher| {
                bencher.iter(|| kernel.short_binary_product(black_box(&short), &bits, &mut sum));
            });
        }
    }
}

/// The sum of two blocks' masks, 24 KiB with the result: from the first cache, and from the second
/// one, where eight pairs and their results lie.
fn short_sums(criterion: &mut Criterion) {
    const LENGTH: usize = 2048;
    let mut group = criterion.benchmark_group("torus_short_sum");
    for kernel in available_torus() {
        for pairs in [1, 8] {
            let row = |i: u32| -> Vec<u32> { (0..LENGTH as u32).map(|x| (x * x) ^ i).collect() };
            let mut rows: Vec<_> = (0..pairs).map(|i| [row(i), row(!i), row(0)]).collect();
            let mut next = 0;
            let id = format!("{}/n{LENGTH}/{pairs}", kernel.name());
            group.bench_function(id, |bencher| {
                bencher.iter(|| {
                    let [a, b, sum] = &mut rows[next];
                    kernel.short_sum(sum, black_box(a), black_box(b));
                    next = (next + 1) % rows.len();
                });
            });
        }
    }
}

criterion_group!(
    benches,
    transforms,
    precise_transforms,
    rotations,
    key_switches,
    secret_products,
    short_sums
);
criterion_main!(benches);

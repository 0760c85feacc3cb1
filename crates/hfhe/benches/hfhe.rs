//! HFHE in both modes, on one core.
//!
//! Ids are `hfhe/<mode>/<operation>`; `compat_decoys` is the compatible mode with every decoy made
//! at once, and `compat_unmerged` also has every layer, as the reference does. `depth<d>` is the
//! product of the chain of depth `d - 1` with its factor, as in the published comparison.
#![allow(missing_docs, reason = "the macros of criterion make undocumented functions")]

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use fathom::SecretRng;
use fathom_hfhe::compat::{self, Decorator, LayeredCiphertext, PublicKey, UnmergedCiphertext};
use fathom_hfhe::{Ciphertext, Circuit, Expected, Fp, Mode, SecretKey, Workers, native};
use std::hint::black_box;
use std::time::Duration;

const PAIRS: usize = 32;
const DEPTH: usize = 5;

fn rng() -> SecretRng {
    SecretRng::insecure_from_seed(1)
}

fn group<'a>(c: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(format!("hfhe/{name}"));
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group.sample_size(20);
    group
}

/// `3x^3 + 2x^2 + 5x + 7` with encrypted coefficients, in the order of the published comparison.
fn polynomial<M: Mode>(x: &Ciphertext<M>, [c3, c2, c5, c7]: &[Ciphertext<M>; 4]) -> Ciphertext<M> {
    let evaluate = || {
        let square = x.mul(x)?;
        let cubic = square.mul(x)?.mul(c3)?;
        cubic.add(&square.mul(c2)?)?.add(&x.mul(c5)?)?.add(c7)
    };
    evaluate().expect("three products of fresh ciphertexts are small")
}

fn arithmetic<M: Mode>(c: &mut Criterion, key: &SecretKey<M>) {
    let (mut group, mut rng) = (group(c, M::NAME), rng());
    let inputs: Vec<_> =
        (0..2 * PAIRS as u64).map(|value| key.encrypt_u64(value, &mut rng)).collect();
    let [x, y] = [&inputs[7], &inputs[6]];
    group.bench_function("encrypt", |b| b.iter(|| key.encrypt_u64(black_box(12_345), &mut rng)));
    group.bench_function("decrypt", |b| b.iter(|| key.decrypt_any_circuit(black_box(x))));
    let (circuit, own) = (Circuit::identity(), [x.clone()]);
    let expected = Expected { circuit: &circuit, inputs: &own };
    group.bench_function("decrypt_checked", |b| b.iter(|| key.decrypt(x, &expected, &mut rng)));
    group.bench_function("mul", |b| b.iter(|| black_box(x).mul(y)));
    group.bench_function("add", |b| b.iter(|| black_box(x).add(y)));
    let pairs: Vec<_> = inputs.iter().zip(&inputs[PAIRS..]).collect();
    group.bench_function("dot32", |b| b.iter(|| Ciphertext::dot(black_box(&pairs))));
    let coefficients = [&inputs[3], &inputs[2], &inputs[5], &inputs[7]].map(Clone::clone);
    group.bench_function("polynomial", |b| b.iter(|| polynomial(&inputs[4], &coefficients)));
    let mut chain = x.clone();
    for depth in 1..=DEPTH {
        group.bench_function(format!("depth{depth}"), |b| b.iter(|| chain.mul(black_box(y))));
        chain = chain.mul(y).expect("a chain is small");
        let name = format!("decrypt_depth{depth}");
        group.bench_function(name, |b| b.iter(|| key.decrypt_any_circuit(black_box(&chain))));
    }
    group.finish();
}

fn with_decoys(c: &mut Criterion, key: &compat::SecretKey) {
    let (mut group, workers) = (group(c, "compat_decoys"), Workers::one());
    let mut decorator = Decorator::new(key.public(), &workers, rng());
    let mut fresh = || decorator.encrypt(key, Fp::from(2u64)).expect("the key is its own");
    let [x, y] = [fresh(), fresh()];
    group.bench_function("encrypt", |b| b.iter(|| decorator.encrypt(key, Fp::from(2u64))));
    group.bench_function("mul", |b| b.iter(|| decorator.mul(black_box(&x), &y)));
    group.bench_function("add", |b| b.iter(|| black_box(&x).add(&y)));
    let mut product = |x: &LayeredCiphertext, y: &LayeredCiphertext| {
        decorator.mul(x, y).expect("a chain is small")
    };
    let mut chain = x.clone();
    for depth in 1..=DEPTH {
        let name = format!("depth{depth}");
        group.bench_function(name, |b| b.iter(|| product(black_box(&chain), &y)));
        chain = product(&chain, &y);
    }
    group.finish();
}

fn unmerged(c: &mut Criterion, key: &compat::SecretKey) {
    let (mut group, workers) = (group(c, "compat_unmerged"), Workers::one());
    let mut decorator = Decorator::new(key.public(), &workers, rng());
    let mut fresh = || {
        let layered = decorator.encrypt(key, Fp::from(2u64)).expect("the key is its own");
        UnmergedCiphertext::from(layered)
    };
    let [mut chain, y] = [fresh(), fresh()];
    for depth in 1..=DEPTH {
        let name = format!("depth{depth}");
        group.bench_function(name, |b| b.iter(|| decorator.mul_unmerged(black_box(&chain), &y)));
        chain = decorator.mul_unmerged(&chain, &y).expect("a chain is small");
    }
    group.finish();
}

fn keys(c: &mut Criterion) {
    let mut group = group(c, "keygen");
    let one = Workers::one();
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    group.bench_function("compat", |b| b.iter(|| compat::SecretKey::generate(&mut rng(), &one)));
    group.bench_function("native", |b| b.iter(|| native::SecretKey::generate(&mut rng())));
    group.finish();
    let key = compat::SecretKey::generate(&mut rng(), &one).expect("a kernel is available");
    let public: &PublicKey = key.public();
    eprintln!("kernel: {}", public.kernel_name());
    arithmetic(c, &key);
    arithmetic(c, &native::SecretKey::generate(&mut rng()));
    with_decoys(c, &key);
    unmerged(c, &key);
}

criterion_group!(benches, keys);
criterion_main!(benches);

//! CKKS operations, one thread. Ids: `<operation>/ckks/<parameters>`.
//!
//! Sketch for `mul/ckks/e3` (N = 16384, 7 limbs, 3 digits of 3 primes, 3 special primes): 50
//! transforms of 115 thousand butterflies, 10 rows of key-switch products with 3 digits into 2
//! outputs; the key alone is 7.9 MB, read once.

use criterion::{Criterion, criterion_group, criterion_main};
use fathom::SecretRng;
use fathom::ckks::{Evaluator, LinearMap, Params, Preset, Rotations, RowSwap, SecretKey};
use std::hint::black_box;

fn operations(c: &mut Criterion, preset: Preset) -> Result<(), fathom::Error> {
    let mut rng = SecretRng::insecure_from_seed(1);
    let params = Params::preset(preset)?;
    let secret = SecretKey::generate(&params, &mut rng);
    let public = secret.public_key(&mut rng);
    let values: Vec<f64> = (0..params.slot_count()).map(|i| (i as f64).sin()).collect();
    let plain = params.encode(&values)?;
    let top = params.top_level();
    let row = |i: usize| (64 * i..64 * (i + 1)).map(|k| (k as f64).sin()).collect();
    let matrix: Vec<Vec<f64>> = (0..64).map(row).collect();
    let map = LinearMap::for_level(&params, &matrix, top)?;
    let steps = [map.rotations().steps, vec![1, 2, 3, 4]].concat();
    let rotations = Rotations { steps, row_swap: RowSwap::With };
    let e = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng)?);
    let fresh = (0..64).map(|_| secret.encrypt(&plain, &mut rng)).collect::<Result<Vec<_>, _>>()?;
    let (a, b) = (&fresh[0], &fresh[1]);
    let multiplicand = plain.to_multiplicand(top)?;
    let packed = map.pack(&values[..64])?.try_map(|p| secret.encrypt(p, &mut rng))?;
    let mut bench = |name: &str, op: &mut dyn FnMut()| {
        let id = format!("{name}/ckks/{}", preset.name());
        c.bench_function(&id, |bencher| bencher.iter(&mut *op));
    };
    bench("encode", &mut || drop(black_box(params.encode(&values))));
    bench("mul", &mut || drop(black_box(e.mul(a, b))));
    bench("tensor", &mut || drop(black_box(e.tensor(a, b))));
    bench("add", &mut || drop(black_box(e.add(a, b))));
    bench("mul_plain", &mut || drop(black_box(e.mul_plain(a, &multiplicand))));
    bench("mul_scalar", &mut || drop(black_box(e.mul_scalar(a, 0.3))));
    bench("rescale", &mut || drop(black_box(e.rescale(a))));
    bench("rotate", &mut || drop(black_box(e.rotate(a, 1))));
    bench("conjugate", &mut || drop(black_box(e.conjugate(a))));
    bench("rotate_many4", &mut || drop(black_box(e.rotate_many(a, &[1, 2, 3, 4]))));
    bench("dot32", &mut || drop(black_box(e.dot(&fresh[..32], &fresh[32..]))));
    bench("matrix64", &mut || drop(black_box(e.transform(&map, &packed))));
    bench("decrypt", &mut || drop(black_box(secret.decrypt(a))));
    bench("encrypt_sk", &mut || drop(black_box(secret.encrypt(&plain, &mut rng))));
    bench("encrypt_pk", &mut || drop(black_box(public.encrypt(&plain, &mut rng))));
    if params.depth() >= 2 {
        let coefficients = [7.0, 5.0, 2.0, 3.0];
        bench("polynomial", &mut || drop(black_box(e.evaluate_polynomial(a, &coefficients))));
    }
    Ok(())
}

fn benches(c: &mut Criterion) {
    for preset in Preset::ALL {
        operations(c, preset).expect("presets are valid");
    }
}

criterion_group! {
    name = ckks;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = benches
}
criterion_main!(ckks);

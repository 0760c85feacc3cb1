//! BFV and BGV operations, one thread. Ids: `<operation>/<scheme>/<parameters>`.
//!
//! Sketch for `multiply/bgv/e2` (N = 8192, 6 limbs, 6 digits, 1 special prime): 56 transforms of 53
//! thousand butterflies, 7 rows of key-switch products with 6 digits into 2 outputs, 10 converted
//! rows; the key alone is 5.5 MB, read once, from the third cache.

use criterion::{Criterion, criterion_group, criterion_main};
use fathom::SecretRng;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Evaluator, Modular, Params, Plaintext, Preset, PublicKey, Rotations, SecretKey,
};
use std::hint::black_box;

struct Setup<S: Modular> {
    secret: SecretKey<S>,
    public: PublicKey<S>,
    evaluator: Evaluator<S>,
    plain: Plaintext<S>,
    rng: SecretRng,
}

impl<S: Modular> Setup<S> {
    fn new(preset: Preset) -> Result<Self, fathom::Error> {
        let mut rng = SecretRng::insecure_from_seed(1);
        let params = Params::<S>::preset(preset)?;
        let secret = SecretKey::generate(&params, &mut rng);
        let public = secret.public_key(&mut rng);
        let keys = secret.evaluation_keys(&Rotations::steps(&[1, 2, 3, 4]), &mut rng)?;
        let values: Vec<u64> = (0..params.degree() as u64).map(|i| i * i % 257).collect();
        let plain = params.encode(&values)?;
        Ok(Setup { evaluator: Evaluator::new(keys), secret, public, plain, rng })
    }

    fn fresh(&mut self, count: usize) -> Result<Vec<Ciphertext<S>>, fathom::Error> {
        (0..count).map(|_| self.secret.encrypt(&self.plain, &mut self.rng)).collect()
    }
}

fn operations<S: Modular>(c: &mut Criterion, preset: Preset) -> Result<(), fathom::Error> {
    let mut s = Setup::<S>::new(preset)?;
    let suffix = format!("{}/{}", S::NAME, preset.name());
    let fresh = s.fresh(64)?;
    let (a, b) = (&fresh[0], &fresh[1]);
    let multiplicand = s.plain.to_multiplicand();
    let e = s.evaluator.clone();
    let mut bench = |name: &str, op: &mut dyn FnMut()| {
        c.bench_function(&format!("{name}/{suffix}"), |bencher| bencher.iter(&mut *op));
    };
    bench("mul", &mut || drop(black_box(e.mul(a, b))));
    bench("tensor", &mut || drop(black_box(e.tensor(a, b))));
    bench("add", &mut || drop(black_box(e.add(a, b))));
    bench("mul_plain", &mut || drop(black_box(e.mul_plain(a, &multiplicand))));
    bench("rotate", &mut || drop(black_box(e.rotate(a, 1))));
    bench("rotate_many4", &mut || drop(black_box(e.rotate_many(a, &[1, 2, 3, 4]))));
    bench("mod_switch", &mut || drop(black_box(e.mod_switch_to(a, 0))));
    bench("dot32", &mut || drop(black_box(e.dot(&fresh[..32], &fresh[32..]))));
    bench("decrypt", &mut || drop(black_box(s.secret.decrypt(a))));
    bench("encrypt_sk", &mut || drop(black_box(s.secret.encrypt(&s.plain, &mut s.rng))));
    bench("encrypt_pk", &mut || drop(black_box(s.public.encrypt(&s.plain, &mut s.rng))));
    let coefficients = [7, 5, 2, 3];
    bench("polynomial", &mut || drop(black_box(e.evaluate_polynomial(a, &coefficients))));
    Ok(())
}

fn benches(c: &mut Criterion) {
    for preset in [Preset::E1, Preset::E1Depth2, Preset::E2] {
        operations::<Bgv>(c, preset).expect("presets are valid");
    }
    operations::<Bfv>(c, Preset::E1).expect("presets are valid");
}

criterion_group! {
    name = exact;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = benches
}
criterion_main!(exact);

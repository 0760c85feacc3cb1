//! Every operation agrees with arithmetic modulo `t`, on secure parameters, in both schemes.

use fathom::SecretRng;
use fathom::rlwe::exact::{Ciphertext, Evaluator, Params, Preset, Rotations, Scheme, SecretKey};

struct Setup<S: Scheme> {
    params: Params<S>,
    secret: SecretKey<S>,
    evaluator: Evaluator<S>,
    rng: SecretRng,
}

impl<S: Scheme> Setup<S> {
    fn new(preset: Preset, rotations: &Rotations) -> Setup<S> {
        let mut rng = SecretRng::insecure_from_seed(7);
        let params = Params::<S>::preset(preset).unwrap();
        let secret = SecretKey::generate(&params, &mut rng);
        let keys = secret.evaluation_keys(rotations, &mut rng).unwrap();
        Setup { evaluator: Evaluator::new(keys), params, secret, rng }
    }

    fn random(&mut self) -> Vec<u64> {
        let t = self.params.plain_modulus();
        (0..self.params.degree()).map(|_| self.rng.next_word() % t).collect()
    }

    fn encrypt(&mut self, values: &[u64]) -> Ciphertext<S> {
        let plaintext = self.params.encode(values).unwrap();
        self.secret.encrypt(&plaintext, &mut self.rng).unwrap()
    }

    fn check(&self, what: &str, ciphertext: &Ciphertext<S>, expected: &[u64]) {
        let measured = self.secret.debug_noise_budget_bits(ciphertext).unwrap();
        let tracked = ciphertext.noise_budget_bits();
        println!(
            "{:4} {:8} {what:20} level {} tracked {tracked:6.1} measured {measured:6.1}",
            S::NAME,
            self.params.name(),
            ciphertext.level(),
        );
        assert!(tracked <= measured, "{what}: tracked {tracked} > measured {measured}");
        let slots = self.secret.decrypt(ciphertext).unwrap().slots().unwrap();
        assert_eq!(slots, expected, "{what}");
    }
}

fn zip(t: u64, a: &[u64], b: &[u64], op: impl Fn(u128, u128) -> u128) -> Vec<u64> {
    let t = u128::from(t);
    a.iter().zip(b).map(|(&a, &b)| (op(a.into(), b.into()) % t) as u64).collect()
}

fn all_operations<S: Scheme>(preset: Preset) {
    let mut s = Setup::<S>::new(preset, &Rotations::steps(&[1, -3, 5]));
    let t = s.params.plain_modulus();
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    s.check("fresh", &a, &x);
    let e = s.evaluator.clone();
    s.check("add", &e.add(&a, &b).unwrap(), &zip(t, &x, &y, |x, y| x + y));
    s.check("sub", &e.sub(&a, &b).unwrap(), &zip(t, &x, &y, |x, y| x + u128::from(t) - y));
    let product = zip(t, &x, &y, |x, y| x * y);
    s.check("multiply", &e.multiply(&a, &b).unwrap(), &product);
    let tensor = e.tensor(&a, &b).unwrap();
    s.check("tensor", &tensor, &product);
    s.check("relinearize", &e.relinearize(&tensor).unwrap(), &product);
    let plain = s.params.encode(&y).unwrap();
    s.check("multiply_plain", &e.multiply_plain(&a, &plain.to_multiplicand()).unwrap(), &product);
    s.check("add_plain", &e.add_plain(&a, &plain).unwrap(), &zip(t, &x, &y, |x, y| x + y));
    s.check("multiply_scalar", &e.multiply_scalar(&a, 3).unwrap(), &zip(t, &x, &x, |x, _| 3 * x));
    s.check("add_scalar", &e.add_scalar(&a, 7).unwrap(), &zip(t, &x, &x, |x, _| x + 7));
    let half = x.len() / 2;
    for step in [1i64, -3, 5] {
        let at = |i: usize| {
            let column = (i % half) as i64 + step;
            x[i / half * half + column.rem_euclid(half as i64) as usize]
        };
        let expected: Vec<u64> = (0..x.len()).map(at).collect();
        s.check("rotate_rows", &e.rotate_rows(&a, step).unwrap(), &expected);
        let many = e.rotate_rows_many(&a, &[1, step]).unwrap();
        s.check("rotate_rows_many", &many[1], &expected);
    }
    let switched = e.mod_switch_to(&a, 0).unwrap();
    s.check("mod_switch_to", &switched, &x);
    let public = s.secret.public_key(&mut s.rng);
    let c = public.encrypt(&plain, &mut s.rng).unwrap();
    s.check("public key", &c, &y);
    let negated: Vec<u64> = x.iter().map(|&x| (t - x) % t).collect();
    s.check("negate", &e.negate(&a).unwrap(), &negated);
    let four = [a.clone(), b.clone(), a.clone(), b.clone()];
    let other = [b.clone(), a.clone(), b.clone(), a];
    s.check("dot", &e.dot(&four, &other).unwrap(), &zip(t, &x, &y, |x, y| 4 * x * y));
}

#[test]
fn bgv_operations() {
    for preset in [Preset::E1, Preset::E1Bits192, Preset::E1Bits256, Preset::E1Plain31] {
        all_operations::<fathom::bgv::Bgv>(preset);
    }
}

#[test]
fn bfv_operations() {
    for preset in [Preset::E1, Preset::E1Depth2, Preset::E1Plain20, Preset::E2] {
        all_operations::<fathom::bfv::Bfv>(preset);
    }
}

//! Random circuits decrypt to the result of arithmetic modulo p, in both modes.

use super::{compat_key, native_key};
use fathom::SecretRng;
use fathom_hfhe::Error;
use fathom_hfhe::{
    Ciphertext, Circuit, Expected, Fp, MaskCache, Mode, Padding, SecretKey, Wire, Workers,
};

const CIRCUITS: u64 = 10_000;
const MAX_DEPTH: usize = 6;
/// Products with more monomials are replaced by sums, since independent inputs do not fit at depth
/// 6.
const MAX_MONOMIALS: usize = 300;

/// One value of a circuit, computed in all ways.
struct Value<M: Mode> {
    ciphertext: Ciphertext<M>,
    clear: Fp,
    wire: Wire,
    depth: usize,
}

/// A circuit under construction.
struct Builder<'a> {
    rng: &'a mut SecretRng,
    circuit: Circuit,
}

impl Builder<'_> {
    fn below(&mut self, bound: usize) -> usize {
        (self.rng.next_word() % bound as u64) as usize
    }

    /// Applies one random operation to two values.
    fn step<M: Mode>(&mut self, x: &Value<M>, y: &Value<M>) -> Value<M> {
        let constant = Fp::new(u128::from(self.rng.next_word()) << 50);
        let size = |v: &Value<M>| v.ciphertext.polynomial().term_count() + 1;
        let shallow = x.depth.max(y.depth) < MAX_DEPTH;
        let fits = |y: &Value<M>| shallow && size(x) * size(y) <= MAX_MONOMIALS;
        let circuit = &mut self.circuit;
        let (a, b) = (&x.ciphertext, &y.ciphertext);
        let (ciphertext, clear, wire, deeper) = match self.rng.next_word() % 8 {
            0 => (a.sub(b).unwrap(), x.clear - y.clear, circuit.sub(x.wire, y.wire).unwrap(), 0),
            1 => (
                a.mul_scalar(constant),
                x.clear * constant,
                circuit.mul_scalar(x.wire, constant).unwrap(),
                0,
            ),
            2 => {
                let wire = circuit.add_scalar(x.wire, constant).unwrap();
                (a.add_scalar(constant), x.clear + constant, wire, 0)
            }
            3 => {
                let wire = circuit.sub_scalar(x.wire, constant).unwrap();
                (a.sub_scalar(constant), x.clear - constant, wire, 0)
            }
            4 | 5 if fits(y) => {
                let wire = circuit.mul(x.wire, y.wire).unwrap();
                (a.mul(b).unwrap(), x.clear * y.clear, wire, 1)
            }
            6 if fits(x) => {
                let wire = circuit.mul(x.wire, x.wire).unwrap();
                (a.square().unwrap(), x.clear * x.clear, wire, 1)
            }
            _ => (a.add(b).unwrap(), x.clear + y.clear, circuit.add(x.wire, y.wire).unwrap(), 0),
        };
        Value { ciphertext, clear, wire, depth: x.depth.max(y.depth) + deeper }
    }
}

fn random_circuits<M: Mode>(key: &SecretKey<M>) {
    let mut rng = SecretRng::insecure_from_seed(7);
    let mut cache = MaskCache::new(1000).unwrap();
    let mut deepest = 0;
    for _ in 0..CIRCUITS {
        let count = 1 + rng.next_word() as usize % 4;
        let clear: Vec<Fp> = (0..count)
            .map(|_| match rng.next_word() % 3 {
                0 => Fp::from(rng.next_word() as i64),
                1 => Fp::from(rng.next_word() % 3),
                _ => Fp::new(u128::from(rng.next_word()) << 64 | u128::from(rng.next_word())),
            })
            .collect();
        let inputs: Vec<Ciphertext<M>> = clear.iter().map(|&v| key.encrypt(v, &mut rng)).collect();
        let mut builder = Builder { rng: &mut rng, circuit: Circuit::default() };
        let mut values: Vec<Value<M>> = (0..count)
            .map(|i| {
                let wire = builder.circuit.input(i);
                Value { ciphertext: inputs[i].clone(), clear: clear[i], wire, depth: 0 }
            })
            .collect();
        for step in 0..12 {
            // Every second step continues with the last value, so that circuits become deep.
            let [any, y] = [(); 2].map(|()| builder.below(values.len()));
            let x = if step % 2 == 0 { any } else { values.len() - 1 };
            let value = builder.step(&values[x], &values[y]);
            values.push(value);
        }
        let circuit = builder.circuit;
        let Value { ciphertext, clear: expected, depth, .. } = values.last().unwrap();
        deepest = deepest.max(*depth);
        assert_eq!(circuit.evaluate(&clear), Ok(*expected));
        assert_eq!(key.decrypt_any_circuit_cached(ciphertext, &mut cache), Ok(*expected));
        assert!(cache.len() <= 1000);
        let stated = Expected { circuit: &circuit, inputs: &inputs };
        assert_eq!(key.decrypt(ciphertext, &stated, &mut rng), Ok(*expected));
    }
    assert_eq!(deepest, MAX_DEPTH);
}

#[test]
fn native_circuits_decrypt_to_their_values() {
    random_circuits(&native_key());
}

#[test]
fn compat_circuits_decrypt_to_their_values() {
    random_circuits(compat_key());
}

/// A chain of products with one factor has 2 (d + 1) monomials after merging, not 2^(d + 1).
#[test]
fn chains_stay_small_and_right() {
    let rng = &mut SecretRng::insecure_from_seed(3);
    let [two, factor] = [(); 2].map(|()| compat_key().encrypt_u64(2, rng));
    let mut chain = two;
    for depth in 1..=10 {
        chain = chain.mul(&factor).unwrap();
        assert_eq!(chain.polynomial().term_count(), 2 * (depth + 1));
        assert_eq!(chain.polynomial().degree(), depth as u64 + 1);
        assert_eq!(compat_key().decrypt_any_circuit(&chain), Ok(Fp::from(1u64 << (depth + 1))));
    }
}

#[test]
fn operations_with_constants_and_lists() {
    let rng = &mut SecretRng::insecure_from_seed(4);
    let key = native_key();
    let [x, y] = [-21i64, 1 << 62].map(|v| key.encrypt_i64(v, rng));
    let open = |ciphertext: &Ciphertext<_>| key.decrypt_any_circuit(ciphertext).unwrap();
    assert_eq!(open(&x.div_scalar(Fp::from(3u64)).unwrap()).to_signed(), -7);
    assert_eq!(open(&x.neg()).to_signed(), 21);
    assert_eq!(open(&x.mul_scalar(Fp::ZERO)), Fp::ZERO);
    let dot = Ciphertext::dot(&[(&x, &x), (&y, &y)]).unwrap().unwrap();
    assert_eq!(open(&dot).value(), 441 + (1 << 124));
    assert_eq!(Ciphertext::<fathom_hfhe::native::Native>::dot(&[]), Ok(None));
    assert_eq!(x.div_scalar(Fp::ZERO), Err(fathom::Error::DivisionByZero.into()));
    let nothing = x.sub(&x).unwrap();
    assert_eq!((nothing.polynomial().seed_count(), nothing.polynomial().term_count()), (0, 0));
}

#[test]
fn texts_come_back() {
    let rng = &mut SecretRng::insecure_from_seed(5);
    for text in ["", "a", "fifteen letters", "sixteen letters!", "grüße aus der ferne, und weiter"]
    {
        for padding in [Padding::PowerOfTwo, Padding::Chunks(1), Padding::Chunks(9)] {
            let native = native_key().encrypt_text(text, padding, rng);
            assert_eq!(&*native_key().decrypt_text_any_circuit(&native).unwrap(), text);
        }
        let compat = compat_key().encrypt_text(text, Padding::PowerOfTwo, rng);
        assert_eq!(&*compat_key().decrypt_text_any_circuit(&compat).unwrap(), text);
    }
    let cut = &native_key().encrypt_text("more than fifteen letters", Padding::Chunks(0), rng)[..2];
    assert_eq!(native_key().decrypt_text_any_circuit(cut), Err(Error::NotText));
    assert_eq!(native_key().decrypt_text_any_circuit(&[]), Err(Error::NotText));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let rng = &mut SecretRng::insecure_from_seed(6);
    let values: Vec<u64> = (0..50).collect();
    let inputs: Vec<_> = values.iter().map(|&v| native_key().encrypt_u64(v, rng)).collect();
    let squares =
        |threads| Workers::new(threads).unwrap().map(&inputs, |input| input.square().unwrap());
    assert_eq!(squares(1), squares(3));
}

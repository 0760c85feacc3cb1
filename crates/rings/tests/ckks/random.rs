//! Ten thousand random operations, none of which exceeds its bound.

use crate::ckks::setup::{Setup, map, rotated, zip};
use fathom::Error;
use fathom::ckks::{Ciphertext, Complex64, Params, Preset, Rotations, RowSwap, Spec};

/// A ciphertext with its expected slots.
type Known = (Ciphertext, Vec<Complex64>);

const OPERATIONS: usize = 10_000;
/// Results are decrypted this often.
const CHECKED: usize = 16;

fn random_step(s: &mut Setup, pool: &[Known]) -> Option<Known> {
    let mut pick = || (s.rng.next_word() % pool.len() as u64) as usize;
    let ((a, x), (b, y)) = (&pool[pick()], &pool[pick()]);
    let choice = s.rng.next_word() % 12;
    let number = Complex64::new(s.real(), if choice.is_multiple_of(2) { 0.0 } else { s.real() });
    let e = &s.evaluator;
    let (result, expected) = match choice {
        0 | 1 => (e.add(a, b), zip(x, y, |x, y| x + y)),
        2 => (e.sub(a, b), zip(x, y, |x, y| x - y)),
        3 | 4 => (e.mul(a, b), zip(x, y, |x, y| x * y)),
        5 | 6 => (e.mul_scalar(a, number), map(x, |x| x * number)),
        7 => (e.add_scalar(a, number), map(x, |x| x + number)),
        8 => (e.rotate(a, 1), rotated(x, 1)),
        9 => (e.conjugate(a), map(x, |x| x.conj())),
        10 => (e.mod_switch_to(a, a.level().next().unwrap_or_default()), x.clone()),
        _ => {
            let plain = s.params.encode_public_repeated(&[number, -number]).unwrap();
            let factors: Vec<_> = [number, -number].repeat(x.len() / 2);
            let product = plain.to_multiplicand(a.level()).and_then(|m| e.mul_plain(a, &m));
            (product, zip(x, &factors, |x, f| x * f))
        }
    };
    match result {
        Ok(c) => Some((c, expected)),
        Err(Error::NoiseExhausted { .. } | Error::Scale(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn no_bound_is_exceeded_in_ten_thousand_random_operations() {
    // The smallest ring with two products.
    let spec = Preset::E3Depth1.spec();
    let spec = Spec { base_bits: vec![30.0], depth: 2, scale_bits: 25.0, ..spec };
    let params = Params::new(Spec { special_bits: vec![25.9], ..spec }).unwrap();
    let rotations = Rotations { steps: vec![1], row_swap: RowSwap::With };
    let mut s = Setup::of(params, &rotations, 40);
    let (mut done, mut checked) = (0, 0);
    while done < OPERATIONS {
        let (x, y) = (s.random(), s.random());
        let mut pool = vec![(s.encrypt(&x), x), (s.encrypt_public(&y), y)];
        for _ in 0..24 {
            let Some((c, expected)) = random_step(&mut s, &pool) else { continue };
            done += 1;
            if done % CHECKED == 0 && c.error_bound() < c.magnitude_bound() {
                s.check(&format!("operation {done}"), &c, &expected);
                checked += 1;
            }
            if pool.len() == 6 {
                pool.remove(2 + (s.rng.next_word() % 4) as usize);
            }
            pool.push((c, expected));
        }
    }
    assert!(checked > OPERATIONS / CHECKED / 2, "only {checked} were decrypted");
}

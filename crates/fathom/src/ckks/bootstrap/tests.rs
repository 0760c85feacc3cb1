//! The whole chain at a small degree, which has no security, with the primes of set A.

use super::super::{Bootstrapper, Ciphertext, Params, SecretKey};
use super::Schedule;
use fathom_ring::{Complex64, SecretRng};

fn params() -> Params {
    Params::insecure_bootstrappable(Schedule::toy()).unwrap()
}

fn uniform(count: usize, mut state: u64) -> Vec<Complex64> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    (0..count).map(|_| half * Complex64::new(next(), next())).collect()
}

fn worst(secret: &SecretKey, a: &Ciphertext, expected: &[Complex64]) -> f64 {
    let slots = secret.decoded(a).unwrap().slots_complex();
    slots.iter().zip(expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

#[test]
fn a_ciphertext_at_the_last_level_returns_to_the_top() {
    let params = params();
    let mut rng = SecretRng::insecure_from_seed(1);
    let secret = SecretKey::generate(&params, &mut rng);
    let server = Bootstrapper::new(secret.bootstrapping_keys(&mut rng).unwrap()).unwrap();
    let values = uniform(params.slot_count(), 3);
    let x = secret.encrypt(&params.encode(&values).unwrap(), &mut rng).unwrap();
    let fresh = server.bootstrap(&x).unwrap();
    assert_eq!(fresh.level(), params.top_level());
    let error = worst(&secret, &fresh, &values);
    println!("error 2^{:.2}, bound 2^{:.2}", error.log2(), fresh.error_bound().log2());
    assert!(error <= fresh.error_bound());
}

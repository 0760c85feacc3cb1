//! Exact integers: factors and noise of a simulation are those of a computation.

use crate::simulated::circuits::{Sides, run};
use fathom::rlwe::Encryption;
use fathom::wide::{Ciphertext, Evaluator, Params, Preset, SecretKey, WideError};
use fathom::wire::WireObject;
use fathom::{Error, SecretRng};

/// Operations of exact integers by number, of which there are 4.
fn operation(e: &Evaluator, number: u64, [a, _]: [&Ciphertext; 2]) -> Result<Ciphertext, Error> {
    let clear = e.params().encode(0x5555_u64)?;
    match number {
        0 => e.add_plain(a, &clear),
        1 => e.sub_plain(a, &clear),
        2 => e.mul_plain(a, &clear.to_multiplicand()),
        _ => e.mul_scalar(a, -3),
    }
}

#[test]
fn random_circuits_of_integers_are_followed() {
    for preset in Preset::ALL {
        let params = Params::preset(preset).unwrap();
        let mut rng = SecretRng::insecure_from_seed(7);
        let secret = SecretKey::generate(&params, &mut rng);
        let public = secret.public_key(&mut rng);
        let real = Evaluator::new(secret.evaluation_keys(&mut rng).unwrap());
        let simulated = Evaluator::simulated(&params).unwrap();
        let word = params.encode(77_u64).unwrap();
        let widest = vec![1; params.degree() / 64 - 1];
        let wide = fathom::wide::Integer::from_limbs(&widest);
        let wide = params.encode(wide).unwrap();
        let [own, others] = [Encryption::SecretKey, Encryption::PublicKey];
        let of_width = |way, bits| simulated.simulated_encryption_of_width(way, bits).unwrap();
        let wide_bits = 64 * widest.len() as u32;
        let inputs = vec![
            [secret.encrypt(&word, &mut rng).unwrap(), of_width(own, 64)],
            [public.encrypt(&word, &mut rng).unwrap(), of_width(others, 64)],
            [secret.encrypt(&wide, &mut rng).unwrap(), of_width(own, wide_bits)],
        ];
        let sides = Sides { real: &real, simulated: &simulated, inputs };
        let done = run(sides, (160, 4), &operation, &|c| vec![c.byte_len() as f64]);
        assert!(done > 40, "only {done} operations had a result");
        let any = simulated.simulated_encryption(own, params.top_level()).unwrap();
        assert!(any.noise_bound_bits() >= of_width(own, wide_bits).noise_bound_bits());
        let refused = simulated.simulated_encryption_of_width(own, params.widest_bits() + 1);
        assert!(matches!(refused, Err(Error::Wide(WideError::TooWide { .. }))));
    }
}

//! Keys for a level and below: the same results as with keys for all levels, in fewer bytes.

use fathom::prelude::*;
use fathom::rlwe::{
    Ciphertext, EvaluationKeys, Evaluator, KeyPlan, KeyUse, Params, Scheme, SecretKey, Slotted,
};
use std::fmt::Debug;

/// Rotates and multiplies at this level and below.
const LEVEL: usize = 2;

fn program<S: Slotted + Scheme>(
    server: &Evaluator<S>,
    x: &Ciphertext<S>,
) -> Result<Vec<Ciphertext<S>>, Error> {
    let low = server.mod_switch_to(x, LEVEL)?;
    let rotated = server.rotate_many(&low, &[1, 3])?;
    let product = server.mul(&rotated[0], &rotated[1])?;
    let moved = server.rotate(&product, 2)?;
    Ok(vec![rotated[0].clone(), product, moved])
}

fn same_results_with_fewer_bytes<S>(
    params: &Params<S>,
    values: &[S::Value],
    close: fn(&S::Value, &S::Value) -> bool,
) where
    S: Slotted + Scheme<Value: Debug>,
{
    let mut rng = SecretRng::from_os().unwrap();
    let plan = Evaluator::simulated(params).unwrap();
    let x = plan.simulated_encryption(Encryption::SecretKey, params.top_level()).unwrap();
    program(&plan, &x).unwrap();
    let used = plan.used_keys();
    assert_eq!(used.iter().count(), 4);
    assert!(used.iter().all(|(_, level)| level <= Level::new(LEVEL)));

    let secret = SecretKey::<S>::generate(params, &mut rng);
    let keys = secret.keys_for(&used, &mut rng).unwrap();
    assert!(keys.uses().eq(used.iter()));
    let all = secret.evaluation_keys(&plan.used_rotations(), &mut rng).unwrap();
    assert!(keys.byte_len() < all.byte_len(), "{} of {}", keys.byte_len(), all.byte_len());
    println!("{}: {} bytes of {}", S::NAME, keys.byte_len(), all.byte_len());

    // All keys reduce to them, without the secret key.
    let reduced = all.restricted(&used).unwrap();
    assert!(reduced.uses().eq(used.iter()) && reduced.byte_len() == keys.byte_len());
    let refused = keys.restricted(&KeyPlan::none().with(KeyUse::Relinearization, LEVEL + 1));
    assert!(matches!(refused, Err(Error::KeyLevel { .. })));
    let refused = keys.restricted(&KeyPlan::none().with(KeyUse::Galois(5), LEVEL));
    assert!(matches!(refused, Err(Error::MissingGaloisKey { exponent: 5, .. })));

    // They travel, whole and one by one, and are those that were sent.
    let bytes = keys.to_bytes();
    assert_eq!(bytes.len(), keys.byte_len());
    let read = EvaluationKeys::<S>::from_bytes(params, &bytes).unwrap();
    assert!(read.to_bytes() == bytes && read.uses().eq(used.iter()));
    let relinearization = read.relinearization_key().unwrap();
    let galois = read.galois_keys().unwrap();
    let joined = EvaluationKeys::empty(params)
        .with_relinearization_key(&sent(params, &relinearization))
        .unwrap()
        .with_galois_keys(&sent(params, &galois))
        .unwrap();
    assert!(joined.uses().eq(used.iter()));

    let x = secret.encrypt(&S::encode(params, values).unwrap(), &mut rng).unwrap();
    let expected = program(&Evaluator::new(all), &x).unwrap();
    for keys in [keys, reduced, read] {
        let server = Evaluator::new(keys);
        for (result, expected) in program(&server, &x).unwrap().iter().zip(&expected) {
            assert_eq!(result.level(), expected.level());
            assert!((result.noise_bound_bits() - expected.noise_bound_bits()).abs() < 1e-9);
            let [result, expected] =
                [result, expected].map(|c| S::decode(&secret.decrypt(c).unwrap()).unwrap());
            let pairs = result.iter().zip(&expected).take(4);
            assert!(pairs.clone().all(|(a, b)| close(a, b)), "{:?}", pairs.collect::<Vec<_>>());
        }
        // What the keys do not serve is refused, with the level that they do serve.
        let refused = server.rotate(&x, 1).unwrap_err();
        let composed = server.rotate_composed(&x, 2).unwrap_err();
        assert!(matches!(composed, Error::KeyLevel { .. }), "{composed}");
        let Error::KeyLevel { key, needed, .. } = refused else { panic!("{refused}") };
        assert_eq!((key, needed), (Level::new(LEVEL), x.level()));
        let refused = server.relinearize(&server.tensor(&x, &x).unwrap()).unwrap_err();
        assert!(matches!(refused, Error::KeyLevel { .. }), "{refused}");
    }
}

fn sent<T: WireObject>(context: &T::Context, object: &T) -> T {
    let bytes = object.to_bytes();
    assert_eq!(bytes.len(), object.byte_len());
    let read = T::from_bytes(context, &bytes).unwrap();
    assert!(read.to_bytes() == bytes);
    // A length between those of two levels belongs to none.
    assert!(T::from_bytes(context, &bytes[..bytes.len() - 1]).is_err());
    read
}

#[test]
fn integers_have_the_same_results() {
    let values = [1, 2, 3, 4, 5, 6];
    same_results_with_fewer_bytes(&bgv::Params::preset(Preset::E2).unwrap(), &values, i64::eq);
    same_results_with_fewer_bytes(&bfv::Params::preset(Preset::E2).unwrap(), &values, i64::eq);
}

#[test]
fn reals_have_the_same_results() {
    let (values, close) = ([0.1, -0.2, 0.3, 0.4, 0.5], |a: &f64, b: &f64| (a - b).abs() < 1e-3);
    let params = ckks::Params::preset(ckks::Preset::E3).unwrap();
    same_results_with_fewer_bytes(&params, &values, close);
    let params = ckks::explicit::Params::preset(ckks::Preset::E3).unwrap();
    same_results_with_fewer_bytes(&params, &values, close);
}

#[test]
fn plans_are_checked() {
    let params = bgv::Params::preset(Preset::E2).unwrap();
    let mut rng = SecretRng::from_os().unwrap();
    let secret = bgv::SecretKey::generate(&params, &mut rng);
    let mut refused = |plan: KeyPlan| secret.keys_for(&plan, &mut rng).map(drop).unwrap_err();
    let above = params.top_level().get() + 1;
    let error = refused(KeyPlan::none().with(KeyUse::Relinearization, above));
    assert!(matches!(error, Error::NoSuchLevel { .. }), "{error}");
    for exponent in [0, 1, 4, 2 * params.degree() + 1] {
        let error = refused(KeyPlan::none().with(KeyUse::Galois(exponent), 0));
        assert!(matches!(error, Error::Spec { field: "Galois element", .. }), "{error}");
    }
    // The higher of two levels is planned, in whichever order they come.
    let [up, down] = [[0, 2], [2, 0]].map(|levels| {
        levels.into_iter().fold(KeyPlan::none(), |plan, level| plan.with(KeyUse::Galois(3), level))
    });
    assert_eq!(up, down);
    assert_eq!(up.iter().collect::<Vec<_>>(), [(KeyUse::Galois(3), Level::new(2))]);
}

/// Keys of other rings, in a frame that names the parameters of a simulation, are not read: their
/// rows would not be those of its polynomials.
#[test]
fn keys_of_a_simulation_are_not_read() {
    let params = bgv::Params::preset(Preset::E1).unwrap();
    let simulated = bgv::Evaluator::simulated(&params).unwrap();
    let bytes = simulated.keys().to_bytes();
    for params in [&params, simulated.params()] {
        let refused = bgv::EvaluationKeys::from_bytes(params, &bytes).map(drop).unwrap_err();
        assert!(matches!(refused, Error::Simulated { .. }), "{refused}");
    }
}

/// Frames of keys for lower levels that someone has changed, checksum included, are refused, or are
/// the frames of other keys.
#[test]
fn changed_frames_are_refused_or_canonical() {
    const HEADER: usize = 72;
    let params = bgv::Params::preset(Preset::E2).unwrap();
    let mut rng = SecretRng::insecure_from_seed(3);
    let secret = bgv::SecretKey::generate(&params, &mut rng);
    let plan = KeyPlan::none().with(KeyUse::Relinearization, 1).with(KeyUse::Galois(3), 0);
    let keys = secret.keys_for(&plan, &mut rng).unwrap().without_zero();
    let valid = keys.to_bytes();
    // The word of the Galois key follows the relinearisation key, which travels alone in as many
    // bytes and a frame.
    let alone = keys.relinearization_key().unwrap().to_bytes();
    let word = HEADER + 1 + 4 + 1 + alone.len() - HEADER - 16;
    let (mut refused, mut read) = (0, 0);
    for at in (HEADER..HEADER + 8).chain(word..word + 6) {
        for value in 0..=u8::MAX {
            let mut bytes = valid.clone();
            bytes[at] = value;
            let end = bytes.len() - 16;
            let sum = blake3::hash(&bytes[..end]);
            bytes[end..].copy_from_slice(&sum.as_bytes()[..16]);
            match bgv::EvaluationKeys::from_bytes(&params, &bytes) {
                Ok(keys) => {
                    assert!(keys.to_bytes() == bytes, "byte {at} = {value}");
                    read += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 2000 && read > 500, "{refused} refused, {read} read");
    for length in [0, HEADER, HEADER + 5, HEADER + 6, word, word + 3, valid.len() - 1] {
        assert!(bgv::EvaluationKeys::from_bytes(&params, &valid[..length]).is_err());
    }
}

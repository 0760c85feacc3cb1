//! Programs that import nothing but the prelude.

use fathom::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn exact_integers_need_only_the_prelude() -> Outcome {
    let params = bfv::Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng)?;
    let server = bfv::Evaluator::new(keys);
    let x = secret.encrypt(&params.encode(&[3, 5, 7])?, &mut rng)?;
    let y = server.add(&server.mul(&x, &x)?, &server.neg(&server.rotate_rows(&x, 1)?)?)?;
    assert_eq!(secret.decrypt(&y)?.slots()?[..2], [4, 18]);
    assert_eq!(y.level(), Level::ZERO);
    assert!(matches!(server.mul(&y, &y), Err(Error::NoiseExhausted { .. })));
    let travelled = bfv::Ciphertext::from_bytes(&params, &y.to_bytes())?;
    assert_eq!(travelled.key_id(), secret.id());
    let foreign: Result<_, Error> = bfv::Ciphertext::from_bytes_fresh(&params, &y.to_bytes());
    assert_eq!(foreign.err(), Some(Error::Wire(WireError::NotFresh)));
    Ok(())
}

#[test]
fn machine_integers_and_gates_need_only_the_prelude() -> Outcome {
    let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
    let mut rng = SecretRng::from_os()?;
    let client = tfhe::ClientKey::generate(&params, &mut rng);
    let (a, b): (FheUint8, FheUint8) =
        (client.encrypt(200u8, &mut rng)?, FheUint8::trivial(100u8)?);
    assert_eq!(client.decrypt(&a)?, 200u8);
    assert_eq!(client.decrypt(&b)?, 100u8);
    // A server without keys, which plans: the same refusals, no ciphertexts.
    let server = tfhe::Evaluator::simulated(&params);
    let sum: FheUint8 = server.add(&b, &b)?;
    let greater: FheBool = server.gt(&sum, &b)?;
    assert!(client.decrypt(&greater)?);
    let gates = Gates::new(server)?;
    let bits = [true, false].map(|bit| Bit::trivial(&params, bit));
    let nand: Bit = gates.gate(Gate::Nand(&bits[0], &bits[1]))?;
    assert!(client.decrypt(&nand)?);
    Ok(())
}

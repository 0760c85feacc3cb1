//! One small program for each scheme, as a user would write it.

use fathom::prelude::*;
use fathom_fhew::{FhewParams, FhewSecretKey};
use fathom_hfhe::{Circuit, Expected, Workers, compat, native};
use std::error::Error;
use tfhe::{ClientKey, Evaluator, Params};

/// The result of a program.
pub type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// A program, which takes the number of threads of its evaluator.
pub type Program = fn(usize) -> Outcome;

/// All programs with their names.
pub const PROGRAMS: [(&str, Program); 8] = [
    ("bfv", bfv),
    ("bgv", bgv),
    ("tfhe-gates", gates),
    ("tfhe-shortint", shortint),
    ("tfhe-integer", integer),
    ("tfhe-list", list),
    ("fhew", fhew),
    ("hfhe", hfhe),
];

/// Computes a product and a rotation of encrypted slots.
pub fn bfv(_threads: usize) -> Outcome {
    use bfv::{Evaluator, Params, SecretKey};
    let params = Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let public = secret.public_key(&mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng)?);
    let a = public.encrypt(&params.encode(&[1, 2, 3])?, &mut rng)?;
    let b = public.encrypt(&params.encode(&[4, 5, 6])?, &mut rng)?;
    let product = secret.decrypt(&evaluator.mul(&a, &b)?)?.slots()?;
    let rotated = secret.decrypt(&evaluator.rotate(&a, 1)?)?.slots()?;
    check(product[..3] == [4, 10, 18] && rotated[..3] == [2, 3, 0])
}

/// Computes a square of encrypted slots, with levels.
pub fn bgv(_threads: usize) -> Outcome {
    use bgv::{Evaluator, Params, SecretKey};
    let params = Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
    let x = secret.encrypt(&params.encode(&[3, 5])?, &mut rng)?;
    let squares = secret.decrypt(&evaluator.square(&x)?)?.slots()?;
    check(squares[..2] == [9, 25])
}

/// Evaluates two gates in a batch and one alone.
pub fn gates(threads: usize) -> Outcome {
    let mut rng = SecretRng::from_os()?;
    let (client, evaluator) = keys(Params::preset(Params::GATES).unwrap(), threads, &mut rng)?;
    let gates = Gates::new(evaluator)?;
    let [a, b] = [client.encrypt(true, &mut rng)?, client.encrypt(false, &mut rng)?];
    let batch = gates.evaluate(&[Gate::Xor(&a, &b), Gate::And(&a, &b)])?;
    let alone = gates.evaluate(&[Gate::Nand(&a, &batch[0])])?;
    let bits = [&batch[0], &batch[1], &alone[0]].map(|bit| client.decrypt(bit));
    check(matches!(bits, [Ok(true), Ok(false), Ok(false)]))
}

/// Computes a product and a custom function of integers modulo 4.
pub fn shortint(threads: usize) -> Outcome {
    let mut rng = SecretRng::from_os()?;
    let (client, evaluator) = keys(Params::preset(Params::INTEGERS).unwrap(), threads, &mut rng)?;
    let ints = ShortInts::new(evaluator)?;
    let [x, y] = [client.encrypt(3, &mut rng)?, client.encrypt(2, &mut rng)?];
    let [low, high] = ints.mul_full(&x, &y)?;
    let product = 4 * client.decrypt(&high)? + client.decrypt(&low)?;
    let square = client.decrypt(&ints.apply(&x, |x| x * x)?)?;
    check((product, square) == (6, 1))
}

/// Runs the example in the documentation of `fathom::tfhe`.
pub fn integer(threads: usize) -> Outcome {
    let mut rng = SecretRng::from_os()?;
    let (client, evaluator) = keys(Params::preset(Params::INTEGERS).unwrap(), threads, &mut rng)?;
    let integers = Integers::new(evaluator)?;
    let a: FheUint8 = client.encrypt(200_u8, &mut rng)?;
    let sum = integers.add(&a, 100_u8)?;
    check(client.decrypt(&sum)? == 44)
}

/// Packs a compressed list and takes an entry out of it.
pub fn list(threads: usize) -> Outcome {
    let mut rng = SecretRng::from_os()?;
    let (client, evaluator) = keys(Params::preset(Params::INTEGERS).unwrap(), threads, &mut rng)?;
    let packing = client.seeded_packing_keys(&mut rng)?;
    let integers = Integers::new(evaluator)?.with_packing_keys(packing.expand()?)?;
    let values = [27_u8, 3].map(|value| client.encrypt::<FheUint8>(value, &mut rng));
    let [first, second] = values;
    let list = integers.compress_list(&[first?, second?])?;
    let entry = integers.evaluator().decompress(&list, 0..1)?;
    let digits = client.decrypt_list(&list)?;
    check(digits == [3, 2, 1, 0, 3, 0, 0, 0] && client.decrypt(&entry[0])? == 3)
}

/// Evaluates a gate of the FHEW family, by the blind rotation with the fewest keys.
pub fn fhew(_threads: usize) -> Outcome {
    let mut rng = SecretRng::from_os()?;
    let secret = FhewSecretKey::generate(&FhewParams::preset("fhew_lmkcdey_128")?, &mut rng);
    let key = secret.evaluation_keys(&mut rng)?;
    let [a, b] = [true, true].map(|bit| secret.encrypt(bit, &mut rng));
    let nand = key.nand(&a, &b)?;
    check(!secret.decrypt(&nand)?)
}

/// Computes a square modulo `2^127 - 1` in both modes of HFHE.
pub fn hfhe(threads: usize) -> Outcome {
    let mut rng = SecretRng::from_os()?;
    let mut circuit = Circuit::default();
    let x = circuit.input(0);
    circuit.mul(x, x)?;

    let secret = native::SecretKey::generate(&mut rng);
    let inputs = [secret.encrypt_i64(-3, &mut rng)];
    let expected = Expected { circuit: &circuit, inputs: &inputs };
    let square = secret.decrypt(&inputs[0].square()?, &expected, &mut rng)?;
    check(square.to_signed() == 9)?;

    let secret = compat::SecretKey::generate(&mut rng, &Workers::new(threads)?)?;
    let inputs = [secret.encrypt_u64(5, &mut rng)];
    let expected = Expected { circuit: &circuit, inputs: &inputs };
    let square = secret.decrypt(&inputs[0].square()?, &expected, &mut rng)?;
    check(square.to_signed() == 25)
}

/// Generates a client key and an evaluator for it.
fn keys(
    params: Params,
    threads: usize,
    rng: &mut SecretRng,
) -> Result<(ClientKey, Evaluator), Box<dyn Error + Send + Sync>> {
    let client = ClientKey::generate(&params, rng);
    let seeded = client.seeded_evaluation_keys(rng)?;
    Ok((client, Evaluator::new(seeded.expand()?, threads)?))
}

fn check(right: bool) -> Outcome {
    if right { Ok(()) } else { Err("a wrong result".into()) }
}

//! Gates and small integers: a full adder, a comparison, a custom function.
//!
//! `cargo run --release -p fathom --example 10_gates`

use fathom::SecretRng;
use fathom::tfhe::boolean::{Bit, Gate, Gates};
use fathom::tfhe::shortint::{ShortInt, ShortInts};
use fathom::tfhe::{ClientKey, Evaluator, Params};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SecretRng::from_os()?;

    // Bits. The evaluator needs no secret, and its two threads share the gates of a batch.
    let (client, evaluator) = keys(&Params::preset(Params::GATES)?, &mut rng)?;
    let gates = Gates::new(evaluator)?;
    let a: Bit = client.encrypt(true, &mut rng)?;
    let b = client.encrypt(true, &mut rng)?;
    let carry_in = client.encrypt(false, &mut rng)?;
    let adder = [Gate::Xor3(&a, &b, &carry_in), Gate::Majority(&a, &b, &carry_in)];
    let outputs = gates.evaluate(&adder)?;
    let sum = client.decrypt(&outputs[0])?;
    let carry = client.decrypt(&outputs[1])?;
    println!("1 + 1 + 0 = {}{}, by two bootstraps side by side", u8::from(carry), u8::from(sum));
    assert!(carry && !sum);

    // Integers modulo 4.
    let (client, evaluator) = keys(&Params::preset(Params::INTEGERS)?, &mut rng)?;
    let ints = ShortInts::new(evaluator)?;
    let x: ShortInt = client.encrypt(3, &mut rng)?;
    let y = client.encrypt(2, &mut rng)?;
    let [low, high] = ints.mul_full(&x, &y)?;
    let (low, high) = (client.decrypt(&low)?, client.decrypt(&high)?);
    println!("3 * 2 = {high} * 4 + {low}");
    assert_eq!((high, low), (1, 2));

    let less = client.decrypt(&ints.lt(&x, &y)?)?;
    let square = client.decrypt(&ints.apply(&x, |x| x * x)?)?;
    println!("3 < 2: {less};  3 * 3 modulo 4: {square}");
    assert_eq!((less, square), (0, 1));

    // Sums keep their carries until an operation needs the message alone.
    let sum = ints.unchecked_add(&ints.unchecked_add(&x, &x)?, &y)?;
    println!("3 + 3 + 2 = {}, without a bootstrap", client.decrypt_message_and_carry(&sum)?);
    Ok(())
}

/// Generates a client key and an evaluator for it. In practice, the seeded key is sent to the
/// server.
fn keys(
    params: &Params,
    rng: &mut SecretRng,
) -> Result<(ClientKey, Evaluator), Box<dyn std::error::Error>> {
    let client = ClientKey::generate(params, rng);
    let seeded = client.seeded_evaluation_keys(rng)?;
    Ok((client, Evaluator::new(seeded.expand()?, 2)?))
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}

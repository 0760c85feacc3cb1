//! HFHE: exact arithmetic modulo 2^127 - 1 under a secret key, and its costs.

use fathom::SecretRng;
use fathom::wire::WireObject;
use fathom_hfhe::compat::{Decorator, LayeredCiphertext};
use fathom_hfhe::{Circuit, Expected, Fp, Workers, compat, native};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SecretRng::from_os()?;

    // The mode `native` has one additive mask per ciphertext. Arithmetic needs no key.
    let secret = native::SecretKey::generate(&mut rng);
    let inputs = [3, -4].map(|value| secret.encrypt_i64(value, &mut rng));
    let [x, y] = &inputs;
    let result = x.square()?.mul(y)?.add_scalar(Fp::from(1u64)); // x^2 y + 1

    // To decrypt the result of others, the key holder states the expected circuit.
    let mut circuit = Circuit::default();
    let [wire_x, wire_y] = [circuit.input(0), circuit.input(1)];
    let square = circuit.mul(wire_x, wire_x)?;
    let product = circuit.mul(square, wire_y)?;
    circuit.add_scalar(product, Fp::from(1u64))?;
    let expected = Expected { circuit: &circuit, inputs: &inputs };
    let value = secret.decrypt(&result, &expected, &mut rng)?;
    println!("x^2 y + 1 = {}", value.to_signed());
    assert_eq!(value.to_signed(), -35);
    assert!(secret.decrypt(x, &expected, &mut rng).is_err());

    // The scheme is not compact: ciphertexts grow with the computation.
    println!("bytes: {} fresh, {} after it", x.byte_len(), result.byte_len());
    assert!(result.byte_len() > x.byte_len());

    // The mode `compat` has files that the reference implementation can read.
    let workers = Workers::new(2)?;
    let secret = compat::SecretKey::generate(&mut rng, &workers)?;
    let ciphertext = secret.encrypt_u64(42, &mut rng);
    let public = secret.public();
    let mut decorator = Decorator::new(public, &workers, rng);
    let layered = decorator.decorate(&ciphertext)?;
    let file = LayeredCiphertext::to_reference_bytes(&[layered]);
    println!("the same number: {} bytes here, {} there", ciphertext.byte_len(), file.len());
    let read = LayeredCiphertext::from_reference_bytes(public, &file)?;
    assert_eq!(secret.decrypt_any_circuit(read[0].ciphertext())?, Fp::from(42u64));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}

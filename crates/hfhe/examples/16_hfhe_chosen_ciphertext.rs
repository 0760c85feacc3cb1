//! The reason why decryption takes an expected circuit: without it, two forged ciphertexts reveal
//! any fresh one.

use fathom::SecretRng;
use fathom_hfhe::compat::{Decorator, LayeredCiphertext, PublicKey, SecretKey};
use fathom_hfhe::{Circuit, Expected, Fp, Workers};

/// Offsets in a file of the reference with one fresh ciphertext.
const LAYERS: usize = 24;
const LAYER: usize = 25;
const EDGE: usize = 1052;

/// Returns the ciphertext `1 X_s` for the seed of a layer: one edge, of index 0 and weight 1.
fn forge(file: &[u8], layer: usize) -> Vec<u8> {
    let mut edge = vec![0; EDGE];
    edge[8] = 1;
    edge[24..28].copy_from_slice(&8192u32.to_le_bytes());
    let counts = [1u32, 1].map(u32::to_le_bytes);
    let seed = &file[LAYERS + LAYER * layer..][..LAYER];
    [&file[..16], counts.as_flattened(), seed, &edge].concat()
}

/// Returns the sum of the edges of a layer, which anybody can compute.
fn weight(file: &[u8], layer: u32, public: &PublicKey) -> Fp {
    let edges = file[LAYERS + 2 * LAYER..].chunks(EDGE);
    edges.filter(|edge| edge[..4] == layer.to_le_bytes()).fold(Fp::ZERO, |sum, edge| {
        let mut weight = [0; 16];
        weight.copy_from_slice(&edge[8..24]);
        let index = u16::from_le_bytes([edge[4], edge[5]]);
        let weight = Fp::new(u128::from_le_bytes(weight));
        let value = weight * public.generator().pow(index.into());
        if edge[6] == 0 { sum + value } else { sum - value }
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SecretRng::from_os()?;
    let workers = Workers::new(2)?;
    let secret = SecretKey::generate(&mut rng, &workers)?;
    let public = secret.public();

    // The victim encrypts a number and sends the file.
    let inputs = [secret.encrypt_u64(271_828, &mut rng)];
    let mut decorator = Decorator::new(public, &workers, SecretRng::from_os()?);
    let file = LayeredCiphertext::to_reference_bytes(&[decorator.decorate(&inputs[0])?]);

    // The attacker gets two forged ciphertexts decrypted, and thereby reads the victim's.
    let (circuit, mut recovered) = (Circuit::identity(), Fp::ZERO);
    for layer in 0..2 {
        let query = LayeredCiphertext::from_reference_bytes(public, &forge(&file, layer))?;
        let query = query[0].ciphertext();
        let mask = secret.decrypt_any_circuit(query)?;
        recovered += weight(&file, layer as u32, public) * mask;

        // Decryption with a stated circuit refuses the forged ciphertext.
        let expected = Expected { circuit: &circuit, inputs: &inputs };
        let refusal =
            secret.decrypt(query, &expected, &mut rng).expect_err("a foreign circuit is refused");
        println!("checked decryption: {refusal}");
    }
    println!("unchecked decryption: the attacker reads {}", recovered.value());
    assert_eq!(recovered, Fp::from(271_828u64));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}

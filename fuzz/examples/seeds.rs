//! Writes one valid encoding of each kind to `corpus/<target>/valid`: `cargo run --release
//! --example seeds`.

use fathom::SecretRng;
use fathom::bfv::{LinearMap, Rotations, SecretKey};
use fathom::tfhe::integer::{FheUint8, Integers};
use fathom::tfhe::{Block, ClientKey, SeededEvaluationKeys, SeededPackingKeys};
use fathom::wire::{WireObject, WireValue};
use fathom_fuzz::{block_binary_params, hfhe_key, params, slotted_params, torus_params};
use fathom_hfhe::Workers;
use fathom_hfhe::compat::{self, Decorator, LayeredCiphertext};
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let params = params();
    let mut rng = SecretRng::insecure_from_seed(1);
    let secret = SecretKey::generate(params, &mut rng);
    let plaintext = params.encode_coefficients(&[1, 2, 3])?;
    let ciphertext = secret.encrypt(&plaintext, &mut rng)?;
    // The set has no slots, and its keys travel all the same.
    let galois = secret.galois_keys(&Rotations::steps(&[1]), &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng)?.with_galois_keys(&galois)?;
    let [x, y] = [3, 4].map(|value| hfhe_key().encrypt_u64(value, &mut rng));
    let product = x.square()?.mul(&y)?;
    let key = compat::SecretKey::generate(&mut SecretRng::insecure_from_seed(1), &Workers::one())?;
    let [u, v] = [5, 6].map(|value| key.encrypt_u64(value, &mut rng));
    let (workers, decoys) = (Workers::one(), SecretRng::insecure_from_seed(2));
    let file = Decorator::new(key.public(), &workers, decoys).decorate(&u.mul(&v)?)?;
    let client = ClientKey::generate(torus_params(), &mut rng);
    let integer: FheUint8 = client.encrypt(200_u8, &mut rng)?;
    let blocks = ClientKey::generate(block_binary_params(), &mut rng);
    let public = client.public_key(&mut rng)?;
    let evaluation = client.seeded_evaluation_keys(&mut rng)?;
    let packing = client.seeded_packing_keys(&mut rng)?;
    let seeds = [
        ("hfhe_ciphertext", product.to_bytes()),
        ("hfhe_reference", LayeredCiphertext::to_reference_bytes(&[file])),
        ("tfhe_block", client.encrypt::<Block>(3, &mut rng)?.to_bytes(torus_params())?),
        ("tfhe_integer", integer.to_bytes(torus_params())?),
        ("tfhe_client_key", blocks.to_secret_bytes().to_vec()),
        ("tfhe_public_key", public.to_bytes()),
        ("tfhe_evaluation_key", evaluation.to_bytes()),
        ("tfhe_params", torus_params().to_bytes()),
        ("packing_key", packing.to_bytes()),
        ("compact_list", public.encrypt(&[3, 1], &mut rng)?.to_bytes()),
        ("compressed_list", compressed_list(&client, &evaluation, &packing)?),
        ("params", params.to_bytes()),
        ("ciphertext", ciphertext.to_bytes()),
        ("public_key", secret.public_key(&mut rng).to_bytes()),
        ("evaluation_keys", keys.to_bytes()),
        ("plaintext", plaintext.to_bytes()),
        ("msb", ciphertext.to_msb().to_bytes()),
        ("linear_map", LinearMap::new(slotted_params(), &[vec![1, 2], vec![3, 4]])?.to_bytes()),
    ];
    for (target, bytes) in seeds {
        let folder = format!("corpus/{target}");
        fs::create_dir_all(&folder)?;
        fs::write(format!("{folder}/valid"), bytes)?;
    }
    Ok(())
}

/// Two integers in a compressed list.
fn compressed_list(
    client: &ClientKey,
    evaluation: &SeededEvaluationKeys,
    packing: &SeededPackingKeys,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let key = evaluation.expand()?;
    let integers = Integers::with_keys(key, 1)?.with_packing_keys(packing.expand()?)?;
    let mut rng = SecretRng::insecure_from_seed(3);
    let mut encrypt = |value: u8| client.encrypt::<FheUint8>(value, &mut rng);
    let values = [encrypt(3)?, encrypt(200)?];
    Ok(integers.compress_list(&values)?.to_bytes())
}

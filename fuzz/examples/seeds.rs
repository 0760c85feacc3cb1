//! Writes one valid encoding of each kind to `corpus/<target>/valid`: `cargo run --release
//! --example seeds`.

use fathom::SecretRng;
use fathom::bfv::{Rotations, SecretKey};
use fathom_fuzz::params;
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let params = params();
    let mut rng = SecretRng::insecure_from_seed(1);
    let secret = SecretKey::generate(params, &mut rng);
    let plaintext = params.encode_coefficients(&[1, 2, 3])?;
    let ciphertext = secret.encrypt(&plaintext, &mut rng)?;
    let keys = secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng)?;
    let seeds = [
        ("params", params.to_bytes()),
        ("ciphertext", ciphertext.to_bytes()),
        ("public_key", secret.public_key(&mut rng).to_bytes()),
        ("evaluation_keys", keys.to_bytes()),
        ("plaintext", plaintext.to_bytes()),
        ("msb", ciphertext.to_msb().to_bytes()),
    ];
    for (target, bytes) in seeds {
        let folder = format!("corpus/{target}");
        fs::create_dir_all(&folder)?;
        fs::write(format!("{folder}/valid"), bytes)?;
    }
    Ok(())
}

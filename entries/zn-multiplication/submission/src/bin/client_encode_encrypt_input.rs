//! Encrypts both operands, a batch for each ciphertext.

use fathom::SecretRng;
use fathom::exact::{Vector, VectorParams, VectorSecretKey};
use rayon::prelude::*;
use std::fs::{self, File};
use zn_multiplication::batches;
use zn_multiplication::files::Files;
use zn_multiplication::numbers::Numbers;
use zn_multiplication::Outcome;

/// Batches that are in memory at a time.
const AT_ONCE: usize = 32;

fn main() -> Outcome {
    let (files, _) = Files::of_arguments()?;
    let params = VectorParams::from_bytes(&fs::read(files.parameters())?)?;
    let secret = VectorSecretKey::from_secret_bytes(&params, &fs::read(files.secret_key())?)?;
    let mut rng = SecretRng::from_os()?;
    for name in ["lhs", "rhs"] {
        let path = files.upload(name);
        Files::make_room(&path)?;
        encrypt(&secret, &mut rng, Numbers::open(&files.input(name))?, &File::create(path)?)?;
    }
    Ok(())
}

fn encrypt(
    secret: &VectorSecretKey,
    rng: &mut SecretRng,
    mut numbers: Numbers,
    file: &File,
) -> Outcome {
    let capacity = secret.params().capacity();
    let mut first = 0;
    loop {
        let mut batches = Vec::new();
        while batches.len() < AT_ONCE {
            let values = numbers.next(capacity)?;
            if values.is_empty() {
                break;
            }
            batches.push((first + batches.len(), values, rng.fork()));
        }
        if batches.is_empty() {
            return Ok(());
        }
        first += batches.len();
        let write = |(index, values, mut rng): (usize, Vec<i64>, SecretRng)| {
            let vector: Vector<i64> = secret.encrypt(&values, &mut rng).map_err(|e| e.to_string())?;
            batches::write(file, index, &vector.to_bytes()).map_err(|e| e.to_string())
        };
        if let [_] = batches[..] {
            batches.into_iter().try_for_each(write)?;
        } else {
            batches.into_par_iter().try_for_each(write)?;
        }
    }
}

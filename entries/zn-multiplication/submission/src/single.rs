//! One integer a ciphertext: the plaintext modulus is `X - 2`.

use crate::Outcome;
use crate::batches::{self, Frames};
use crate::files::Files;
use crate::numbers::{self, Numbers};
use fathom::SecretRng;
use fathom::wide::{Ciphertext, Evaluator, Params, SecretKey};
use std::fs::{self, File};

/// Draws the secret key and writes it, and the parameters.
///
/// # Errors
/// Those of the file system.
pub fn generate_keys(files: &Files, params: &Params) -> Outcome {
    let secret = SecretKey::generate(params, &mut SecretRng::from_os()?);
    files.write(&files.parameters(), &params.to_bytes())?;
    files.write(&files.secret_key(), &secret.to_secret_bytes())
}

/// Encrypts both operands.
///
/// # Errors
/// Those of the file system and of the data set.
pub fn encrypt(files: &Files, params: &Params) -> Outcome {
    let secret = SecretKey::from_secret_bytes(params, &fs::read(files.secret_key())?)?;
    let mut rng = SecretRng::from_os()?;
    for name in ["lhs", "rhs"] {
        let mut numbers = Numbers::open(&files.input(name))?;
        let file = files.create(&files.upload(name))?;
        let mut index = 0;
        while let [value] = numbers.next(1)?[..] {
            let ciphertext = secret.encrypt(&params.encode(value)?, &mut rng)?;
            batches::write(&file, index, &ciphertext.to_bytes())?;
            index += 1;
        }
    }
    Ok(())
}

/// Multiplies the operands, pair by pair.
///
/// # Errors
/// Those of the file system and of the ciphertexts.
pub fn multiply(files: &Files, params: &Params) -> Outcome {
    let server = Evaluator::without_keys(params);
    let operands = [Frames::open(&files.upload("lhs"))?, Frames::open(&files.upload("rhs"))?];
    let file: File = files.create(&files.download())?;
    let mut bytes = Vec::new();
    for index in 0..operands[0].count() {
        let mut read = |frames: &Frames| -> Result<Ciphertext, Box<dyn std::error::Error>> {
            frames.read(index, &mut bytes)?;
            Ok(Ciphertext::from_bytes_fresh(params, &bytes)?)
        };
        let (a, b) = (read(&operands[0])?, read(&operands[1])?);
        batches::write(&file, index, &server.tensor(&a, &b)?.to_bytes())?;
    }
    Ok(())
}

/// Decrypts the products.
///
/// # Errors
/// Those of the file system and of the ciphertexts.
pub fn decrypt(files: &Files, params: &Params) -> Outcome {
    let secret = SecretKey::from_secret_bytes(params, &fs::read(files.secret_key())?)?;
    let frames = Frames::open(&files.download())?;
    let (mut bytes, mut text) = (Vec::new(), Vec::new());
    for index in 0..frames.count() {
        frames.read(index, &mut bytes)?;
        let product = secret.decrypt(&Ciphertext::from_bytes(params, &bytes)?)?;
        numbers::append(&[product.wrapping_u64().cast_signed()], &mut text)?;
    }
    files.write(&files.output(), &text)
}

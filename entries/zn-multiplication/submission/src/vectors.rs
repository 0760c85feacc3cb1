//! Batches of integers in the slots of ciphertexts, modulo several primes.

use crate::Outcome;
use crate::batches::{self, Frames};
use crate::files::Files;
use crate::numbers::{self, Numbers};
use fathom::SecretRng;
use fathom::wide::{Encryption, Vector, VectorEvaluator, VectorParams, VectorSecretKey};
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::Write;

/// Batches of a file that are in memory at a time: few, so that one thread reads numbers while
/// others encrypt.
const AT_ONCE: usize = 8;

/// Bytes of a file of numbers from which on both files are read at once.
const THREADS_FROM: u64 = 1 << 18;

/// Draws the secret key and writes it, and the parameters. No key is public.
///
/// # Errors
/// Those of the file system.
pub fn generate_keys(files: &Files, params: &VectorParams) -> Outcome {
    let secret = VectorSecretKey::generate(params, &mut SecretRng::from_os()?);
    files.write(&files.parameters(), &params.to_bytes())?;
    files.write(&files.secret_key(), &secret.to_secret_bytes())
}

/// Encrypts both operands, a batch for each ciphertext.
///
/// # Errors
/// Those of the file system and of the data set.
pub fn encrypt(files: &Files, params: &VectorParams) -> Outcome {
    let secret = VectorSecretKey::from_secret_bytes(params, &fs::read(files.secret_key())?)?;
    let mut rng = SecretRng::from_os()?;
    let operands = ["lhs", "rhs"].map(|name| (name, rng.fork()));
    // Threads take longer to start than a batch takes.
    if fs::metadata(files.input("lhs"))?.len() < THREADS_FROM {
        return operands
            .into_iter()
            .try_for_each(|(name, rng)| encrypt_operand(files, name, params, &secret, rng));
    }
    let encrypt =
        |(name, rng)| encrypt_operand(files, name, params, &secret, rng).map_err(|e| e.to_string());
    Ok(operands.into_par_iter().try_for_each(encrypt)?)
}

/// Encrypts the numbers of one file.
fn encrypt_operand(
    files: &Files,
    name: &str,
    params: &VectorParams,
    secret: &VectorSecretKey,
    mut rng: SecretRng,
) -> Outcome {
    let mut numbers = Numbers::open(&files.input(name))?;
    let file = files.create(&files.upload(name))?;
    let mut first = 0;
    loop {
        let batches = next_batches(&mut numbers, params.capacity(), &mut rng)?;
        if batches.is_empty() {
            return Ok(());
        }
        let count = batches.len();
        let write = |(index, (values, mut rng)): (usize, (Vec<i64>, SecretRng))| {
            let vector = secret.encrypt(&values, &mut rng).map_err(|e| e.to_string())?;
            batches::write(&file, first + index, &vector.to_bytes()).map_err(|e| e.to_string())
        };
        if count == 1 {
            batches.into_iter().enumerate().try_for_each(write)?;
        } else {
            batches.into_par_iter().enumerate().try_for_each(write)?;
        }
        first += count;
    }
}

/// The values of the next batches, each with a generator of its own.
fn next_batches(
    numbers: &mut Numbers,
    capacity: usize,
    rng: &mut SecretRng,
) -> std::io::Result<Vec<(Vec<i64>, SecretRng)>> {
    let mut batches = Vec::new();
    while batches.len() < AT_ONCE {
        let values = numbers.next(capacity)?;
        if values.is_empty() {
            break;
        }
        batches.push((values, rng.fork()));
    }
    Ok(batches)
}

/// Multiplies the operands. Every batch is read, multiplied and written on its own, so that the
/// memory does not depend on the size of the instance.
///
/// # Errors
/// Those of the file system and of the ciphertexts.
pub fn multiply(files: &Files, params: &VectorParams) -> Outcome {
    let server = VectorEvaluator::without_keys(params);
    let operands = [Frames::open(&files.upload("lhs"))?, Frames::open(&files.upload("rhs"))?];
    let count = operands[0].count();
    if operands[1].count() != count {
        return Err("the operands have different numbers of batches".into());
    }
    let file: File = files.create(&files.download())?;
    let multiply = |bytes: &mut Vec<u8>, index: usize| -> Result<(), String> {
        let mut read = |frames: &Frames| -> Result<Vector<i64>, String> {
            frames.read(index, bytes).map_err(|e| e.to_string())?;
            Vector::from_bytes_fresh(params, bytes, Encryption::SecretKey)
                .map_err(|e| e.to_string())
        };
        let (a, b) = (read(&operands[0])?, read(&operands[1])?);
        let product = server.mul(&a, &b).map_err(|e| e.to_string())?;
        batches::write(&file, index, &product.to_bytes()).map_err(|e| e.to_string())
    };
    if count == 1 {
        multiply(&mut Vec::new(), 0)?;
    } else {
        (0..count).into_par_iter().try_for_each_init(Vec::new, multiply)?;
    }
    Ok(())
}

/// Decrypts the products, in their order.
///
/// # Errors
/// Those of the file system and of the ciphertexts.
pub fn decrypt(files: &Files, params: &VectorParams) -> Outcome {
    let secret = VectorSecretKey::from_secret_bytes(params, &fs::read(files.secret_key())?)?;
    let frames = Frames::open(&files.download())?;
    let mut output = files.create(&files.output())?;
    let text = |index: usize| -> Result<Vec<u8>, String> {
        let (mut bytes, mut text) = (Vec::new(), Vec::new());
        frames.read(index, &mut bytes).map_err(|e| e.to_string())?;
        let product = Vector::<i64>::from_bytes(params, &bytes).map_err(|e| e.to_string())?;
        let values = secret.decrypt_wrapping(&product).map_err(|e| e.to_string())?;
        numbers::append(&values, &mut text).map_err(|e| e.to_string())?;
        Ok(text)
    };
    for first in (0..frames.count()).step_by(AT_ONCE) {
        let batches = first..(first + AT_ONCE).min(frames.count());
        let texts: Result<Vec<_>, _> = if batches.len() == 1 {
            batches.map(text).collect()
        } else {
            batches.into_par_iter().map(text).collect()
        };
        texts?.iter().try_for_each(|text| output.write_all(text))?;
    }
    Ok(())
}

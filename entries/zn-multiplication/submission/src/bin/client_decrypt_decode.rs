//! Decrypts the products, in their order.

use fathom::exact::{Vector, VectorParams, VectorSecretKey};
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::Write;
use zn_multiplication::Outcome;
use zn_multiplication::batches::Frames;
use zn_multiplication::files::Files;
use zn_multiplication::numbers;

/// Batches that are in memory at a time.
const AT_ONCE: usize = 32;

fn main() -> Outcome {
    let (files, _) = Files::of_arguments()?;
    let params = VectorParams::from_bytes(&fs::read(files.parameters())?)?;
    let secret = VectorSecretKey::from_secret_bytes(&params, &fs::read(files.secret_key())?)?;
    let frames = Frames::open(&files.download())?;
    let path = files.output();
    Files::make_room(&path)?;
    let mut output = File::create(path)?;
    let text = |index: usize| -> Result<Vec<u8>, String> {
        let (mut bytes, mut text) = (Vec::new(), Vec::new());
        frames.read(index, &mut bytes).map_err(|e| e.to_string())?;
        let product = Vector::<i64>::from_bytes(&params, &bytes).map_err(|e| e.to_string())?;
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

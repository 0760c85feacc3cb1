//! Multiplies the encrypted operands. Every batch is read, multiplied and written on its own, so
//! that the memory does not depend on the size of the instance.

use fathom::exact::{Encryption, Vector, VectorEvaluator, VectorParams};
use rayon::prelude::*;
use std::fs::{self, File};
use zn_multiplication::Outcome;
use zn_multiplication::batches::{self, Frames};
use zn_multiplication::files::Files;

fn main() -> Outcome {
    let (files, _) = Files::of_arguments()?;
    let params = VectorParams::from_bytes(&fs::read(files.parameters())?)?;
    let server = VectorEvaluator::without_keys(&params);
    let operands = [Frames::open(&files.upload("lhs"))?, Frames::open(&files.upload("rhs"))?];
    let count = operands[0].count();
    if operands[1].count() != count {
        return Err("the operands have different numbers of batches".into());
    }
    let path = files.download();
    Files::make_room(&path)?;
    let file = File::create(path)?;
    let multiply = |bytes: &mut Vec<u8>, index: usize| -> Result<(), String> {
        let mut read = |frames: &Frames| -> Result<Vector<i64>, String> {
            frames.read(index, bytes).map_err(|e| e.to_string())?;
            let encryption = Encryption::SecretKey;
            Vector::from_bytes_fresh(&params, bytes, encryption).map_err(|e| e.to_string())
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

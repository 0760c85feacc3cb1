//! A client and a server in two processes, which exchange files: the server never sees a secret.
//!
//! `cargo run --release -p fathom --example 12_client_and_server`

use fathom::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Names the folder of the exchange to the server's process.
const FOLDER: &str = "FATHOM_EXAMPLE_FOLDER";

fn main() -> Outcome {
    match env::var_os(FOLDER) {
        Some(folder) => server(Path::new(&folder)),
        None => client(&env::temp_dir().join(format!("fathom-example-{}", std::process::id()))),
    }
}

/// Sends keys and inputs, starts the server's process, and reads its result.
fn client(folder: &PathBuf) -> Outcome {
    fs::create_dir_all(folder)?;
    let params = bfv::Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let x = secret.encrypt(&params.encode(&[3, 4, 5])?, &mut rng)?;
    fs::write(folder.join("params"), params.to_bytes())?;
    fs::write(folder.join("relinearization"), secret.relinearization_key(&mut rng).to_bytes())?;
    fs::write(folder.join("x"), x.to_bytes())?;

    let done = Command::new(env::current_exe()?).env(FOLDER, folder).status()?;
    assert!(done.success());

    let result = bfv::Ciphertext::from_bytes(&params, &fs::read(folder.join("result"))?)?;
    assert_eq!(secret.decrypt(&result)?.slots()?[..3], [9, 16, 25]);
    println!("the server squared three numbers that it did not see");
    fs::remove_dir_all(folder)?;
    Ok(())
}

/// Reads parameters, a key and an input, and writes the square.
fn server(folder: &Path) -> Outcome {
    let params = bfv::Params::from_bytes(&fs::read(folder.join("params"))?)?;
    let key = fs::read(folder.join("relinearization"))?;
    let key = bfv::RelinearizationKey::from_bytes(&params, &key)?;
    let keys = bfv::EvaluationKeys::empty(&params).with_relinearization_key(&key)?;
    let x = bfv::Ciphertext::from_bytes_fresh(&params, &fs::read(folder.join("x"))?)?;
    let square = bfv::Evaluator::new(keys).square(&x)?;
    println!("server: {} bytes in, {} bytes out", x.byte_len(), square.byte_len());
    fs::write(folder.join("result"), square.to_bytes())?;
    Ok(())
}

//! Programs of slots: linear maps of any shape, sums of any width, planning, serde, and
//! two processes.

use fathom::prelude::*;
use serde::de::DeserializeSeed;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Names the folder of the exchange to the server's process.
const FOLDER: &str = "FATHOM_USER_FOLDER";

#[test]
fn signed_rectangular_maps_and_sums_of_any_width() -> Outcome {
    let params = bfv::Params::preset(Preset::E2)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let map = bfv::LinearMap::new_signed(&params, &[vec![1, -2, 3], vec![0, 5, -1]])?;
    assert_eq!((map.rows(), map.columns()), (2, 3));
    let rotations = map.rotations().and(&Rotations::for_sum(3));
    let server = bfv::Evaluator::new(secret.evaluation_keys(&rotations, &mut rng)?);

    let x = map.pack_signed(&[10, 20, -30])?.try_map(|packed| secret.encrypt(packed, &mut rng))?;
    let y = server.transform(&map, &x)?.try_map(|result| secret.decrypt(result))?;
    assert_eq!(map.unpack_signed(&y)?, [10 - 40 - 90, 100 + 30]);

    let x = secret.encrypt(&params.encode(&[1, 2, 3, 4, 5])?, &mut rng)?;
    let sums = secret.decrypt(&server.sum_rotations(&x, 3)?)?.slots()?;
    assert_eq!(sums[..3], [6, 9, 12]);
    Ok(())
}

/// The size of a layout is a power of two; the map has neither of its dimensions.
#[test]
fn a_signed_map_of_100_rows_and_70_columns() -> Outcome {
    let params = bfv::Params::preset(Preset::E1Depth2)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let entry = |i: i64, j: i64| (31 * i + 17 * j) % 19 - 9;
    let matrix: Vec<Vec<i64>> = (0..100).map(|i| (0..70).map(|j| entry(i, j)).collect()).collect();
    let map = bfv::LinearMap::new_signed(&params, &matrix)?;
    assert_eq!((map.rows(), map.columns()), (100, 70));
    let server = bfv::Evaluator::new(secret.evaluation_keys(&map.rotations(), &mut rng)?);

    let vector: Vec<i64> = (0..70).map(|j| entry(j, 3)).collect();
    let x = map.pack_signed(&vector)?.try_map(|packed| secret.encrypt(packed, &mut rng))?;
    let y = server.transform(&map, &x)?.try_map(|result| secret.decrypt(result))?;
    let product = |row: &Vec<i64>| row.iter().zip(&vector).map(|(a, b)| a * b).sum::<i64>();
    let expected: Vec<i64> = matrix.iter().map(product).collect();
    assert_eq!(map.unpack_signed(&y)?, expected);
    Ok(())
}

#[test]
fn parameters_are_planned_for_a_circuit() -> Outcome {
    let encryption = Encryption::PublicKey;
    let circuit = Circuit { products: 1, rotations: 1, terms: 4, results: 8, encryption };
    let plan = bfv::Params::for_circuit(circuit, 65537, SecurityLevel::Bits128)?;
    assert_eq!(plan.into_params().plain_modulus(), 65537);
    let primes = bfv::Params::batching_primes(4096, 1 << 20, 2)?;
    assert!(primes.iter().all(|prime| prime % 8192 == 1));
    Ok(())
}

#[test]
fn objects_are_values_of_serde() -> Outcome {
    let params = bgv::Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bgv::SecretKey::generate(&params, &mut rng);
    let x = secret.encrypt(&params.encode(&[3])?, &mut rng)?;
    let text = serde_json::to_string(&x)?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    let x: bgv::Ciphertext = Within::new(&params).deserialize(&mut reader)?;
    assert_eq!(secret.decrypt(&x)?.slots()?[0], 3);
    Ok(())
}

/// A client and a server in two processes, which exchange files: this test starts itself again.
#[test]
fn two_processes_exchange_files() -> Outcome {
    if let Some(folder) = env::var_os(FOLDER) {
        return serve(Path::new(&folder));
    }
    let folder = env::temp_dir().join(format!("fathom-user-slots-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let params = bfv::Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let x = secret.encrypt(&params.encode(&[3, 4])?, &mut rng)?;
    fs::write(folder.join("params"), params.to_bytes())?;
    fs::write(folder.join("key"), secret.relinearization_key(&mut rng).to_bytes())?;
    fs::write(folder.join("x"), x.to_bytes())?;
    let done = Command::new(env::current_exe()?)
        .args(["--exact", "two_processes_exchange_files"])
        .env(FOLDER, &folder)
        .status()?;
    assert!(done.success());
    let result = bfv::Ciphertext::from_bytes(&params, &fs::read(folder.join("result"))?)?;
    fs::remove_dir_all(&folder)?;
    assert_eq!(secret.decrypt(&result)?.slots()?[..2], [9, 16]);
    Ok(())
}

fn serve(folder: &Path) -> Outcome {
    let params = bfv::Params::from_bytes(&fs::read(folder.join("params"))?)?;
    let key = bfv::RelinearizationKey::from_bytes(&params, &fs::read(folder.join("key"))?)?;
    let keys = bfv::EvaluationKeys::empty(&params).with_relinearization_key(&key)?;
    let x = bfv::Ciphertext::from_bytes_fresh(&params, &fs::read(folder.join("x"))?)?;
    fs::write(folder.join("result"), bfv::Evaluator::new(keys).square(&x)?.to_bytes())?;
    Ok(())
}

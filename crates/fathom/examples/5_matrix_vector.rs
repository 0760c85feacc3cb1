//! A public matrix times an encrypted vector, under parameters that the planner finds and explains.
//!
//! `cargo run --release -p fathom --example 5_matrix_vector`

use fathom::bgv::{Encryption, Evaluator, LinearMap, Params, SecretKey};
use fathom::{Error, SecretRng, SecurityLevel};
use std::time::Instant;

const SIZE: usize = 64;

fn main() -> Result<(), Error> {
    // A product with random plaintexts adds about as much noise as a product of ciphertexts.
    let plan = Params::for_depth(2, 65537, Encryption::PublicKey, SecurityLevel::Bits128)?;
    println!("{}", plan.explanation());
    let params = plan.into_params();

    let entry = |i: usize, j: usize| (i * 31 + j * 17) as u64 % 1000;
    let matrix: Vec<Vec<u64>> =
        (0..SIZE).map(|i| (0..SIZE).map(|j| entry(i, j)).collect()).collect();
    let vector: Vec<u64> = (0..SIZE as u64).collect();
    let map = LinearMap::new(&params, &matrix)?;

    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let rotations = map.rotations();
    println!("keys for {} rotations: {:?}", rotations.steps.len(), rotations.steps);
    let evaluator = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng)?);

    let encrypted = map.pack(&vector)?.try_map(|packed| secret.encrypt(packed, &mut rng))?;
    let start = Instant::now();
    let result = evaluator.transform(&map, &encrypted)?;
    println!(
        "{SIZE} x {SIZE} matrix times vector in {:.2} ms, {:.1} bits of noise budget left",
        start.elapsed().as_secs_f64() * 1e3,
        result.value().noise_budget_bits(),
    );

    let slots = secret.decrypt(result.value())?.slots()?;
    for (row, &slot) in matrix.iter().zip(&slots) {
        let expected: u64 = row.iter().zip(&vector).map(|(&m, &v)| m * v).sum();
        assert_eq!(slot, expected % params.plain_modulus());
    }
    println!("first entries: {:?}", &slots[..5]);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}

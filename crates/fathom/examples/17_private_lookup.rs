//! Private lookup: a client reads one record of a server's database, and the server does not learn
//! which.
//!
//! `cargo run --release -p fathom --example 17_private_lookup`

use fathom::prelude::*;
use std::time::Instant;

/// Records in the database, each as long as a plaintext has slots.
const RECORDS: usize = 256;

fn main() -> Result<(), Error> {
    // The client's query is one ciphertext; it knows the number of records alone.
    let params = bfv::Params::preset(Preset::E2)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let rotations = Rotations::for_expansion(params.degree(), RECORDS);
    let keys = secret.evaluation_keys(&rotations, &mut rng)?;
    let wanted = 123;
    let selection: Vec<u64> = (0..RECORDS).map(|record| u64::from(record == wanted)).collect();
    let query = secret.encrypt(&params.encode_expandable(&selection)?, &mut rng)?.to_bytes();

    // The server holds its records in the clear, prepared once.
    let t = params.plain_modulus();
    let value = |record: usize, slot: usize| (31 * record + 7 * slot) as u64 % t;
    let record = |number: usize| {
        let slots: Vec<u64> = (0..params.degree()).map(|slot| value(number, slot)).collect();
        Ok(params.encode(&slots)?.to_multiplicand())
    };
    let database = (0..RECORDS).map(record).collect::<Result<Vec<_>, Error>>()?;
    let server = bfv::Evaluator::new(keys);
    let start = Instant::now();
    let received = bfv::Ciphertext::from_bytes_fresh(&params, &query)?;
    let selectors = server.expand(&received, RECORDS)?;
    let answer = server.dot_plain(&selectors, &database)?;
    let time = start.elapsed();

    let slots = secret.decrypt(&answer)?.slots()?;
    assert!(slots.iter().enumerate().all(|(slot, &found)| found == value(wanted, slot)));
    println!(
        "record {wanted} of {RECORDS}, {} values: a query of {} bytes, an answer of {}, {:.2} s",
        slots.len(),
        query.len(),
        answer.byte_len(),
        time.as_secs_f64()
    );
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}

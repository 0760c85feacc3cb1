//! Functions of bytes, applied to the coefficients of BFV exactly: the substitution of a cipher,
//! and the number of ones.
//!
//! Sixteen ciphertexts of degree 4096 hold 65,536 bytes; one evaluation applies both tables to all
//! of them, and another one refreshes and applies them to the results. Needs about 10 GB and two
//! minutes: `cargo run --release -p fathom --example 24_tables_of_coefficients`. With an argument,
//! it works on that number of threads.

use fathom::bfv::{Params, Preset, SecretKey};
use fathom::refresh::{CoefficientTable, RefreshParams, RefreshSecret, RefreshSet, Refresher};
use fathom::{Error, SecretRng};
use std::time::Instant;

fn main() -> Result<(), Error> {
    let threads = std::env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(1);
    let (params, set) = (Params::preset(Preset::E1)?, RefreshSet::Tables);
    for modulus in params.refresh_moduli(set)? {
        let bits = modulus.assessment.classical_bits;
        println!("{}: 2^{:.1}, {bits:.0} bits of security", modulus.purpose, modulus.log2);
    }
    println!("keys of {} MB", params.refresh_keys_byte_len(set)? / 1_000_000);
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let start = Instant::now();
    let keys = secret.refresh_keys(set, &mut rng)?;
    let server = Refresher::new(keys).with_threads(threads)?;
    println!("keys and maps in {:.1?}", start.elapsed());

    // The client.
    let bytes: Vec<u64> = (0..server.capacity() * params.degree()).map(byte).collect();
    let encrypt = |bytes| secret.encrypt(&params.encode_coefficients(bytes)?, &mut rng);
    let all: Vec<_> = bytes.chunks(params.degree()).map(encrypt).collect::<Result<_, Error>>()?;

    // The server.
    let start = Instant::now();
    let tables = server.prepare(&[
        CoefficientTable::new(8, |byte| i64::from(substitution(byte)))?,
        CoefficientTable::new(8, |byte| i64::from(byte.count_ones()))?,
    ])?;
    println!(
        "tables prepared in {:.1?}; they take a noise budget of {:.1} bits",
        start.elapsed(),
        tables.needed_budget_bits()
    );
    let start = Instant::now();
    let results = server.apply(&all, &tables)?;
    let first = start.elapsed();
    let (substituted, ones): (Vec<_>, Vec<_>) = results.into_iter().map(<(_, _)>::from).unzip();
    let start = Instant::now();
    let refreshed = server.refresh_all(&substituted)?;
    let second = start.elapsed();
    let start = Instant::now();
    let again = server.apply(&refreshed, &tables)?;
    let third = start.elapsed();

    // The client.
    let decrypted = |all: &[_]| -> Result<Vec<u64>, Error> {
        let each = all.iter().map(|x| Ok(secret.decrypt(x)?.coefficients().to_vec()));
        Ok(each.collect::<Result<Vec<_>, Error>>()?.concat())
    };
    let expect = |f: &dyn Fn(u32) -> u32| -> Vec<u64> {
        bytes.iter().map(|&byte| u64::from(f(byte as u32))).collect()
    };
    assert_eq!(decrypted(&substituted)?, expect(&substitution));
    assert_eq!(decrypted(&ones)?, expect(&u32::count_ones));
    let again: Vec<_> = again.into_iter().map(|[first, _]| first).collect();
    assert_eq!(decrypted(&again)?, expect(&|byte| substitution(substitution(byte))));
    let each = |elapsed: std::time::Duration| elapsed.as_secs_f64() * 1e3 / bytes.len() as f64;
    for (what, elapsed) in [("two tables", first), ("refresh", second), ("again", third)] {
        println!("{what}: {elapsed:.2?}, {:.4} ms a value", each(elapsed));
    }
    println!(
        "noise budgets of results: {:.1} and {:.1} bits; all {} values as in the clear",
        substituted[0].noise_budget_bits(),
        ones[0].noise_budget_bits(),
        bytes.len()
    );
    Ok(())
}

/// Returns a byte of the message.
fn byte(place: usize) -> u64 {
    (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56
}

/// A substitution of bytes: the inverse in the field of 257 elements, where 256 stands for 0.
fn substitution(byte: u32) -> u32 {
    let number = if byte == 0 { 256 } else { byte };
    let power = |base: u32, times: u32| (0..times).fold(1, |product, _| product * base % 257);
    power(number, 255) % 256
}

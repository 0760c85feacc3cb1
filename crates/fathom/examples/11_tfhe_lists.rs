//! Compressed lists: a server stores encrypted integers in few bytes.
//!
//! `cargo run --release -p fathom --example 11_tfhe_lists`

use fathom::SecretRng;
use fathom::tfhe::integer::{FheUint16, Integers};
use fathom::tfhe::{ClientKey, CompressedList, Params};
use fathom::wire::{Wire, WireObject, WireValue};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let params = Params::preset(Params::INTEGERS)?;
    let mut rng = SecretRng::from_os()?;
    let client = ClientKey::generate(&params, &mut rng);
    let seeded = client.seeded_evaluation_keys(&mut rng)?;
    let packing = client.seeded_packing_keys(&mut rng)?; // sent along with it
    let integers = Integers::with_keys(seeded.expand()?, 2)?;
    let integers = integers.with_packing_keys(packing.expand()?)?;

    // A table of results, as the server stores it.
    let values = [300_u16, 7, 65_535, 1024, 0, 9];
    let table: Result<Vec<FheUint16>, _> =
        values.iter().map(|&value| client.encrypt(value, &mut rng)).collect();
    let table = table?;
    let bytes = integers.compress_list(&table)?.to_bytes();
    let blocks: usize = table.iter().map(|integer| integer.byte_len(&params)).sum();
    println!("{} integers in {} bytes instead of {blocks}", values.len(), bytes.len());
    assert!(100 * bytes.len() < blocks);

    // Later, one entry is taken out and used.
    let list = CompressedList::from_bytes(&params, &bytes)?;
    let entries: Vec<FheUint16> = integers.decompress_values(&list, 3..4)?;
    let sum = integers.add(&entries[0], 1_u16)?;
    assert_eq!(client.decrypt(&sum)?, 1025);

    // The owner of the secret key can read the list without decompressing it.
    let digits = client.decrypt_list(&list)?;
    assert_eq!(digits[..8], [0, 3, 2, 0, 1, 0, 0, 0]); // 300 in base 4
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}

//! Encryption by parties that hold no secret: a vote, and a list of small integers.
//!
//! `cargo run --release -p fathom --example 14_public_keys`

use fathom::prelude::*;

fn main() -> Result<(), Error> {
    let mut rng = SecretRng::from_os()?;

    // BFV: every voter encrypts under the public key of the authority.
    let params = bfv::Params::preset(Preset::E1)?;
    let authority = bfv::SecretKey::generate(&params, &mut rng);
    let published = authority.public_key(&mut rng).to_bytes();
    let public = bfv::PublicKey::from_bytes(&params, &published)?;
    let votes = [[1, 0, 0], [0, 0, 1], [1, 0, 0]];
    let mut encrypt = |vote: &[u64; 3]| public.encrypt(&params.encode(vote)?, &mut rng);
    let ballots = votes.iter().map(&mut encrypt).collect::<Result<Vec<_>, Error>>()?;
    let tally = bfv::Evaluator::without_keys(&params).sum(&ballots)?;
    println!("{:?}", &authority.decrypt(&tally)?.slots()?[..3]);
    assert_eq!(authority.decrypt(&tally)?.slots()?[..3], [2, 0, 1]);

    // TFHE: a list under one mask takes a few bytes for each value.
    let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
    let client = tfhe::ClientKey::generate(&params, &mut rng);
    let list = client.public_key(&mut rng)?.encrypt(&[3, 1, 2], &mut rng)?;
    println!("{} bytes for a list of {} values", list.byte_len(), list.len());
    let blocks = list.expand();
    let values = blocks.iter().map(|block| client.decrypt(block));
    assert_eq!(values.collect::<Result<Vec<_>, _>>()?, [3, 1, 2]);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}

//! The highest of several bids of 32 bits, and who made it, in every slot.
//!
//! `cargo run --release -p fathom --example 23_maxima [bidders] [threads]`, two bidders by default:
//! needs about 12 GB and a minute.
//!
//! Every slot is an auction of its own. A number of 32 bits is four ciphertexts, one for each digit
//! of eight bits. Every comparison is one bootstrapping for each digit, and one more selects.

use fathom::ckks::{
    BootstrapSecret, BootstrapSet, Bootstrapper, Ciphertext, DigitTables, Evaluator, Params,
    Rotations, SecretKey,
};
use fathom::{Error, SecretRng};
use std::time::Instant;

const DIGITS: u32 = 4;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let (bidders, threads) = (arguments.next().unwrap_or(2), arguments.next().unwrap_or(1));
    let params = Params::bootstrappable(BootstrapSet::T)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let start = Instant::now();
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
    let server = Bootstrapper::new(secret.bootstrapping_keys(&mut rng)?).with_threads(threads)?;
    let tables = DigitTables::new(&server, &evaluator)?;
    println!("keys and tables in {:.1?}", start.elapsed());

    let auctions = params.slot_count();
    let bids: Vec<Vec<u32>> = (0..bidders as u64).map(|seed| bids(auctions, seed)).collect();
    let mut encrypt = |bids: &Vec<u32>, digit: u32| -> Result<Ciphertext, Error> {
        let slots: Vec<_> = bids.iter().map(|bid| f64::from(bid >> (8 * digit) & 255)).collect();
        secret.encrypt(&params.encode_within(&slots, 255.0)?, &mut rng)
    };
    let mut number = |bids| (0..DIGITS).map(|digit| encrypt(bids, digit)).collect();
    let encrypted = bids.iter().map(&mut number).collect::<Result<Vec<_>, Error>>()?;

    let start = Instant::now();
    let highest = tables.argmax(&encrypted)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{bidders} bids of 32 bits in {auctions} auctions: {seconds:.1} s, {:.3} ms an auction, {} \
         bootstrappings",
        seconds * 1e3 / auctions as f64,
        server.count()
    );

    let index = secret.decrypt(&highest.index)?.slots();
    let digits = highest.digits.iter().map(|digit| Ok(secret.decrypt(digit)?.slots()));
    let digits = digits.collect::<Result<Vec<_>, Error>>()?;
    for auction in 0..auctions {
        let digit = |k: usize| (digits[k][auction].round() as u32) << (8 * k);
        let found: u32 = (0..DIGITS as usize).map(digit).sum();
        let winner = index[auction].round() as usize;
        let most = bids.iter().map(|bids| bids[auction]).max();
        assert_eq!(Some(found), most);
        assert_eq!(bids[winner][auction], found);
        assert!(bids[..winner].iter().all(|bids| bids[auction] < found), "the first one wins");
    }
    let bounds = highest.digits.iter().chain([&highest.index]).map(Ciphertext::error_bound);
    println!("all as in the clear; largest error bound {:.4}", bounds.fold(0.0, f64::max));
    Ok(())
}

/// Returns bids, some of which are alike for all bidders.
fn bids(count: usize, seed: u64) -> Vec<u32> {
    let bid = |i: usize| {
        let own = if i.is_multiple_of(8) { 0 } else { seed };
        let state = (i as u64 + 1).wrapping_mul(6_364_136_223_846_793_005) ^ (own << 40);
        (state.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    };
    (0..count).map(bid).collect()
}

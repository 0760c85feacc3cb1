//! Without the feature `rayon`, the calling thread does all the work.
#![cfg(not(feature = "rayon"))]
#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

use fathom::SecretRng;
use fathom::tfhe::boolean::{Bit, Gates};
use fathom::tfhe::integer::{FheUint8, Integers, Typed};
use fathom::tfhe::{Block, ClientKey, Evaluator, Params};
use std::thread;

fn simulated(value: u8) -> FheUint8 {
    let space = Params::preset(Params::INTEGERS).unwrap().space();
    let digits = (0..4).map(|i| Block::simulated(space, i32::from(value) >> (2 * i) & 3, (0, 3)));
    FheUint8::from_blocks(digits.collect()).unwrap()
}

#[test]
fn operations_on_lists_run_on_the_calling_thread() {
    let integers = Integers::simulated(&Params::preset(Params::INTEGERS).unwrap()).unwrap();
    let caller = thread::current().id();
    let list: Vec<FheUint8> = (0..100).map(simulated).collect();
    let threads = integers.map(&list, |e, x| e.add(x, 1_u8).map(|_| thread::current().id()));
    assert_eq!(threads.unwrap(), [caller; 100]);
    integers.contains(&list, 7_u8).unwrap();
    integers.find(&list, 7_u8).unwrap();
    integers.argmax(&list[..20]).unwrap();
    assert_eq!(integers.sort(&list[..20]).unwrap().len(), 20);
}

#[test]
fn operations_on_encrypted_bits_run_on_the_calling_thread() {
    let mut rng = SecretRng::insecure_from_seed(1);
    let client = ClientKey::generate(&Params::preset("u_bool_40").unwrap(), &mut rng);
    let evaluator = Evaluator::new(client.evaluation_keys(&mut rng).unwrap(), 1).unwrap();
    let caller = thread::current().id();
    let bits: [Bit; 2] = [true, false].map(|bit| client.encrypt(bit, &mut rng).unwrap());
    let results = evaluator.map(&bits, |e, bit| {
        Ok((Gates::new(e.clone())?.and(bit, &bits[0])?, thread::current().id()))
    });
    for ((bit, thread), expected) in results.unwrap().iter().zip([true, false]) {
        assert_eq!((client.decrypt(bit).unwrap(), *thread), (expected, caller));
    }
}

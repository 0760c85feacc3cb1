//! Objects of two keys of one set, of a set of equal dimensions, and of a simulation are never
//! confused (faults S3 and S4).

use crate::tfhe::keys;
use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::boolean::{Bit, Gate, Gates};
use fathom::tfhe::integer::{FheBool, FheInt8, FheUint8, FheValue, Integers, Typed};
use fathom::tfhe::shortint::{ShortInt, ShortInts};
use fathom::tfhe::{Block, ClientKey, CompressedList, Lut, Params, SeededEvaluationKeys};
use fathom::wire::{Wire, WireObject, WireValue, summary};

/// Returns the error of an operation on foreign objects.
fn mismatch<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result.unwrap_err() {
        Error::KeyMismatch { .. } => "key",
        Error::ParamsMismatch { .. } => "parameters",
        Error::Simulated { .. } => "simulated",
        other => panic!("{other}"),
    }
}

/// Checks that every operation that takes blocks refuses those of `foreign` with this error.
fn refused_by(integers: &Integers, own: &ClientKey, foreign: &Foreign, why: &str) {
    let mut rng = SecretRng::insecure_from_seed(5);
    let Foreign { block, integer } = foreign;
    let space = own.params().space();
    let mine = own.encrypt::<Block>(1, &mut rng).unwrap();
    let x: FheUint8 = own.encrypt(7, &mut rng).unwrap();
    let lut = Lut::new(space, 0..=3, |x| x).unwrap();
    let evaluator = integers.evaluator();
    assert_eq!(mismatch(evaluator.apply(block, &lut)), why);
    assert_eq!(mismatch(mine.add(block)), why);
    assert_eq!(mismatch(own.decrypt(block)), why);
    assert_eq!(mismatch(own.decrypt(integer)), why);
    assert_eq!(mismatch(evaluator.compress(std::slice::from_ref(block))), why);
    assert_eq!(mismatch(integers.compress_list(&[x.clone(), integer.clone()])), why);
    for result in [
        integers.add(&x, integer),
        integers.mul(integer, &x),
        integers.max(&x, integer),
        integers.shl(&x, integer),
        integers.div(integer, 3),
        integers.sum([&x, integer]),
        integers.cast(integer),
        integers.not(integer),
        integers.refresh(integer),
        (integers.bind(&x) + integer).finish(),
    ] {
        assert_eq!(mismatch(result), why);
    }
    let flag = integers.eq(&x, 7).unwrap();
    assert_eq!(mismatch(integers.select(&flag, &x, integer)), why);
    let mixed = [x.blocks()[..2].to_vec(), integer.blocks()[2..].to_vec()].concat();
    if why != "simulated" {
        assert_eq!(mismatch(FheUint8::from_blocks(mixed)), why);
    }
    let ints = ShortInts::new(evaluator.clone()).unwrap();
    let short = own.encrypt::<ShortInt>(1, &mut rng).unwrap();
    let other = ShortInt::from_block(&foreign.params(), block.clone());
    let other = other.unwrap();
    assert_eq!(mismatch(ints.add(&short, &other)), why);
    assert_eq!(mismatch(ints.unchecked_add(&short, &other)), why);
    assert_eq!(mismatch(ints.refresh(&[&other])), why);
    assert_eq!(mismatch(ints.message_and_carry(&other)), why);
    assert_eq!(mismatch(own.decrypt(&other)), why);
}

struct Foreign {
    block: Block,
    integer: FheUint8,
}

impl Foreign {
    fn new(client: &ClientKey, rng: &mut SecretRng) -> Foreign {
        let block = client.encrypt::<Block>(2, rng).unwrap();
        Foreign { block, integer: client.encrypt(9, rng).unwrap() }
    }

    /// Returns a set in which the block is a small integer.
    fn params(&self) -> Params {
        let names = ["u_2_2_128", "u_2_2_64"];
        let sets = names.iter().filter_map(|name| Params::preset(name).ok());
        let fits =
            |set: &Params| !matches!(self.block.to_bytes(set), Err(Error::ParamsMismatch { .. }));
        sets.into_iter().find(fits).unwrap()
    }
}

#[test]
fn s3_s4_foreign_values_are_refused_everywhere() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let seeded = client.seeded_packing_keys(&mut rng).unwrap();
    let integers =
        Integers::new(evaluator).unwrap().with_packing_keys(seeded.expand().unwrap()).unwrap();
    let other = ClientKey::generate(client.params(), &mut rng);
    assert_ne!(client.id(), other.id());
    refused_by(&integers, &client, &Foreign::new(&other, &mut rng), "key");
    let set = Params::preset("u_2_2_64").unwrap();
    assert_eq!(set.big_dimension(), client.params().big_dimension());
    let other = ClientKey::generate(&set, &mut rng);
    refused_by(&integers, &client, &Foreign::new(&other, &mut rng), "parameters");
    let space = client.params().space();
    let integer = FheUint8::from_digits(9, |digit| Block::simulated(space, digit, (0, 3)));
    let simulated =
        Foreign { block: Block::simulated(space, 1, (0, 3)), integer: integer.unwrap() };
    refused_by(&integers, &client, &simulated, "simulated");
    // The reverse must be refused too.
    let simulation = Integers::simulated(client.params()).unwrap();
    let x: FheUint8 = client.encrypt(7, &mut rng).unwrap();
    assert_eq!(mismatch(simulation.add(&x, 1)), "simulated");
    assert_eq!(mismatch(simulation.add(&simulated.integer, &x)), "simulated");
    assert_eq!(mismatch(simulation.with_packing_keys(seeded.expand().unwrap())), "simulated");
}

/// Fault S3: `to_bytes(&wrong_params)` succeeded, and the object that was read decrypted to 2013.
#[test]
fn s3_frames_of_other_parameters_are_not_written() {
    let (client, _, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let other = Params::preset("u_2_2_64").unwrap();
    let x: FheUint8 = client.encrypt(7, &mut rng).unwrap();
    assert!(matches!(x.to_bytes(&other).unwrap_err(), Error::ParamsMismatch { .. }));
    assert!(matches!(x.blocks()[0].to_bytes(&other).unwrap_err(), Error::ParamsMismatch { .. }));
    let frame = x.to_bytes(client.params()).unwrap();
    assert_eq!(summary(&frame).unwrap().key_id, Some(client.id()));
}

#[test]
fn s4_keys_and_lists_of_another_client_are_refused() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let other = ClientKey::generate(client.params(), &mut rng);
    let foreign = other.seeded_packing_keys(&mut rng).unwrap();
    let foreign = foreign.expand().unwrap();
    let refused = evaluator.with_packing_keys(foreign).unwrap_err();
    assert_eq!(refused, Error::KeyMismatch { left: other.id(), right: client.id() });
    let seeded = client.seeded_packing_keys(&mut rng).unwrap();
    let integers =
        Integers::new(evaluator).unwrap().with_packing_keys(seeded.expand().unwrap()).unwrap();
    let x: FheUint8 = client.encrypt(7, &mut rng).unwrap();
    let list = integers.compress_list(&[x]).unwrap();
    assert_eq!(list.key_id(), Some(client.id()));
    assert_eq!(mismatch(other.decrypt_list(&list)), "key");
    // The list is encrypted under a public key and evaluated under that of another client.
    let public = other.public_key(&mut rng).unwrap();
    let y = public.encrypt_list::<FheUint8>([3], &mut rng).unwrap();
    let y = y.values::<FheUint8>().unwrap().remove(0);
    assert_eq!(mismatch(integers.add(&y, 1)), "key");
    assert_eq!(other.decrypt(&y).unwrap(), 3);
    // All objects name the key again after they were read.
    let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
    let read = SeededEvaluationKeys::from_bytes(client.params(), &seeded.to_bytes()).unwrap();
    assert_eq!(read.key_id(), client.id());
    let secret = client.to_secret_bytes();
    let read = ClientKey::from_secret_bytes(client.params(), &secret).unwrap();
    assert_eq!(read.id(), client.id());
    let bytes = list.to_bytes();
    let read = CompressedList::from_bytes(client.params(), &bytes).unwrap();
    assert_eq!(mismatch(other.decrypt_list(&read)), "key");
    let words = integers.decompress_list::<FheUint8>(&read).unwrap();
    assert_eq!(client.decrypt(&words[0]).unwrap(), 7);
}

/// Fault S5: a list of one type was read as another.
#[test]
fn s5_lists_carry_their_type() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let seeded = client.seeded_packing_keys(&mut rng).unwrap();
    let integers =
        Integers::new(evaluator).unwrap().with_packing_keys(seeded.expand().unwrap()).unwrap();
    let x: FheUint8 = client.encrypt(200, &mut rng).unwrap();
    let list = integers.compress_list(&[x]).unwrap();
    let list = CompressedList::from_bytes(client.params(), &list.to_bytes()).unwrap();
    let refused = integers.decompress_list::<FheInt8>(&list).unwrap_err();
    assert_eq!(refused.to_string(), "expected FheInt8, got FheUint8");
    let words = integers.decompress_list::<FheUint8>(&list).unwrap();
    assert_eq!(client.decrypt(&words[0]).unwrap(), 200);
    // M1: a list of clear values can be sent, marked as such.
    let clear = integers.compress_list(&[FheUint8::trivial(9).unwrap()]).unwrap();
    let bytes = clear.to_bytes();
    let clear = CompressedList::from_bytes(client.params(), &bytes).unwrap();
    assert!(clear.is_clear() && summary(&bytes).unwrap().key_id.is_none());
    let words = integers.decompress_list::<FheUint8>(&clear).unwrap();
    assert!(words[0].blocks().iter().all(Block::is_clear));
    assert_eq!(client.decrypt(&words[0]).unwrap(), 9);
    assert_eq!(client.decrypt_list(&clear).unwrap(), [1, 2, 0, 0]);
}

#[test]
fn s4_bits_of_another_key_are_refused() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::GATES).unwrap());
    let other = ClientKey::generate(client.params(), &mut rng);
    let gates = Gates::new(evaluator).unwrap();
    let [own, foreign] = [&client, &other].map(|key| key.encrypt::<Bit>(true, &mut rng).unwrap());
    assert_eq!(mismatch(gates.gate(Gate::And(&own, &foreign))), "key");
    assert_eq!(mismatch(gates.all(&[own, foreign.clone()])), "key");
    assert_eq!(mismatch(gates.parity(std::slice::from_ref(&foreign))), "key");
    assert_eq!(mismatch(client.decrypt(&foreign)), "key");
}

/// An integer under a key of gates was refused with the advice to refresh its blocks.
#[test]
fn integers_need_parameters_of_integers() {
    let mut rng = SecretRng::insecure_from_seed(6);
    for name in ["u_bool_128", "u_1_1_128", "u_3_3_128"] {
        let params = Params::preset(name).unwrap();
        let client = ClientKey::generate(&params, &mut rng);
        let refused = client.encrypt::<FheUint8>(1, &mut rng).unwrap_err().to_string();
        assert!(refused.contains("integers, of blocks of 2 bits of message"), "{refused}");
        assert_eq!(mismatch(client.encrypt::<FheBool>(true, &mut rng)), "parameters");
        let blocks = vec![client.encrypt::<Block>(1, &mut rng).unwrap(); 4];
        assert_eq!(mismatch(FheUint8::from_blocks(blocks)), "parameters");
    }
}

/// The block claims a range that does not contain its value.
#[test]
fn s4_a_digit_outside_its_range_is_an_error() {
    let (client, _, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let params = client.params();
    let bytes = client.encrypt::<Block>(3, &mut rng).unwrap().to_bytes(params).unwrap();
    let lie = crate::tfhe::frame::with_bytes(&bytes, 4, &[1]);
    let block = Block::from_bytes(params, &lie).unwrap();
    let refused = client.decrypt(&block).unwrap_err();
    assert_eq!(refused, Error::DecryptedOutsideRange { low: 0, high: 1 });
}

#[test]
fn parameters_travel() {
    for params in Params::presets() {
        let bytes = params.to_bytes();
        assert_eq!(bytes.len(), params.byte_len());
        let read = Params::from_bytes(&bytes).unwrap();
        assert_eq!(read, params);
        for at in 0..bytes.len() {
            assert!(Params::from_bytes(&bytes[..at]).is_err());
        }
        // With a valid checksum, another byte of the content gives another set or none.
        for at in [0, 1, 72 + params.name().len() + 1, bytes.len() - 17] {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert!(Params::from_bytes(&crate::tfhe::frame::repaired(other)).is_err(), "byte {at}");
        }
    }
}

/// A frame of a few hundred bytes takes no seconds of a reader's time (fault L4).
#[test]
fn l4_sets_of_others_are_assessed_on_request_alone() {
    let mut spec = *Params::preset(Params::INTEGERS).unwrap().spec();
    spec.name = "mine".try_into().unwrap();
    let mine = Params::new(spec).unwrap();
    let bytes = mine.to_bytes();
    let start = std::time::Instant::now();
    let refused = Params::from_bytes(&bytes).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "name", .. }), "{refused}");
    assert!(refused.to_string().contains("from_bytes_assessing"), "{refused}");
    assert!(start.elapsed().as_millis() < 1000, "{:?}", start.elapsed());
    assert_eq!(Params::from_bytes_assessing(&bytes).unwrap(), mine);
}

//! Compressed lists.

use crate::tfhe::frame::{PAYLOAD, payload, repaired, with_payload};
use crate::tfhe::keys;
use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::ListError;
use fathom::tfhe::TableError;
use fathom::tfhe::integer::{FheBool, FheInt16, FheUint64, FheValue, Integers, Typed, ValueType};
use fathom::tfhe::{Block, ClientKey, CompressedList, Evaluator, Params, SeededPackingKeys};
use fathom::wire::{Wire, WireError, WireObject};

/// Returns a client and a server with a packing key.
fn packing_keys(name: &str) -> (ClientKey, Evaluator, SecretRng) {
    let (client, evaluator, mut rng) = keys(Params::preset(name).unwrap());
    let seeded = client.seeded_packing_keys(&mut rng).unwrap();
    let key = seeded.expand().unwrap();
    let evaluator = evaluator.with_packing_keys(key).unwrap();
    (client, evaluator, rng)
}

#[test]
fn integers_and_truth_values_come_back_and_compute() {
    let (client, evaluator, mut rng) = packing_keys("u_2_2_128");
    let integers = Integers::new(evaluator.clone()).unwrap();
    let values = [u64::MAX - 4, 0x0123_4567_89ab_cdef];
    let [a, b] = values.map(|value| client.encrypt::<FheUint64>(value, &mut rng).unwrap());
    let c = client.encrypt::<FheInt16>(-300_i16, &mut rng).unwrap();
    // The results of operations have the noise of two bootstraps.
    let less = integers.lt(&a, &b).unwrap();
    let sum = integers.add(&a, &b).unwrap();
    let words = [sum.blocks(), less.blocks(), c.blocks(), b.blocks()];
    let list = evaluator.compress(&words.concat()).unwrap();
    assert_eq!(list.len(), 32 + 1 + 8 + 32);
    assert!(list.to_bytes().len() < 2_000);

    let total = values[0].wrapping_add(values[1]);
    let digits = client.decrypt_list(&list).unwrap();
    for (place, &digit) in digits[..32].iter().enumerate() {
        assert_eq!(digit as u64, total >> (2 * place) & 3);
    }
    let take = |range| evaluator.decompress(&list, range).unwrap();
    let truth = FheBool::from_block(take(32..33).remove(0)).unwrap();
    assert!(!client.decrypt(&truth).unwrap());
    let signed = FheInt16::from_blocks(take(33..41)).unwrap();
    assert_eq!(client.decrypt(&signed).unwrap(), -300);
    let b = FheUint64::from_blocks(take(41..73)).unwrap();
    let difference = integers.sub(&FheUint64::from_blocks(take(0..32)).unwrap(), &b).unwrap();
    assert_eq!(client.decrypt(&difference).unwrap(), values[0]);
}

/// Four copies of a bit share a ciphertext with `(1 + 2 + 4 + 8)^2` times its noise variance, which
/// exceeds the limit of a list. Three of them are bootstrapped, each by another function.
#[test]
fn copies_are_packed_within_the_noise_limit_and_known_when_they_come_back() {
    let (client, evaluator, mut rng) = packing_keys("u_2_2_128");
    let integers = Integers::new(evaluator.clone()).unwrap();
    let [a, b] = [3, 5].map(|x| client.encrypt::<FheInt16>(x, &mut rng).unwrap());
    let less = integers.lt(&a, &b).unwrap();
    let copies = vec![less.clone(); 4];
    let before = evaluator.counts().bootstraps;
    let list = integers.compress_list(&copies).unwrap();
    assert_eq!(evaluator.counts().bootstraps - before, 3);
    assert_eq!(client.decrypt_list(&list).unwrap(), [1; 4]);
    let [one, other] = [0; 2].map(|_| evaluator.decompress(&list, 0..2).unwrap());
    assert_eq!(one, other);
    assert_eq!(one[0].add(&other[0]).unwrap().noise_variance(), 4);
    assert_eq!(one[0].add(&one[1]).unwrap().noise_variance(), 2);
    // Different bits of one width need no bootstrap.
    let more = integers.gt(&a, &b).unwrap();
    let before = evaluator.counts().bootstraps;
    let list = integers.compress_list(&[less, more]).unwrap();
    assert_eq!(evaluator.counts().bootstraps, before);
    assert_eq!(client.decrypt_list(&list).unwrap(), [1, 0]);
}

/// Blocks of every width of four sets, in numbers around the sizes of groups and ciphertexts.
#[test]
fn every_width_comes_back() {
    let sets = [("u_2_2_128", 1030), ("u_1_1_128", 70), ("u_bool_128", 600), ("u_3_3_128", 40)];
    for (name, most) in sets {
        let (client, evaluator, mut rng) = packing_keys(name);
        let bits = client.params().spec().message_bits;
        for count in [0, 1, 2, 5, most] {
            let values: Vec<u32> = (0..count).map(|i| i * 7 / 3 % (1 << bits)).collect();
            let blocks: Vec<Block> = values
                .iter()
                .map(|&value| client.encrypt::<Block>(value, &mut rng).unwrap())
                .collect();
            let list = evaluator.compress(&blocks).unwrap();
            assert_eq!((list.len(), list.is_empty()), (values.len(), count == 0));
            let expected: Vec<i32> = values.iter().map(|&value| value as i32).collect();
            assert_eq!(client.decrypt_list(&list).unwrap(), expected, "{name}, {count} blocks");
            let tail = values.len().saturating_sub(20);
            let taken = evaluator.decompress(&list, tail..values.len()).unwrap();
            for (block, &value) in taken.iter().zip(&expected[tail..]) {
                assert_eq!(client.decrypt(block).unwrap(), value);
                assert_eq!((block.range(), block.noise_variance()), ((0, (1 << bits) - 1), 1));
            }
        }
    }
}

#[test]
fn every_set_of_blocks_provides_for_lists() {
    let sets = Params::presets().into_iter();
    let without = sets.filter(|params| params.compressed_slots(1).is_err());
    assert_eq!(without.map(|params| params.name().to_owned()).collect::<Vec<_>>(), [""; 0]);
}

/// The noise of packed ciphertexts as a bootstrap reads them.
///
/// `LIST_SAMPLES=100000` measures it more closely.
#[test]
fn the_noise_of_a_list_is_that_of_the_model() {
    for name in ["u_2_2_128", "u_1_1_128", "u_3_3_128"] {
        let (client, evaluator, mut rng) = packing_keys(name);
        let count = std::env::var("LIST_SAMPLES").map_or(4096_u32, |text| text.parse().unwrap());
        let space = client.params().space();
        // Messages have the full width, so that each block is a group of its own.
        let message = space.half() - client.params().message_modulus();
        let mut encrypt = || client.encrypt::<Block>(0, &mut rng).unwrap().add_scalar(message);
        let blocks: Vec<Block> = (0..count).map(|_| encrypt()).collect();
        let list = evaluator.compress(&blocks).unwrap();
        let message = space.encode(message.into());
        let error = |phase: &u64| phase.wrapping_sub(message) as i64 as f64 / 2f64.powi(64);
        let phases = client.list_phases(&list).unwrap();
        let sum: f64 = phases.iter().map(|phase| error(phase).powi(2)).sum();
        let measured = sum / f64::from(count);
        let variances = client.params().noise().variances();
        // Fresh blocks have almost no noise of their own, and packing adds little.
        let model = variances.total(0.0);
        let ratio = measured / model;
        println!("{name}: 2^{:.2}, {ratio:.3} of the model, n {count}", measured.log2());
        // The ciphertexts of a list share masks and key, so that their errors are not independent.
        assert!((0.75..1.25).contains(&ratio), "{name}: {ratio}");
    }
}

#[test]
fn keys_and_lists_survive_the_journey_and_damage_is_refused() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let params = client.params();
    let seeded = client.seeded_packing_keys(&mut rng).unwrap();
    let bytes = seeded.to_bytes();
    assert_eq!(bytes.len(), seeded.byte_len());
    assert!(bytes.len() < 400_000, "{}", bytes.len());
    let read = SeededPackingKeys::from_bytes(params, &bytes).unwrap();
    assert_eq!(read, seeded);
    for at in (0..bytes.len()).step_by(4999).chain(0..120) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(SeededPackingKeys::from_bytes(params, &damaged).is_err());
        assert!(SeededPackingKeys::from_bytes(params, &bytes[..at]).is_err());
    }
    let key = read.expand().unwrap();
    assert!(key.byte_len() < 2_000_000, "{}", key.byte_len());
    let evaluator = evaluator.with_packing_keys(key).unwrap();

    let block = client.encrypt::<Block>(2, &mut rng).unwrap();
    let bit = client.encrypt::<Block>(1, &mut rng).unwrap().add_scalar(0);
    let blocks = [vec![block.clone(); 3], vec![bit.clone(), block.add(&bit).unwrap()]].concat();
    for blocks in [&blocks[..0], &blocks[..1], &blocks] {
        let list = evaluator.compress(blocks).unwrap();
        let bytes = list.to_bytes();
        assert_eq!(bytes.len(), list.byte_len());
        assert_eq!(CompressedList::from_bytes(params, &bytes).unwrap(), list);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(CompressedList::from_bytes(params, &damaged).is_err());
            assert!(CompressedList::from_bytes(params, &bytes[..at]).is_err());
            // With a valid checksum, other contents are other lists or are refused. None needs more
            // memory than the length of the frame justifies.
            if let Ok(other) = CompressedList::from_bytes(params, &repaired(damaged.clone())) {
                assert_eq!(other.to_bytes(), repaired(damaged));
            }
        }
    }
    let mut spec = *params.spec();
    spec.name = fathom::tfhe::Name::of("another");
    let other = Params::new(spec).unwrap();
    let bytes = evaluator.compress(&blocks).unwrap().to_bytes();
    let refused = CompressedList::from_bytes(&other, &bytes).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }));
}

/// Length of a list's type.
const TYPE: usize = 3;

/// Returns a list with other runs and a valid checksum.
fn with_runs(bytes: &[u8], runs: &[(u32, u8)]) -> Vec<u8> {
    let count = bytes[PAYLOAD + TYPE..PAYLOAD + TYPE + 4].try_into().unwrap();
    let old = u32::from_le_bytes(count) as usize;
    let mut other = payload(bytes)[..TYPE].to_vec();
    other.extend((runs.len() as u32).to_le_bytes());
    for (count, bits) in runs {
        other.extend(count.to_le_bytes());
        other.push(*bits);
    }
    other.extend(&payload(bytes)[TYPE + 4 + 5 * old..]);
    with_payload(bytes, &other)
}

#[test]
fn hostile_runs_are_refused() {
    let (client, evaluator, mut rng) = packing_keys("u_2_2_128");
    let params = client.params();
    let blocks = vec![client.encrypt::<Block>(2, &mut rng).unwrap(); 4];
    let bytes = evaluator.compress(&blocks).unwrap().to_bytes();
    let read = |runs: &[(u32, u8)]| CompressedList::from_bytes(params, &with_runs(&bytes, runs));
    assert_eq!(read(&[(4, 2)]).unwrap().to_bytes(), bytes);
    // Narrower digits give another list with as many ciphertexts, whose blocks decompress into
    // their range.
    let narrow = read(&[(8, 1)]).unwrap();
    for block in evaluator.decompress(&narrow, 0..8).unwrap() {
        assert_eq!(block.range(), (0, 1));
        assert!((0..=1).contains(&client.decrypt(&block).unwrap()));
    }
    let malformed = Error::Wire(WireError::Malformed { field: "run" });
    for runs in [&[(0, 2)][..], &[(2, 2), (2, 2)], &[(4, 0)], &[(2, 2), (0, 1)]] {
        assert_eq!(read(runs).unwrap_err(), malformed);
    }
    let range = |field, value, limit| Error::Wire(WireError::Range { field, value, limit });
    assert_eq!(read(&[(4, 5)]).unwrap_err(), range("bits", 5, 4));
    assert_eq!(read(&[((1 << 20) + 1, 2)]).unwrap_err(), range("blocks", (1 << 20) + 1, 1 << 20));
    let many = read(&[(u32::MAX, 2), (u32::MAX, 1)]).unwrap_err();
    assert_eq!(many, range("blocks", u32::MAX.into(), 1 << 20));
    assert!(matches!(
        read(&[(2000, 2)]),
        Err(Error::Wire(WireError::Truncated { .. } | WireError::Range { .. }))
    ));
    let mut claims = with_runs(&bytes, &[(4, 2)]);
    claims[PAYLOAD + TYPE..PAYLOAD + TYPE + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let refused = CompressedList::from_bytes(params, &repaired(claims)).unwrap_err();
    assert!(matches!(refused, Error::Wire(WireError::Range { field: "runs", .. })));

    // Bits after the last word, and masks of zeros, which anybody can read.
    let mut filled = bytes.clone();
    let last = filled.len() - 17;
    filled[last] |= 0x80;
    let refused = CompressedList::from_bytes(params, &repaired(filled)).unwrap_err();
    assert_eq!(refused, Error::Wire(WireError::Malformed { field: "filling" }));
    let mut clear = bytes.clone();
    clear[PAYLOAD + 12..PAYLOAD + 12 + 1024 * 12 / 8].fill(0);
    let refused = CompressedList::from_bytes(params, &repaired(clear)).unwrap_err();
    assert!(matches!(refused, Error::Transparent { .. }));
}

#[test]
fn what_cannot_be_packed_is_refused() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let block = client.encrypt::<Block>(2, &mut rng).unwrap();
    let refused = evaluator.compress(std::slice::from_ref(&block));
    assert_eq!(refused.unwrap_err(), Error::List(ListError::MissingPackingKeys));
    let gates = Params::preset("u_bool_128").unwrap();
    let other = ClientKey::generate(&gates, &mut rng);
    let foreign = other.seeded_packing_keys(&mut rng).unwrap();
    let foreign = evaluator.with_packing_keys(foreign.expand().unwrap());
    assert!(matches!(foreign, Err(Error::ParamsMismatch { .. })));

    let seeded = client.seeded_packing_keys(&mut rng).unwrap();
    let evaluator = evaluator.with_packing_keys(seeded.expand().unwrap()).unwrap();
    let negative = client.encrypt::<Block>(1, &mut rng).unwrap().mul_scalar(-1);
    for outside in [negative, block.mul_scalar(6)] {
        let refused = evaluator.compress(&[outside]);
        assert!(matches!(
            refused,
            Err(Error::Table(TableError::OutsideDomain { domain_low: 0, domain_high: 15, .. }))
        ));
    }
    let list = evaluator.compress(&[block.clone(), block]).unwrap();
    let refused = evaluator.decompress(&list, 1..3).unwrap_err();
    assert_eq!(refused, Error::List(ListError::OutsideList { start: 1, end: 3, length: 2 }));
    let integers = Integers::new(evaluator).unwrap();
    let refused = integers.decompress_list::<FheUint64>(&list).unwrap_err();
    let expected = ValueType::of::<FheUint64>();
    assert_eq!(refused, Error::TypeMismatch { expected, got: None });
    assert!(integers.decompress_list::<FheBool>(&list).is_err());
    assert!(matches!(other.decrypt_list(&list), Err(Error::ParamsMismatch { .. })));
    let mut narrow = *client.params().spec();
    // Bootstraps of blocks are as reliable as stated. Those of lists, whose masks are rounded word
    // by word, are not.
    narrow.max_noise_variance = 1;
    narrow.failure_log2 = client.params().failure_log2(1.0);
    let narrow = Params::new(narrow).unwrap();
    let refused = ClientKey::generate(&narrow, &mut rng).seeded_packing_keys(&mut rng);
    assert!(matches!(refused, Err(Error::Spec { field: "failure_log2", .. })));
    let refused = CompressedList::from_bytes(&narrow, &list.to_bytes());
    assert!(matches!(refused, Err(Error::Spec { .. })));
    let refused = SeededPackingKeys::from_bytes(&narrow, &seeded.to_bytes());
    assert!(matches!(refused, Err(Error::Spec { .. })));
    let simulated = Evaluator::simulated(&gates);
    assert!(matches!(simulated.decompress(&list, 0..1), Err(Error::ParamsMismatch { .. })));
}

/// A simulated evaluator runs the same code in the clear and counts bootstraps.
#[test]
fn lists_can_be_simulated() {
    let params = Params::preset(Params::INTEGERS).unwrap();
    let evaluator = Evaluator::simulated(&params);
    let space = params.space();
    let quiet = Block::simulated(space, 3, (0, 3));
    // As the second block of a message, it has 272 times the noise variance, so it is refreshed
    // first.
    let noisy = quiet.add_scaled(&Block::simulated(space, 0, (0, 0)), 4).unwrap();
    let list = evaluator.compress(&[quiet.clone(), quiet.clone(), quiet.clone()]).unwrap();
    assert_eq!(evaluator.counts().bootstraps, 0);
    // Nobody takes a simulated list for an encrypted one.
    let refused = CompressedList::from_bytes(&params, &list.to_bytes()).unwrap_err();
    assert!(matches!(refused, Error::Wire(WireError::Malformed { field: "key id" })));
    let noisy = evaluator.compress(&[quiet, noisy]).unwrap();
    assert_eq!(evaluator.counts().bootstraps, 1);
    for list in [list, noisy] {
        for block in evaluator.decompress(&list, 0..list.len()).unwrap() {
            assert_eq!(space.decode(block.lwe().body()), 3);
        }
    }
    assert_eq!(evaluator.counts().bootstraps, 1 + 3 + 2);
}

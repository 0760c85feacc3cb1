//! Hostile frames, whose checksums are correct.

use crate::tfhe::frame::{PAYLOAD, payload, repaired, with_bytes, with_payload};
use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::integer::FheUint8;
use fathom::tfhe::{
    Block, ClientKey, CompactList, Params, PublicKey, SeededEvaluationKeys, SeededList,
    SeededPackingKeys,
};
use fathom::wire::{Kind, Wire, WireError, WireObject, WireValue};

pub(crate) fn client(name: &str) -> (ClientKey, Params, SecretRng) {
    let mut rng = SecretRng::insecure_from_seed(31);
    let params = Params::preset(name).unwrap();
    (ClientKey::generate(&params, &mut rng), params, rng)
}

/// Reads a frame and encodes its content again.
pub(crate) type Recode<'a> = &'a dyn Fn(&[u8]) -> Result<Vec<u8>, Error>;

/// Checks that every change of a byte of the header, and another payload length, is refused with
/// the error of its field.
pub(crate) fn header_is_checked(kind: Kind, frame: &[u8], changes: &[u8], recode: Recode<'_>) {
    assert_eq!(recode(&repaired(frame.to_vec())).unwrap(), frame);
    for at in 0..PAYLOAD {
        for change in changes {
            let mut other = frame.to_vec();
            other[at] ^= change;
            let other = repaired(other);
            let error = match recode(&other) {
                Err(error) => error,
                // The frame has another key, or a fresh encryption is marked as computed.
                Ok(again) => {
                    assert!((48..64).contains(&at) || at == 9, "{kind}, byte {at}");
                    assert_eq!(again, other);
                    continue;
                }
            };
            let right = match at {
                0..6 => error == Error::Wire(WireError::Magic),
                6..8 => matches!(error, Error::Wire(WireError::Version { .. })),
                8 => {
                    matches!(error, Error::Wire(WireError::Type { expected: e, .. }) if e == kind)
                }
                12..16 => {
                    matches!(error, Error::Wire(WireError::Scheme { expected: "tfhe", .. }))
                }
                16..48 => matches!(error, Error::ParamsMismatch { .. }),
                9 if matches!(kind, Kind::CiphertextList | Kind::SeededList) && *change == 2 => {
                    error == Error::Wire(WireError::NotFresh)
                }
                // A frame that is marked as clear must not name a key.
                9 => matches!(
                    error,
                    Error::Wire(WireError::Malformed { field: "header" | "key id" })
                ),
                // The lengths of metadata, which only other schemes have, and of the payload.
                10..12 | 64.. => {
                    matches!(
                        error,
                        Error::Wire(WireError::Truncated { .. } | WireError::TrailingBytes { .. })
                    )
                }
                _ => error == Error::Wire(WireError::Malformed { field: "header" }),
            };
            assert!(right, "{kind}, byte {at} changed by {change}: {error}");
        }
    }
    let payload = payload(frame);
    for short in [&payload[..0], &payload[..7], &payload[..payload.len() - 1]] {
        let error = recode(&with_payload(frame, short)).unwrap_err();
        assert!(matches!(error, Error::Wire(WireError::Truncated { .. })), "{kind}: {error}");
    }
    let error = recode(&with_payload(frame, &[payload, &[0]].concat())).unwrap_err();
    assert!(
        match kind {
            // Its length follows from its digits.
            Kind::ByteString => error == Error::Wire(WireError::TrailingBytes { extra: 1 }),
            _ => matches!(error, Error::Wire(WireError::Range { field: "payload length", .. })),
        },
        "{kind}: {error}"
    );
}

/// Checks that every change of these bytes of the payload is refused or gives another object.
fn changes_are_read_or_refused(frame: &[u8], places: &[usize], changes: &[u8], recode: Recode<'_>) {
    for &at in places {
        for change in changes {
            let other = with_bytes(frame, at, &[payload(frame)[at] ^ change]);
            if let Ok(again) = recode(&other) {
                assert_eq!(again, other, "byte {at} changed by {change}");
            }
        }
    }
}

/// Returns all changes of a byte.
pub(crate) fn every_change() -> Vec<u8> {
    (1..=255).collect()
}

/// Returns the first `count` offsets of a payload, and the last few.
fn borders(frame: &[u8], count: usize) -> Vec<usize> {
    let length = payload(frame).len();
    (0..count).chain(length - 4..length).collect()
}

#[test]
fn blocks_are_read_or_refused() {
    let (client, params, mut rng) = client("u_2_2_128");
    let frame = client.encrypt::<Block>(3, &mut rng).unwrap().to_bytes(&params).unwrap();
    let recode = |bytes: &[u8]| Block::from_bytes(&params, bytes)?.to_bytes(&params);
    header_is_checked(Kind::Ciphertext, &frame, &every_change(), &recode);
    changes_are_read_or_refused(&frame, &borders(&frame, 20), &every_change(), &recode);
}

#[test]
fn claims_of_blocks_are_checked() {
    let (client, params, mut rng) = client("u_2_2_128");
    let block = client.encrypt::<Block>(3, &mut rng).unwrap().mul_scalar(1);
    let frame = block.to_bytes(&params).unwrap();
    let read = |at, bytes: &[u8]| Block::from_bytes(&params, &with_bytes(&frame, at, bytes));
    let range = |low: i32, high: i32| read(0, &[low.to_le_bytes(), high.to_le_bytes()].concat());
    let period = 2 * params.space().half();
    for (low, high) in [(0, 0), (-period, -1), (period, 2 * period - 1), (0, period - 1)] {
        assert_eq!(range(low, high).unwrap().range(), (low, high));
    }
    let far = [(-period - 1, -period - 1), (period + 1, period + 1), (i32::MIN, i32::MIN)];
    let reversed = [(1, 0), (period, -period), (0, i32::MIN), (i32::MAX, i32::MIN)];
    for (low, high) in far.into_iter().chain(reversed) {
        let refused = range(low, high).unwrap_err();
        assert_eq!(refused, Error::Wire(WireError::Malformed { field: "range" }), "{low}..={high}");
    }
    for (low, high) in [(0, period), (-period, 0), (period, i32::MAX), (-period, i32::MAX)] {
        let (value, limit) = (i64::from(high) - i64::from(low), period as u64 - 1);
        let value = value as u64;
        let refused = range(low, high).unwrap_err();
        assert_eq!(
            refused,
            Error::Wire(WireError::Range { field: "range", value, limit }),
            "{low}..={high}"
        );
    }

    let noise = |noise_variance: u32| read(8, &noise_variance.to_le_bytes());
    let most = params.max_noise_variance();
    assert_eq!(noise(most).unwrap().noise_variance(), most);
    assert_eq!(noise(0).unwrap_err(), Error::Wire(WireError::Malformed { field: "noise" }));
    for noise_variance in [most + 1, u32::MAX] {
        let (value, limit) = (noise_variance.into(), most.into());
        let refused = noise(noise_variance).unwrap_err();
        assert_eq!(refused, Error::Wire(WireError::Range { field: "noise", value, limit }));
    }

    // Without a mask, anybody can read the block; a mask with a single bit set is a mask.
    let mut mask = vec![0; 4 * params.big_dimension()];
    assert!(matches!(read(16, &mask).unwrap_err(), Error::Transparent { .. }));
    for at in [0, mask.len() - 1] {
        mask.fill(0);
        mask[at] = 0x80;
        assert!(read(16, &mask).is_ok());
    }
}

#[test]
fn what_no_reader_takes_is_not_written() {
    let (client, params, mut rng) = client("u_2_2_128");
    let block = client.encrypt::<Block>(3, &mut rng).unwrap();
    let (_, high) = block.range();
    let limit = 2 * params.space().half() as u64 - 1;
    let factor = limit as i32 / high + 1;
    let refused = block.mul_scalar(factor).to_bytes(&params).unwrap_err();
    let value = (factor * high) as u64;
    assert_eq!(refused, Error::Wire(WireError::Range { field: "range", value, limit }));

    // A block with the range 0 to 0 stays within it.
    let frame = with_bytes(&block.to_bytes(&params).unwrap(), 0, &[0; 8]);
    let block = Block::from_bytes(&params, &frame).unwrap();
    let most = params.max_noise_variance();
    let factor = most.isqrt() as i32 + 1;
    let refused = block.mul_scalar(factor).to_bytes(&params).unwrap_err();
    let (value, limit) = ((factor * factor) as u64, most.into());
    assert_eq!(refused, Error::Wire(WireError::Range { field: "noise", value, limit }));
}

#[test]
fn client_keys_are_read_or_refused() {
    for name in ["u_2_2_128", "b_2_2_128"] {
        let (client, params, _) = client(name);
        let frame = client.to_secret_bytes();
        let recode = |bytes: &[u8]| -> Result<Vec<u8>, Error> {
            Ok(ClientKey::from_secret_bytes(&params, bytes)?.to_secret_bytes().to_vec())
        };
        header_is_checked(Kind::SecretKey, &frame, &every_change(), &recode);
        let places: Vec<usize> = (0..payload(&frame).len()).collect();
        changes_are_read_or_refused(&frame, &places, &every_change(), &recode);
    }
}

/// Blocks at both ends are tested, and one that spans two bytes.
#[test]
fn two_ones_in_a_block_of_a_key_are_refused() {
    for (name, length) in [("b_2_2_128", 4), ("b_3_3_128", 3)] {
        let (client, params, _) = client(name);
        let frame = client.to_secret_bytes();
        let last = params.spec().small_dimension / length - 1;
        for block in [0, 2, last] {
            // The key has these bits of the block set, and no others.
            let read = |ones: &[usize]| {
                let mut frame = frame.to_vec();
                for place in 0..length {
                    let bit = block * length + place;
                    let byte = &mut frame[PAYLOAD + bit / 8];
                    *byte &= !(1 << (bit % 8));
                    *byte |= u8::from(ones.contains(&place)) << (bit % 8);
                }
                let frame = repaired(frame);
                let key = ClientKey::from_secret_bytes(&params, &frame)?;
                assert_eq!(key.to_secret_bytes().to_vec(), frame);
                Ok(())
            };
            assert_eq!(read(&[]), Ok(()), "{name}");
            for first in 0..length {
                assert_eq!(read(&[first]), Ok(()), "{name}");
                for second in 0..first {
                    let refused = Error::Wire(WireError::Malformed { field: "key" });
                    assert_eq!(read(&[first, second]), Err(refused), "{name}, block {block}");
                }
            }
        }
    }
}

#[test]
fn compact_lists_are_read_or_refused() {
    let (client, params, mut rng) = client("u_2_2_128");
    let public = client.public_key(&mut rng).unwrap();
    let recode = |bytes: &[u8]| Ok(CompactList::from_bytes(&params, bytes)?.to_bytes());
    let frame = public.encrypt(&[3], &mut rng).unwrap().to_bytes();
    header_is_checked(Kind::CiphertextList, &frame, &every_change(), &recode);
    changes_are_read_or_refused(&frame, &borders(&frame, 15), &every_change(), &recode);
}

#[test]
fn seeded_lists_are_read_or_refused() {
    let (client, params, mut rng) = client("u_2_2_128");
    let recode = |bytes: &[u8]| Ok(SeededList::from_bytes(&params, bytes)?.to_bytes());
    let list = client.encrypt_list::<FheUint8>([3_u8], &mut rng).unwrap();
    let frame = list.to_bytes();
    header_is_checked(Kind::SeededList, &frame, &every_change(), &recode);
    changes_are_read_or_refused(&frame, &borders(&frame, 43), &every_change(), &recode);
    // A count beyond the limit, one that the bytes do not hold, and part of an integer.
    let count =
        |count: u64| SeededList::from_bytes(&params, &with_bytes(&frame, 3, &count.to_le_bytes()));
    for huge in [(1 << 20) + 1, u64::MAX] {
        let refused = count(huge).unwrap_err();
        assert!(matches!(refused, Error::Wire(WireError::Range { field: "blocks", .. })));
    }
    assert!(matches!(count(5), Err(Error::Wire(WireError::Truncated { .. }))));
    let short = [&payload(&frame)[..3], &3_u64.to_le_bytes(), &[0; 32 + 3 * 2]].concat();
    let refused = SeededList::from_bytes(&params, &with_payload(&frame, &short)).unwrap_err();
    assert_eq!(refused, Error::Wire(WireError::Malformed { field: "blocks" }));
}

#[test]
fn counts_masks_and_filling_of_compact_lists_are_checked() {
    // The list has two masks, and 66 bodies in 128 places.
    const COUNT: usize = 2048 + 66;
    let (client, params, mut rng) = client("u_2_2_128");
    let public = client.public_key(&mut rng).unwrap();
    let frame = public.encrypt(&[3; COUNT], &mut rng).unwrap().to_bytes();
    // This is the width of each word, of all places, after the type and the count.
    let bits = 8 * (payload(&frame).len() - 11) / (2 * 2048 + 2048 + 128);
    let read = |at, bytes: &[u8]| CompactList::from_bytes(&params, &with_bytes(&frame, at, bytes));

    let mask = vec![0; 2048 / 8 * bits];
    for index in 0..2 {
        let refused = read(11 + index * mask.len(), &mask).unwrap_err();
        assert!(matches!(refused, Error::Transparent { .. }), "mask {index}");
    }

    // The first bit after the last body, and the last bit.
    let end = payload(&frame).len();
    let first = 8 * (11 + 2 * mask.len()) + COUNT * bits;
    for bit in [first, 8 * end - 1] {
        let byte = payload(&frame)[bit / 8] | 1 << (bit % 8);
        let refused = read(bit / 8, &[byte]).unwrap_err();
        assert_eq!(refused, Error::Wire(WireError::Malformed { field: "filling" }), "bit {bit}");
    }

    let count = |count: u64| read(3, &count.to_le_bytes()).map(|list| list.len());
    assert_eq!(count(COUNT as u64 + 1), Ok(COUNT + 1));
    assert_eq!(
        count(COUNT as u64 - 1),
        Err(Error::Wire(WireError::Malformed { field: "filling" }))
    );
    for value in [(1 << 20) + 1, 1 << 63, u64::MAX] {
        let limit = 1 << 20;
        assert_eq!(
            count(value),
            Err(Error::Wire(WireError::Range { field: "blocks", value, limit }))
        );
    }
    for more in [2048 + 129, 4097, 1 << 20] {
        assert!(matches!(count(more), Err(Error::Wire(WireError::Truncated { .. }))), "{more}");
    }
    for less in [0, 1, 2048, 2048 + 64] {
        let refused = count(less);
        assert!(
            matches!(refused, Err(Error::Wire(WireError::Range { field: "payload length", .. }))),
            "{less}"
        );
    }
}

#[test]
fn public_keys_are_read_or_refused() {
    let (client, params, mut rng) = client("u_2_2_128");
    let frame = client.public_key(&mut rng).unwrap().to_bytes();
    let recode =
        |bytes: &[u8]| PublicKey::from_bytes(&params, bytes).map(|public| public.to_bytes());
    header_is_checked(Kind::PublicKey, &frame, &every_change(), &recode);
    changes_are_read_or_refused(&frame, &borders(&frame, 36), &[1, 0x80], &recode);
}

#[test]
fn packing_keys_are_read_or_refused() {
    let (client, params, mut rng) = client("u_2_2_128");
    let frame = client.seeded_packing_keys(&mut rng).unwrap().to_bytes();
    let read = |bytes: &[u8]| SeededPackingKeys::from_bytes(&params, bytes);
    let recode = |bytes: &[u8]| read(bytes).map(|key| key.to_bytes());
    header_is_checked(Kind::PackingKey, &frame, &[1, 0x80], &recode);
    changes_are_read_or_refused(&frame, &borders(&frame, 36), &[1, 0x80], &recode);
    // The decomposition that the writer chose.
    for at in [32, 33] {
        let digits = payload(&frame)[at] + 1;
        assert!(matches!(
            read(&with_bytes(&frame, at, &[digits])),
            Err(Error::Wire(WireError::Contradiction { .. }))
        ));
    }
}

#[test]
fn evaluation_keys_are_read_or_refused() {
    let (client, params, mut rng) = client("u_bool_128");
    let frame = client.seeded_evaluation_keys(&mut rng).unwrap().to_bytes();
    let recode =
        |bytes: &[u8]| SeededEvaluationKeys::from_bytes(&params, bytes).map(|key| key.to_bytes());
    header_is_checked(Kind::EvaluationKeys, &frame, &[0x81], &recode);
    changes_are_read_or_refused(&frame, &borders(&frame, 0), &[1], &recode);
}

/// The decomposition of the automorphism keys is encoded between them and the key-switching key.
#[test]
fn other_digits_of_automorphism_keys_are_refused() {
    let (client, params, mut rng) = client("u_2_2_128");
    let frame = client.seeded_evaluation_keys(&mut rng).unwrap().to_bytes();
    let spec = params.spec();
    let steps = spec.small_dimension / spec.family.step();
    let rows = steps * spec.family.selectors().len() * (spec.mask.levels + spec.body.levels);
    let switch = spec.degree / spec.key_switch_degree * spec.key_switch.levels;
    let at = 32
        + rows * spec.degree / 8 * params.body_bits() as usize
        + switch * spec.key_switch_degree * 4;
    for at in [at, at + 1] {
        let digits = payload(&frame)[at] + 1;
        let refused = SeededEvaluationKeys::from_bytes(&params, &with_bytes(&frame, at, &[digits]));
        let refused = refused.unwrap_err();
        assert!(matches!(refused, Error::Wire(WireError::Contradiction { .. })));
    }
}

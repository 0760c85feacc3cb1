//! Integers and truth values are read back as written, including clear digits.

use crate::tfhe::frame::{payload, repaired, with_bytes, with_payload};
use fathom::SecretRng;
use fathom::tfhe::integer::{FheBool, FheInt16, FheUint8, FheUint16, FheValue, Integers, Typed};
use fathom::tfhe::{Block, ClientKey, Params};
use fathom::wire::{Wire, WireError, WireFresh, WireValue};

fn client(params: Params) -> (ClientKey, Params, SecretRng) {
    let mut rng = SecretRng::insecure_from_seed(41);
    (ClientKey::generate(&params, &mut rng), params, rng)
}

#[test]
fn integers_and_truth_values_survive_the_journey() {
    let (client, params, mut rng) = client(Params::preset(Params::INTEGERS).unwrap());
    let x: FheUint16 = client.encrypt(0xbeefu16, &mut rng).unwrap();
    let bytes = x.to_bytes(&params).unwrap();
    assert_eq!(bytes.len(), x.byte_len(&params));
    let read = FheUint16::from_bytes(&params, &bytes).unwrap();
    assert_eq!(read.blocks(), x.blocks());
    assert_eq!(client.decrypt(&read).unwrap(), 0xbeef);

    let y: FheInt16 = client.encrypt(-3i16, &mut rng).unwrap();
    let read = FheInt16::from_bytes(&params, &y.to_bytes(&params).unwrap()).unwrap();
    assert_eq!(client.decrypt(&read).unwrap(), -3);

    let flag = client.encrypt::<FheBool>(true, &mut rng).unwrap();
    let read = FheBool::from_bytes(&params, &flag.to_bytes(&params).unwrap()).unwrap();
    assert!(client.decrypt(&read).unwrap());
}

#[test]
fn clear_digits_stay_clear() {
    let (client, params, mut rng) = client(Params::preset(Params::INTEGERS).unwrap());
    let x: FheUint8 = client.encrypt(0x2du8, &mut rng).unwrap();
    let clear = |digit| Block::trivial(params.space(), digit);
    let blocks = [vec![clear(0), clear(3)], x.blocks()[..2].to_vec()].concat();
    let shifted = FheUint8::from_blocks(blocks).unwrap();
    let bytes = shifted.to_bytes(&params).unwrap();
    assert!(bytes.len() + 2 * x.blocks()[0].byte_len(&params) < x.byte_len(&params) + 500);
    let read = FheUint8::from_bytes(&params, &bytes).unwrap();
    assert_eq!(read.to_bytes(&params).unwrap(), bytes);
    assert!(read.blocks()[0].is_clear() && !read.blocks()[2].is_clear());
    assert_eq!(client.decrypt(&read).unwrap(), 0xdc);
}

/// Fault M1: results that became clear travel as clear integers.
#[test]
fn m1_an_empty_sum_and_a_difference_of_equals_travel() {
    let (client, evaluator, mut rng) = crate::tfhe::keys(Params::preset(Params::INTEGERS).unwrap());
    let integers = Integers::new(evaluator).unwrap();
    let params = client.params();
    let x: FheUint8 = client.encrypt(77u8, &mut rng).unwrap();
    let empty: FheUint8 = integers.sum(std::iter::empty::<&FheUint8>()).unwrap();
    let masked = integers.and(&x, 0).unwrap();
    for clear in [&empty, &masked] {
        let bytes = clear.to_bytes(params).unwrap();
        let read = FheUint8::from_bytes(params, &bytes).unwrap();
        assert!(read.blocks().iter().all(Block::is_clear));
        assert_eq!(client.decrypt(&read).unwrap(), 0);
        let sum = integers.add(&x, &read).unwrap();
        assert_eq!(client.decrypt(&sum).unwrap(), 77);
    }
}

#[test]
fn foreign_and_damaged_integers_are_refused() {
    let (client, params, mut rng) = client(Params::preset(Params::INTEGERS).unwrap());
    let x: FheUint8 = client.encrypt(7u8, &mut rng).unwrap();
    let frame = x.to_bytes(&params).unwrap();
    let malformed = |field| fathom::Error::Wire(WireError::Malformed { field });
    let read = |bytes: &[u8]| FheUint8::from_bytes(&params, bytes).map(drop);
    let refused = FheUint16::from_bytes(&params, &frame).unwrap_err();
    assert_eq!(refused.to_string(), "expected FheUint16, got FheUint8");
    let refused = read(&with_bytes(&frame, 2, &[1])).unwrap_err();
    assert_eq!(refused.to_string(), "expected FheUint8, got FheInt8");
    assert_eq!(read(&with_bytes(&frame, 2, &[9])).unwrap_err(), malformed("type of integer"));
    assert_eq!(read(&with_bytes(&frame, 3, &[2])).unwrap_err(), malformed("kind of digit"));
    // The first digit's metadata: its greatest value, then its noise.
    assert_eq!(read(&with_bytes(&frame, 8, &[4])).unwrap_err(), malformed("range"));
    assert_eq!(read(&with_bytes(&frame, 12, &[3])).unwrap_err(), malformed("noise"));
    let mut computed = frame.clone();
    computed[9] = 0;
    assert_eq!(read(&with_bytes(&computed, 8, &[4])).unwrap_err(), malformed("digits"));
    assert_eq!(read(&with_bytes(&computed, 12, &[3])).unwrap_err(), malformed("digits"));
    let other = Params::preset("u_2_2_64").unwrap();
    assert!(matches!(
        FheUint8::from_bytes(&other, &frame).unwrap_err(),
        fathom::Error::ParamsMismatch { .. }
    ));
    assert!(matches!(
        x.to_bytes(&Params::preset(Params::GATES).unwrap()).unwrap_err(),
        fathom::Error::ParamsMismatch { .. }
    ));

    let content = payload(&frame);
    for length in (0..content.len()).step_by(501) {
        let error = read(&with_payload(&frame, &content[..length])).unwrap_err();
        assert!(matches!(error, fathom::Error::Wire(WireError::Truncated { .. })), "{error}");
    }
    let longer = with_payload(&frame, &[content, &[0]].concat());
    assert_eq!(
        read(&longer).unwrap_err(),
        fathom::Error::Wire(WireError::TrailingBytes { extra: 1 })
    );

    // Clear digits, in frames that are marked as clear and in others.
    let digits = |digit: u8| [&[8, 0, 0][..], &[0, digit, 0, 0, 0].repeat(4)].concat();
    assert_eq!(read(&with_payload(&frame, &digits(3))).unwrap_err(), malformed("flags"));
    let mut clear = FheUint8::trivial(0xff).unwrap().to_bytes(&params).unwrap();
    assert_eq!(clear, with_payload(&clear, &digits(3)));
    assert_eq!(read(&with_payload(&clear, &digits(4))).unwrap_err(), malformed("digits"));
    assert_eq!(read(&with_payload(&clear, &digits(33))).unwrap_err(), malformed("clear value"));
    assert_eq!(read(&with_payload(&clear, content)).unwrap_err(), malformed("kind of digit"));
    clear[48] = 1;
    assert_eq!(read(&repaired(clear)).unwrap_err(), malformed("key id"));
}

/// A truth value and a bit that state the range of a message would be written with their own range.
#[test]
fn a_fresh_truth_value_has_one_encoding() {
    let (client, params, mut rng) = client(Params::preset(Params::INTEGERS).unwrap());
    let flag: FheBool = client.encrypt(true, &mut rng).unwrap();
    let bytes = flag.to_bytes(&params).unwrap();
    // Type and form of the digit, then the least value and the greatest.
    let high = 3 + 1 + 4;
    assert_eq!(payload(&bytes)[high..high + 4], 1_i32.to_le_bytes());
    let wider = with_bytes(&bytes, high, &3_i32.to_le_bytes());
    assert!(FheBool::from_bytes(&params, &wider).is_err());
    // The claim of an untrusted sender is ignored.
    let read = FheBool::from_bytes_fresh(&params, &wider).unwrap();
    assert_eq!(read.to_bytes(&params).unwrap(), bytes);
    assert!(client.decrypt(&read).unwrap());
}

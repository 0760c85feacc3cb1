//! Byte strings: encryption and frames.

use crate::tfhe::frame::{payload, with_bytes, with_payload};
use crate::tfhe::hostile::{client, every_change, header_is_checked};
use fathom::Error;
use fathom::tfhe::integer::{FheBytes, FheUint8, Padding};
use fathom::tfhe::{ListError, Params, SeededList};
use fathom::wire::{Kind, Wire, WireError, WireFresh, WireObject, WireValue};

#[test]
fn strings_survive_the_journey() {
    let (client, params, mut rng) = client(Params::INTEGERS);
    let any = client.encrypt::<FheBytes>(b"\0a\xff\0", &mut rng).unwrap();
    let padded = client.encrypt_bytes_padded(b"abc", 5, &mut rng).unwrap();
    assert_eq!((any.capacity(), padded.capacity()), (4, 5));
    for (string, clear) in [(&any, &b"\0a\xff\0"[..]), (&padded, b"abc")] {
        let bytes = string.to_bytes(&params).unwrap();
        assert_eq!(bytes.len(), string.byte_len(&params));
        for read in [FheBytes::from_bytes, FheBytes::from_bytes_fresh] {
            let read = read(&params, &bytes).unwrap();
            assert_eq!((read.padding(), read.blocks()), (string.padding(), string.blocks()));
            assert_eq!(client.decrypt(&read).unwrap(), clear);
        }
    }
    let empty = client.encrypt::<FheBytes>(b"", &mut rng).unwrap();
    let public = FheBytes::trivial(b"public");
    for (string, clear) in [(&empty, &b""[..]), (&public, b"public")] {
        let bytes = string.to_bytes(&params).unwrap();
        let read = FheBytes::from_bytes(&params, &bytes).unwrap();
        assert_eq!(client.decrypt(&read).unwrap(), clear);
        let refused = FheBytes::from_bytes_fresh(&params, &bytes).unwrap_err();
        assert_eq!(refused, Error::Wire(WireError::NotFresh));
    }
    // In few bytes, as a list of integers with one seed.
    let sent = client.encrypt_list::<FheUint8>(*b"fathom", &mut rng).unwrap();
    let bytes = sent.to_bytes();
    let received = SeededList::from_bytes(&params, &bytes).unwrap().values().unwrap();
    let string = FheBytes::from_integers(&received, Padding::None);
    assert_eq!(client.decrypt(&string).unwrap(), b"fathom");
}

#[test]
fn what_is_no_string_is_refused() {
    let (client, params, mut rng) = client(Params::INTEGERS);
    let refused = client.encrypt_bytes_padded(b"abc", 2, &mut rng).unwrap_err();
    assert_eq!(refused, Error::List(ListError::Capacity { bytes: 3, capacity: 2 }));
    let refused = client.encrypt_bytes_padded(b"a\0c", 4, &mut rng).unwrap_err();
    assert_eq!(refused, Error::ValueOutOfRange { index: 1, low: 1, high: 255 });

    let string = client.encrypt::<FheBytes>(b"a", &mut rng).unwrap();
    let frame = string.to_bytes(&params).unwrap();
    let recode = |bytes: &[u8]| FheBytes::from_bytes(&params, bytes)?.to_bytes(&params);
    let few: Vec<u8> = every_change().into_iter().step_by(5).collect();
    header_is_checked(Kind::ByteString, &frame, &few, &recode);
    let read = |at, bytes: &[u8]| FheBytes::from_bytes(&params, &with_bytes(&frame, at, bytes));
    let refused = read(0, &[2]).unwrap_err();
    assert_eq!(refused, Error::Wire(WireError::Malformed { field: "padding" }));
    for huge in [(1_u32 << 16) + 1, u32::MAX] {
        let refused = read(1, &huge.to_le_bytes()).unwrap_err();
        assert!(matches!(
            refused,
            Error::Wire(WireError::Range { field: "bytes of the string", .. })
        ));
    }
    for (count, truncated) in [(2_u32, true), (0, false)] {
        let refused = read(1, &count.to_le_bytes()).unwrap_err();
        assert_eq!(
            matches!(refused, Error::Wire(WireError::Truncated { .. })),
            truncated,
            "{refused}"
        );
    }
    // A string without bytes is not a fresh encryption.
    let nothing = with_payload(&frame, &payload(&frame)[..5]);
    let refused = FheBytes::from_bytes(&params, &with_bytes(&nothing, 1, &[0; 4])).unwrap_err();
    assert_eq!(refused, Error::Wire(WireError::Malformed { field: "flags" }));
    let long = FheBytes::trivial(&vec![0; (1 << 16) + 1]).to_bytes(&params).unwrap_err();
    assert!(matches!(long, Error::Wire(WireError::Range { .. })));
}

//! Byte strings are compared with slices of bytes.

use super::harness::{Numbers, Session};
use fathom::Error;
use fathom::tfhe::integer::{ByteStrings, FheBool, FheBytes, FheUint8, Padding, Text, U256};
use fathom::tfhe::{Evaluator, ListError, Params};
use proptest::prelude::*;

/// Encrypts a string; `None` leaves it unpadded, a capacity pads it.
fn encrypt(session: &Session, bytes: &[u8], capacity: Option<usize>) -> FheBytes {
    let mut padded = bytes.to_vec();
    padded.resize(capacity.unwrap_or(bytes.len()), 0);
    let bytes: Vec<FheUint8> =
        padded.iter().map(|&byte| session.encrypt(U256::from(byte))).collect();
    let padding = if capacity.is_some() { Padding::Zeros } else { Padding::None };
    FheBytes::from_integers(&bytes, padding)
}

/// Decrypts a string and checks that its blocks are canonical.
fn decrypt(session: &Session, string: &FheBytes) -> Vec<u8> {
    FheBytes::from_blocks(string.blocks().to_vec(), string.padding()).unwrap();
    let bytes = string.to_integers();
    let mut bytes: Vec<u8> = bytes.iter().map(|byte| session.decrypt(byte).as_u8()).collect();
    while string.padding() == Padding::Zeros && bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}

fn sessions() -> [Session; 2] {
    let params = Params::preset(Params::INTEGERS).unwrap();
    [Session::simulated(), Session::simulated_received(params, 2)]
}

fn strings(session: &Session) -> ByteStrings {
    ByteStrings::new(session.integers.evaluator().clone()).unwrap()
}

/// Returns the first place of a pattern.
fn place(string: &[u8], pattern: &[u8]) -> Option<usize> {
    (0..=string.len()).find(|&place| string[place..].starts_with(pattern))
}

/// Checks every operation on two strings without zero bytes, in every combination of clear,
/// encrypted and padded.
fn check(session: &Session, a: &[u8], b: &[u8]) {
    let strings = strings(session);
    let bit = |flag: Result<FheBool, Error>| session.decrypt_bool(&flag.unwrap());
    let (plain, padded) = (encrypt(session, b, None), encrypt(session, b, Some(b.len() + 2)));
    for x in [encrypt(session, a, None), encrypt(session, a, Some(a.len() + 3))] {
        for y in [Text::from(b), Text::from(&plain), Text::from(&padded)] {
            let about = format!("{a:?} {:?} and {b:?} as {y:?}", x.padding());
            assert_eq!(bit(strings.eq(&x, y)), a == b, "{about}");
            assert_eq!(bit(strings.ne(&x, y)), a != b, "{about}");
            assert_eq!(bit(strings.lt(&x, y)), a < b, "{about}");
            assert_eq!(bit(strings.le(&x, y)), a <= b, "{about}");
            assert_eq!(bit(strings.gt(&x, y)), a > b, "{about}");
            assert_eq!(bit(strings.ge(&x, y)), a >= b, "{about}");
            assert_eq!(bit(strings.starts_with(&x, y)), a.starts_with(b), "{about}");
            assert_eq!(bit(strings.ends_with(&x, y)), a.ends_with(b), "{about}");
            let found = place(a, b);
            assert_eq!(bit(strings.contains(&x, y)), found.is_some(), "{about}");
            let (index, is_found) = strings.find(&x, y).unwrap();
            assert_eq!(session.decrypt_bool(&is_found), found.is_some(), "{about}");
            if let Some(found) = found {
                assert_eq!(session.decrypt(&index), U256::from(found as u64), "{about}");
            }
            let both = strings.concat(&x, y).unwrap();
            assert_eq!(decrypt(session, &both), [a, b].concat(), "{about}");
        }
        assert_eq!(session.decrypt(&strings.len(&x).unwrap()), U256::from(a.len() as u64));
        let lower = strings.to_ascii_lowercase(&x).unwrap();
        assert_eq!(decrypt(session, &lower), a.to_ascii_lowercase());
        let upper = strings.to_ascii_uppercase(&x).unwrap();
        assert_eq!(decrypt(session, &upper), a.to_ascii_uppercase());
    }
}

#[test]
fn edge_cases_agree_with_slices() {
    for session in sessions() {
        let words: [&[u8]; 8] =
            [b"", b"a", b"b", b"ab", b"aab", b"abab", b"baaab", b"\xff\x01\x7f@[`{"];
        for a in words {
            for b in words {
                check(&session, a, b);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Few letters, so that patterns are found.
    #[test]
    fn strings_of_few_letters_agree_with_slices(
        a in prop::collection::vec(prop::sample::select(b"aAbz".to_vec()), 0..12),
        b in prop::collection::vec(prop::sample::select(b"aAbz".to_vec()), 0..5),
    ) {
        check(&Session::simulated(), &a, &b);
    }

    #[test]
    fn strings_of_any_bytes_agree_with_slices(
        a in prop::collection::vec(1_u8.., 0..9),
        b in prop::collection::vec(1_u8.., 0..9),
    ) {
        check(&Session::simulated(), &a, &b);
        check(&Session::simulated(), &a, &a);
    }

    /// Without padding, zero bytes are bytes like any others; a padded string has none.
    #[test]
    fn strings_with_zeros_agree_with_slices(
        a in prop::collection::vec(0_u8..3, 0..6),
        b in prop::collection::vec(0_u8..3, 0..6),
    ) {
        let session = Session::simulated();
        check_zeros(&session, &a, &b);
    }
}

/// Checks every operation on two strings that may have zero bytes, which are not padded then.
fn check_zeros(session: &Session, a: &[u8], b: &[u8]) {
    let strings = strings(session);
    let bit = |flag: Result<FheBool, Error>| session.decrypt_bool(&flag.unwrap());
    let forms = |bytes: &[u8]| {
        let lengths = [0, 1, 4].map(|more| Some(bytes.len() + more));
        let padded = lengths.into_iter().filter(|_| !bytes.contains(&0));
        let capacities = [None].into_iter().chain(padded);
        capacities.map(|capacity| encrypt(session, bytes, capacity)).collect::<Vec<_>>()
    };
    let seconds = forms(b);
    for x in forms(a) {
        for y in seconds.iter().map(Text::from).chain([Text::from(b)]) {
            let about = format!("{a:?} {x:?} and {b:?} as {y:?}");
            assert_eq!(bit(strings.eq(&x, y)), a == b, "{about}");
            assert_eq!(bit(strings.ne(&x, y)), a != b, "{about}");
            assert_eq!(bit(strings.lt(&x, y)), a < b, "{about}");
            assert_eq!(bit(strings.le(&x, y)), a <= b, "{about}");
            assert_eq!(bit(strings.gt(&x, y)), a > b, "{about}");
            assert_eq!(bit(strings.ge(&x, y)), a >= b, "{about}");
            assert_eq!(bit(strings.starts_with(&x, y)), a.starts_with(b), "{about}");
            assert_eq!(bit(strings.ends_with(&x, y)), a.ends_with(b), "{about}");
            let found = place(a, b);
            assert_eq!(bit(strings.contains(&x, y)), found.is_some(), "{about}");
            let (index, is_found) = strings.find(&x, y).unwrap();
            assert_eq!(session.decrypt_bool(&is_found), found.is_some(), "{about}");
            if let Some(found) = found {
                assert_eq!(session.decrypt(&index), U256::from(found as u64), "{about}");
            }
            if x.padding() == Padding::None && y.padding() == Padding::None {
                assert_eq!(decrypt(session, &strings.concat(&x, y).unwrap()), [a, b].concat());
            }
        }
    }
}

/// The strings of up to three bytes 0 and 1, one with another.
#[test]
fn short_strings_with_zeros_agree_with_slices() {
    let session = Session::simulated();
    let words = (0..4).flat_map(|length| {
        (0..1_u8 << length)
            .map(move |bits| (0..length).map(|place| bits >> place & 1).collect::<Vec<_>>())
    });
    let words: Vec<Vec<u8>> = words.collect();
    for a in &words {
        for b in &words {
            check_zeros(&session, a, b);
        }
    }
}

#[test]
fn a_string_with_a_zero_byte_differs_from_a_padded_one() {
    for session in [Session::simulated(), Session::encrypted()] {
        let strings = strings(&session);
        let padded = encrypt(&session, b"9", Some(3));
        let bit = |flag: Result<FheBool, Error>| session.decrypt_bool(&flag.unwrap());
        let zeros = encrypt(&session, b"9\0x", None);
        for other in [Text::from(b"9\0x"), Text::from(&zeros)] {
            assert!(!bit(strings.eq(&padded, other)) && bit(strings.ne(&padded, other)));
            assert!(bit(strings.lt(&padded, other)) && bit(strings.le(&padded, other)));
            assert!(!bit(strings.gt(&padded, other)) && !bit(strings.ge(&padded, other)));
        }
        let zero = encrypt(&session, b"\0", None);
        for pattern in [Text::from(b"\0"), Text::from(&zero)] {
            assert!(!bit(strings.contains(&padded, pattern)));
            assert!(!bit(strings.ends_with(&padded, pattern)));
            assert!(!bit(strings.starts_with(&padded, pattern)));
        }
        let refused = strings.concat(&padded, b"a\0").unwrap_err();
        assert_eq!(refused, Error::ValueOutOfRange { index: 1, low: 1, high: 255 });
    }
}

#[test]
fn case_is_that_of_ascii_for_every_byte() {
    let session = Session::simulated();
    let bytes: Vec<u8> = (0..=255).collect();
    let string = encrypt(&session, &bytes, None);
    let lower = strings(&session).to_ascii_lowercase(&string).unwrap();
    assert_eq!(decrypt(&session, &lower), bytes.to_ascii_lowercase());
    let upper = strings(&session).to_ascii_uppercase(&string).unwrap();
    assert_eq!(decrypt(&session, &upper), bytes.to_ascii_uppercase());
}

/// A longer string, whose search sums flags in several layers.
#[test]
fn long_patterns_are_found() {
    let session = Session::simulated();
    let strings = strings(&session);
    let mut numbers = Numbers(3);
    let text: Vec<u8> = (0..70).map(|_| 1 + (numbers.word() % 255) as u8).collect();
    let hidden = encrypt(&session, &text, Some(80));
    let pattern = &text[31..64];
    let (index, found) = strings.find(&hidden, pattern).unwrap();
    assert!(session.decrypt_bool(&found));
    assert_eq!(session.decrypt(&index), U256::from(31_u8));
    let same = encrypt(&session, b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", None);
    let (index, found) = strings.find(&same, &encrypt(&session, &[b'a'; 20], Some(24))).unwrap();
    assert!(session.decrypt_bool(&found));
    assert_eq!(session.decrypt(&index), U256::ZERO);
}

/// Copies of one ciphertext have one noise.
#[test]
fn a_string_may_hold_one_ciphertext_many_times() {
    for session in sessions() {
        let strings = strings(&session);
        let letter: FheUint8 = session.encrypt(U256::from(b'q'));
        let string = FheBytes::from_integers(&vec![letter.clone(); 20], Padding::Zeros);
        let pattern = FheBytes::from_integers(&vec![letter; 18], Padding::Zeros);
        for pattern in [Text::from(&pattern), Text::from("qqqqqqqqqqqqqqqqqq")] {
            assert!(session.decrypt_bool(&strings.contains(&string, pattern).unwrap()));
            assert!(session.decrypt_bool(&strings.ends_with(&string, pattern).unwrap()));
            assert!(session.decrypt_bool(&strings.ge(&string, pattern).unwrap()));
        }
        assert_eq!(session.decrypt(&strings.len(&string).unwrap()), U256::from(20_u8));
        let twice = strings.concat(&string, &string).unwrap();
        assert_eq!(decrypt(&session, &twice), [b'q'; 40]);
    }
}

#[test]
fn slices_and_wrong_operands() {
    let session = Session::simulated();
    let string = encrypt(&session, b"fathom", None);
    assert_eq!(decrypt(&session, &string.slice(1..4).unwrap()), b"ath");
    let outside = |range| string.slice(range).unwrap_err();
    let refused = |start, end| Error::List(ListError::OutsideList { start, end, length: 6 });
    assert_eq!(outside(3..7), refused(3, 7));
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = outside(3..2);
    assert_eq!(reversed, refused(3, 2));
    let three = string.blocks()[..3].to_vec();
    let refused = FheBytes::from_blocks(three, Padding::None).unwrap_err();
    assert!(matches!(refused, Error::NotCanonical { blocks: 4, .. }));
    let gates = Evaluator::simulated(&Params::preset(Params::GATES).unwrap());
    assert!(matches!(ByteStrings::new(gates), Err(Error::ParamsMismatch { .. })));
    // The zeros of a clear pattern are no padding.
    let padded = encrypt(&session, b"ab", Some(4));
    for pattern in [&b"b\0"[..], b"\0"] {
        let strings = strings(&session);
        for flag in [
            strings.contains(&padded, pattern),
            strings.ends_with(&padded, pattern),
            strings.starts_with(&padded, pattern),
        ] {
            assert!(!session.decrypt_bool(&flag.unwrap()));
        }
    }
}

/// Bootstraps of operations, which docs/maths/tfhe-integers.md quotes.
#[test]
fn documents_give_the_bootstraps_of_byte_strings() {
    let session = Session::simulated();
    let strings = strings(&session);
    let letters = |count: usize| (0..count).map(|i| b'a' + (i * 7 % 26) as u8).collect::<Vec<_>>();
    let count = |run: &dyn Fn()| {
        let before = session.integers.counts().bootstraps;
        run();
        session.integers.counts().bootstraps - before
    };
    let mut rows: Vec<(&str, Vec<u64>)> = Vec::new();
    let mut column = |length: usize| {
        let (text, other) = (letters(length), letters(length + 1)[1..].to_vec());
        let pattern = &text[length / 2..][..4];
        let (a, b) = (encrypt(&session, &text, None), encrypt(&session, &other, None));
        let p = encrypt(&session, pattern, None);
        let (x, q) = (encrypt(&session, &text, Some(length)), encrypt(&session, pattern, Some(4)));
        let measured: [(&str, &dyn Fn()); 15] = [
            ("eq", &|| drop(strings.eq(&a, &b).unwrap())),
            ("eq clear", &|| drop(strings.eq(&a, &other).unwrap())),
            ("lt", &|| drop(strings.lt(&a, &b).unwrap())),
            ("contains", &|| drop(strings.contains(&a, &p).unwrap())),
            ("contains clear", &|| drop(strings.contains(&a, pattern).unwrap())),
            ("contains padded", &|| drop(strings.contains(&x, &q).unwrap())),
            ("find", &|| drop(strings.find(&a, &p).unwrap())),
            ("find clear", &|| drop(strings.find(&a, pattern).unwrap())),
            ("starts_with", &|| drop(strings.starts_with(&a, &p).unwrap())),
            ("ends_with clear, hidden length", &|| drop(strings.ends_with(&x, pattern).unwrap())),
            ("ends_with padded", &|| drop(strings.ends_with(&x, &q).unwrap())),
            ("to_ascii_lowercase", &|| drop(strings.to_ascii_lowercase(&a).unwrap())),
            ("len, hidden", &|| drop(strings.len(&x).unwrap())),
            ("concat", &|| drop(strings.concat(&a, &b).unwrap())),
            ("concat, hidden length", &|| drop(strings.concat(&x, &b).unwrap())),
        ];
        for (index, (name, run)) in measured.into_iter().enumerate() {
            if rows.len() <= index {
                rows.push((name, Vec::new()));
            }
            rows[index].1.push(count(run));
        }
    };
    [8, 16, 32, 64].into_iter().for_each(&mut column);
    let document = include_str!("../../../../docs/maths/tfhe-integers.md");
    let missing: Vec<String> = rows
        .iter()
        .map(|(name, counts)| {
            let cells: Vec<_> = counts.iter().map(u64::to_string).collect();
            format!("| {name} | {} |", cells.join(" | "))
        })
        .filter(|row| !document.contains(row))
        .collect();
    assert!(missing.is_empty(), "docs/maths/tfhe-integers.md lacks\n{}", missing.join("\n"));
}

#[test]
fn strings_under_real_keys_give_the_clear_results() {
    let session = Session::encrypted();
    let strings = strings(&session);
    let name = encrypt(&session, b"Ada", Some(4));
    let lower = strings.to_ascii_lowercase(&name).unwrap();
    assert_eq!(decrypt(&session, &lower), b"ada");
    let bit = |flag: Result<FheBool, Error>| session.decrypt_bool(&flag.unwrap());
    assert!(bit(strings.contains(&lower, "da")));
    assert!(bit(strings.ends_with(&lower, "a")) && !bit(strings.ends_with(&lower, "d")));
    assert!(bit(strings.starts_with(&name, &encrypt(&session, b"A", Some(2)))));
    assert!(bit(strings.lt(&name, &lower)));
    assert_eq!(decrypt(&session, &strings.concat(&name, b"!").unwrap()), b"Ada!");
    assert_eq!(session.decrypt(&strings.len(&name).unwrap()), U256::from(3_u8));
}

//! Operations on lists.

use super::harness::{Numbers, Session, mask, signed};
use fathom::Error;
use fathom::tfhe::ListError;
use fathom::tfhe::integer::{FheInt, FheInteger, FheUint, FheUint8, Integers, Typed, U256};
use fathom::tfhe::{Counts, Params};

fn values<T: FheInteger + Typed>(count: usize, seed: u64) -> Vec<U256> {
    let mut numbers = Numbers(seed);
    // Some of them are equal.
    let mut values: Vec<_> = (0..count).map(|_| numbers.value() & mask::<T>()).collect();
    for i in (3..count).step_by(5) {
        values[i] = values[i - 2];
    }
    values
}

fn encrypt<T: FheInteger + Typed>(session: &Session, values: &[U256]) -> Vec<T> {
    values.iter().map(|&value| session.encrypt(value)).collect()
}

/// Orders values as their type does.
fn key<T: FheInteger + Typed>(value: U256) -> U256 {
    let offset = U256::ONE << 255_u32;
    if T::SIGNED { signed::<T>(value).as_u256().wrapping_add(offset) } else { value }
}

fn sorts<T: FheInteger + Typed + Sync + Send>(session: &Session, lengths: &[usize]) {
    for &length in lengths {
        let clear = values::<T>(length, length as u64);
        let list: Vec<T> = encrypt(session, &clear);
        let sorted = session.integers.sort(&list).unwrap();
        let mut expected = clear.clone();
        expected.sort_by_key(|&value| key::<T>(value));
        let got: Vec<U256> = sorted.iter().map(|value| session.decrypt(value)).collect();
        assert_eq!(got, expected, "{length}");

        let places: Vec<FheUint8> =
            (0..length).map(|place| session.encrypt((place as u8).into())).collect();
        let (keys, places) = session.integers.sort_by_key(&list, &places).unwrap();
        let got: Vec<U256> = keys.iter().map(|value| session.decrypt(value)).collect();
        assert_eq!(got, expected, "{length}");
        let places: Vec<usize> = places.iter().map(|p| session.decrypt(p).as_usize()).collect();
        let moved: Vec<U256> = places.iter().map(|&place| clear[place]).collect();
        assert_eq!(moved, expected);
        let mut places = places;
        places.sort_unstable();
        assert!(places.into_iter().eq(0..length));
    }
}

#[test]
fn lists_are_sorted() {
    let session = Session::simulated();
    sorts::<FheUint<8>>(&session, &[0, 1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 33, 40, 64]);
    sorts::<FheUint<2>>(&session, &[5, 16]);
    sorts::<FheUint<6>>(&session, &[7, 11, 16, 20]);
    sorts::<FheUint<16>>(&session, &[16, 17]);
    sorts::<FheInt<6>>(&session, &[7, 16, 20]);
    sorts::<FheUint<32>>(&session, &[6]);
}

/// Fifteen copies of one ciphertext have flags with common noise.
#[test]
fn lists_of_copies_are_sorted() {
    let session = Session::simulated();
    let [low, high]: [FheUint8; 2] = [3_u8, 200].map(|value| session.encrypt(value.into()));
    let mut list = vec![high.clone(); 15];
    list.push(low.clone());
    list.extend(vec![low; 3]);
    let sorted = session.integers.sort(&list).unwrap();
    let got: Vec<u8> = sorted.iter().map(|value| session.decrypt(value).as_u8()).collect();
    assert!(
        got.is_sorted() && got.iter().filter(|value| **value == 3).collect::<Vec<_>>().len() == 4
    );
}

#[test]
fn extremes_and_their_places_are_those_of_clear_lists() {
    fn check<T: FheInteger + Typed + Sync + Send>(session: &Session) {
        let e = &session.integers;
        for length in [1, 2, 3, 5, 16, 17] {
            let clear = values::<T>(length, 3);
            let list: Vec<T> = encrypt(session, &clear);
            let keys = || clear.iter().map(|&value| key::<T>(value));
            let (greatest, least) = (keys().max().unwrap(), keys().min().unwrap());
            let first = |wanted| keys().position(|key| key == wanted).unwrap();
            let max = session.decrypt(&e.max_of(&list).unwrap());
            let min = session.decrypt(&e.min_of(&list).unwrap());
            assert_eq!((key::<T>(max), key::<T>(min)), (greatest, least));
            let (place, value) = e.argmax(&list).unwrap();
            assert_eq!(session.decrypt(&place).as_usize(), first(greatest));
            assert_eq!(session.decrypt(&value), max);
            let (place, value) = e.argmin(&list).unwrap();
            assert_eq!(session.decrypt(&place).as_usize(), first(least));
            assert_eq!(session.decrypt(&value), min);
        }
    }
    let session = Session::simulated();
    check::<FheUint<8>>(&session);
    check::<FheInt<16>>(&session);
    assert_eq!(
        session.integers.max_of::<FheUint8>(&[]).unwrap_err(),
        Error::List(ListError::EmptyList)
    );
}

#[test]
fn arrays_are_read_at_every_index() {
    let session = Session::simulated();
    let e = &session.integers;
    for length in [1, 2, 4, 5, 16, 17, 40, 256, 300] {
        let clear = values::<FheUint<16>>(length, 5);
        let list: Vec<FheUint<16>> = encrypt(&session, &clear);
        let indices = [0, 1, 3, 4, 15, 16, 17, 39, 40, 255, 256, 299, 300, 5000];
        for index in indices {
            let expected = clear.get(index).copied().unwrap_or(U256::ZERO);
            let hidden: FheUint<16> = session.encrypt(U256::from(index as u64));
            let read = e.lookup(&list, &hidden).unwrap();
            assert_eq!(session.decrypt(&read), expected, "{length} at {index}");
            let read: FheUint<16> = e.lookup_clear(&clear, &hidden).unwrap();
            assert_eq!(session.decrypt(&read), expected, "clear {length} at {index}");
        }
        // An index with few digits.
        let hidden: FheUint<4> = session.encrypt(U256::from(9_u8));
        let expected = clear.get(9).copied().unwrap_or(U256::ZERO);
        assert_eq!(session.decrypt(&e.lookup(&list, &hidden).unwrap()), expected);
        let read: FheUint<16> = e.lookup_clear(&clear, &hidden).unwrap();
        assert_eq!(session.decrypt(&read), expected);
    }
    let index: FheUint8 = session.encrypt(U256::ZERO);
    let refused = e.lookup_clear::<FheUint8>(&[300_u32], &index).unwrap_err();
    assert_eq!(refused, Error::ClearOutOfRange { bits: 8, signed: false });
    assert_eq!(e.lookup::<FheUint8>(&[], &index).unwrap_err(), Error::List(ListError::EmptyList));
    assert_eq!(
        e.lookup_clear::<FheUint8>(&[0_u8; 0], &index).unwrap_err(),
        Error::List(ListError::EmptyList)
    );
}

#[test]
fn values_are_found_in_lists() {
    let session = Session::simulated();
    let e = &session.integers;
    for length in [1, 3, 4, 9, 35] {
        let clear = values::<FheUint<8>>(length, 9);
        let list: Vec<FheUint8> = encrypt(&session, &clear);
        let absent = (0..=255_u8).map(U256::from).find(|value| !clear.contains(value)).unwrap();
        for value in [clear[0], clear[length - 1], clear[length / 2], absent] {
            let place = clear.iter().position(|&x| x == value);
            let hidden: FheUint8 = session.encrypt(value);
            let small = value.as_u8();
            for found in [e.contains(&list, &hidden), e.contains(&list, small)] {
                assert_eq!(session.decrypt_bool(&found.unwrap()), place.is_some());
            }
            for found in [e.find(&list, &hidden), e.find(&list, small)] {
                let (index, found) = found.unwrap();
                assert_eq!(session.decrypt_bool(&found), place.is_some());
                let expected = place.unwrap_or(length);
                assert_eq!(session.decrypt(&index).as_usize(), expected);
            }
        }
    }
    let none: [FheUint8; 0] = [];
    assert!(!session.decrypt_bool(&e.contains(&none, 3_u8).unwrap()));
    let (index, found) = e.find(&none, 3_u8).unwrap();
    assert!(!session.decrypt_bool(&found) && session.decrypt(&index).as_usize() == 0);
}

/// Equal elements of a public list have one flag, and elements that differ have flags of one
/// accumulator.
#[test]
fn values_are_found_in_public_lists_with_repetitions() {
    let params = || Params::preset(Params::INTEGERS).unwrap();
    for session in [Session::simulated(), Session::simulated_received(params(), 2)] {
        let e = &session.integers;
        let mississippi: Vec<u8> = b"mississippi".to_vec();
        let lists: [&[u8]; 6] = [
            &[10, 10, 12, 12, 12, 12, 15, 15],
            &mississippi,
            b"Price: 10000 USD",
            &[7; 20],
            &[3, 2, 1, 0, 3, 2, 1, 0, 0, 1, 2, 3],
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0],
        ];
        for clear in lists {
            let list: Vec<FheUint8> =
                clear.iter().map(|&value| FheUint8::trivial(value).unwrap()).collect();
            let small: Vec<FheUint<4>> =
                clear.iter().map(|&value| FheUint::trivial(value & 15).unwrap()).collect();
            for value in [clear[0], clear[clear.len() - 1], clear[clear.len() / 2], 13] {
                let hidden: FheUint8 = session.encrypt(value.into());
                let nibble: FheUint<4> = session.encrypt((value & 15).into());
                let place = |found: Option<usize>| found.unwrap_or(clear.len());
                let (index, found) = e.find(&list, &hidden).unwrap();
                let expected = clear.iter().position(|&x| x == value);
                assert_eq!(session.decrypt_bool(&found), expected.is_some());
                assert_eq!(session.decrypt(&index).as_usize(), place(expected), "{clear:?}");
                let (index, found) = e.find(&small, &nibble).unwrap();
                let expected = clear.iter().position(|&x| x & 15 == value & 15);
                assert_eq!(session.decrypt_bool(&found), expected.is_some());
                assert_eq!(session.decrypt(&index).as_usize(), place(expected), "{clear:?}");
                let contained = e.contains(&small, &nibble).unwrap();
                assert_eq!(session.decrypt_bool(&contained), expected.is_some());
            }
        }
    }
}

/// Lists of copies, of public elements and of elements that differ by public constants, for every
/// operation on lists: they are computed, whatever noise the elements have in common.
#[test]
fn lists_with_noise_in_common_are_taken_by_every_operation() {
    let params = || Params::preset(Params::INTEGERS).unwrap();
    for session in [Session::simulated(), Session::simulated_received(params(), 2)] {
        let e = &session.integers;
        let x: FheUint<2> = session.encrypt(U256::from(2_u8));
        let same: Vec<FheUint<2>> = vec![x.clone(); 19];
        let constants: Vec<FheUint<2>> =
            (0..19_u8).map(|i| FheUint::trivial(i % 4).unwrap()).collect();
        let sums: Vec<FheUint<2>> = (0..19_u8).map(|i| e.add(&x, i % 4).unwrap()).collect();
        let mixed: Vec<FheUint<2>> =
            (0..19).map(|i| [&same, &constants, &sums][i % 3][i].clone()).collect();
        for list in [&same, &constants, &sums, &mixed] {
            let clear: Vec<u8> = list.iter().map(|x| session.decrypt(x).as_u8()).collect();
            let mut sorted = clear.clone();
            sorted.sort_unstable();
            let found = e.sort(list).unwrap();
            let found: Vec<u8> = found.iter().map(|x| session.decrypt(x).as_u8()).collect();
            assert_eq!(found, sorted);
            let first = |value: u8| clear.iter().position(|&x| x == value).unwrap();
            let most = *sorted.last().unwrap();
            let (index, value) = e.argmax(list).unwrap();
            let found = (session.decrypt(&index).as_usize(), session.decrypt(&value).as_u8());
            assert_eq!(found, (first(most), most));
            let (index, value) = e.argmin(list).unwrap();
            let found = (session.decrypt(&index).as_usize(), session.decrypt(&value).as_u8());
            assert_eq!(found, (first(sorted[0]), sorted[0]));
            let (index, found) = e.find(list, &x).unwrap();
            assert!(session.decrypt_bool(&found));
            assert_eq!(session.decrypt(&index).as_usize(), first(2));
            assert!(session.decrypt_bool(&e.contains(list, &x).unwrap()));
            let total = clear.iter().fold(0, |sum, value| (sum + value) % 4);
            assert_eq!(session.decrypt(&e.sum(list).unwrap()), U256::from(total));
            assert_eq!(session.decrypt(&e.lookup(list, &x).unwrap()), U256::from(clear[2]));
            let (keys, values) = e.sort_by_key(list, &same).unwrap();
            let keys: Vec<u8> = keys.iter().map(|x| session.decrypt(x).as_u8()).collect();
            assert_eq!(keys, sorted);
            assert!(values.iter().all(|x| session.decrypt(x) == U256::from(2_u8)));
        }
    }
}

/// Sorts tied elements of few bits, which are exchanged many times.
fn sorts_ties<T: FheInteger + Typed + Sync + Send>(session: &Session, lengths: &[usize]) {
    let mut numbers = Numbers(T::BITS as u64);
    for &length in lengths {
        for kinds in [1, 2, 4] {
            let clear: Vec<U256> =
                (0..length).map(|_| U256::from(numbers.word() % kinds) & mask::<T>()).collect();
            let list: Vec<T> = encrypt(session, &clear);
            let sorted = session.integers.sort(&list);
            let sorted = sorted.unwrap_or_else(|error| panic!("{length} of {kinds}: {error}"));
            let mut expected = clear;
            expected.sort_by_key(|&value| key::<T>(value));
            let got: Vec<U256> = sorted.iter().map(|value| session.decrypt(value)).collect();
            assert_eq!(got, expected, "{length} of {kinds}");
        }
    }
}

#[test]
fn long_lists_with_ties_are_sorted() {
    let lengths = [17, 31, 33, 40, 47, 64, 65, 100];
    for params in ["u_2_2_128", "u_2_2_64", "b_2_2_128"] {
        let params = || Params::preset(params).unwrap();
        for session in
            [Session::simulated_with_noise(params()), Session::simulated_received(params(), 2)]
        {
            sorts_ties::<FheInt<2>>(&session, &lengths);
            sorts_ties::<FheUint<2>>(&session, &lengths);
            sorts_ties::<FheInt<4>>(&session, &lengths[..4]);
        }
    }
}

/// Operations in step give the results of operations one after the other, with as many bootstraps
/// in as many layers as one of them.
#[test]
fn operations_in_step_share_their_layers() {
    let session = Session::simulated();
    let clear: Vec<U256> = values::<FheUint<16>>(70, 1);
    let list: Vec<FheUint<16>> = encrypt(&session, &clear);
    let cost = |run: &dyn Fn(&Integers)| {
        let before = session.integers.counts();
        run(&session.integers);
        let after = session.integers.counts();
        let (bootstraps, layers) =
            (after.bootstraps - before.bootstraps, after.layers - before.layers);
        Counts { bootstraps, layers }
    };
    let one = cost(&|e| drop(e.mul(&list[0], &list[1]).unwrap()));
    let all = cost(&|e| {
        let squares = e.zip(&list, &list[..], |e, a, _| e.mul(a, &list[1])).unwrap();
        for (square, value) in squares.iter().zip(&clear) {
            let expected = value.wrapping_mul(clear[1]) & mask::<FheUint<16>>();
            assert_eq!(session.decrypt(square), expected);
        }
    });
    // One of the products is a square; at most 64 are in step.
    assert!(all.layers <= 2 * one.layers + 4, "{all:?} {one:?}");
    assert!(all.bootstraps >= 69 * one.bootstraps);
    let same = cost(&|e| drop(e.map(&list[..64], |e, a| e.add(a, 5_u8)).unwrap()));
    assert_eq!(same, Counts { bootstraps: 64 * 8, layers: 8 });
    let sizes = session.integers.evaluator().layer_sizes();
    assert!(sizes.get(&64).is_some_and(|layers| *layers >= 8), "{sizes:?}");
    let Counts { bootstraps, layers } = session.integers.counts();
    assert_eq!(sizes.iter().map(|(size, layers)| size * layers).sum::<u64>(), bootstraps);
    assert_eq!(sizes.values().sum::<u64>(), layers);
}

#[test]
fn errors_of_operations_in_step_are_those_of_the_first_element() {
    let session = Session::simulated();
    let list: Vec<FheUint8> = encrypt(&session, &[U256::ONE; 10]);
    let numbers: Vec<u32> = (0..10).map(|i| 251 + i).collect();
    let refused = session.integers.zip(&list, &numbers, |e, a, &b| e.mul(a, b)).unwrap_err();
    assert_eq!(refused, Error::ClearOutOfRange { bits: 8, signed: false });
    let refused = session.integers.zip(&list, &numbers[1..], |e, a, &b| e.add(a, b)).unwrap_err();
    assert_eq!(refused, Error::List(ListError::LengthMismatch { left: 10, right: 9 }));
    let nested = session.integers.map(&list[..2], |e, a| {
        let inner = e.map(&[1_u8, 2, 3], |e, &b| e.add(a, b))?;
        e.sum(&inner)
    });
    assert_eq!(session.decrypt(&nested.unwrap()[1]), U256::from(9_u8));
}

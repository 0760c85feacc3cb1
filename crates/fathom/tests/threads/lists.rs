//! Parts of long lists.

use super::{in_child, integers, keys, rng};
use fathom::Error;
use fathom::tfhe::integer::{FheUint8, FheUint64, FheValue};
use fathom::tfhe::{ClientKey, CompactList, ListError, Params, PublicKey, SeededList};

/// Runs the same checks on both kinds of lists of ten values.
macro_rules! on_both {
    ($name:ident, $list:ident => $check:block) => {
        #[test]
        fn $name() {
            let values = (0..10_u8).map(|x| 23 * x);
            let list = keys().0.encrypt_list::<FheUint8>(values.clone(), &mut rng(5));
            let $list: SeededList = list.unwrap();
            $check
            let public: PublicKey = keys().0.public_key(&mut rng(6)).unwrap();
            let $list: CompactList = public.encrypt_list::<FheUint8>(values, &mut rng(7)).unwrap();
            $check
        }
    };
}

on_both!(ranges_and_iterators_of_a_list_give_its_values, list => {
    let all: Vec<FheUint8> = list.values().unwrap();
    assert_eq!(keys().0.decrypt(&all[9]).unwrap(), 207);
    let same = |part: &[FheUint8], from: usize| {
        part.iter().zip(&all[from..]).all(|(x, y)| x.blocks() == y.blocks())
    };
    for (start, end) in [(0, 10), (3, 7), (9, 10), (4, 4)] {
        let part: Vec<FheUint8> = list.values_in(start..end).unwrap();
        assert!(part.len() == end - start && same(&part, start));
    }
    let one_by_one = list.iter_values::<FheUint8>().unwrap();
    assert_eq!(one_by_one.len(), 10);
    let one_by_one: Vec<_> = one_by_one.map(|value| value.unwrap()).collect();
    assert!(same(&one_by_one, 0));
    assert_eq!(list.expand_range(8..13).unwrap(), list.expand()[8..13]);
});

on_both!(ranges_past_the_end_of_a_list_are_refused, list => {
    let values = |range| list.values_in::<FheUint8>(range).unwrap_err();
    assert_eq!(values(8..11), ListError::OutsideList { start: 8, end: 11, length: 10 }.into());
    #[expect(clippy::reversed_empty_ranges, reason = "refused")]
    let reversed = values(5..3);
    assert_eq!(reversed, ListError::OutsideList { start: 5, end: 3, length: 10 }.into());
    let blocks = list.expand_range(0..41).unwrap_err();
    assert_eq!(blocks, ListError::OutsideList { start: 0, end: 41, length: 40 }.into());
});

#[test]
fn parts_of_a_compressed_list_are_decompressed() {
    let mut rng = rng(8);
    let packing = keys().0.packing_keys(&mut rng).unwrap();
    let integers = integers(2).with_packing_keys(packing).unwrap();
    let values =
        [9_u8, 200, 31].map(|value| keys().0.encrypt::<FheUint8>(value, &mut rng).unwrap());
    let list = integers.compress_list(&values).unwrap();
    let part: Vec<FheUint8> = integers.decompress_values(&list, 1..3).unwrap();
    let part: Vec<u8> = part.iter().map(|value| keys().0.decrypt(value).unwrap()).collect();
    assert_eq!(part, [200, 31]);
    let past = integers.decompress_values::<FheUint8>(&list, 1..4).unwrap_err();
    assert!(matches!(past, Error::List(ListError::OutsideList { .. })), "{past}");
}

/// The values of a list of 250 integers of 64 bits take 131 MB.
#[test]
#[cfg(target_os = "linux")]
fn values_take_no_memory_beyond_their_own() {
    let test = "lists::values_take_no_memory_beyond_their_own";
    in_child(test, &[], || {
        let params = Params::preset(Params::INTEGERS).unwrap();
        let client = ClientKey::generate(&params, &mut rng(1));
        let list = client.encrypt_list::<FheUint64>(0..250_u64, &mut rng(2)).unwrap();
        let before = peak_kilobytes();
        let values: Vec<FheUint64> = list.values().unwrap();
        let own = values.iter().map(|value| value.blocks().len() * 8 * 2049).sum::<usize>() / 1000;
        let taken = peak_kilobytes() - before;
        assert!(taken < own * 5 / 4, "{taken} kB for values of {own} kB");
    });
}

/// Returns the greatest memory that the process has had so far.
#[cfg(target_os = "linux")]
fn peak_kilobytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

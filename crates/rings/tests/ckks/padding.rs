//! The content of slots without a given value is known after every verb.

use crate::ckks::setup::Setup;
use fathom::Error;
use fathom::ckks::{
    Ciphertext, DomainError, Evaluator, Interval, LinearMap, Packed, Params, Plaintext, Preset,
    Rotations, RowSwap, explicit,
};
use fathom::rlwe::Encryption;

fn simulated() -> Evaluator {
    Evaluator::simulated(&Params::preset(Preset::E3).unwrap()).unwrap()
}

fn encrypt(e: &Evaluator, plaintext: &Plaintext) -> Ciphertext {
    let top = e.params().top_level();
    e.simulated_encryption_like(Encryption::SecretKey, plaintext, top).unwrap()
}

/// Asserts that slots without a value hold this number.
fn assert_holds(what: &str, c: &Ciphertext, number: f64) {
    let Interval { low, high } = c.padding().unwrap_or_else(|| panic!("{what}: none"));
    let exact = (low - number).abs() < 1e-9 && (high - number).abs() < 1e-9;
    assert!(exact, "{what}: {low}..={high} instead of {number}");
}

#[test]
fn encoders_say_which_slots_have_no_value() {
    let e = simulated();
    let p = e.params();
    let full = vec![0.5; p.slot_count()];
    let few = p.encode(&[0.5; 3]).unwrap();
    assert_holds("encode", &encrypt(&e, &few), 0.0);
    assert_holds("encode_public", &encrypt(&e, &p.encode_public(&[0.5]).unwrap()), 0.0);
    let given = [
        p.encode(&full),
        p.encode_repeated(&[0.5; 4]),
        p.encode_padded(&[0.5; 3], 0.0),
        p.encode_padded(&full, 0.25),
        p.encode_public_repeated(&[0.5]),
    ];
    for plaintext in given {
        assert_eq!(encrypt(&e, &plaintext.unwrap()).padding(), None);
    }
    let exceeded = p.encode_padded(&[0.5; 3], 1.5).err();
    assert_eq!(exceeded, Some(Error::MagnitudeExceeded { index: 3, magnitude: 1.0 }));
}

#[test]
fn padded_slots_hold_the_filler() {
    let mut s = Setup::new(Preset::E3Depth1, &Rotations::none(), 220);
    let c = s.encrypt_padded(&[0.5, -0.5], 0.75, 1.0);
    let found = s.secret.decrypt(&c).unwrap();
    let expected = [0.5, -0.5].into_iter().chain(std::iter::repeat(0.75));
    for (slot, expected) in found.slots().iter().zip(expected) {
        assert!((slot - expected).abs() <= found.error_bound(), "{slot}");
    }
}

#[test]
fn numbers_and_permutations_map_what_slots_without_a_value_hold() {
    let e = simulated();
    let few = e.params().encode(&[0.5; 3]).unwrap();
    let a = encrypt(&e, &few);
    let two = e.add_scalar(&a, 2.0).unwrap();
    assert_holds("add_scalar", &two, 2.0);
    assert_holds("sub_scalar", &e.sub_scalar(&a, 2.0).unwrap(), -2.0);
    assert_holds("neg", &e.neg(&two).unwrap(), -2.0);
    assert_holds("mul_scalar", &e.mul_scalar(&two, 0.25).unwrap(), 0.5);
    assert_holds("mul_scalar by an integer", &e.mul_scalar(&two, -3.0).unwrap(), -6.0);
    assert_holds("rotate", &e.rotate(&two, 5).unwrap(), 2.0);
    assert_holds("conjugate", &e.conjugate(&two).unwrap(), 2.0);
    assert_holds("twice_real_part", &e.twice_real_part(&two).unwrap(), 4.0);
    assert_holds("mod_switch_to", &e.mod_switch_to(&two, 1).unwrap(), 2.0);
    assert_holds("drop_to", &e.drop_to(&two, 1).unwrap(), 2.0);
    assert_holds("square", &e.square(&a).unwrap(), 0.0);
    let polynomial = e.evaluate_polynomial(&two, &[1.0, 2.0, 3.0]).unwrap();
    assert_holds("evaluate_polynomial", &polynomial, 17.0);
    let interval = Interval::new(-4.0, 4.0);
    let exp = e.exp(&two, interval, 31).unwrap().padding().unwrap();
    assert!((exp.low - 2f64.exp()).abs() < 1e-6 && exp.high - exp.low < 1e-6, "{exp:?}");
}

/// A verb, and what it does to numbers.
type Verb =
    (fn(&Evaluator, &Ciphertext, &Ciphertext) -> Result<Ciphertext, Error>, fn(f64, f64) -> f64);

#[test]
fn combinations_enclose_what_slots_without_a_value_may_hold() {
    let e = simulated();
    let p = e.params();
    // Slot by slot: a value in both, in the first alone, in the second alone, in none.
    let few = encrypt(&e, &p.encode_within(&[1.0, 0.5], 1.0).unwrap());
    let others = encrypt(&e, &p.encode_within(&[-2.0], 2.0).unwrap());
    let all = encrypt(&e, &p.encode_repeated_within(&[-1.5], 1.5).unwrap());
    let verbs: [Verb; 3] = [
        (|e, a, b| e.add(a, b), |x, y| x + y),
        (|e, a, b| e.sub(a, b), |x, y| x - y),
        (|e, a, b| e.mul(a, b), |x, y| x * y),
    ];
    for shift in [0.0, 3.0] {
        let few = e.add_scalar(&few, shift).unwrap();
        for (verb, on_numbers) in verbs {
            // Slots without a value hold the shift in the first operand, zero in the second.
            let combined = verb(&e, &few, &others).unwrap().padding().unwrap();
            for (x, y) in [(shift, 0.0), (shift, -2.0), (shift, 2.0), (shift + 1.0, 0.0)] {
                let number = on_numbers(x, y);
                let Interval { low, high } = combined;
                assert!(low <= number + 1e-9 && number <= high + 1e-9, "{number}, {combined:?}");
            }
            let Interval { low, high } = verb(&e, &few, &all).unwrap().padding().unwrap();
            for y in [-1.5, 1.5] {
                let number = on_numbers(shift, y);
                assert!(low <= number + 1e-9 && number <= high + 1e-9, "{number}");
            }
        }
    }
}

#[test]
fn plaintexts_without_values_in_all_slots_are_told_apart() {
    let e = simulated();
    let p = e.params();
    let a = encrypt(&e, &p.encode_repeated(&[0.5]).unwrap());
    let few = p.encode_public(&[0.25]).unwrap();
    let level = a.level();
    assert_holds("mul_plain", &e.mul_plain(&a, &few.to_multiplicand(level).unwrap()).unwrap(), 0.0);
    let sum = e.add_plain(&a, &few).unwrap().padding().unwrap();
    assert!(sum.low <= -1.0 && sum.high >= 1.0, "a value of the ciphertext: {sum:?}");
    let addend = few.to_addend(level).unwrap();
    assert!(e.sub_plain(&a, &addend).unwrap().padding().is_some());
    let full = p.encode_public_repeated(&[0.25]).unwrap();
    assert_eq!(e.add_plain(&a, &full).unwrap().padding(), None);
}

#[test]
fn sums_of_all_slots_have_a_value_in_every_slot() {
    let e = simulated();
    let few = e.params().encode_within(&[1.0, 2.0], 2.0).unwrap();
    let a = encrypt(&e, &few);
    assert_eq!(e.sum_slots(&a).unwrap().padding(), None);
    assert!(e.sum_rotations(&a, 4).unwrap().padding().is_some());
    // Other numbers than zero count in the sum, whether one thinks of them or not.
    let shifted = e.add_scalar(&a, 1.0).unwrap();
    assert!(e.sum_slots(&shifted).unwrap().padding().is_some());
}

#[test]
fn matrices_say_which_rows_are_zeros() {
    let e = simulated();
    let top = e.params().top_level();
    let map = |rows: usize| {
        LinearMap::for_level_with_size(e.params(), &vec![vec![0.5; 4]; rows], 4, top).unwrap()
    };
    let block = encrypt(&e, &e.params().encode_repeated(&[0.5; 4]).unwrap());
    let apply = |rows, c: &Ciphertext| {
        e.transform(&map(rows), &Packed::assume(4, c.clone())).unwrap().into_value()
    };
    assert_eq!(apply(4, &block).padding(), None);
    assert_holds("three rows of four", &apply(3, &block), 0.0);
    let packed = map(4).pack(&[0.5; 4]).unwrap();
    assert_eq!(apply(4, &encrypt(&e, packed.value())).padding(), None);
    // Three values of four, in every repetition.
    let narrow = LinearMap::for_level_with_size(e.params(), &vec![vec![0.5; 3]; 4], 4, top);
    let packed = narrow.unwrap().pack(&[0.5; 3]).unwrap();
    let spread = apply(4, &encrypt(&e, packed.value()));
    assert!(spread.padding().unwrap().high >= spread.magnitude_bound() * 0.999);
}

/// Four values, once: a shift around four of them would find zeros.
#[test]
fn vectors_that_are_there_once_are_not_taken_for_packed_ones() {
    let e = simulated();
    let p = e.params();
    let shift: Vec<Vec<f64>> =
        (0..4).map(|i| (0..4).map(|j| f64::from(u8::from(j == (i + 1) % 4))).collect()).collect();
    let map = |level: usize| LinearMap::for_level(p, &shift, level).unwrap();
    let apply = |c: &Ciphertext| e.transform(&map(2), &Packed::assume(4, c.clone()));
    let once = encrypt(&e, &p.encode(&[0.1, 0.2, 0.3, 0.4]).unwrap());
    let all = encrypt(&e, &p.encode_repeated(&[0.5]).unwrap());
    for c in [
        once.clone(),
        e.add_scalar(&once, 1.0).unwrap(),
        e.add(&once, &once).unwrap(),
        e.mul(&once, &all).unwrap(),
        e.rotate(&once, 1).unwrap(),
        e.conjugate(&once).unwrap(),
        e.rotate_prefix(&all, 4, 1).unwrap(),
    ] {
        let refused = apply(&c).err();
        let Some(Error::CkksDomain(DomainError::NotPacked { size, .. })) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(size, 4);
    }
    // Packed, or it may be so: a vector that rotations repeat, one in every slot, one alone.
    for c in [
        encrypt(&e, &p.encode_repeated(&[0.1, 0.2, 0.3, 0.4]).unwrap()),
        encrypt(&e, map(2).pack(&[0.1, 0.2, 0.3, 0.4]).unwrap().value()),
        e.sum_rotations(&once, p.slot_count()).unwrap(),
        e.replicate(&once, 2).unwrap(),
        e.transform(&map(4), &Packed::assume(4, all.clone())).unwrap().into_value(),
    ] {
        assert!(apply(&c).is_ok(), "{:?}", apply(&c).err());
    }
    let slots = p.slot_count();
    let one_row = LinearMap::for_level(p, &[vec![0.5; slots]], 2).unwrap();
    assert!(e.transform(&one_row, &Packed::assume(slots, once)).is_ok());
}

/// After a selection, the slots that were named hold values and the others zeros; after a sum of
/// them, every slot holds the sum.
#[test]
fn selections_hold_zeros_elsewhere_and_their_sums_are_everywhere() {
    let e = simulated();
    let few = encrypt(&e, &e.params().encode(&[0.2, 0.4]).unwrap());
    let exp = e.exp(&few, Interval::UNIT, 7).unwrap();
    assert!(exp.padding().unwrap().low > 0.9, "that of zero");
    for sum in [
        e.sum_prefix(&exp, 2),
        e.mean(&exp, 2),
        e.replicate(&exp, 1),
        e.norm_squared(&exp, 2),
        e.variance(&exp, 2),
    ] {
        assert_eq!(sum.unwrap().padding(), None);
    }
    assert_holds("rotate_prefix", &e.rotate_prefix(&exp, 2, 1).unwrap(), 0.0);
    assert_holds("shift_prefix", &e.shift_prefix(&exp, 2, 1).unwrap(), 0.0);
    let padded = encrypt(&e, &e.params().encode_padded(&[0.2, 0.4], 0.5).unwrap());
    assert_holds("of a padded one", &e.rotate_prefix(&padded, 2, 1).unwrap(), 0.0);
    assert_holds("of a padded one", &e.shift_prefix(&padded, 2, 0).unwrap(), 0.0);
}

/// A refusal of a simulated evaluator is that of a real one.
#[test]
fn simulated_evaluators_refuse_the_same_intervals() {
    let e = simulated();
    let (p, interval) = (e.params(), Interval::new(1.0, 4.0));
    let few = encrypt(&e, &p.encode_within(&[1.0, 2.0], 4.0).unwrap());
    let refused = e.log(&few, interval, 15).err();
    let padding = |error: &Option<Error>| {
        matches!(error, Some(Error::CkksDomain(DomainError::Padding { .. })))
    };
    assert!(padding(&refused), "{refused:?}");
    let shifted = e.add_scalar(&few, 1.0).unwrap();
    assert!(e.log(&shifted, Interval::new(0.5, 5.0), 15).is_ok(), "they hold 1");
    assert!(padding(&e.log(&shifted, Interval::new(1.5, 5.0), 15).err()));
    let padded = encrypt(&e, &p.encode_padded_within(&[1.0, 2.0], 1.0, 4.0).unwrap());
    assert!(e.log(&padded, interval, 15).is_ok());
}

/// Scales and levels in the caller's hands change nothing about slots.
#[test]
fn explicit_levels_keep_what_is_known_of_slots() {
    let params = explicit::Params::preset(Preset::E3Small).unwrap();
    let e = explicit::Evaluator::simulated(&params).unwrap();
    let plain = e.params().encode(&[0.5]).unwrap();
    let top = e.params().top_level();
    let a = e.simulated_encryption_like(Encryption::SecretKey, &plain, top).unwrap();
    let square = e.relinearize(&e.tensor(&a, &a).unwrap()).unwrap();
    let rescaled = e.rescale(&square).unwrap();
    assert_eq!(rescaled.padding(), Some(Interval::new(0.0, 0.0)));
    let refused = e.log(&rescaled, Interval::new(0.25, 1.0), 1).err();
    assert!(matches!(refused, Some(Error::CkksDomain(DomainError::Padding { .. }))));
}

/// Keys of rotations and conjugation do not change which slots have a value.
#[test]
fn slots_without_a_value_hold_what_is_known_after_a_computation() {
    let rotations = Rotations { steps: vec![1], row_swap: RowSwap::With };
    let mut s = Setup::new(Preset::E3Small, &rotations, 221);
    let a = s.encrypt_within(&[0.5, -0.25], 1.0);
    let e = &s.evaluator;
    let c = e.add_scalar(&e.mul_scalar(&e.add_scalar(&a, 0.5).unwrap(), -0.5).unwrap(), 1.0);
    let c = e.conjugate(&e.rotate(&e.square(&c.unwrap()).unwrap(), 1).unwrap()).unwrap();
    let Interval { low, high } = c.padding().unwrap();
    let found = s.secret.decrypt(&c).unwrap();
    let last = found.slots()[s.params.slot_count() - 3];
    assert!(low - found.error_bound() <= last && last <= high + found.error_bound());
    assert!((last - 0.5625).abs() <= found.error_bound());
}

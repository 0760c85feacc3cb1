//! No argument of a public function panics: what is out of range is refused.

use fathom::tfhe::integer::{FheBytes, FheUint8, Integers, Typed, ValueType};
use fathom::tfhe::shortint::Operation;
use fathom::tfhe::{Block, ClientKey, ListError, Lut, Params, Space, TableError};
use fathom::{Error, SecretRng};

const EXTREMES: [i32; 7] = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];

#[test]
fn message_spaces_have_1_to_16_bits() {
    for bits in [0, 17, 64, u32::MAX] {
        assert!(matches!(Space::new(bits), Err(Error::Spec { field: "message space", .. })));
    }
    assert_eq!(Space::new(5).unwrap(), Space::of::<5>());
    assert_eq!(Space::new(16).unwrap().half(), 1 << 15);
}

#[test]
fn blocks_and_tables_take_any_number() {
    let integers = Integers::simulated(&Params::preset(Params::INTEGERS).unwrap()).unwrap();
    let evaluator = integers.evaluator();
    let space = Space::of::<5>();
    for (a, b) in EXTREMES.into_iter().flat_map(|a| EXTREMES.map(|b| (a, b))) {
        let block = Block::trivial(space, a);
        let sum = block.add_scalar(b).sub_scalar(a).mul_scalar(b).add_scaled(&block, b).unwrap();
        let table = Lut::new(space, a..=b, |x| x.wrapping_mul(a));
        if let Ok(table) = table {
            // Refusals are as good as results.
            drop(evaluator.apply(&sum, &table));
        }
        drop(Lut::multi_value(space, a..=b, &[&|x| x]));
        drop(Lut::many(space, a..=b, &[&|x| x, &|x| x]));
        drop(Lut::negacyclic(space, b, &[&|_| a]));
        drop(evaluator.compress(&[sum]));
    }
    let table = Lut::new(space, 0..=3, |x| x).unwrap();
    let refused = table.noise_variance(1).unwrap_err();
    assert_eq!(refused, Error::Table(TableError::NoSuchOutput { index: 1, outputs: 1 }));
}

#[test]
fn integers_take_any_amount_exponent_and_width() {
    let integers = Integers::simulated(&Params::preset(Params::INTEGERS).unwrap()).unwrap();
    let evaluator = integers.evaluator();
    let x = FheUint8::trivial(3_u8).unwrap();
    for amount in [0, 1, 7, 8, 9, 255, 256, u128::from(u64::MAX) + 1, u128::MAX] {
        assert!(integers.shl(&x, amount).is_ok() && integers.rotate_right(&x, amount).is_ok());
        assert!(integers.overflowing_shr(&x, amount).is_ok());
        assert!(integers.pow(&x, amount).is_ok());
    }
    for bits in [0, 1, 3, 258, usize::MAX] {
        assert_eq!(ValueType::unsigned(bits), Err(Error::IntegerBits { bits }));
    }
    assert!(evaluator.decompress(&evaluator.compress(&[]).unwrap(), 0..usize::MAX).is_err());
}

#[test]
fn counts_that_would_exhaust_memory_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(7);
    let client = ClientKey::generate(&Params::preset(Params::INTEGERS).unwrap(), &mut rng);
    for capacity in [FheBytes::MOST + 1, usize::MAX] {
        let refused = client.encrypt_bytes_padded(b"a", capacity, &mut rng).unwrap_err();
        let limit = FheBytes::MOST;
        assert_eq!(refused, Error::List(ListError::TooLong { requested: capacity, limit }));
    }
}

#[test]
fn clear_functions_of_short_integers_check_their_operands() {
    for operation in Operation::ALL {
        for bits in [0, 9, 32, u32::MAX] {
            assert!(matches!(operation.of_clear(1, 1, bits), Err(Error::Spec { .. })));
        }
        let refused = operation.of_clear(u32::MAX, 1, 2).unwrap_err();
        assert_eq!(refused, Error::MessageOutOfRange { low: 0, high: 3 });
    }
}

#[test]
fn phases_of_other_dimensions_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(8);
    let [small, large] = [Params::GATES, Params::INTEGERS]
        .map(|name| ClientKey::generate(&Params::preset(name).unwrap(), &mut rng));
    let block: Block = large.encrypt(1, &mut rng).unwrap();
    assert!(matches!(small.phase(block.lwe()), Err(Error::ParamsMismatch { .. })));
    assert!(large.phase(block.lwe()).is_ok());
    assert!(small.phase(Block::trivial(Space::of::<5>(), 1).lwe()).is_ok());
}

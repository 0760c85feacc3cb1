//! Programs of machine integers, lists and byte strings, one test for each. Most compute
//! under no keys, which takes milliseconds in the dev profile: the operations, their types and
//! their refusals are the same.

use fathom::prelude::*;
use tfhe::integer::Clear;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Returns a client and operations without keys.
fn simulated() -> Result<(tfhe::ClientKey, Integers, SecretRng), Error> {
    let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
    let mut rng = SecretRng::from_os()?;
    let client = tfhe::ClientKey::generate(&params, &mut rng);
    Ok((client, Integers::simulated(&params)?, rng))
}

#[test]
fn operators_apply_in_a_scope() -> Outcome {
    let (client, integers, _) = simulated()?;
    let (a, b) = (FheUint8::trivial(7_u8)?, FheUint8::trivial(5_u8)?);
    let result = integers.scope(|| (&a * &b - 3_u8).finish())?;
    assert_eq!(client.decrypt(&result)?, 32);
    // Clear values on the left, owned operands, shifts and bits.
    let result = integers.scope(|| ((100_u8 - a.clone()) + (1_u8 + b.clone())).finish())?;
    assert_eq!(client.decrypt(&result)?, 99);
    let result = integers.scope(|| (((a << 2) | 1_u8) ^ !b).finish())?;
    assert_eq!(client.decrypt(&result)?, (7 << 2 | 1) ^ !5);
    let outside = FheUint8::trivial(1_u8)? + 1_u8;
    assert_eq!(outside.finish().unwrap_err(), Error::NoScope);
    Ok(())
}

#[test]
fn decryption_gives_the_clear_type() -> Outcome {
    let (client, _, mut rng) = simulated()?;
    let minus_one: FheInt8 = client.encrypt(-1_i8, &mut rng)?;
    let value: i8 = client.decrypt(&minus_one)?;
    assert_eq!(value, -1);
    Ok(())
}

#[test]
fn clear_values_are_selected() -> Outcome {
    let (client, integers, _) = simulated()?;
    let condition = integers.gt(&FheUint16::trivial(9_u8)?, 3_u8)?;
    let chosen: FheUint32 = integers.select(&condition, 1_000_000_u32, 7_u32)?;
    assert_eq!(client.decrypt(&chosen)?, 1_000_000);
    Ok(())
}

#[test]
fn powers_checked_and_saturating_arithmetic() -> Outcome {
    let (client, integers, _) = simulated()?;
    let a = FheUint8::trivial(6_u8)?;
    assert_eq!(client.decrypt(&integers.pow(&a, 3)?)?, 216);
    let (sum, overflow) = integers.overflowing_add(&a, 250_u8)?;
    assert_eq!(client.decrypt(&sum)?, 0);
    assert!(client.decrypt(&overflow)?);
    assert_eq!(client.decrypt(&integers.saturating_add(&a, 250_u8)?)?, 255);
    let quotient = integers.div(&a, 0_u8);
    assert_eq!(quotient.unwrap_err(), Error::DivisionByZero);
    Ok(())
}

#[test]
fn checked_arithmetic_finds_overflows() -> Outcome {
    let (client, integers, _) = simulated()?;
    let a = FheUint8::trivial(200_u8)?;
    // The value is that of wrapping arithmetic, the flag says whether it is exact.
    let checked = |(value, exact): (FheUint8, FheBool)| -> Result<_, Error> {
        Ok((client.decrypt(&value)?, client.decrypt(&exact)?))
    };
    assert_eq!(checked(integers.checked_add(&a, 55_u8)?)?, (255, true));
    assert_eq!(checked(integers.checked_add(&a, 56_u8)?)?, (0, false));
    assert_eq!(checked(integers.checked_sub(&a, 201_u8)?)?, (255, false));
    assert_eq!(checked(integers.checked_mul(&a, 2_u8)?)?, (144, false));
    assert_eq!(checked(integers.checked_div(&a, 7_u8)?)?, (28, true));
    // A divisor in the clear is checked at once, without a flag.
    assert_eq!(integers.checked_div(&a, 0_u8).unwrap_err(), Error::DivisionByZero);
    let least = FheInt8::trivial(-128_i8)?;
    let (wrapped, exact) = integers.checked_neg(&least)?;
    assert_eq!((client.decrypt(&wrapped)?, client.decrypt(&exact)?), (-128, false));
    Ok(())
}

#[test]
fn widths_known_at_run_time() -> Outcome {
    let (client, integers, mut rng) = simulated()?;
    let bits: usize = "24".parse()?; // from a file, or a request
    let ty = ValueType::unsigned(bits)?;
    let sent = client.encrypt_radix(ty, 70_000_u32, &mut rng)?;
    let params = client.params();
    let received = RadixInt::from_bytes(params, &sent.to_bytes(params)?)?;
    assert_eq!(client.decrypt(&received)?, Clear::from(70_000_u32));
    let product = integers.mul(&RadixInt::trivial(ty, 70_000_u32)?, 300_u32)?;
    let expected = U256::from(70_000_u32 * 300 % (1 << 24));
    assert_eq!(client.decrypt(&product)?, Clear::from(expected));
    let other = RadixInt::trivial(ValueType::signed(16)?, 1)?;
    assert!(matches!(integers.add(&product, &other), Err(Error::TypeMismatch { .. })));
    Ok(())
}

#[test]
fn lists_are_compared_sorted_and_searched() -> Outcome {
    let (client, integers, _) = simulated()?;
    let list = [30_u8, 10, 20].map(FheUint8::trivial).into_iter().collect::<Result<Vec<_>, _>>()?;
    let small = integers.map(&list, |e, x| e.lt(x, 25_u8))?;
    let small = small.iter().map(|flag| client.decrypt(flag));
    assert_eq!(small.collect::<Result<Vec<_>, _>>()?, [false, true, true]);
    let equal = integers.zip(&list, &[30_u8, 11, 20], |e, x, &y| e.eq(x, y))?;
    assert!(client.decrypt(&equal[0])? && !client.decrypt(&equal[1])?);
    assert_eq!(client.decrypt_many(&integers.sort(&list)?)?, [10, 20, 30]);
    let (place, greatest) = integers.argmax(&list)?;
    assert_eq!((client.decrypt(&place)?, client.decrypt(&greatest)?), (0, 30));
    let index = FheUint8::trivial(2_u8)?;
    assert_eq!(client.decrypt(&integers.lookup(&list, &index)?)?, 20);
    assert!(client.decrypt(&integers.contains(&list, 10_u8)?)?);
    let (place, _) = integers.find(&list, 20_u8)?;
    assert_eq!(client.decrypt(&place)?, 2);
    Ok(())
}

#[test]
fn lists_travel_in_few_bytes() -> Outcome {
    let (client, _, mut rng) = simulated()?;
    let values = [7_u32, 70_000, u32::MAX];
    let many: Vec<FheUint32> = client.encrypt_many(values, &mut rng)?;
    assert_eq!(client.decrypt_many(&many)?, values);
    let sent = client.encrypt_list::<FheUint32>(values, &mut rng)?.to_bytes();
    assert!(1000 * sent.len() < many[0].to_bytes(client.params())?.len() * values.len());
    let list = tfhe::SeededList::from_bytes(client.params(), &sent)?;
    assert_eq!(client.decrypt_many(&list.values::<FheUint32>()?)?, values);
    let flags = client.encrypt_list::<FheBool>([true, false], &mut rng)?.to_bytes();
    let flags = tfhe::SeededList::from_bytes(client.params(), &flags)?.values::<FheBool>()?;
    assert_eq!(client.decrypt_many(&flags)?, [true, false]);
    Ok(())
}

#[test]
fn byte_strings_are_compared_and_searched() -> Outcome {
    let (client, integers, mut rng) = simulated()?;
    let strings = ByteStrings::new(integers.evaluator().clone())?;
    let text = FheBytes::trivial(b"The quick brown fox");
    let lower = strings.to_ascii_lowercase(&text)?;
    assert!(client.decrypt(&strings.eq(&lower, "the quick brown fox")?)?);
    assert!(client.decrypt(&strings.lt(&text, &lower)?)?);
    assert!(client.decrypt(&strings.starts_with(&lower, "the ")?)?);
    let (place, found) = strings.find(&text, b"brown")?;
    assert_eq!((client.decrypt(&place)?, client.decrypt(&found)?), (10, true));
    assert_eq!(client.decrypt(&strings.concat(&text, "!")?)?, b"The quick brown fox!");
    // The length of this one is hidden.
    let name = client.encrypt_bytes_padded(b"Ada", 8, &mut rng)?;
    let params = client.params();
    let name = FheBytes::from_bytes_fresh(params, &name.to_bytes(params)?)?;
    assert_eq!((name.capacity(), client.decrypt(&name)?), (8, b"Ada".to_vec()));
    Ok(())
}

/// Under real keys of small parameters, which a server keeps expanded in a file.
#[test]
fn a_server_starts_from_a_key_file() -> Outcome {
    let params = tfhe::Params::preset("u_bool_40")?;
    let mut rng = SecretRng::from_os()?;
    let client = tfhe::ClientKey::generate(&params, &mut rng);
    let path = std::env::temp_dir().join(format!("fathom-user-{}", std::process::id()));
    client.evaluation_keys(&mut rng)?.write_to(&path)?;
    let gates = Gates::with_keys(tfhe::EvaluationKeys::read_from(&params, &path)?, 1)?;
    std::fs::remove_file(&path)?;
    let bits = client.encrypt_seeded(&[1, 1], &mut rng)?.expand();
    let [a, b] = [0, 1].map(|i| Bit::from_block(&params, bits[i].clone()));
    let nand = gates.gate(Gate::Nand(&a?, &b?))?;
    assert!(!client.decrypt(&nand)?);
    Ok(())
}

#[test]
fn operands_are_typed_as_numbers_are() -> Outcome {
    let (client, integers, _) = simulated()?;
    let x = FheUint16::trivial(40_u8)?;
    // Literals without a suffix, on both sides.
    let sum: FheUint16 = integers.compute(|| 1 + &x * 2)?;
    assert_eq!(client.decrypt(&sum)?, 81_u16);
    // The index of a loop, and assignment.
    let mut total = tfhe::integer::Outcome::from(x.clone());
    integers.scope(|| {
        for index in 0..3_usize {
            total += index;
        }
        total += 1;
    });
    assert_eq!(client.decrypt(&total.finish()?)?, 44);
    // Amounts of any unsigned type, owned amounts, truth values.
    let bit = FheBool::trivial(true);
    assert_eq!(client.decrypt(&integers.shl(&x, 3_u8)?)?, 320);
    assert_eq!(client.decrypt(&integers.shl(&x, FheUint8::trivial(3)?)?)?, 320);
    assert_eq!(client.decrypt(&integers.shl(&x, bit)?)?, 80);
    Ok(())
}

#[test]
fn flags_are_counted_and_looked_up() -> Outcome {
    let (client, integers, _) = simulated()?;
    let flags = [true, false, true].map(FheBool::trivial);
    assert_eq!(client.decrypt(&integers.sum(&flags)?)?, 2);
    let index = FheUint8::trivial(2_u8)?;
    let found: FheBool = integers.lookup_clear(&[false, false, true], &index)?;
    assert!(client.decrypt(&found)?);
    assert!(client.decrypt(&integers.lookup(&flags, &index)?)?);
    Ok(())
}

#[test]
fn a_neuron_and_a_wide_product() -> Outcome {
    let (client, integers, _) = simulated()?;
    let inputs = [3_u8, 5, 15].map(FheUint::<4>::trivial);
    let inputs = inputs.into_iter().collect::<Result<Vec<_>, _>>()?;
    let sum: FheInt16 = integers.dot_clear(&inputs, &[2, -7, 4])?;
    assert_eq!(client.decrypt(&sum)?, 6 - 35 + 60);
    let (a, b) = (FheUint64::trivial(u64::MAX)?, FheUint64::trivial(3_u8)?);
    let product: FheUint128 = integers.mul_wide(&a, &b)?;
    assert_eq!(client.decrypt(&product)?, u128::from(u64::MAX) * 3);
    Ok(())
}

#[test]
fn the_prelude_has_the_names_of_generic_programs() -> Outcome {
    fn bits<T: Typed>() -> usize {
        T::BITS
    }
    assert_eq!((bits::<FheUint8>(), bits::<FheBool>()), (8, 1));
    assert_eq!(FheBytes::trivial(b"a").padding(), Padding::None);
    assert_eq!(U256::ONE + U256::ONE, U256::from(2_u8));
    Ok(())
}

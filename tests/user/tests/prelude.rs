//! Programs that import nothing but the prelude.

use fathom::prelude::*;
use std::fs;
use std::path::Path;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The only import from the library.
const IMPORT: &str = "use fathom::prelude::*;";

#[test]
fn exact_integers_need_only_the_prelude() -> Outcome {
    let params = bfv::Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng)?;
    let server = bfv::Evaluator::new(keys);
    let x = secret.encrypt(&params.encode(&[3, 5, 7])?, &mut rng)?;
    let y = server.add(&server.mul(&x, &x)?, &server.neg(&server.rotate(&x, 1)?)?)?;
    assert_eq!(secret.decrypt(&y)?.slots()?[..2], [4, 18]);
    assert_eq!(y.level(), Level::ZERO);
    assert!(matches!(server.mul(&y, &y), Err(Error::NoiseExhausted { .. })));
    let traveled = bfv::Ciphertext::from_bytes(&params, &y.to_bytes())?;
    assert_eq!(traveled.key_id(), secret.id());
    let foreign: Result<_, Error> = bfv::Ciphertext::from_bytes_fresh(&params, &y.to_bytes());
    assert_eq!(foreign.err(), Some(Error::Wire(WireError::NotFresh)));
    Ok(())
}

#[test]
fn machine_integers_and_gates_need_only_the_prelude() -> Outcome {
    let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
    let mut rng = SecretRng::from_os()?;
    let client = tfhe::ClientKey::generate(&params, &mut rng);
    let (a, b): (FheUint8, FheUint8) =
        (client.encrypt(200u8, &mut rng)?, FheUint8::trivial(100u8)?);
    assert_eq!(client.decrypt(&a)?, 200u8);
    assert_eq!(client.decrypt(&b)?, 100u8);
    // A server without keys, which plans: the same refusals, no ciphertexts.
    let server = Integers::simulated(&params)?;
    let sum: FheUint8 = server.add(&b, &b)?;
    let greater: FheBool = server.gt(&sum, &b)?;
    assert!(client.decrypt(&greater)?);
    let gates = Gates::simulated(&params)?;
    let bits = [true, false].map(|bit| Bit::trivial(&params, bit));
    let nand: Bit = gates.nand(&bits[0], &bits[1])?;
    assert!(client.decrypt(&nand)?);
    Ok(())
}

/// Both families of machine integers have all their widths, and a generic form for others.
#[test]
fn integers_of_every_width_have_a_name() -> Outcome {
    let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
    let client = tfhe::ClientKey::generate(&params, &mut SecretRng::from_os()?);
    macro_rules! named {
        ($($ty:ident $bits:literal,)*) => {$(
            let value: $ty = $ty::trivial(1_u8)?;
            assert_eq!(ValueType::of::<$ty>().bits(), $bits);
            client.decrypt(&value)?;
        )*};
    }
    named! {
        FheUint8 8, FheUint16 16, FheUint32 32, FheUint64 64, FheUint128 128, FheUint256 256,
        FheInt8 8, FheInt16 16, FheInt32 32, FheInt64 64, FheInt128 128, FheInt256 256,
    }
    assert_eq!(ValueType::of::<FheUint<24>>(), ValueType::unsigned(24)?);
    assert_eq!(ValueType::of::<FheInt<24>>(), ValueType::signed(24)?);
    Ok(())
}

/// Everything in this crate starts from the prelude.
#[test]
fn no_program_imports_anything_else() -> Outcome {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = ["src", "tests", "examples"].map(|folder| root.join(folder)).to_vec();
    let mut programs = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path)?;
            let imports = text.lines().filter(|line| line.trim_start().starts_with("use fathom::"));
            let others: Vec<&str> = imports.filter(|line| *line != IMPORT).collect();
            assert!(others.is_empty(), "{} has {others:?}", path.display());
            programs += 1;
        }
    }
    assert!(programs > 10, "only {programs} programs were read");
    Ok(())
}

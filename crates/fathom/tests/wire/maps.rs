//! Linear maps: hostile ones are refused, damaged ones do no harm.

use crate::wire::mutation::Vandal;
use crate::wire::sample::{CHECKSUM, HEADER, with, with_payload};
use fathom::bfv::{self, Bfv};
use fathom::ckks::{self, Ckks};
use fathom::rlwe::{LinearMap, MetaCodec, Params, Slotted};
use fathom::wire::{Wire, WireError, WireObject};
use fathom::{Error, Gadget, SecretRng, SecurityLevel};

const ROUNDS: usize = 1500;

/// The smallest secure parameters with slots.
fn integers() -> bfv::Params {
    bfv::Params::new(bfv::Spec {
        name: "small".to_owned(),
        degree: 1024,
        plain_modulus: 12_289,
        chain_bits: vec![26.0],
        special_bits: Vec::new(),
        gadget: Gadget::Positional { base_log: 9 },
        secret_weight: None,
        security: SecurityLevel::Bits128,
        failure_log2: -64.0,
    })
    .unwrap()
}

fn reals() -> ckks::Params {
    ckks::Params::new(ckks::Spec {
        name: "small".to_owned(),
        degree: 2048,
        base_bits: vec![26.0],
        depth: 0,
        scale_bits: 22.0,
        special_bits: vec![26.5],
        digit_limbs: 1,
        magnitude: 1.0,
        security: SecurityLevel::Bits128,
        failure_log2: -64.0,
    })
    .unwrap()
}

/// A matrix of two rows and three columns, in layouts of two and four values.
fn map_of_integers(params: &bfv::Params) -> Vec<u8> {
    bfv::LinearMap::new(params, &[vec![1, 2, 3], vec![4, 5, 6]]).unwrap().to_bytes()
}

fn map_of_reals(params: &ckks::Params) -> Vec<u8> {
    ckks::LinearMap::for_level(params, &[[0.5, -1.0, 0.25].to_vec(), vec![0.0, 1.0, 0.125]], 0)
        .unwrap()
        .to_bytes()
}

fn unharmed<S: Slotted + MetaCodec>(params: &Params<S>, valid: &[u8], seed: u64) {
    let mut vandal = Vandal(SecretRng::insecure_from_seed(seed));
    let mut accepted = 0;
    for round in 0..ROUNDS {
        let bytes = vandal.damaged(valid);
        if let Ok(map) = LinearMap::from_bytes(params, &bytes) {
            assert_eq!(map.to_bytes(), bytes, "round {round}: a map is not canonical");
            assert!(map.rows() <= map.result_size() && map.columns() <= map.size());
            assert!(map.rotations().steps.iter().all(|step| *step < params.degree() as i64));
            accepted += 1;
        }
    }
    assert!(accepted > ROUNDS / 50, "{accepted} of {ROUNDS}");
}

#[test]
fn damaged_maps_do_no_harm() {
    let (integers, reals) = (integers(), reals());
    unharmed::<Bfv>(&integers, &map_of_integers(&integers), 61);
    unharmed::<Ckks>(&reals, &map_of_reals(&reals), 62);
}

/// Offsets of the fields in the payload of a map of integers.
const ROWS: usize = 8;
const FLAGS: usize = 16;
const LEVEL: usize = 17;
const GIANTS: usize = 21 + 8;
const STEP: usize = GIANTS + 4;
const DIAGONALS: usize = STEP + 4;
const BABY: usize = DIAGONALS + 4;
const NORMS: usize = BABY + 4;

#[test]
fn hostile_maps_are_refused_by_field() {
    let params = integers();
    let valid = map_of_integers(&params);
    let refusal = |at: usize, new: &[u8]| match bfv::LinearMap::from_bytes(
        &params,
        &with(&valid, HEADER + at, new),
    ) {
        Err(Error::Wire(WireError::Range { field, .. } | WireError::Malformed { field })) => field,
        other => panic!("{at}: {other:?}"),
    };
    let word = |word: u32| word.to_le_bytes();
    assert_eq!(refusal(0, &word(3)), "size of a layout");
    assert_eq!(refusal(0, &word(1 << 20)), "size of a layout");
    assert_eq!(refusal(4, &word(0)), "size of a layout");
    assert_eq!(refusal(ROWS, &word(3)), "rows");
    assert_eq!(refusal(ROWS, &word(0)), "dimensions of a matrix");
    assert_eq!(refusal(ROWS + 4, &word(5)), "columns");
    assert_eq!(refusal(FLAGS, &[2]), "flags of a map");
    assert_eq!(refusal(FLAGS, &[9]), "flags of a map");
    assert_eq!(refusal(LEVEL, &word(1)), "level");
    assert_eq!(refusal(GIANTS, &word(3)), "number of giant steps");
    assert_eq!(refusal(STEP, &word(2)), "giant step");
    assert_eq!(refusal(DIAGONALS, &word(0)), "giant step");
    assert_eq!(refusal(DIAGONALS, &word(3)), "number of diagonals");
    assert_eq!(refusal(BABY, &word(2)), "baby step");
    for number in [f64::NAN, f64::INFINITY, -1.0, 1e-320] {
        assert_eq!(refusal(NORMS, &number.to_le_bytes()), "bounds of a map");
    }
    assert_eq!(refusal(NORMS + 24, &[255; 4]), "residue");
    // The second diagonal once more in place of itself, before the first.
    let diagonal = (valid.len() - HEADER - CHECKSUM - BABY) / 2;
    assert_eq!(refusal(BABY + diagonal, &word(0)), "baby step");
    for cut in [1, 10, diagonal] {
        let short = with_payload(&valid, |payload| payload.truncate(payload.len() - cut));
        let refused = bfv::LinearMap::from_bytes(&params, &short);
        assert!(matches!(refused, Err(Error::Wire(WireError::Truncated { .. }))), "{refused:?}");
    }
    let long = with_payload(&valid, |payload| payload.push(0));
    let refused = bfv::LinearMap::from_bytes(&params, &long);
    assert!(matches!(refused, Err(Error::Wire(WireError::TrailingBytes { extra: 1 }))));
    let other = reals();
    let refused = ckks::LinearMap::from_bytes(&other, &valid);
    assert!(matches!(refused, Err(Error::Wire(WireError::Scheme { .. }))), "{refused:?}");
}

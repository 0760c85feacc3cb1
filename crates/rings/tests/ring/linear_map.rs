//! Products of matrices and encrypted vectors agree with the schoolbook product and take the stated
//! number of transforms.

use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Evaluator, LinearMap, Modular, Packed, Params, Preset, Rotations, SecretKey,
};
use fathom::wire::{Wire, WireObject};
use fathom::{Error, SecretRng};
use std::collections::BTreeMap;

fn product(matrix: &[Vec<u64>], vector: &[u64], t: u64) -> Vec<u64> {
    let row = |row: &Vec<u64>| {
        let terms = row.iter().zip(vector).map(|(&m, &v)| u128::from(m) * u128::from(v));
        (terms.sum::<u128>() % u128::from(t)) as u64
    };
    matrix.iter().map(row).collect()
}

/// Applies the map to different vectors in the two rows and checks slots, bound and transforms.
fn check<S: Modular>(params: &Params<S>, matrix: &[Vec<u64>], level: usize) {
    let mut rng = SecretRng::insecure_from_seed(9);
    let (n, t) = (matrix.len(), params.plain_modulus());
    let map = LinearMap::new(params, matrix).unwrap();
    let secret = SecretKey::generate(params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&map.rotations(), &mut rng).unwrap());
    let mut vector = || (0..n).map(|_| rng.next_word() % t).collect::<Vec<u64>>();
    let rows = [vector(), vector()];
    let copies = params.degree() / 2 / n;
    let packed: Vec<u64> = rows.iter().flat_map(|v| v.repeat(copies)).collect();
    let plain = params.encode(&packed).unwrap();
    let a = secret.encrypt_at(&plain, level, &mut rng).unwrap();
    let before = params.transform_count();
    let result = evaluator.transform(&map, &Packed::assume(n, a)).unwrap().into_value();
    let transforms = (params.transform_count() - before) as usize;
    let expected: Vec<u64> =
        rows.iter().flat_map(|v| product(matrix, v, t).repeat(copies)).collect();
    let slots = secret.decrypt(&result).unwrap().slots().unwrap();
    assert!(slots == expected, "size {n}");
    let measured =
        secret.debug_noise_budget_bits(&result, &secret.decrypt(&result).unwrap()).unwrap();
    let tracked = result.noise_budget_bits();
    println!("size {n}: tracked {tracked:.1}, measured {measured:.1}, {transforms} transforms");
    assert!(tracked <= measured, "size {n}: tracked {tracked}, measured {measured}");
    assert_eq!(result.level(), level);
    let (l, k) = (level + 1, params.special().len());
    let digits = params.spec().gadget;
    let fathom::Gadget::Hybrid { limbs } = digits else { return };
    let decomposition = l.div_ceil(limbs) * (l + k);
    let giants = map.rotations().steps.iter().filter(|&&s| s as usize >= baby(n)).count();
    let babies = usize::from(map.rotations().steps.len() > giants);
    let expected = babies * decomposition + giants * (k + l + decomposition) + 2 * (k + l);
    assert_eq!(transforms, expected, "size {n}");
}

/// Returns the number of baby steps for `n` diagonals, of which giant steps cost four.
fn baby(n: usize) -> usize {
    let all = (0..32).map(|k| 1_usize << k).take_while(|&babies| babies <= n);
    all.min_by_key(|babies| babies + 4 * (n / babies)).unwrap()
}

fn random_matrix(n: usize, t: u64) -> Vec<Vec<u64>> {
    let mut rng = SecretRng::insecure_from_seed(n as u64);
    (0..n).map(|_| (0..n).map(|_| rng.next_word() % t).collect()).collect()
}

/// Returns the matrix that rotates a vector to the left.
fn shift(n: usize, steps: usize) -> Vec<Vec<u64>> {
    (0..n).map(|i| (0..n).map(|j| u64::from(j == (i + steps) % n)).collect()).collect()
}

#[test]
fn random_matrices_of_every_size_in_bgv() {
    let params = Params::<Bgv>::preset(Preset::E2).unwrap();
    for n in [1, 2, 4, 8, 32, 128] {
        check(&params, &random_matrix(n, params.plain_modulus()), params.top_level().get());
    }
}

#[test]
fn lower_levels_and_other_digits_in_bfv() {
    let params = Params::<Bfv>::preset(Preset::E2).unwrap();
    check(&params, &random_matrix(16, params.plain_modulus()), 2);
    let params = Params::<Bfv>::preset(Preset::E1Depth2).unwrap();
    check(&params, &random_matrix(16, params.plain_modulus()), 2);
    let params = Params::<Bgv>::preset(Preset::E1Plain31).unwrap();
    check(&params, &random_matrix(4, params.plain_modulus()), 1);
}

#[test]
fn maps_work_without_special_primes() {
    let params = Params::<Bgv>::preset(Preset::E1Bits256).unwrap();
    let map = LinearMap::new(&params, &shift(64, 40)).unwrap();
    assert_eq!(map.rotations(), Rotations::steps(&[40]));
    check(&params, &shift(64, 40), 1);
}

#[test]
fn a_row_of_slots_takes_a_whole_permutation() {
    let params = Params::<Bgv>::preset(Preset::E1Depth2).unwrap();
    let matrix = shift(params.degree() / 2, 5);
    let map = LinearMap::new(&params, &matrix).unwrap();
    assert_eq!(map.rotations(), Rotations::steps(&[5]));
    check(&params, &matrix, 2);
}

/// Applies a map of any dimensions to a signed vector.
fn check_signed<S: Modular>(rows: usize, columns: usize) {
    let params = Params::<S>::preset(Preset::E1Depth2).unwrap();
    let mut rng = SecretRng::insecure_from_seed((rows * 1000 + columns) as u64);
    let mut signed = |bound: i64| (rng.next_word() % (2 * bound as u64 + 1)) as i64 - bound;
    let mut list = |bound| (0..columns).map(|_| signed(bound)).collect::<Vec<i64>>();
    let vector = list(100);
    let matrix: Vec<Vec<i64>> = (0..rows).map(|_| list(3)).collect();
    let map = LinearMap::new_signed(&params, &matrix).unwrap();
    assert_eq!((map.rows(), map.columns()), (rows, columns));
    assert_eq!(map.size(), columns.next_power_of_two());
    assert_eq!(map.result_size(), rows.next_power_of_two());
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&map.rotations(), &mut rng).unwrap());
    let packed = map.pack_signed(&vector).unwrap();
    let a = packed.try_map(|plain| secret.encrypt(plain, &mut rng)).unwrap();
    let image = evaluator.transform(&map, &a).unwrap().try_map(|c| secret.decrypt(c)).unwrap();
    let t = params.plain_modulus() as i64;
    let centered = |x: i64| (x + t / 2).rem_euclid(t) - t / 2;
    let row = |row: &Vec<i64>| centered(row.iter().zip(&vector).map(|(m, v)| m * v).sum());
    let expected: Vec<i64> = matrix.iter().map(row).collect();
    assert_eq!(map.unpack_signed(&image).unwrap(), expected, "{rows} x {columns}");
    let unsigned: Vec<u64> = expected.iter().map(|v| v.rem_euclid(t) as u64).collect();
    assert_eq!(map.unpack(&image).unwrap(), unsigned);
}

#[test]
fn signed_matrices_of_any_dimensions() {
    for (rows, columns) in [(1, 1), (3, 3), (1, 10), (10, 1), (5, 17), (33, 6), (2, 64)] {
        check_signed::<Bgv>(rows, columns);
    }
    check_signed::<Bfv>(7, 12);
}

/// A map of two rows follows one of three rows and five columns, in one layout.
#[test]
fn maps_of_different_dimensions_follow_each_other_in_one_layout() {
    let params = Params::<Bgv>::preset(Preset::E2).unwrap();
    let mut rng = SecretRng::insecure_from_seed(12);
    let (first, second) = (vec![vec![1, 2, 3, 4, 5]; 3], vec![vec![1, 1, 1], vec![2, 0, 0]]);
    let maps = [&first, &second].map(|m| LinearMap::with_size(&params, m, 8).unwrap());
    let secret = SecretKey::generate(&params, &mut rng);
    let rotations = maps[0].rotations().and(&maps[1].rotations());
    let evaluator = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
    let a = maps[0].pack(&[1, 1, 1, 1, 10]).unwrap();
    let a = a.try_map(|plain| secret.encrypt(plain, &mut rng)).unwrap();
    let once = evaluator.transform(&maps[0], &a).unwrap();
    let twice = evaluator.transform(&maps[1], &once).unwrap();
    let result = maps[1].unpack(&twice.try_map(|c| secret.decrypt(c)).unwrap()).unwrap();
    assert_eq!(result, [180, 120]);
}

#[test]
fn a_zero_matrix_gives_a_masked_zero() {
    let params = Params::<Bgv>::preset(Preset::E1).unwrap();
    let mut rng = SecretRng::insecure_from_seed(2);
    let map = LinearMap::new(&params, &[vec![0, 0], vec![0, 0]]).unwrap();
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&map.rotations(), &mut rng).unwrap());
    let a = map.pack(&[1, 2]).unwrap();
    let a = a.try_map(|plain| secret.encrypt(plain, &mut rng)).unwrap();
    let zero = evaluator.transform(&map, &a).unwrap().into_value();
    assert!(secret.decrypt(&zero).unwrap().slots().unwrap().iter().all(|&v| v == 0));
    let keyless = Evaluator::without_keys(&params).transform(&map, &a);
    assert!(matches!(keyless, Err(Error::Transparent { .. })));
}

#[test]
fn wrong_shapes_keys_and_levels_are_refused() {
    let params = Params::<Bgv>::preset(Preset::E1).unwrap();
    let mut rng = SecretRng::insecure_from_seed(3);
    let t = params.plain_modulus();
    let wide = vec![vec![1; 2049]];
    for matrix in [vec![], vec![vec![]], vec![vec![1]; 2049], wide, vec![vec![1], vec![1, 2]]] {
        let refused = LinearMap::new(&params, &matrix);
        assert!(matches!(refused, Err(Error::Shape { .. })));
    }
    let refused = LinearMap::new(&params, &[vec![1, t], vec![0, 1]]);
    assert!(matches!(refused, Err(Error::ValueOutOfRange { index: 1, .. })));
    let signed = LinearMap::new_signed(&params, &[vec![0, 0], vec![0, t as i64 / 2 + 1]]);
    assert!(matches!(signed, Err(Error::ValueOutOfRange { index: 3, .. })));
    assert!(LinearMap::with_size(&params, &random_matrix(4, t), 2).is_err());
    let map = LinearMap::new(&params, &random_matrix(4, t)).unwrap();
    let refused = LinearMap::new(&params, &[vec![1; 3], vec![1; 2]]).unwrap_err().to_string();
    assert!(refused.contains("at most 2048 rows and columns, got 2 rows, one of 2"), "{refused}");
    let refused = map.pack(&[1, 2, 3]).unwrap_err().to_string();
    assert_eq!(refused, "LinearMap::pack takes 4 values, got 3");
    let secret = SecretKey::generate(&params, &mut rng);
    let packed = map.pack(&[1, 2, 3, 4]).unwrap();
    let a = packed.try_map(|plain| secret.encrypt(plain, &mut rng)).unwrap();
    let other = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap());
    assert!(matches!(other.transform(&map, &a), Err(Error::MissingGaloisKey { .. })));
    let low = packed.try_map(|plain| secret.encrypt_at(plain, 0, &mut rng)).unwrap();
    assert!(matches!(other.transform(&map, &low), Err(Error::NoiseExhausted { .. })));
}

/// Fault S6: `transform`, then called `apply`, took the output of `encode` for that of `pack` and
/// returned wrong rows. Its input now has the type of packed vectors, which `Ciphertext` is not
/// (`compile_fail`).
#[test]
fn s6_a_vector_for_a_map_of_another_size_is_refused() {
    let params = Params::<Bgv>::preset(Preset::E1).unwrap();
    let mut rng = SecretRng::insecure_from_seed(4);
    let t = params.plain_modulus();
    let [small, large] = [4, 8].map(|n| LinearMap::new(&params, &random_matrix(n, t)).unwrap());
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&large.rotations(), &mut rng).unwrap());
    let a = small.pack(&[1, 2, 3, 4]).unwrap();
    let a = a.try_map(|plain| secret.encrypt(plain, &mut rng)).unwrap();
    let refused = evaluator.transform(&large, &a).unwrap_err().to_string();
    assert_eq!(refused, "transform takes a layout of 8 values, got 4");
}

/// A map that was written and read gives the same products, and is written to the same bytes.
#[test]
fn maps_travel() {
    let params = Params::<Bfv>::preset(Preset::E2).unwrap();
    let mut rng = SecretRng::insecure_from_seed(13);
    let matrix = random_matrix(16, params.plain_modulus());
    let top = params.top_level();
    let secret = SecretKey::generate(&params, &mut rng);
    let all = LinearMap::new(&params, &matrix).unwrap();
    let one = LinearMap::new_for_level(&params, &matrix, top.get() - 1).unwrap();
    assert_eq!((all.level(), one.level()), (None, top.next()));
    assert!(one.byte_len() < all.byte_len());
    let evaluator = Evaluator::new(secret.evaluation_keys(&all.rotations(), &mut rng).unwrap());
    let vector: Vec<u64> = (0..16).collect();
    let a = all.pack(&vector).unwrap();
    let a = a.try_map(|plain| secret.encrypt(plain, &mut rng)).unwrap();
    for map in [all, one] {
        let bytes = map.to_bytes();
        assert_eq!(bytes.len(), map.byte_len());
        let read = LinearMap::<Bfv>::from_bytes(&params, &bytes).unwrap();
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!((read.rows(), read.columns()), (16, 16));
        let [here, there] = [&map, &read].map(|map| evaluator.transform(map, &a).unwrap());
        assert_eq!(here.value().to_bytes(), there.value().to_bytes());
        let image = there.try_map(|c| secret.decrypt(c)).unwrap();
        assert_eq!(map.unpack(&image).unwrap(), product(&matrix, &vector, params.plain_modulus()));
    }
    let refused = LinearMap::new_for_level(&params, &matrix, 9);
    assert!(matches!(refused, Err(Error::NoSuchLevel { .. })));
    // Those of a simulation hold no matrix.
    let simulated = Evaluator::<Bfv>::simulated(&params).unwrap();
    let map = LinearMap::new(simulated.params(), &matrix).unwrap();
    for params in [&params, simulated.params()] {
        let refused = LinearMap::from_bytes(params, &map.to_bytes()).unwrap_err();
        assert!(matches!(refused, Error::Simulated { .. }), "{refused}");
    }
}

/// One map multiplies several vectors, side by side in the slots of a row.
#[test]
fn blocks_multiply_vectors_side_by_side() {
    let params = Params::<Bgv>::preset(Preset::E2).unwrap();
    let mut rng = SecretRng::insecure_from_seed(14);
    let t = params.plain_modulus();
    let (row, count) = (params.degree() / 2, 8);
    let matrix: Vec<Vec<u64>> = random_matrix(4, t).into_iter().take(3).collect();
    let map = LinearMap::new_for_blocks(&params, &matrix, count).unwrap();
    assert_eq!((map.size(), map.rotations().steps.len() <= 8), (4 * count, true));
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&map.rotations(), &mut rng).unwrap());
    let vectors: Vec<u64> = (0..4 * count).map(|_| rng.next_word() % t).collect();
    let a = map.pack(&vectors).unwrap();
    let a = a.try_map(|plain| secret.encrypt(plain, &mut rng)).unwrap();
    let image = evaluator.transform(&map, &a).unwrap().try_map(|c| secret.decrypt(c)).unwrap();
    let found = map.unpack(&image).unwrap();
    for (found, vector) in found.chunks(4).zip(vectors.chunks(4)) {
        assert_eq!(found, [product(&matrix, vector, t), vec![0]].concat());
    }
    for wrong in [0, 3, row] {
        let refused = LinearMap::new_for_blocks(&params, &matrix, wrong);
        assert!(matches!(refused, Err(Error::Shape { .. })));
    }
}

/// A matrix of few diagonals is the same map by its diagonals, and no larger one.
#[test]
fn maps_by_diagonals_are_those_of_their_matrix() {
    let params = Params::<Bgv>::preset(Preset::E2).unwrap();
    let mut rng = SecretRng::insecure_from_seed(15);
    let (t, size) = (params.plain_modulus(), 64);
    let mut values = || (0..size).map(|_| rng.next_word() % t).collect::<Vec<u64>>();
    let diagonals: BTreeMap<usize, Vec<u64>> = [0, 5, 63].map(|d| (d, values())).into();
    let mut matrix = vec![vec![0; size]; size];
    for (d, values) in &diagonals {
        values.iter().enumerate().for_each(|(i, v)| matrix[i][(i + d) % size] = *v);
    }
    let map = LinearMap::new_from_diagonals(&params, size, &diagonals).unwrap();
    assert_eq!(map.to_bytes(), LinearMap::with_size(&params, &matrix, size).unwrap().to_bytes());
    let refused = LinearMap::new_from_diagonals(&params, 1 << 20, &diagonals);
    assert!(matches!(refused, Err(Error::Shape { .. })));
    let wrong = BTreeMap::from([(1, vec![0, t])]);
    let refused = LinearMap::new_from_diagonals(&params, 2, &wrong);
    assert!(matches!(refused, Err(Error::ValueOutOfRange { index: 1, .. })));
}

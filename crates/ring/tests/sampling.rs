//! Statistics of the samplers, and what must not be seen of secrets.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::common::SHAPES;
use fathom_ring::{
    Gaussian, Limbs, Poly, Ring, SecretPoly, SecretRng, Seed, centered_binomial, sparse_ternary,
    ternary, uniform_eval,
};

const MODULI: [u64; 5] =
    [65537, 270_337, 1_073_692_673, 70_368_743_489_537, 1_152_921_504_606_830_593];

/// Pearson's statistic of counts against equal expectations, in deviations from its mean.
fn excess(counts: &[u32]) -> f64 {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / counts.len() as f64;
    let chi: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
    let freedom = counts.len() as f64 - 1.0;
    (chi - freedom) / (2.0 * freedom).sqrt()
}

fn counted(bins: usize, values: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut counts = vec![0; bins];
    values.for_each(|v| counts[v] += 1);
    counts
}

fn top(word: u64, modulus: u64, bins: u64) -> usize {
    (u128::from(word) * u128::from(bins) / u128::from(modulus)) as usize
}

/// Returns `2^16` uniform words for each of [`MODULI`], from the children of a seed.
fn uniform_rows(seed: &Seed) -> Vec<Vec<u64>> {
    let ring = Ring::new(4096, &MODULI, &[]).unwrap();
    let limbs = ring.all_limbs();
    let parts: Vec<_> = (0..16).map(|i| uniform_eval(&ring, limbs, &seed.child(i))).collect();
    (0..MODULI.len())
        .map(|row| parts.iter().flat_map(|part| part.row(row)).copied().collect())
        .collect()
}

#[test]
fn uniform_residues_fill_every_part_of_their_range_evenly() {
    for (row, modulus) in uniform_rows(&Seed([9; 32])).into_iter().zip(MODULI) {
        assert!(row.iter().all(|&w| w < modulus));
        let high = excess(&counted(256, row.iter().map(|&w| top(w, modulus, 256))));
        let low = excess(&counted(256, row.iter().map(|&w| (w % 256) as usize)));
        assert!(high.abs() < 5.0 && low.abs() < 5.0, "{modulus}: {high} {low}");
    }
}

#[test]
fn rows_of_different_primes_neighbors_and_seeds_are_independent() {
    let expand = |seed: Seed| {
        let rows = uniform_rows(&seed).into_iter().zip(MODULI);
        rows.map(|(row, m)| row.into_iter().map(|w| top(w, m, 16)).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let joint =
        |a: &[usize], b: &[usize]| excess(&counted(256, a.iter().zip(b).map(|(a, b)| 16 * a + b)));
    let seed = Seed([5; 32]);
    let rows = expand(seed);
    let [sibling, child] = [seed.child(100), seed.child(0)].map(expand);
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[..i] {
            assert!(joint(a, b).abs() < 5.0);
        }
        assert!(joint(a, &a[1..]).abs() < 5.0);
        assert!(joint(a, &sibling[i]).abs() < 5.0 && joint(&child[i], &sibling[i]).abs() < 5.0);
    }
    assert!(joint(&rows[0], &rows[0]) > 1000.0, "the test would see dependence");
}

#[test]
fn expansion_is_deterministic_and_fewer_limbs_are_a_prefix() {
    let ring = SHAPES[2].fastest(256);
    let seed = Seed([1; 32]);
    let full = uniform_eval(&ring, ring.all_limbs(), &seed);
    assert_eq!(full, uniform_eval(&ring, ring.all_limbs(), &seed));
    let short = uniform_eval(&ring, Limbs::chain(2), &seed);
    assert_eq!(short, full.restricted(Limbs::chain(2)));
    assert_ne!(full, uniform_eval(&ring, ring.all_limbs(), &seed.child(0)));
}

#[test]
fn children_of_a_seed_all_differ() {
    let mut seeds: Vec<Seed> = (0..1000).map(|i| Seed([2; 32]).child(i)).collect();
    seeds.push(Seed([2; 32]));
    seeds.sort_by_key(|s| s.0);
    assert!(seeds.windows(2).all(|w| w[0] != w[1]));
}

#[test]
fn small_samples_have_symmetric_signs_and_no_pattern_between_neighbors() {
    let ring = SHAPES[0].fastest(64);
    let mut rng = SecretRng::insecure_from_seed(12);
    let n = 1 << 16;
    let samples = [
        ternary(&mut rng, n),
        centered_binomial(&mut rng, n),
        Gaussian::new(3.19).unwrap().sample(&mut rng, &ring, n),
        sparse_ternary(&mut rng, n, n / 4),
    ];
    for sample in samples {
        let v = sample.expose();
        let [positive, negative] = [1, -1].map(|s| v.iter().filter(|&&c| c * s > 0).count() as f64);
        let bias = (positive - negative) / (positive + negative).sqrt();
        let square: i64 = v.iter().map(|c| c * c).sum();
        let cross: i64 = v.windows(2).map(|w| w[0] * w[1]).sum();
        let correlation = cross as f64 / square as f64 * (n as f64).sqrt();
        assert!(bias.abs() < 5.0 && correlation.abs() < 5.0, "{bias} {correlation}");
    }
}

#[test]
fn the_gaussian_has_the_shape_of_its_density() {
    let ring = SHAPES[0].fastest(64);
    let n = 1 << 18;
    let sample =
        Gaussian::new(3.19).unwrap().sample(&mut SecretRng::insecure_from_seed(13), &ring, n);
    let weight = |k: i64| (-(k as f64).powi(2) / (2.0 * 3.19 * 3.19)).exp();
    let total: f64 = (-50..=50).map(weight).sum();
    let mut chi = 0.0;
    for k in -10..=10i64 {
        let seen = sample.expose().iter().filter(|&&c| c == k).count() as f64;
        let expected = weight(k) / total * n as f64;
        chi += (seen - expected).powi(2) / expected;
    }
    // 21 cells: mean 21, deviation 6.5.
    assert!((3.0..55.0).contains(&chi), "{chi}");
}

#[test]
fn seeded_generators_repeat_and_the_system_generator_does_not() {
    let words = |mut rng: SecretRng| [rng.next_word(), rng.next_word()];
    assert_eq!(words(SecretRng::insecure_from_seed(3)), words(SecretRng::insecure_from_seed(3)));
    let [a, b] = [(); 2].map(|()| words(SecretRng::from_os().unwrap()));
    assert_ne!(a, b);
}

#[test]
fn secrets_are_not_printed() {
    let ring = SHAPES[0].fastest(64);
    let mut rng = SecretRng::insecure_from_seed(4);
    let coefficients = Gaussian::new(1000.0).unwrap().sample(&mut rng, &ring, 64);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let shown = format!("{coefficients:?}");
    assert!(shown.contains("hidden") && digits(&shown) <= 2, "{shown}");
    let poly = coefficients.to_eval(&ring, ring.all_limbs());
    let shown = format!("{poly:?}");
    assert!(shown.contains("hidden") && digits(&shown) <= 4, "{shown}");
    assert!(!shown.contains(&poly.expose().row(0)[0].to_string()));
    let shown = format!("{rng:?}");
    assert!(shown.contains("hidden") && digits(&shown) == 0, "{shown}");
}

#[test]
fn dropped_secret_polynomials_leave_zeros_in_the_pool() {
    let ring = SHAPES[0].fastest(64);
    let words = ring.all_limbs().len() * 64;
    let secret = SecretPoly::new(crate::common::random_eval(&ring, ring.all_limbs(), 8));
    let address = secret.expose().words().as_ptr();
    drop(secret);
    let buffer = ring.pool().take(words);
    assert_eq!(buffer.as_ptr(), address);
    assert!(buffer.iter().all(|&w| w == 0));
}

#[test]
fn published_secret_polynomials_keep_their_content() {
    let ring = SHAPES[0].fastest(64);
    let content = crate::common::random_eval(&ring, ring.all_limbs(), 8);
    let secret = SecretPoly::new(content.clone());
    let copy = secret.clone();
    assert_eq!(secret.into_masked(), content);
    assert_eq!(copy.expose(), &content);
    let mut wiped = content;
    wiped.wipe();
    assert!(wiped.is_zero());
}

#[test]
fn lifted_samples_are_the_same_integers_modulo_every_prime() {
    for shape in SHAPES {
        let ring: std::sync::Arc<Ring> = shape.fastest(64);
        let mut rng = SecretRng::insecure_from_seed(6);
        let sample =
            Gaussian::new(3.19).unwrap().sample(&mut rng, &ring, 64).scaled(5).plus(&[1; 64]);
        let lifted = sample.to_eval(&ring, ring.all_limbs());
        let p: Poly<_> = lifted.expose().clone().into_coeff();
        for (row, prime) in ring.prime_indices(p.limbs()).enumerate() {
            let m = ring.modulus(prime);
            let back: Vec<i64> = p.row(row).iter().map(|&w| m.to_signed(w)).collect();
            assert_eq!(back, sample.expose());
        }
    }
}

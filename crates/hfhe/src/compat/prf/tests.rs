//! Tests of the masks against known answers and against the reference's full computation.

use super::*;
use crate::compat::SAMPLES;
use fathom_kernels::available_bits;

const TAG: u64 = 0x0123_4567_89ab_cdef;
const DIGEST: [u64; 4] =
    [0x6a75_7f44_7f61_1b22, 0x0466_109f_feae_392d, 0x2991_c5dc_d062_8458, 0xfa48_f217_cf35_2ad6];
const SEED: Seed = Seed([0x43a4_1687_215a_7976, 0x1111_1111_1111_1111, 0x2222_2222_2222_2222]);
const NOISE_DOMAINS: [u64; 3] =
    [fnv("pvac.prf.noise.1"), fnv("pvac.prf.noise.2"), fnv("pvac.prf.noise.3")];

fn keys() -> Vec<PrfKey> {
    let digest: Vec<u8> = DIGEST.iter().flat_map(|word| word.to_be_bytes()).collect();
    let digest = digest.try_into().unwrap();
    let vector: [u64; MASK_WORDS] =
        std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    available_bits()
        .into_iter()
        .map(|kernel| *PrfKey::new(kernel, (TAG, &digest), &[1, 2, 3, 4], &vector))
        .collect()
}

#[test]
fn domains_have_the_hashes_of_the_reference() {
    assert_eq!(TOEPLITZ, 0x1b63_3718_8f04_ada0);
    let mask = [0xac71_2589_e190_20b4, 0xac71_2889_e190_25cd, 0xac71_2789_e190_241a];
    assert_eq!(MASK_DOMAINS, mask);
    let noise = [0x1664_6569_8a78_2d40, 0x1664_6869_8a78_3259, 0x1664_6769_8a78_30a6];
    assert_eq!(NOISE_DOMAINS, noise);
}

#[test]
fn streams_and_samples_are_those_of_the_reference() {
    for key in keys() {
        let stream = key.derive(&SEED, MASK_DOMAINS[0]);
        let expected = [
            [0x4a0e_7a97_0ce0_3c97, 0x56f5_4ed4_435b_877e],
            [0x30d3_d6f9_faba_1b3f, 0xb5d3_a627_efa7_c8d1],
        ];
        let bytes: Vec<u8> =
            expected.as_flattened().iter().flat_map(|w: &u64| w.to_be_bytes()).collect();
        assert_eq!(stream.key[..], bytes);
        assert_eq!(stream.start, 0xbd60_3498_f081_31a5);
        let mut words = [0; 4];
        key.kernel.aes256_stream(&stream.key, stream.start, &mut words);
        let expected = [
            0x7d53_20ca_8055_a48b,
            0xfaa9_59e0_34a4_1aac,
            0x8ddc_cc8b_2507_cbf0,
            0xafed_6833_bad4_5014,
        ];
        assert_eq!(words, expected);
        let samples = key.samples(&stream);
        assert_eq!(samples as u64, 0xf0d8_d051_e1e1_305d);
        // The top bit of the second word is sample 127, on which no mask depends.
        assert_eq!((samples >> 64) as u64, 0x958d_5494_4823_fd9d & u64::MAX >> 1);
    }
}

#[test]
fn cores_and_masks_are_those_of_the_reference() {
    let cores = [
        0x74dd_26ee_bc47_ed61_13d0_4b8c_94f8_d59c,
        0x1eca_6283_b39f_63c1_ed0e_2e39_498c_15eb,
        0x551a_61db_3e0d_3e87_c63f_debb_c389_7529,
    ];
    for key in keys() {
        let toeplitz = key.toeplitz(&SEED);
        for (domain, core) in MASK_DOMAINS.iter().zip(cores) {
            assert_eq!(key.core(&SEED, *domain, &toeplitz).value(), core);
        }
        let mask = key.mask(&SEED);
        assert_eq!(mask.value(), 0x24af_e1a2_dec5_0598_2143_2978_4eb7_75b1);
        assert_eq!(mask.inverse().value(), 0x26bc_6081_4ac8_a319_fd94_0377_5a2b_690d);
    }
}

/// Returns the noise that the reference's encryptor adds. Nobody recomputes it, so that encryption
/// in this library draws it at random.
fn noise_offset(key: &PrfKey, group: u64, kind: u64) -> Fp {
    let (g, k) = (group + 1, kind + 1);
    let [tag, low, high] = SEED.0;
    let seed = Seed([
        tag ^ g.wrapping_mul(0x517c_c1b7_2722_0a95) ^ k << 48,
        low ^ g.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ k,
        high ^ g.wrapping_mul(0x94d0_49bb_1331_11eb) ^ k << 32,
    ]);
    key.product(&seed, &NOISE_DOMAINS)
}

#[test]
fn noise_offsets_are_those_of_the_reference() {
    for key in keys() {
        let value = 0x37fb_42f8_c462_056b_177c_3a12_724f_fc2f;
        assert_eq!(noise_offset(&key, 0, 0).value(), value);
        let value = 0x2668_88ca_012a_3019_a89f_a11a_5fcf_0578;
        assert_eq!(noise_offset(&key, 3, 1).value(), value);
    }
}

/// Computes the core as the reference does: all samples, the whole product, then its low part.
fn full_core(key: &PrfKey, seed: &Seed, domain: u64) -> Fp {
    let StreamKey { key: aes, start } = &key.derive(seed, domain);
    let mut words = vec![0; (MASK_WORDS + 1) * SAMPLES + 64];
    key.kernel.aes256_stream(aes, *start, &mut words);
    let samples = sequential_samples(&mut words.iter().copied(), &key.vector, SAMPLES);
    let toeplitz = key.toeplitz(seed);
    let mut factor = vec![0; (SAMPLES + 127).div_ceil(64)];
    key.kernel.aes256_stream(&toeplitz.key, toeplitz.start ^ domain, &mut factor);
    let bit = |i: usize| factor[i / 64] >> (i % 64) & 1;
    let mut product = vec![0u8; SAMPLES + 64 * factor.len()];
    for (i, _) in samples.iter().enumerate().filter(|(_, sample)| **sample == 1) {
        for (j, coefficient) in product[i..].iter_mut().enumerate().take(64 * factor.len()) {
            *coefficient ^= bit(j) as u8;
        }
    }
    let low = product[..127].iter().rev().fold(0, |low, &bit| low << 1 | u128::from(bit));
    nonzero(low)
}

#[test]
fn the_truncated_core_equals_the_full_one() {
    let key = keys().remove(0);
    for (i, domain) in (0..).zip(MASK_DOMAINS) {
        let seed = Seed([i, 5 * i + 1, 7]);
        let truncated = key.core(&seed, domain, &key.toeplitz(&seed));
        assert_eq!(truncated, full_core(&key, &seed, domain));
    }
}

#[test]
fn samples_one_by_one_are_the_same() {
    for key in keys() {
        for i in 0..20 {
            let stream = key.derive(&Seed([i, 2, 3]), MASK_DOMAINS[0]);
            assert_eq!(key.samples_one_by_one(&stream), key.samples(&stream));
        }
    }
}

#[test]
fn a_rejected_word_moves_the_following_rows() {
    let mut vector = [0; MASK_WORDS];
    vector[0] = 1;
    let row = |first: u64, tail: &[u64]| {
        let zeros = [0; MASK_WORDS - 1];
        [&[first], &zeros[..], tail].concat()
    };
    let words = [row(1, &[REJECTED, u64::MAX, 1]), row(0, &[8]), row(1, &[REJECTED - 8])].concat();
    assert_eq!(sequential_samples(&mut words.into_iter(), &vector, 3), [1, 1, 0]);
}

#[test]
fn zero_products_become_one() {
    assert_eq!(nonzero(0), Fp::ONE);
    assert_eq!(nonzero(MODULUS), Fp::ONE);
    assert_eq!(nonzero(5), Fp::from(5u64));
}

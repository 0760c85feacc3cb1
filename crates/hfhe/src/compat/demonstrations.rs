//! Demonstrates the weaknesses of the reference's single-layer encryption, which this library does
//! not expose.

use super::tests::known_key;
use super::*;
use crate::draw::Draws;
use crate::polynomial::Polynomial;
use crate::{Padding, Seed};
use fathom_ring::SecretRng;

const CHUNK: usize = 15;

/// Encrypts like the raw encryption of the reference: one layer, whose weight is the mask times the
/// value.
fn encrypt_raw(value: Fp, rng: &mut SecretRng) -> Ciphertext {
    let key = known_key();
    let mut draws = Draws::new(rng);
    let seed: Seed = key.public().seed([draws.word(), draws.word()]);
    let weight = key.secret.prf.mask(&seed) * value;
    let mut polynomial = Polynomial::linear(Fp::ZERO, [(seed, weight)]);
    polynomial.terms = polynomial.terms.normalized();
    Ciphertext::new(polynomial, key.id())
}

/// Encrypts like the text helper of the reference: raw encryptions of chunks of 15 bytes.
fn encrypt_text_raw(text: &[u8], rng: &mut SecretRng) -> Vec<Ciphertext> {
    text.chunks(CHUNK)
        .map(|chunk| {
            let mut word = [0; 16];
            word[..chunk.len()].copy_from_slice(chunk);
            encrypt_raw(Fp::new(u128::from_le_bytes(word)), rng)
        })
        .collect()
}

/// Tests without any key whether the value is zero: then the weight is zero.
fn looks_zero(ciphertext: &Ciphertext) -> bool {
    ciphertext.polynomial.term_count() == 0
}

#[test]
fn the_zero_test_reads_raw_encryptions_and_no_others() {
    let rng = &mut SecretRng::insecure_from_seed(1);
    for value in [0, 1, 5, 0, 0, 9] {
        assert_eq!(looks_zero(&encrypt_raw(Fp::from(value as u64), rng)), value == 0);
        let exposed = known_key().encrypt(Fp::from(value as u64), rng);
        assert!(!looks_zero(&exposed) && exposed.polynomial.term_count() == 2);
    }
}

#[test]
fn raw_texts_show_their_zero_chunks_and_exposed_ones_do_not() {
    let rng = &mut SecretRng::insecure_from_seed(2);
    let text = format!("{}{}", "\0".repeat(2 * CHUNK), "the rest is text");
    let seen = |texts: &[Ciphertext]| texts.iter().map(looks_zero).collect::<Vec<_>>();
    let raw = encrypt_text_raw(text.as_bytes(), rng);
    assert_eq!(seen(&raw), [true, true, false, false]);
    let exposed = known_key().encrypt_text(&text, Padding::PowerOfTwo, rng);
    assert_eq!(seen(&exposed), [false; 5]);
}

#[test]
fn raw_texts_show_their_length_and_padded_ones_do_not() {
    let rng = &mut SecretRng::insecure_from_seed(3);
    let texts = ["no", "certainly, with the greatest pleasure"];
    let raw = texts.map(|text| encrypt_text_raw(text.as_bytes(), rng).len());
    assert_eq!(raw, [1, 3]);
    let padded = texts.map(|text| known_key().encrypt_text(text, Padding::Chunks(4), rng).len());
    assert_eq!(padded, [5, 5]);
}

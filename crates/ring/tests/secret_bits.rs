//! Products with secret bits: exact for as many words as bits or fewer, refused for more.

use fathom_ring::{SecretBits, SecretCoefficients};

const BITS: [i64; 5] = [1, 0, 1, 1, 0];

fn bits() -> SecretBits {
    SecretBits::new(&SecretCoefficients::new(BITS.to_vec()))
}

#[test]
fn products_are_sums_of_the_chosen_words() {
    let words = [u64::MAX, 5, 7, 11, 13];
    let short = words.map(|word| word as u32);
    for count in 0..=BITS.len() {
        let chosen = |value: fn(u64) -> u64| {
            let pairs = words[..count].iter().zip(BITS);
            pairs.fold(0_u64, |sum, (&word, bit)| sum.wrapping_add(value(word) * bit as u64))
        };
        assert_eq!(bits().product(&words[..count]), chosen(|word| word));
        assert_eq!(bits().short_product(&short[..count]), chosen(|word| u64::from(word as u32)));
    }
}

#[test]
#[should_panic(expected = "6 words for 5 secret bits")]
fn more_words_than_bits_are_refused() {
    bits().product(&[1; 6]);
}

#[test]
#[should_panic(expected = "6 words for 5 secret bits")]
fn more_short_words_than_bits_are_refused() {
    bits().short_product(&[1; 6]);
}

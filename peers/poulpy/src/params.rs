//! Parameters: the smallest ring whose security limit leaves room for the depth, with the radix and
//! the shape of keys that the presets of poulpy have.

use crate::backend::Backend;
use fathom_drivers::protocol::{Code, ParamsInfo, Purpose, Refusal};
use poulpy_ckks::presets::bootstrapping::all;
use poulpy_core::layouts::{
    Base2K, Degree, Dnum, GLWEAutomorphismKeyLayout, GLWELayout, GLWETensorKeyLayout, Rank,
    TorusPrecision,
};
use poulpy_hal::layouts::Module;

/// Largest log2 of the modulus at 128 bits by ring degree, for uniform ternary secrets: Table 5.2
/// of "Security Guidelines for Implementing Homomorphic Encryption" (IACR CiC 1(4), 2025).
const GREATEST_LOG_Q: [(usize, usize); 6] =
    [(2048, 53), (4096, 106), (8192, 214), (16384, 430), (32768, 868), (65536, 1747)];
/// Bits of the modulus above the scale that are left for values after the last product.
pub(crate) const HEADROOM: usize = 10;
/// The radix of all presets of poulpy, which its transforms modulo 120 bits are made for.
const RADIX: usize = 52;
/// Bits by which a key exceeds an input and a digit, as in the presets of poulpy.
const KEY_NOISE_MARGIN: usize = 2;
/// The most products that one operation adds before it reduces: those of `dot32`.
const MOST_TERMS: usize = 32;
/// log2 of the probability that such a sum wraps around, which the radix must meet.
const FAILURE_BITS: usize = 128;
/// Standard deviation of errors, a constant of poulpy.
const SIGMA: f64 = 3.2;

/// A ring with a distribution of secrets, and the largest modulus for 128 bits of security.
struct Ring {
    n: usize,
    limit: usize,
    weight: Option<usize>,
}

/// The parameters of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    /// Ring degree.
    pub(crate) n: usize,
    /// log2 of the radix of a limb.
    pub(crate) radix: usize,
    /// log2 of the scale.
    pub(crate) scale: usize,
    /// Number of products in a row.
    pub(crate) depth: usize,
    /// Hamming weight of the secret; `None` for uniform ternary coefficients.
    pub(crate) weight: Option<usize>,
    /// Bits of a digit of evaluation keys, whole limbs.
    digit: usize,
    /// Number of digits.
    digits: usize,
    /// Bits of evaluation keys below their digits.
    guard: usize,
}

impl Shape {
    /// Returns log2 of the modulus of a ciphertext with `level` products left.
    pub(crate) fn width(&self, level: usize) -> usize {
        self.scale * (level + 1) + HEADROOM
    }

    /// Returns log2 of the modulus of a fresh ciphertext.
    pub(crate) fn top_width(&self) -> usize {
        self.width(self.depth)
    }

    /// Returns log2 of the modulus of evaluation keys.
    pub(crate) fn key_width(&self) -> usize {
        self.digit * self.digits + self.guard
    }

    /// Returns log2 of the modulus of the public key: one limb wider than a ciphertext where the
    /// keys are, because poulpy draws the errors of an encryption at the end of that limb.
    pub(crate) fn public_key_width(&self) -> usize {
        (self.top_width() + self.radix).min(self.key_width())
    }

    /// Returns the layout of a ciphertext of `width` bits.
    pub(crate) fn ciphertext(&self, width: usize) -> GLWELayout {
        GLWELayout {
            n: Degree(self.n as u32),
            base2k: Base2K(self.radix as u32),
            k: TorusPrecision(width as u32),
            rank: Rank(1),
        }
    }

    /// Returns the layout of the relinearisation key.
    pub(crate) fn tensor_key(&self) -> GLWETensorKeyLayout {
        GLWETensorKeyLayout {
            n: Degree(self.n as u32),
            base2k: Base2K(self.radix as u32),
            dnum: Dnum(self.digits as u32),
            k_aux: TorusPrecision(self.guard as u32),
            rank: Rank(1),
            k_digit: TorusPrecision(self.digit as u32),
        }
    }

    /// Returns the layout of a rotation key.
    pub(crate) fn rotation_key(&self) -> GLWEAutomorphismKeyLayout {
        let GLWETensorKeyLayout { n, base2k, dnum, k_aux, rank, k_digit } = self.tensor_key();
        GLWEAutomorphismKeyLayout { n, base2k, dnum, k_aux, rank, k_digit }
    }

    /// Returns the parameters on a ring; `None` if there are none.
    fn on(ring: &Ring, scale: usize, depth: usize) -> Option<Self> {
        let Ring { n, limit, weight } = *ring;
        let width = scale * (depth + 1) + HEADROOM;
        let limbs = |radix: usize| width.div_ceil(radix);
        // The middle of a product of two ciphertexts adds two products of limbs for each limb.
        let products = MOST_TERMS * 2 * limbs(RADIX);
        let radix = Module::<Backend>::max_base2k(n, products, FAILURE_BITS, false).min(RADIX);
        if radix == 0 {
            return None;
        }
        // The digit with which a key has the fewest rows, as the presets choose it.
        let keys = (1..=limbs(radix)).filter_map(|limbs| {
            let digit = limbs * radix;
            let digits = width.div_ceil(digit);
            let guard = (digit + n.ilog2() as usize).min(limit.checked_sub(digit * digits)?);
            let fits = guard >= digit && digit * digits + guard >= width + digit + KEY_NOISE_MARGIN;
            fits.then_some(Self { n, radix, scale, depth, weight, digit, digits, guard })
        });
        keys.min_by_key(|key| (key.digits, key.digit))
    }
}

/// Returns the smallest ring for `purpose`.
///
/// # Errors
/// `unsupported` if there is none, or for what poulpy does not have.
pub(crate) fn choose(purpose: &Purpose) -> Result<Shape, Refusal> {
    if purpose.plain_modulus.is_some() {
        return Err(Refusal::unsupported(
            "poulpy's arithmetic on slots is CKKS, without a modulus",
        ));
    }
    if purpose.security > 128 {
        return Err(Refusal::unsupported("the presets of poulpy are for 128 bits"));
    }
    let scale = purpose.scale_bits.unwrap_or(40) as usize;
    if !(15..=60).contains(&scale) {
        return Err(Refusal::unsupported("scales of 15 to 60 bits are supported"));
    }
    let depth = purpose.depth as usize;
    let rings = if purpose.defaults { preset_rings()? } else { smallest_rings() };
    let mut rings = rings.iter().filter(|ring| purpose.n.is_none_or(|wanted| wanted == ring.n));
    let found = rings.find_map(|ring| Shape::on(ring, scale, depth));
    found.ok_or_else(|| {
        let ring = purpose.n.map_or_else(|| "no ring".into(), |n| format!("not the ring of {n}"));
        Refusal::unsupported(format!("{ring} holds {depth} products at a scale of {scale} bits"))
    })
}

/// Returns the rings with uniform ternary secrets.
fn smallest_rings() -> Vec<Ring> {
    GREATEST_LOG_Q.iter().map(|(n, limit)| Ring { n: *n, limit: *limit, weight: None }).collect()
}

/// Returns the rings of the presets of poulpy, with the weights of their dense secrets and the
/// limits that they state.
fn preset_rings() -> Result<Vec<Ring>, Refusal> {
    let refused = |error| Refusal::new(Code::Internal, format!("poulpy refused: {error}"));
    let presets = all().map_err(refused)?;
    let mut rings: Vec<Ring> = presets
        .iter()
        .map(|preset| Ring {
            n: preset.n(),
            limit: preset.max_dense_modulus(),
            weight: Some(preset.dense_secret_hamming_weight()),
        })
        .collect();
    rings.sort_by_key(|ring| ring.n);
    Ok(rings)
}

/// Describes parameters for reports.
pub(crate) fn describe(shape: &Shape) -> ParamsInfo {
    let Shape { n, radix, scale, depth, weight, digit, digits, guard } = *shape;
    let choice = match weight {
        None => "smallest ring under the limits of eprint 2024/463",
        Some(_) => "smallest ring, secret and limit of the presets of poulpy",
    };
    ParamsInfo {
        name: format!("n{n}-d{depth}-s{scale}"),
        n,
        log_q: shape.top_width() as f64,
        log_qp: shape.key_width() as f64,
        plain_modulus: 0,
        scale_bits: Some(scale as f64),
        word_bits: None,
        slots: n / 2,
        levels: depth as u32,
        secret: weight
            .map_or_else(|| "ternary".into(), |weight| format!("sparse_ternary:{weight}")),
        sigma: SIGMA,
        depth: depth as u32,
        p_fail_log2: None,
        explanation: Some(format!(
            "{choice}; limbs of {radix} bits; keys of \
             {digits} digits of {digit} bits and {guard} bits below them, the fewest rows that \
             fit, as in the presets of poulpy"
        )),
        character: None,
        torus: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn purpose(depth: u32) -> Purpose {
        Purpose {
            depth,
            plain_modulus: None,
            scale_bits: None,
            security: 128,
            n: None,
            defaults: false,
        }
    }

    #[test]
    fn depth_asks_for_larger_rings_and_every_key_stays_below_the_limit() {
        let mut before = 0;
        for depth in 0..=20 {
            let shape = choose(&purpose(depth)).unwrap();
            let limit = GREATEST_LOG_Q.iter().find(|(n, _)| *n == shape.n).unwrap().1;
            assert!(shape.key_width() <= limit && shape.n >= before, "{shape:?}");
            assert!(shape.key_width() >= shape.top_width() + KEY_NOISE_MARGIN, "{shape:?}");
            before = shape.n;
        }
        assert!(before >= 32768);
    }

    #[test]
    fn defaults_have_the_ring_the_secret_and_the_limit_of_a_preset() {
        let own = choose(&Purpose { defaults: true, ..purpose(2) }).unwrap();
        assert_eq!((own.n, own.weight), (32768, Some(1024)));
        assert_eq!(describe(&own).secret, "sparse_ternary:1024");
        let deep = choose(&Purpose { defaults: true, ..purpose(25) }).unwrap();
        assert!(deep.n == 65536 && deep.key_width() <= 1707, "{deep:?}");
    }

    #[test]
    fn what_the_library_has_not_is_refused() {
        let refused = |purpose: &Purpose| choose(purpose).err().map(|refusal| refusal.code);
        let unsupported = Some(Code::Unsupported);
        assert_eq!(refused(&purpose(60)), unsupported);
        assert_eq!(refused(&Purpose { n: Some(4096), ..purpose(3) }), unsupported);
        assert_eq!(refused(&Purpose { security: 192, ..purpose(1) }), unsupported);
        assert_eq!(refused(&Purpose { plain_modulus: Some(65537), ..purpose(1) }), unsupported);
        assert_eq!(refused(&Purpose { scale_bits: Some(61), ..purpose(1) }), unsupported);
        assert_eq!(refused(&Purpose { defaults: true, ..purpose(45) }), unsupported);
    }
}

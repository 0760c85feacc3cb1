//! Parameters: the table of fhe.rs for 128 bits, reduced to the security that the testbed
//! estimates.

use crate::keys::Keys;
use crate::modulus::log_modulus;
use crate::refusal::{guarded, refusal};
use fathom_drivers::protocol::{Code, ParamsInfo, Purpose, Refusal};
use fhe::bfv::{BfvParameters, BfvParametersBuilder, Encoding, Plaintext};
use fhe_traits::{FheEncoder, FheEncrypter};
use std::sync::Arc;

/// Variance of the centred binomial distribution of errors and of secrets in fhe.rs.
const VARIANCE: usize = 10;

/// Bits of noise budget that must remain at the end of the chain that tests the depth.
const MARGIN_BITS: f64 = 3.0;

/// Largest log2 of the modulus at 128 bits by ring degree: Table 5.2 of "Security Guidelines for
/// Implementing Homomorphic Encryption" (IACR CiC 1(4), 2025) for ternary secrets, plus 2 bits for
/// secrets as wide as the errors.
const GREATEST_LOG_Q: [(usize, usize); 5] =
    [(1024, 28), (2048, 55), (4096, 108), (8192, 216), (16384, 432)];

/// Parameters with their description for reports.
pub(crate) struct Chosen {
    pub(crate) bfv: Arc<BfvParameters>,
    pub(crate) info: ParamsInfo,
}

/// Returns the smallest ring of the library's table that supports `purpose`, as tested with a chain
/// of products on fresh keys.
///
/// # Errors
/// `unsupported` if no ring does.
pub(crate) fn choose(purpose: &Purpose) -> Result<Chosen, Refusal> {
    let t = purpose.plain_modulus.filter(|t| (2..1 << 32).contains(t));
    let t = t.ok_or_else(|| Refusal::unsupported("BFV wants a plaintext modulus of 2 to 2^32"))?;
    if purpose.security > 128 || purpose.scale_bits.is_some() {
        let message = "fhe.rs has parameters for 128 bits only, and exact schemes only";
        return Err(Refusal::unsupported(message));
    }
    let known = BfvParameters::default_parameters_128(20).map_err(refusal)?;
    for table in known.filter(|row| purpose.n.is_none_or(|n| n == row.degree())) {
        let Some(bfv) = build(&table, t, purpose.defaults)? else { continue };
        if let Some(left) = budget_after(&bfv, purpose.depth)? {
            return Ok(Chosen { info: describe(&bfv, purpose, left), bfv });
        }
    }
    let ring = purpose.n.map_or_else(|| "no ring".into(), |n| format!("not the ring of {n}"));
    let message = format!(
        "{ring} of fhe.rs for 128 bits holds {} products modulo {t} in a row",
        purpose.depth
    );
    Err(Refusal::unsupported(message))
}

/// Builds a row of the table with another plaintext modulus; `None` if that has no slots there.
fn build(
    table: &BfvParameters,
    t: u64,
    as_it_is: bool,
) -> Result<Option<Arc<BfvParameters>>, Refusal> {
    let degree = table.degree();
    if t % (2 * degree as u64) != 1 {
        return Ok(None);
    }
    let mut builder = BfvParametersBuilder::new();
    builder.set_degree(degree).set_plaintext_modulus(t).set_variance(VARIANCE);
    let sizes = trimmed(table.moduli_sizes(), degree);
    if as_it_is || sizes == table.moduli_sizes() {
        builder.set_moduli(table.moduli());
    } else {
        builder.set_moduli_sizes(&sizes);
    }
    guarded(|| builder.build_arc())?.map(Some).map_err(refusal)
}

/// Returns the sizes of the moduli, the largest reduced until the security limit is met.
fn trimmed(sizes: &[usize], degree: usize) -> Vec<usize> {
    let greatest = GREATEST_LOG_Q.iter().find(|(n, _)| *n == degree).map_or(0, |(_, bits)| *bits);
    let mut sizes = sizes.to_vec();
    while sizes.iter().sum::<usize>() > greatest {
        let Some(largest) = sizes.iter_mut().max() else { break };
        *largest -= 1;
    }
    sizes
}

/// Returns the noise budget at the end of a chain of `depth` products; `None` if it is too small.
fn budget_after(bfv: &Arc<BfvParameters>, depth: u32) -> Result<Option<f64>, Refusal> {
    // A product needs at least the bits of the plaintext modulus, and fhe.rs has no relinearisation
    // without a second modulus.
    let least = f64::from(depth) * (bfv.plaintext() as f64).log2();
    if least > log_modulus(bfv.moduli()) || (depth > 0 && bfv.max_level() == 0) {
        return Ok(None);
    }
    let keys = guarded(|| Keys::generate(bfv))??;
    let mut rng = rand::rng();
    // Full coefficients, each different from the one before: an odd multiplier cycles through all.
    let t = bfv.plaintext();
    let values: Vec<u64> = (0..bfv.degree() as u64).map(|i| i * 2_654_435_761 % t).collect();
    let plaintext = Plaintext::try_encode(&values, Encoding::poly(), bfv).map_err(refusal)?;
    let factor = keys.public.try_encrypt(&plaintext, &mut rng).map_err(refusal)?;
    let mut product = factor.clone();
    for _ in 0..depth {
        product = guarded(|| keys.multiply(&product, &factor))??;
    }
    let left = keys.budget(&product)?;
    Ok((left >= MARGIN_BITS).then_some(left))
}

fn describe(bfv: &BfvParameters, purpose: &Purpose, left: f64) -> ParamsInfo {
    let log_q = log_modulus(bfv.moduli());
    let smallest = if purpose.defaults { "" } else { "smallest ring of the " };
    ParamsInfo {
        name: format!("n{}-d{}", bfv.degree(), purpose.depth),
        n: bfv.degree(),
        log_q,
        log_qp: log_q,
        plain_modulus: bfv.plaintext(),
        scale_bits: None,
        word_bits: None,
        slots: bfv.degree(),
        levels: bfv.max_level() as u32,
        secret: "gaussian".into(),
        sigma: (VARIANCE as f64).sqrt(),
        depth: purpose.depth,
        p_fail_log2: None,
        explanation: Some(format!(
            "{smallest}library's table for 128 bits, moduli of {:?} bits; {} products in a row \
             leave {left:.0} bits of noise budget",
            bfv.moduli_sizes(),
            purpose.depth
        )),
        character: None,
        torus: None,
    }
}

/// Returns the refusal for an encoding that the parameters do not support.
pub(crate) fn no_encoding() -> Refusal {
    Refusal::new(Code::Unsupported, "fhe.rs encodes in slots and in coefficients")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn purpose(depth: u32) -> Purpose {
        let plain_modulus = Some(65537);
        Purpose { depth, plain_modulus, scale_bits: None, security: 128, n: None, defaults: false }
    }

    #[test]
    fn depth_asks_for_larger_rings_and_security_for_smaller_moduli() {
        let shallow = choose(&purpose(1)).unwrap().info;
        assert!(shallow.n == 4096 && shallow.log_q <= 108.0, "{shallow:?}");
        let deep = choose(&purpose(4)).unwrap().info;
        assert!(deep.n == 8192 && deep.log_q <= 216.0, "{deep:?}");
        let own = choose(&Purpose { defaults: true, ..purpose(1) }).unwrap().info;
        assert!(own.n == 4096 && own.log_q > 108.0, "{own:?}");
    }

    #[test]
    fn what_the_library_has_not_is_refused() {
        let refused = |purpose: &Purpose| choose(purpose).err().map(|refusal| refusal.code);
        let unsupported = Some(Code::Unsupported);
        assert_eq!(refused(&purpose(40)), unsupported);
        assert_eq!(refused(&Purpose { n: Some(32768), ..purpose(1) }), unsupported);
        assert_eq!(refused(&Purpose { security: 192, ..purpose(1) }), unsupported);
        assert_eq!(refused(&Purpose { plain_modulus: None, ..purpose(1) }), unsupported);
        assert_eq!(refused(&Purpose { plain_modulus: Some(65539), ..purpose(1) }), unsupported);
    }
}

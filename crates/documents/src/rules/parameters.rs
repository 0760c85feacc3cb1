//! Rules about what the parameters of a row imply: sizes, security and noise.

use fathom_drivers::ops::{Scheme, SchemeKind};
use fathom_security::{STANDARD_ERROR_DEVIATION, SecretDistribution, assess};

use super::finding::{Doubt, Finding};
use crate::table::Row;

/// Largest relative excess of a size over its encoding, for headers.
const SLACK: f64 = 0.03;
/// Largest relative shortfall of a size, for rounding.
const SHORTFALL: f64 = 0.003;
/// Factor by which the largest of all coefficients exceeds the standard deviation of one, in bits.
const TAIL_BITS: f64 = 2.1;

/// Checks every row.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    let of_row = |row| [size(row), formula(rows, row), security(row), depth(row)];
    rows.iter().flat_map(of_row).flatten().collect()
}

/// Finds sizes that no encoding of one seeded polynomial, or of two or three, has.
fn size(row: &Row) -> Option<Finding> {
    let ring = Scheme::parse(&row.scheme)
        .is_none_or(|scheme| !matches!(scheme.kind(), SchemeKind::Torus | SchemeKind::Scalars));
    let is_ciphertext = ring && row.op.starts_with("ct_size");
    let (bytes, n, log_q) = (row.bytes()?, row.number("n")?, row.number("log_q")?);
    let words = |bits: f64| (log_q / bits).ceil() * bits / 8.0;
    // Packed bits, words of 64 bits, and words of 32 bits.
    let coefficients = [log_q / 8.0, words(64.0), words(32.0)];
    let encodings = [1.0, 2.0, 3.0].map(|count| coefficients.map(|bytes| count * n * bytes));
    let encodings = encodings.as_flattened();
    let near = |encoding: &f64| (-SHORTFALL..=SLACK).contains(&((bytes - encoding) / encoding));
    if !is_ciphertext || encodings.iter().any(near) {
        return None;
    }
    let kib = |size: f64| format!("{:.0}", size / 1024.0);
    let why = format!(
        "{} is no encoding of {n} coefficients of {log_q} bits: one polynomial takes {} KiB \
         packed and {} in 64-bit words, two take {} and {}",
        row.figure(),
        kib(encodings[0]),
        kib(encodings[1]),
        kib(encodings[3]),
        kib(encodings[4])
    );
    Some(Finding::new(Doubt::SizeMismatch, &[row], why))
}

/// Finds sizes that a formula gave: by their name, or because they are a power of two of at least a
/// mebibyte, which no object with a header is. A table may state that a size under such a name is
/// `measured=serialized`, or have the measured size beside the estimate.
fn formula(rows: &[Row], row: &Row) -> Option<Finding> {
    let bytes = row.bytes()?;
    let power = bytes.log2().round();
    let is_power = power >= 20.0 && (bytes / power.exp2() - 1.0).abs() < 1e-6;
    let figure = row.figure();
    let serialized = row.params.get("measured").is_some_and(|how| how == "serialised");
    let measured = row.op.replace("_est", "");
    let why = if row.op.contains("_est") && !serialized && row.beside(rows, &measured).is_none() {
        format!("{figure} is an estimate by its name")
    } else if is_power && row.op.contains("size") {
        format!("{figure} is 2^{power:.0} bytes, which a formula gives and no serialisation")
    } else {
        return None;
    };
    Some(Finding::new(Doubt::Estimated, &[row], why))
}

/// Finds parameters below the security that they claim, with ternary secrets.
fn security(row: &Row) -> Option<Finding> {
    let (n, log_q) = (row.number("n")?, row.number("log_qp").or_else(|| row.number("log_q"))?);
    let claimed = row.number("security")?;
    let valid = (64.0..=1_048_576.0).contains(&n) && n.log2().fract() == 0.0 && log_q > 1.0;
    if !valid {
        return None;
    }
    let secret = SecretDistribution::Ternary;
    let found = assess(n as usize, log_q, secret, STANDARD_ERROR_DEVIATION).classical_bits;
    // The figures of estimators differ by a few bits.
    (found + 3.0 < claimed).then(|| {
        let why = format!(
            "{claimed} bits are claimed for degree {n} and a modulus of {log_q} bits; the \
             estimator finds {found:.0}"
        );
        Finding::new(Doubt::Insecure, &[row], why)
    })
}

/// Finds BFV parameters whose noise passes the limit of decryption before the depth or the inner
/// product that the row claims, with public-key encryption of full vectors. Of the rows with one
/// set of parameters, that of the product speaks for the depth.
fn depth(row: &Row) -> Option<Finding> {
    let (n, log_q, t) = (row.number("n")?, row.number("log_q")?, row.number("t")?);
    let claimed = row.number("depth")?;
    let dimension: Option<f64> =
        row.op.strip_prefix("inner_product").and_then(|dimension| dimension.parse().ok());
    let is_product = row.op == "mul" || row.op == "mul_no_relin";
    if row.scheme != "bfv" || !(is_product || dimension.is_some()) {
        return None;
    }
    let products = if dimension.is_some() { 1.0 } else { claimed };
    // An inner product adds the noise of `dimension` rotations, in quadrature.
    let sums = dimension.map_or(0.0, |dimension| dimension.log2() / 2.0);
    let limit = log_q - 1.0 - t.log2();
    let noise = fresh_bits(n) + products * growth_bits(n, t) + sums + TAIL_BITS;
    (noise > limit).then(|| {
        let what = match dimension {
            Some(dimension) => format!("a product of ciphertexts and a sum over {dimension} slots"),
            None => format!("{claimed} products one after another"),
        };
        let why = format!(
            "{what} leave noise of about 2^{noise:.1} at degree {n}, above the limit q/2t of \
             2^{limit:.1}: the result does not decrypt under public-key encryption"
        );
        Finding::new(Doubt::TooDeep, &[row], why)
    })
}

/// Returns log2 of the standard deviation of fresh noise under a public key: the error
/// `e u + e1 + e2 s` with ternary `u` and `s`.
fn fresh_bits(n: f64) -> f64 {
    (STANDARD_ERROR_DEVIATION * (1.0 + 4.0 * n / 3.0).sqrt()).log2()
}

/// Returns the bits that a product of independent ciphertexts adds: the noise of each operand is
/// multiplied by `t` times the other's quotient polynomial, whose coefficients deviate by
/// `sqrt(n/18)`, over `n` terms.
fn growth_bits(n: f64, t: f64) -> f64 {
    (2.0_f64.sqrt() * t * n.sqrt() * (n / 18.0).sqrt()).log2()
}

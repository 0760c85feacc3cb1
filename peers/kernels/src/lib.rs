//! Transforms to compare: one transform of one library at one degree, with its own row.
//!
//! All transforms are in place and single-threaded, on rows that stay in the cache. The output of a
//! call is the input of the next, which is valid because the time does not depend on the words.

use fathom_kernels::{Kernel, Modulus, NttTable, Row, best_for};
use std::fmt;
use tfhe_ntt::prime64::Plan;

/// The degrees compared.
pub const DEGREES: [usize; 5] = [1024, 2048, 4096, 8192, 16_384];

/// The largest prime below `2^49` that is 1 modulo `2^17`: the peer's fast 52-bit path supports
/// primes below `2^50`.
const PRIME_49: u64 = 562_949_951_979_521;

/// The largest prime below `2^52 / 70` that is 1 modulo `2^18`, for both libraries.
const PRIME_46: u64 = 64_337_131_601_921;

/// Reason why a transform cannot be measured.
#[derive(Debug)]
pub struct Unavailable(String);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}

/// One transform, ready to run.
pub struct Contestant {
    /// `<library>/<transform>`, as in bench ids.
    pub name: &'static str,
    run: Box<dyn FnMut()>,
}

impl Contestant {
    /// Transforms the row once.
    pub fn run(&mut self) {
        (self.run)();
    }
}

/// The transforms of one direction at one degree.
pub type Heat = Vec<Contestant>;

/// Returns the forward transforms: the peer with a 49-bit and with the 46-bit prime, then Fathom
/// with output in `[0, 2q)` and in `[0, q)`.
///
/// # Errors
/// An error if a library refuses the prime or does not use IFMA for it on this CPU.
pub fn forward(degree: usize) -> Result<Heat, Unavailable> {
    let mut heat = Vec::new();
    for (name, prime) in [("tfhe-ntt-49bit", PRIME_49), ("tfhe-ntt-46bit", PRIME_46)] {
        let (plan, mut row) = (peer(degree, prime)?, row(degree, prime));
        heat.push(contestant(name, move || plan.fwd(std::hint::black_box(&mut row))));
    }
    let ((kernel, table), mut row_) = (ours(degree)?, row(degree, PRIME_46));
    let lazy = move || kernel.ntt_forward_lazy(&table, std::hint::black_box(&mut row_));
    heat.push(contestant("fathom-46bit-lazy", lazy));
    let ((kernel, table), mut row_) = (ours(degree)?, row(degree, PRIME_46));
    let canonical = move || kernel.ntt_forward(&table, std::hint::black_box(&mut row_));
    heat.push(contestant("fathom-46bit-canonical", canonical));
    Ok(heat)
}

/// Returns the inverse transforms. Those of the peer leave out the factor `1/N`, which takes
/// another pass (`scaled`); those of Fathom include it.
///
/// # Errors
/// The errors of [`forward`].
pub fn inverse(degree: usize) -> Result<Heat, Unavailable> {
    let mut heat = Vec::new();
    for (name, prime) in [("tfhe-ntt-49bit", PRIME_49), ("tfhe-ntt-46bit", PRIME_46)] {
        let (plan, mut row) = (peer(degree, prime)?, row(degree, prime));
        heat.push(contestant(name, move || plan.inv(std::hint::black_box(&mut row))));
    }
    let (plan, mut row_) = (peer(degree, PRIME_49)?, row(degree, PRIME_49));
    let scaled = move || {
        plan.inv(std::hint::black_box(&mut row_));
        plan.normalize(std::hint::black_box(&mut row_));
    };
    heat.push(contestant("tfhe-ntt-49bit-scaled", scaled));
    let ((kernel, table), mut row) = (ours(degree)?, row(degree, PRIME_46));
    let scale = table.plain_inverse_scale();
    let canonical = move || kernel.ntt_inverse(&table, std::hint::black_box(&mut row), &scale);
    heat.push(contestant("fathom-46bit-canonical", canonical));
    Ok(heat)
}

fn contestant(name: &'static str, run: impl FnMut() + 'static) -> Contestant {
    Contestant { name, run: Box::new(run) }
}

fn peer(degree: usize, prime: u64) -> Result<Plan, Unavailable> {
    let plan = Plan::try_new(degree, prime)
        .ok_or_else(|| Unavailable(format!("tfhe-ntt refuses {prime} at degree {degree}")))?;
    if plan.use_ifma() && plan.can_use_fast_reduction_code() {
        Ok(plan)
    } else {
        Err(Unavailable("tfhe-ntt does not use its IFMA transform on this CPU".to_owned()))
    }
}

fn ours(degree: usize) -> Result<(&'static dyn Kernel, NttTable), Unavailable> {
    let refused = |error: &dyn fmt::Display| Unavailable(format!("fathom-kernels: {error}"));
    let modulus = Modulus::new(PRIME_46).map_err(|error| refused(&error))?;
    let kernel = best_for(&[modulus]).map_err(|error| refused(&error))?;
    let table = NttTable::new(modulus, degree, kernel).map_err(|error| refused(&error))?;
    Ok((kernel, table))
}

/// Returns pseudorandom residues.
fn row(degree: usize, prime: u64) -> Row {
    let mut row = Row::zeroed(degree);
    let mut word: u64 = 1;
    for residue in row.iter_mut() {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *residue = (word >> 11) % prime;
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that both libraries compute in the same ring: their products have equal coefficients.
    #[test]
    fn the_libraries_agree_on_negacyclic_products() {
        let degree = 1024;
        let (a, b) = (row(degree, PRIME_46), row(degree, PRIME_46 - 2));
        let (plan, (kernel, table)) = (peer(degree, PRIME_46).unwrap(), ours(degree).unwrap());
        let [mut theirs, mut factor] = [a.to_vec(), b.to_vec()];
        plan.fwd(&mut theirs);
        plan.fwd(&mut factor);
        plan.mul_assign_normalize(&mut theirs, &factor);
        plan.inv(&mut theirs);
        let [mut own, mut factor] = [a, b];
        kernel.ntt_forward(&table, &mut own);
        kernel.ntt_forward(&table, &mut factor);
        kernel.mul_assign(&table.modulus(), &mut own, &factor);
        kernel.ntt_inverse(&table, &mut own, &table.plain_inverse_scale());
        assert_eq!(theirs, *own);
    }
}

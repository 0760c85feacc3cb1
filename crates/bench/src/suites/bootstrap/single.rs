//! One bootstrapping: its time, and what it leaves.

use std::rc::Rc;

use fathom::Error;
use fathom::SecretRng;
use fathom::ckks::Complex64;

use super::parties::{Desk, Parties};
use crate::measure::stats::SplitMix64;
use crate::record::Refresh;
use crate::suites::meter::Meter;
use crate::suites::program::Program;

/// Returns the program `bootstrap`.
pub(super) fn program(desk: &Rc<Desk>) -> Program {
    let scale_bits = desk.set().spec().scale_bits;
    let text = "one bootstrapping of complex slots, from the last level to the top one";
    desk.program("bootstrap", text, move |meter, parties| run(meter, parties, scale_bits))
}

fn run(meter: &mut Meter, parties: &Parties, scale_bits: f64) -> Result<(), Error> {
    let slots = parties.params.slot_count();
    let mut rng = SecretRng::from_os()?;
    let uniform = disc(meter.seed(), slots);
    let ones = vec![Complex64::ONE; slots];
    let encrypt = |message: &[Complex64], rng: &mut SecretRng| {
        parties.secret.encrypt(&parties.params.encode(message)?, rng)
    };
    let x = encrypt(&uniform, &mut rng)?;
    let fresh = meter.time_long(|| parties.server.bootstrap(&x))?;
    let found = parties.secret.decrypt(&fresh)?;
    let bound = found.error_bound();
    let of_uniform = meter.check_near(&found.slots_complex(), &uniform, bound);
    let fresh_ones = parties.server.bootstrap(&encrypt(&ones, &mut rng)?)?;
    let found = parties.secret.decrypt(&fresh_ones)?;
    let of_ones = meter.check_near(&found.slots_complex(), &ones, found.error_bound());
    // The lowest levels are those of the map from slots to coefficients.
    let reserved = parties.params.top_level().get() - parties.params.depth();
    let levels = fresh.level().get().saturating_sub(reserved) as f64;
    let usable_bits = levels * scale_bits;
    let [raised, low, sparse] = parties.params.bootstrapping_moduli()?;
    let seconds = meter.median_ns().unwrap_or(f64::INFINITY) / 1e9;
    meter.values(slots);
    meter.refresh(Refresh {
        levels,
        usable_bits,
        usable_bits_per_s: (usable_bits * slots as f64 / seconds).round(),
        uniform_error_log2: hundredth(of_uniform.log2()),
        ones_error_log2: hundredth(of_ones.log2()),
        error_bound_log2: hundredth(bound.max(found.error_bound()).log2()),
        raised_log2: hundredth(raised.log2),
        raised_bits: hundredth(raised.assessment.classical_bits),
        low_log2: hundredth(low.log2),
        low_bits: hundredth(low.assessment.classical_bits),
        sparse_log2: hundredth(sparse.log2),
        sparse_bits: hundredth(sparse.assessment.classical_bits),
    });
    Ok(())
}

/// Returns numbers uniform in the unit disc.
fn disc(seed: u64, count: usize) -> Vec<Complex64> {
    let mut random = SplitMix64(seed);
    let mut fraction = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..count)
        .map(|_| Complex64::cis(fraction() * std::f64::consts::TAU) * fraction().sqrt())
        .collect()
}

fn hundredth(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_fill_the_unit_disc_evenly() {
        let numbers = disc(7, 4000);
        assert!(numbers.iter().all(|number| number.norm() <= 1.0));
        let inner = numbers.iter().filter(|number| number.norm_sqr() < 0.5).count();
        assert!((1800..2200).contains(&inner), "{inner}");
        assert!(numbers.iter().any(|number| number.norm() > 0.999));
    }
}

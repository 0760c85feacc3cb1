//! Comparison of a library with itself, which measures the noise and the rate of false alarms.

use std::time::Duration;

use fathom_cases::effort::{BESIDE_OTHERS, Effort};
use fathom_cases::record::ratio::{self, Standing};
use fathom_cases::stats::paired_bootstrap_ratio;
use fathom_drivers::ops::torus::BlockOp;
use fathom_drivers::process::{Fault, Launch};

use crate::measure::benches::Benches;
use crate::measure::case_run::CaseRun;
use crate::plan::libraries::Libraries;
use crate::plan::suite::CaseSpec;

/// Order of the two sides over the rounds of one comparison; each goes first equally often.
const ORDER: [usize; 4] = [0, 1, 1, 0];

/// Returns the case on which the noise floor of `cases` is measured: the first product among those
/// timed on one thread, or else the first timed case.
///
/// A bootstrap represents operations on machine integers, which are long sequences of bootstraps:
/// the many calls of [`noise_floor`] on such an operation would take longer than the rest of the
/// run.
pub fn probe(cases: &[CaseSpec]) -> Option<CaseSpec> {
    let timed = || cases.iter().filter(|case| case.op.has_lanes() && case.threads == 1);
    let case = timed().find(|case| case.op.name() == "mul").or_else(|| timed().next())?;
    let long = case.op.integer().is_some();
    let op = if long { BlockOp::KsPbs.into() } else { case.op.clone() };
    Some(CaseSpec { op, ..case.clone() })
}

/// Returns the noise floor: the largest relative difference of the medians of two interleaved
/// measurements of `case`, over `pairs` pairs.
///
/// # Errors
/// Any [`Fault`] of the driver.
pub fn noise_floor(
    launch: &Launch,
    case: &CaseSpec,
    pairs: usize,
    budget: Duration,
) -> Result<f64, Fault> {
    let mut worst = 0.0_f64;
    each_pair(launch, case, pairs, budget, 2, |[a, b]| {
        if let (Some(a), Some(b)) = (a.median_ns(), b.median_ns()) {
            worst = worst.max((a / b).max(b / a) - 1.0);
        }
    })?;
    Ok(worst)
}

/// Returns how many of `pairs` comparisons of `case` with itself find a difference, by the rule
/// that ranks libraries; differences below `noise_floor` are not significant.
///
/// # Errors
/// Any [`Fault`] of the driver.
pub fn false_alarms(
    launch: &Launch,
    case: &CaseSpec,
    pairs: usize,
    budget: Duration,
    noise_floor: f64,
) -> Result<usize, Fault> {
    let mut alarms = 0;
    each_pair(launch, case, pairs, budget, BESIDE_OTHERS.fewest, |sides| {
        let [a, b] = sides.map(|side| side.round_medians());
        let ratio = paired_bootstrap_ratio(&a, &b, 0.95, 1);
        let standing = ratio.map(|ratio| ratio::judge(ratio, noise_floor));
        alarms += usize::from(standing.is_some_and(|s| s != Standing::Indistinguishable));
    })?;
    Ok(alarms)
}

/// Measures `case` twice in interleaved rounds, `pairs` times, and passes on each pair. `budget` is
/// the wall-clock time for all pairs, and each side has `rounds` rounds.
fn each_pair(
    launch: &Launch,
    case: &CaseSpec,
    pairs: usize,
    budget: Duration,
    rounds: usize,
    mut hear: impl FnMut([CaseRun; 2]),
) -> Result<(), Fault> {
    let libraries = Libraries::alone(launch)?;
    let mut benches = Benches::new(&libraries, vec![(0, case.clone())], 1);
    let each = budget / (2 * pairs.max(1) as u32);
    for _ in 0..pairs {
        let mut sides = [(); 2].map(|()| CaseRun::new(case.clone(), Effort::within(each)));
        for side in ORDER.into_iter().cycle().take(2 * rounds) {
            sides[side].round(benches.get(0, case)?)?;
        }
        hear(sides);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::suite::{Selection, Suite};

    fn chosen(suite: &str, filter: &str) -> Option<String> {
        let filter = Some(regex::Regex::new(filter).unwrap());
        let cases = Suite::built_in(suite).unwrap();
        let cases = cases.cases("fathom", &Selection { filter, ..Selection::default() });
        probe(&cases).map(|case| case.id("fathom"))
    }

    #[test]
    fn a_product_stands_for_all_and_a_bootstrap_for_an_integer() {
        let product = chosen("quick", "").unwrap();
        assert!(product.contains("/mul"), "{product}");
        let quotient = chosen("tfhe", r"u_2_2_128/div_u256(\?|$)").unwrap();
        assert_eq!(quotient, "fathom/tfhe/u_2_2_128/ks_pbs?op_threads=2");
        let sum = chosen("tfhe", "u_2_2_128/unchecked_add").unwrap();
        assert!(sum.ends_with("/u_2_2_128/unchecked_add"), "{sum}");
        assert_eq!(chosen("tfhe", "keygen"), None);
    }
}

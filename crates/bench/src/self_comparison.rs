//! A library compared with itself: whatever differs then is noise or a false alarm.

use std::time::Duration;

use crate::benches::Benches;
use crate::case_run::CaseRun;
use crate::drivers::process::{Fault, Launch};
use crate::libraries::Libraries;
use crate::measure::{BESIDE_OTHERS, Effort};
use crate::ops::{Op, Work};
use crate::ratio::{self, Standing};
use crate::stats::paired_bootstrap_ratio;
use crate::suite::CaseSpec;
use crate::torus::BlockOp;

/// Order of the two sides over the rounds of one comparison: each goes first as often.
const TURNS: [usize; 4] = [0, 1, 1, 0];

/// The case whose noise floor stands for that of `cases`: the first product among those that are
/// timed on one thread each, or the first of them at all.
///
/// A bootstrap stands for an operation on machine integers, which is a long row of them: of some,
/// the many calls of [`noise_floor`] would take longer than everything else.
pub fn probe(cases: &[CaseSpec]) -> Option<CaseSpec> {
    let timed = || cases.iter().filter(|case| case.op.has_lanes() && case.threads == 1);
    let case = timed().find(|case| case.op.name() == "mul").or_else(|| timed().next())?;
    let long = matches!(case.op.work(), Work::Integer(_));
    let op = if long { Op::parse(BlockOp::KsPbs.name())? } else { case.op.clone() };
    Some(CaseSpec { op, ..case.clone() })
}

/// The noise floor: the largest relative difference of the medians of two measurements of `case`
/// in turns, of `pairs` pairs.
///
/// # Errors
/// Any fault of the driver.
pub fn noise_floor(
    launch: &Launch,
    case: &CaseSpec,
    pairs: usize,
    budget: Duration,
) -> Result<f64, Fault> {
    let mut worst = 0.0_f64;
    each_pair(launch, case, pairs, (budget, 2), |[a, b]| {
        if let (Some(a), Some(b)) = (a.median_ns(), b.median_ns()) {
            worst = worst.max((a / b).max(b / a) - 1.0);
        }
    })?;
    Ok(worst)
}

/// How many of `pairs` comparisons of `case` with itself find a difference, by the rule that
/// ranks libraries, with differences below `noise_floor` counted as none.
///
/// # Errors
/// Any fault of the driver.
pub fn false_alarms(
    launch: &Launch,
    case: &CaseSpec,
    pairs: usize,
    budget: Duration,
    noise_floor: f64,
) -> Result<usize, Fault> {
    let mut alarms = 0;
    each_pair(launch, case, pairs, (budget, BESIDE_OTHERS.fewest), |sides| {
        let [a, b] = sides.map(|side| side.round_medians());
        let ratio = paired_bootstrap_ratio(&a, &b, 0.95, 1);
        let standing = ratio.map(|ratio| ratio::judge(ratio, noise_floor));
        alarms += usize::from(standing.is_some_and(|s| s != Standing::Indistinguishable));
    })?;
    Ok(alarms)
}

/// Measures `case` twice in turns, `pairs` times, and hands each pair on. The last argument is
/// the wall time for all and the rounds of each side.
fn each_pair(
    launch: &Launch,
    case: &CaseSpec,
    pairs: usize,
    (budget, rounds): (Duration, usize),
    mut hear: impl FnMut([CaseRun; 2]),
) -> Result<(), Fault> {
    let libraries = Libraries::alone(launch)?;
    let mut benches = Benches::new(&libraries, vec![(0, case.clone())], 1);
    let each = budget / (2 * pairs.max(1) as u32);
    for _ in 0..pairs {
        let mut sides = [(); 2].map(|()| CaseRun::new(case.clone(), Effort::within(each)));
        for turn in TURNS.into_iter().cycle().take(2 * rounds) {
            sides[turn].round(benches.get(0, case)?)?;
        }
        hear(sides);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Selection, Suite};

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

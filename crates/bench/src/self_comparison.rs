//! A library compared with itself: whatever differs then is noise or a false alarm.

use std::time::Duration;

use crate::benches::Benches;
use crate::case_run::CaseRun;
use crate::drivers::process::{Fault, Launch};
use crate::libraries::Libraries;
use crate::measure::{BESIDE_OTHERS, Effort};
use crate::ratio::{self, Standing};
use crate::stats::paired_bootstrap_ratio;
use crate::suite::CaseSpec;

/// Order of the two sides over the rounds of one comparison: each goes first as often.
const TURNS: [usize; 4] = [0, 1, 1, 0];

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

//! The way from a circuit that is wrong to the smallest that is.
//!
//! The last step showed the fault, so what it does not depend on goes first. Then a step after the
//! other is left out, with one of its operands, or a step that has none, in its place. What is
//! still wrong is kept, until nothing can be left out. Circuits are run again with the same
//! arguments; the number of runs is limited, because steps can be slow.

use crate::run::{Scheme, Verdict, take};
use crate::{Place, Step};
use std::collections::{BTreeMap, BTreeSet};

/// The most circuits that are run to shrink one.
const RUNS: usize = 400;

/// A circuit that is wrong at its last step, and how.
pub(crate) struct Found<S: Scheme> {
    pub(crate) steps: Vec<Step<S>>,
    pub(crate) fault: String,
}

/// Shrinks a circuit whose last step is wrong. If the fault does not repeat with the steps that it
/// depends on, the circuit is returned as it is.
pub(crate) fn shrink<S: Scheme>(scheme: &mut S, steps: &[Step<S>], fault: &str) -> Found<S> {
    let Some(mut best) = run_again(scheme, &needed(steps)) else {
        let fault = format!("{fault}; the steps that it depends on do not repeat it");
        return Found { steps: steps.to_vec(), fault };
    };
    let mut runs = 1;
    'smaller: while runs < RUNS {
        for left_out in (0..best.steps.len()).rev() {
            for other in substitutes(&best.steps, left_out) {
                runs += 1;
                let smaller = without(&best.steps, left_out, other);
                if let Some(found) = run_again(scheme, &smaller) {
                    best = found;
                    continue 'smaller;
                }
            }
        }
        break;
    }
    best
}

/// Returns what may stand in the place of a step: its operands, and results of earlier steps that
/// have no operands.
fn substitutes<S: Scheme>(steps: &[Step<S>], left_out: usize) -> BTreeSet<Place> {
    let is_last = left_out + 1 == steps.len();
    let leaves = (0..left_out).filter(|&step| steps[step].operands.is_empty());
    let leaves = leaves.map(|step| Place { step, part: 0 });
    let all = steps[left_out].operands.iter().copied().chain(leaves);
    // The last step is the one that is wrong.
    all.filter(|_| !is_last).collect()
}

/// Returns the circuit with another value for all results of a step.
fn without<S: Scheme>(steps: &[Step<S>], left_out: usize, other: Place) -> Vec<Step<S>> {
    let mut steps = steps.to_vec();
    for operand in steps.iter_mut().flat_map(|step| &mut step.operands) {
        if operand.step == left_out {
            *operand = other;
        }
    }
    needed(&steps)
}

/// Returns the steps that the last one depends on, in the order in which their reader wants them:
/// the first operand with all that it needs, then the second.
fn needed<S: Scheme>(steps: &[Step<S>]) -> Vec<Step<S>> {
    fn visit<S: Scheme>(steps: &[Step<S>], number: usize, order: &mut Vec<usize>) {
        for operand in &steps[number].operands {
            if !order.contains(&operand.step) {
                visit(steps, operand.step, order);
            }
        }
        order.push(number);
    }
    let mut order = Vec::new();
    visit(steps, steps.len() - 1, &mut order);
    let numbers: BTreeMap<usize, usize> =
        order.iter().enumerate().map(|(new, &old)| (old, new)).collect();
    let renumbered = |&old: &usize| {
        let mut step = steps[old].clone();
        for place in &mut step.operands {
            place.step = numbers[&place.step];
        }
        step
    };
    order.iter().map(renumbered).collect()
}

/// Runs a circuit up to its first fault; none if there is no fault.
fn run_again<S: Scheme>(scheme: &mut S, steps: &[Step<S>]) -> Option<Found<S>> {
    let mut values: BTreeMap<Place, S::Value> = BTreeMap::new();
    for (number, step) in steps.iter().enumerate() {
        // An operand is missing where its step was refused.
        let operands: Option<Vec<&S::Value>> =
            step.operands.iter().map(|place| values.get(place)).collect();
        let Some(operands) = operands else { continue };
        match take(scheme, step, &operands) {
            Verdict::Right(results, _) => {
                let places = (0..).map(|part| Place { step: number, part });
                values.extend(places.zip(results));
            }
            Verdict::Wrong(fault) => {
                let steps = needed(&steps[..=number]);
                return Some(Found { steps, fault });
            }
            Verdict::Passed(_)
            | Verdict::Refused(_)
            | Verdict::Skipped(_)
            | Verdict::RefusedWrongly(_) => {}
        }
    }
    None
}

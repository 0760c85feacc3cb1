//! The cases to run and their order: cases of one kind are measured together.

use std::time::Duration;

use fathom_cases::question::Division;

use super::libraries::Libraries;
use super::suite::CaseSpec;

/// The cases to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cases, the same for each library.
    pub cases: Vec<CaseSpec>,
    /// Rules by which the parameters of peers are chosen; each gives cases of its own.
    pub divisions: Vec<Division>,
    /// Wall-clock time for all cases together.
    pub budget: Duration,
    /// Time of a timed case, in place of its share of the budget, for a record: each case has as
    /// many samples as an interval needs.
    pub each: Option<Duration>,
    /// Number of calls of each timed operation, in place of as many as its time allows.
    pub calls: Option<usize>,
    /// Seed of the clear inputs.
    pub seed: u64,
}

/// The number of a library and a case for it.
pub type Entry = (usize, CaseSpec);

impl Plan {
    /// Returns the cases of every library, in blocks that are measured together.
    pub fn blocks(&self, libraries: &Libraries) -> Vec<Vec<Entry>> {
        let together = if libraries.known().len() > 1 { by_parameters } else { by_kind };
        let entries = |case: &CaseSpec| libraries.cases(case, &self.divisions);
        let blocks = together(&self.cases).into_iter();
        let blocks = blocks.map(|block| block.iter().flat_map(entries).collect::<Vec<_>>());
        blocks.filter(|block| !block.is_empty()).collect()
    }
}

/// Returns the largest share of `budget` that each case may use.
pub fn estimate(cases: &[CaseSpec], budget: Duration) -> Vec<Duration> {
    let total: f64 = cases.iter().map(weight).sum();
    cases.iter().map(|case| budget.mul_f64(weight(case) / total.max(1e-9))).collect()
}

/// Returns the time of a case relative to a timed case.
pub(crate) fn weight(case: &CaseSpec) -> f64 {
    case.op.weight()
}

/// Groups the cases by kind of operation, in the order in which the kinds first appear.
fn by_kind(cases: &[CaseSpec]) -> Vec<Vec<CaseSpec>> {
    gathered(cases, |case| case.op.block().to_owned())
}

/// Groups the cases by scheme, parameters and lanes, so that few drivers run at the same time, and
/// within these groups by kind of operation.
fn by_parameters(cases: &[CaseSpec]) -> Vec<Vec<CaseSpec>> {
    let sets = gathered(cases, |case| (case.scheme.clone(), case.params.clone(), case.lanes()));
    sets.iter().flat_map(|set| by_kind(set)).collect()
}

/// Groups the cases with equal keys, in the order in which the keys first appear.
fn gathered<K: PartialEq>(cases: &[CaseSpec], key: impl Fn(&CaseSpec) -> K) -> Vec<Vec<CaseSpec>> {
    let mut groups: Vec<(K, Vec<CaseSpec>)> = Vec::new();
    for case in cases {
        let own = key(case);
        match groups.iter_mut().find(|(other, _)| *other == own) {
            Some((_, group)) => group.push(case.clone()),
            None => groups.push((own, vec![case.clone()])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::suite::{Selection, Suite};

    fn schemes() -> Vec<CaseSpec> {
        Suite::built_in("schemes").unwrap().cases("x", &Selection::default())
    }

    #[test]
    fn blocks_hold_cases_of_one_kind_and_lose_none() {
        let cases = schemes();
        for blocks in [by_kind(&cases), by_parameters(&cases)] {
            assert_eq!(blocks.iter().map(Vec::len).sum::<usize>(), cases.len());
            for block in &blocks {
                assert!(block.iter().all(|case| case.op.block() == block[0].op.block()));
            }
        }
        let deep = |case: &&CaseSpec| case.op.block() == "depth";
        let blocks = by_kind(&cases);
        let depth = blocks.iter().find(|block| deep(&&block[0])).unwrap();
        assert_eq!(depth.len(), cases.iter().filter(deep).count());
    }

    #[test]
    fn beside_others_a_parameter_set_comes_up_once() {
        let blocks = by_parameters(&schemes());
        let mut sets: Vec<(String, String, [usize; 2])> = blocks
            .iter()
            .map(|block| (block[0].scheme.clone(), block[0].params.clone(), block[0].lanes()))
            .collect();
        sets.dedup();
        let mut distinct = sets.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(sets.len(), distinct.len());
    }
}

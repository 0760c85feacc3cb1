//! The clear steps of the chains of document 004.

/// A step with a clear constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Product with a constant.
    Times(u64),
    /// Sum with a constant.
    Plus(u64),
    /// Difference with a constant.
    Minus(u64),
}

use Step::{Minus, Plus, Times};

/// The fixed pattern of the depth chain, after its first product.
const CYCLE: [Step; 20] = [
    Times(3),
    Plus(2),
    Times(5),
    Plus(13),
    Minus(7),
    Times(2),
    Plus(11),
    Times(4),
    Plus(9),
    Minus(3),
    Times(7),
    Plus(17),
    Times(3),
    Minus(8),
    Plus(6),
    Times(9),
    Minus(1),
    Plus(23),
    Times(2),
    Plus(5),
];

/// A chain: its name in ids, its first value, its usual length, and its steps.
pub(super) struct Chain {
    pub(super) op: &'static str,
    /// The document's name of the workload.
    pub(super) workload: &'static str,
    pub(super) first: u64,
    pub(super) length: usize,
    pub(super) step: fn(usize) -> Step,
    pub(super) meaning: &'static str,
}

/// The first value of the scale tests.
const FIRST: u64 = 42;

/// The chains of the document. The first step of the depth chain is the product of `--a` and `--b`.
pub(super) const CHAINS: [Chain; 5] = [
    Chain {
        op: "depth_chain",
        workload: "chain",
        first: 8,
        length: 80,
        step: |index| CYCLE[(index + CYCLE.len() - 1) % CYCLE.len()],
        meaning: "chain of products, sums and differences with clear constants, each checked",
    },
    Chain {
        op: "deep_arithmetic",
        workload: "arithmetic",
        first: FIRST,
        length: 80,
        step: |index| if index % 3 == 0 { Times(3) } else { Plus(7) },
        meaning: "chain of products by 3 and sums with 7",
    },
    Chain {
        op: "statistical_pipeline",
        workload: "statistical",
        first: FIRST,
        length: 60,
        step: |index| Plus(index as u64 + 1),
        meaning: "sum with 1, 2, 3 and so on",
    },
    Chain {
        op: "neural_network",
        workload: "neural_network",
        first: FIRST,
        length: 50,
        step: |index| if index % 2 == 0 { Times(2) } else { Plus(1) },
        meaning: "products by 2 and sums with 1 in turn: clear weight and bias",
    },
    Chain {
        op: "polynomial_eval",
        workload: "polynomial",
        first: FIRST,
        length: 128,
        step: |index| if index % 2 == 0 { Times(5) } else { Plus(index as u64 + 1) },
        meaning: "Horner's method at the clear point 5",
    },
];

impl Step {
    /// Applies the step to a clear value modulo `t`.
    pub(super) fn apply(self, x: u64, t: u64) -> u64 {
        match self {
            Times(k) => (u128::from(x) * u128::from(k % t) % u128::from(t)) as u64,
            Plus(k) => (x + k % t) % t,
            Minus(k) => (x + t - k % t) % t,
        }
    }

    /// Returns how many bits of noise the step adds at least: those of its factor.
    pub(super) fn bits(self, t: u64) -> f64 {
        let Times(k) = self else { return 0.0 };
        (centered(k, t).unsigned_abs().max(1) as f64).log2()
    }

    /// Returns the step as the document prints it.
    pub(super) fn text(self) -> String {
        match self {
            Times(k) => format!("result \u{d7} {k}"),
            Plus(k) => format!("result + {k}"),
            Minus(k) => format!("result \u{2212} {k}"),
        }
    }
}

/// Returns the representative of `k` modulo `t` that is smallest in magnitude.
pub(super) fn centered(k: u64, t: u64) -> i64 {
    let k = (k % t) as i64;
    if k > t as i64 / 2 { k - t as i64 } else { k }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chains_end_where_the_document_ends() {
        let ends = [36_614, 39_971, 1872, 43_520, 18_148];
        for (chain, end) in CHAINS.iter().zip(ends) {
            let step = |index| {
                if chain.op == "depth_chain" && index == 0 { Times(8) } else { (chain.step)(index) }
            };
            let last = (0..chain.length).fold(chain.first, |x, k| step(k).apply(x, 65_537));
            assert_eq!(last, end, "{}", chain.op);
        }
    }

    #[test]
    fn constants_are_reduced_to_the_smallest_representative() {
        assert_eq!((centered(65_536, 65_537), centered(7, 65_537)), (-1, 7));
        assert!(Times(65_536).bits(65_537).abs() < f64::EPSILON);
        assert_eq!(Minus(3).apply(1, 65_537), 65_535);
    }
}

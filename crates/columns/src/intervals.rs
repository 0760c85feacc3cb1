//! Sets of stored values: what comparisons of one column select, in any combination.

use crate::{Comparison, EncryptedColumn, Literal};
use std::collections::BTreeSet;

/// A set of integers from 0 to a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Intervals {
    span: u64,
    /// True if 0 belongs to the set.
    first: bool,
    /// Numbers from 1 to the span, in ascending order, that differ from their predecessor in
    /// whether they belong to the set.
    switches: Vec<u64>,
}

/// A part of the sum that is 1 on a set and 0 elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    /// True if the term is added, false if it is subtracted.
    pub(crate) is_added: bool,
}

/// A function of a stored value that is 0 or 1, and 0 at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TermKind {
    /// 1 from this number on.
    AtLeast(u64),
    /// 1 at this number.
    Equal(u64),
}

impl Intervals {
    /// Returns the stored values of a column that are in a relation to a number; `None` if the
    /// literal is no value of its type.
    pub(crate) fn related(
        column: &EncryptedColumn,
        relation: Comparison,
        literal: &Literal,
    ) -> Option<Intervals> {
        let [least, above] = column.kind.bounds(literal)?;
        let [low, _] = column.limits();
        let span = column.span();
        let from = |bound: i128| Intervals::from(bound.saturating_sub(i128::from(low)), span);
        let (at_least, greater) = (from(least), from(above));
        Some(match relation {
            Comparison::Equal => at_least.intersection(&greater.complement()),
            Comparison::NotEqual => at_least.complement().union(&greater),
            Comparison::Less => at_least.complement(),
            Comparison::LessOrEqual => greater.complement(),
            Comparison::Greater => greater,
            Comparison::GreaterOrEqual => at_least,
        })
    }

    /// Returns the numbers from a bound on.
    fn from(bound: i128, span: u64) -> Intervals {
        let switch = u64::try_from(bound).ok().filter(|bound| (1..=span).contains(bound));
        Intervals { span, first: bound <= 0, switches: switch.into_iter().collect() }
    }

    pub(crate) fn complement(&self) -> Intervals {
        Intervals { first: !self.first, ..self.clone() }
    }

    pub(crate) fn union(&self, other: &Intervals) -> Intervals {
        self.combined(other, |a, b| a || b)
    }

    pub(crate) fn intersection(&self, other: &Intervals) -> Intervals {
        self.combined(other, |a, b| a && b)
    }

    fn combined(&self, other: &Intervals, with: impl Fn(bool, bool) -> bool) -> Intervals {
        let first = with(self.first, other.first);
        let all: BTreeSet<u64> = self.switches.iter().chain(&other.switches).copied().collect();
        let (mut a, mut b, mut inside) = (self.first, other.first, first);
        let mut switches = Vec::new();
        for switch in all {
            a ^= self.switches.binary_search(&switch).is_ok();
            b ^= other.switches.binary_search(&switch).is_ok();
            if with(a, b) != inside {
                inside = !inside;
                switches.push(switch);
            }
        }
        Intervals { span: self.span, first, switches }
    }

    /// Returns whether 0 belongs to the set.
    pub(crate) fn has_zero(&self) -> bool {
        self.first
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.first && self.switches.is_empty()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.first && self.switches.is_empty()
    }

    /// Returns the terms whose sum, plus one if 0 belongs to the set, is 1 on the set and 0
    /// elsewhere.
    pub(crate) fn terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        let mut is_added = !self.first;
        let mut rest = self.switches.as_slice();
        while let [switch, after @ ..] = rest {
            // Two switches side by side are a single number, in the set or not, which takes one
            // comparison instead of two.
            if after.first().is_some_and(|next| *next == switch + 1) {
                terms.push(Term { kind: TermKind::Equal(*switch), is_added });
                rest = &after[1..];
            } else {
                terms.push(Term { kind: TermKind::AtLeast(*switch), is_added });
                is_added = !is_added;
                rest = after;
            }
        }
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Width;
    use proptest::prelude::*;

    const RELATIONS: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];

    fn column(range: [i64; 2]) -> EncryptedColumn {
        let (name, kind) = ("a".to_owned(), Width::Int32.into());
        let uses = BTreeSet::new();
        EncryptedColumn { name, kind, range: Some(range), uses, nulls: false }
    }

    fn belongs(set: &Intervals, stored: u64) -> bool {
        let terms = set.terms().into_iter().map(|term| {
            let one = match term.kind {
                TermKind::AtLeast(from) => stored >= from,
                TermKind::Equal(number) => stored == number,
            };
            i64::from(one) * if term.is_added { 1 } else { -1 }
        });
        let sum = i64::from(set.has_zero()) + terms.sum::<i64>();
        assert!((0..=1).contains(&sum), "{set:?} at {stored}: {sum}");
        sum == 1
    }

    proptest! {
        #[test]
        fn every_combination_selects_the_values_for_which_it_holds(
            parts in prop::collection::vec((0usize..6, -30i64..30, prop::bool::ANY), 1..8),
        ) {
            let column = column([-20, 20]);
            let set = |&(relation, constant, halved): &(usize, i64, bool)| {
                let literal = if halved {
                    Literal::Float(constant as f64 / 2.0)
                } else {
                    Literal::Int(constant)
                };
                Intervals::related(&column, RELATIONS[relation], &literal).unwrap()
            };
            let holds = |&(relation, constant, halved): &(usize, i64, bool), value: i64| {
                let order = if halved { (2 * value).cmp(&constant) } else { value.cmp(&constant) };
                RELATIONS[relation].holds(Some(order))
            };
            let sets: Vec<_> = parts.iter().map(set).collect();
            let any = sets.iter().skip(1).fold(sets[0].clone(), |all, own| all.union(own));
            let all = sets.iter().skip(1).fold(sets[0].clone(), |all, own| all.intersection(own));
            for value in -20i64..=20 {
                let stored = value.abs_diff(-20);
                let each: Vec<bool> = parts.iter().map(|part| holds(part, value)).collect();
                prop_assert_eq!(belongs(&any, stored), each.iter().any(|x| *x));
                prop_assert_eq!(belongs(&all, stored), each.iter().all(|x| *x));
                prop_assert_eq!(belongs(&any.complement(), stored), !each.iter().any(|x| *x));
            }
        }
    }

    #[test]
    fn constants_beyond_the_range_select_all_or_nothing() {
        let column = column([-5, 5]);
        let related = |relation, literal| Intervals::related(&column, relation, &literal).unwrap();
        assert!(related(Comparison::Greater, Literal::Int(i64::MAX)).is_empty());
        assert!(related(Comparison::Greater, Literal::Int(i64::MIN)).is_full());
        assert!(related(Comparison::Less, Literal::Float(1e300)).is_full());
        assert!(related(Comparison::GreaterOrEqual, Literal::Int(-5)).is_full());
        assert!(related(Comparison::Greater, Literal::Int(5)).is_empty());
        assert!(related(Comparison::Equal, Literal::Float(0.5)).is_empty());
        assert!(Intervals::related(&column, Comparison::Less, &Literal::Bool(true)).is_none());
    }

    #[test]
    fn a_list_of_numbers_takes_an_equality_each() {
        let column = column([0, 100]);
        let point = |n| Intervals::related(&column, Comparison::Equal, &Literal::Int(n)).unwrap();
        let set = point(7).union(&point(9)).union(&point(50));
        let equal = |n| Term { kind: TermKind::Equal(n), is_added: true };
        assert_eq!(set.terms(), [equal(7), equal(9), equal(50)]);
        let between = point(7).union(&point(8));
        let from = |n, is_added| Term { kind: TermKind::AtLeast(n), is_added };
        assert_eq!(between.terms(), [from(7, true), from(9, false)]);
    }
}

//! The span of a block's integer or of a table's arguments: its least and its greatest value.

use std::ops::RangeInclusive;

/// All integers from `low` to `high`, both included.
///
/// An interval whose ends have left the range of `i32` becomes [`Span::UNBOUNDED`], which no lookup
/// table takes, and stays so under sums, shifts and multiples other than that by 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Least value.
    pub(crate) low: i32,
    /// Greatest value.
    pub(crate) high: i32,
}

impl Span {
    /// The span of a block whose bounds have left the range of `i32`.
    pub(crate) const UNBOUNDED: Span = Span { low: i32::MIN, high: i32::MAX };

    /// The span of nothing, which leaves the other as it is in a [`Span::hull`].
    pub(crate) const EMPTY: Span = Span { low: i32::MAX, high: i32::MIN };

    /// Returns the span from `low` to `high`.
    pub(crate) const fn new(low: i32, high: i32) -> Span {
        Span { low, high }
    }

    /// Returns the span of one value.
    pub(crate) const fn of(value: i32) -> Span {
        Span { low: value, high: value }
    }

    /// Returns the span from `low` to `high`, or [`Span::UNBOUNDED`] if it does not fit `i32`.
    #[inline]
    fn bounded(low: i64, high: i64) -> Span {
        let end =
            |end: i64| i32::try_from(end).ok().filter(|&end| end > i32::MIN && end < i32::MAX);
        let ends = end(low).zip(end(high));
        ends.map_or(Span::UNBOUNDED, |(low, high)| Span { low, high })
    }

    /// Returns both ends, the least value first.
    pub(crate) fn ends(self) -> (i32, i32) {
        (self.low, self.high)
    }

    /// Returns all values in ascending order.
    pub(crate) fn values(self) -> RangeInclusive<i32> {
        self.low..=self.high
    }

    /// Returns the difference of the ends, which is one less than the number of values.
    pub(crate) fn width(self) -> i64 {
        i64::from(self.high) - i64::from(self.low)
    }

    /// Returns whether all values of `other` are in the span.
    pub(crate) fn contains(self, other: Span) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Returns the least span that contains both.
    pub(crate) fn hull(self, other: Span) -> Span {
        Span { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the span of the values that are in both.
    pub(crate) fn intersection(self, other: Span) -> Span {
        Span { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Returns the span of the sum of a value of each.
    #[inline]
    pub(crate) fn sum(self, other: Span) -> Span {
        let ((low, high), (other_low, other_high)) = (self.wide_ends(), other.wide_ends());
        Span::bounded(low + other_low, high + other_high)
    }

    /// Returns the span of the values plus a constant, whose absolute value is at most `2^31`.
    pub(crate) fn shifted(self, constant: i64) -> Span {
        let (low, high) = self.wide_ends();
        Span::bounded(low + constant, high + constant)
    }

    /// Returns the span of the multiples by `factor`.
    pub(crate) fn scaled(self, factor: i32) -> Span {
        let (low, high) = self.wide_ends();
        let (low, high) = (low * i64::from(factor), high * i64::from(factor));
        Span::bounded(low.min(high), low.max(high))
    }

    fn wide_ends(self) -> (i64, i64) {
        (self.low.into(), self.high.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_beyond_the_type_leave_no_bounds() {
        let near = Span::new(0, i32::MAX - 1);
        assert_eq!(near.shifted(1), Span::UNBOUNDED);
        assert_eq!(near.sum(Span::of(1)), Span::UNBOUNDED);
        assert_eq!(near.scaled(-2), Span::UNBOUNDED);
        assert_eq!(Span::UNBOUNDED.scaled(0), Span::of(0));
    }

    #[test]
    fn a_negative_factor_exchanges_the_ends() {
        assert_eq!(Span::new(-1, 3).scaled(-2), Span::new(-6, 2));
    }

    #[test]
    fn the_hull_contains_both_and_the_intersection_is_in_both() {
        let (a, b) = (Span::new(-1, 3), Span::new(2, 9));
        assert!(a.hull(b).contains(a) && a.hull(b).contains(b));
        assert!(a.contains(a.intersection(b)) && b.contains(a.intersection(b)));
        assert_eq!(Span::EMPTY.hull(a), a);
    }
}

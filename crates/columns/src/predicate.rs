//! Predicates: what a query says of rows, and its value where the columns are clear.

use crate::clear::ClearValues;
use crate::layout::prices;
use crate::{ClearType, EncryptedType, Error, Literal, Schema, Use};
use arrow_array::{Array, BooleanArray};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A condition on the values of a row. As in SQL, a comparison with a missing value is unknown, and
/// only rows for which the condition is true are selected. Encrypted columns with the use `compare`
/// are compared without their values becoming known.
///
/// ```
/// use fathom_columns::{Comparison, Literal, Predicate};
///
/// let engineers = Predicate::compare("dept", Comparison::Equal, Literal::Text("eng".into()));
/// let recent = Predicate::compare("year", Comparison::Greater, Literal::Int(2010));
/// let both = Predicate::All(vec![engineers, Predicate::Not(Box::new(recent))]);
/// assert_eq!(both.columns(), ["dept", "year"]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Predicate {
    /// Compares a column with a literal.
    Compare {
        /// Name of the column.
        column: String,
        /// The relation.
        relation: Comparison,
        /// The right-hand side.
        literal: Literal,
    },
    /// Compares two encrypted columns, whose ranges have the same least value.
    CompareColumns {
        /// Name of the column on the left-hand side.
        left: String,
        /// The relation.
        relation: Comparison,
        /// Name of the column on the right-hand side.
        right: String,
    },
    /// The value of a column is one of a list.
    In {
        /// Name of the column.
        column: String,
        /// The list.
        literals: Vec<Literal>,
    },
    /// The value of a column, clear or encrypted, is missing.
    IsNull {
        /// Name of the column.
        column: String,
    },
    /// All conditions hold; true if there are none.
    All(Vec<Predicate>),
    /// At least one condition holds; false if there are none.
    Any(Vec<Predicate>),
    /// The condition is false.
    Not(Box<Predicate>),
}

/// A relation of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// The deepest predicate: evaluation recurs.
const DEEPEST: usize = 64;

impl Predicate {
    /// Makes a comparison.
    pub fn compare(column: &str, relation: Comparison, literal: Literal) -> Predicate {
        Predicate::Compare { column: column.to_owned(), relation, literal }
    }

    /// Returns the names of the columns that it reads, without repetition.
    pub fn columns(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.visit(&mut |name| {
            if !found.contains(&name) {
                found.push(name);
            }
        });
        found
    }

    fn visit<'a>(&'a self, see: &mut impl FnMut(&'a str)) {
        match self {
            Predicate::Compare { column, .. }
            | Predicate::In { column, .. }
            | Predicate::IsNull { column } => see(column),
            Predicate::CompareColumns { left, right, .. } => {
                see(left);
                see(right);
            }
            Predicate::All(parts) | Predicate::Any(parts) => {
                for part in parts {
                    part.visit(see);
                }
            }
            Predicate::Not(part) => part.visit(see),
        }
    }

    /// Checks columns, types and depth.
    pub(crate) fn check(&self, schema: &Schema) -> Result<(), Error> {
        self.check_within(schema, DEEPEST)
    }

    fn check_within(&self, schema: &Schema, depth: usize) -> Result<(), Error> {
        let Some(depth) = depth.checked_sub(1) else {
            let reason = format!("conditions are nested more than {DEEPEST} deep; flatten them");
            return Err(Error::malformed("the predicate", reason));
        };
        match self {
            Predicate::Compare { column, literal, .. } => check_literal(schema, column, literal),
            Predicate::CompareColumns { left, right, .. } => check_pair(schema, left, right),
            Predicate::In { column, literals } => {
                check_column(schema, column)?;
                literals.iter().try_for_each(|literal| check_literal(schema, column, literal))
            }
            Predicate::IsNull { column } => {
                let known = schema.names().any(|name| name == column);
                if known { Ok(()) } else { Err(schema.unknown(column)) }
            }
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().try_for_each(|part| part.check_within(schema, depth))
            }
            Predicate::Not(part) => part.check_within(schema, depth),
        }
    }

    /// Returns the encrypted columns that it compares, without repetition.
    pub(crate) fn compared<'a>(&'a self, schema: &Schema) -> Vec<&'a str> {
        let mut found = Vec::new();
        self.visit_comparisons(&mut |name| {
            if schema.find_encrypted(name).is_some() && !found.contains(&name) {
                found.push(name);
            }
        });
        found
    }

    fn visit_comparisons<'a>(&'a self, see: &mut impl FnMut(&'a str)) {
        match self {
            Predicate::Compare { .. } | Predicate::CompareColumns { .. } | Predicate::In { .. } => {
                self.visit(see);
            }
            Predicate::IsNull { .. } => {}
            Predicate::All(parts) | Predicate::Any(parts) => {
                for part in parts {
                    part.visit_comparisons(see);
                }
            }
            Predicate::Not(part) => part.visit_comparisons(see),
        }
    }

    /// Returns whether it is true only for rows in which a column has a value, as its conjunctions
    /// tell.
    pub(crate) fn needs(&self, name: &str) -> bool {
        match self {
            Predicate::Compare { column, .. } | Predicate::In { column, .. } => column == name,
            Predicate::CompareColumns { left, right, .. } => left == name || right == name,
            Predicate::All(parts) => parts.iter().any(|part| part.needs(name)),
            Predicate::Not(part) => {
                matches!(part.as_ref(), Predicate::IsNull { column } if column == name)
            }
            Predicate::IsNull { .. } | Predicate::Any(_) => false,
        }
    }

    /// Evaluates the predicate for every row of a block; `None` where it is unknown.
    pub(crate) fn evaluate(&self, rows: &impl Rows) -> Result<Vec<Option<bool>>, Error> {
        match self {
            Predicate::CompareColumns { left, .. } => Err(not_clear(left)),
            Predicate::Compare { column, relation, literal } => {
                let values = rows.clear(column)?;
                Ok(compared(&values, literal, |ordering| relation.holds(ordering)))
            }
            Predicate::In { column, literals } => {
                let values = rows.clear(column)?;
                let mut all = vec![Some(false); rows.count()];
                for literal in literals {
                    let equal = compared(&values, literal, |o| o == Some(Ordering::Equal));
                    combine(&mut all, &equal, either);
                }
                let known = (0..rows.count()).map(|row| !values.is_null(row));
                Ok(all
                    .into_iter()
                    .zip(known)
                    .map(|(found, known)| found.filter(|_| known))
                    .collect())
            }
            Predicate::IsNull { column } => rows.is_null(column),
            Predicate::All(parts) => {
                let mut all = vec![Some(true); rows.count()];
                for part in parts {
                    let own = part.evaluate(rows)?;
                    combine(&mut all, &own, |a, b| {
                        either(a.map(|a| !a), b.map(|b| !b)).map(|x| !x)
                    });
                }
                Ok(all)
            }
            Predicate::Any(parts) => {
                let mut all = vec![Some(false); rows.count()];
                for part in parts {
                    combine(&mut all, &part.evaluate(rows)?, either);
                }
                Ok(all)
            }
            Predicate::Not(part) => {
                let own = part.evaluate(rows)?;
                Ok(own.into_iter().map(|value| value.map(|value| !value)).collect())
            }
        }
    }
}

/// The clear part of a block, by names of columns.
pub(crate) trait Rows {
    /// Returns the number of rows.
    fn count(&self) -> usize;
    /// Returns the values of a clear column.
    fn clear(&self, column: &str) -> Result<ClearValues, Error>;
    /// Returns for each row whether the value of any column is missing.
    fn is_null(&self, column: &str) -> Result<Vec<Option<bool>>, Error>;
}

/// Refuses to evaluate a comparison of encrypted values as a clear one.
fn not_clear(column: &str) -> Error {
    let reason = "its values are encrypted".to_owned();
    Error::Unsupported { operation: "a clear comparison", column: column.to_owned(), reason }
}

/// Returns the type of a clear column, and refuses an encrypted one.
pub(crate) fn clear_type(schema: &Schema, column: &str) -> Result<ClearType, Error> {
    if schema.find_encrypted(column).is_some() {
        return Err(not_clear(column));
    }
    schema.find_clear(column).map(|found| found.kind).ok_or_else(|| schema.unknown(column))
}

/// Refuses a column that is not there, or is encrypted without its bits.
fn check_column(schema: &Schema, column: &str) -> Result<(), Error> {
    let Some(found) = schema.find_encrypted(column) else {
        return clear_type(schema, column).map(drop);
    };
    if found.uses.contains(&Use::Compare) {
        return Ok(());
    }
    if !found.has_bits() {
        let reason = "its declared range has more than 2^32 values, whose bits no layout holds; \
                      declare a narrower `range`, or keep the column clear";
        let (operation, column) = ("a comparison", column.to_owned());
        return Err(Error::Unsupported { operation, column, reason: reason.to_owned() });
    }
    let [present, price] = prices(schema, found, Use::Compare)?;
    Err(Error::MissingUse {
        operation: "a comparison",
        column: column.to_owned(),
        needed: Use::Compare,
        price,
        present,
        alternative: "; or keep the column clear, or store a clear column that says what the rows \
                      are selected by"
            .to_owned(),
    })
}

/// Refuses two columns whose stored bits cannot be compared.
fn check_pair(schema: &Schema, left: &str, right: &str) -> Result<(), Error> {
    for name in [left, right] {
        check_column(schema, name)?;
        if schema.find_clear(name).is_some() {
            return Err(Error::Unsupported {
                operation: "a comparison of two columns",
                column: name.to_owned(),
                reason: "it is clear; two columns are compared where both are encrypted".to_owned(),
            });
        }
    }
    let unit = |kind: EncryptedType| (kind.is_time().then_some(kind), kind.scale());
    let found = |name| schema.find_encrypted(name);
    if let (Some(own), Some(other)) = (found(left), found(right))
        && (own.limits()[0] != other.limits()[0] || unit(own.kind) != unit(other.kind))
    {
        let [first, second] = [own, other].map(|column| column.kind.show(column.limits()[0]));
        let reason = format!(
            "its range starts at {first} of the type {} and that of {right:?} at {second} of {}, \
             so that their bits count from different values; declare ranges with the same least \
             value",
            own.kind, other.kind
        );
        let operation = "a comparison of two columns";
        return Err(Error::Unsupported { operation, column: left.to_owned(), reason });
    }
    Ok(())
}

fn check_literal(schema: &Schema, column: &str, literal: &Literal) -> Result<(), Error> {
    check_column(schema, column)?;
    if let Some(found) = schema.find_encrypted(column) {
        return match found.kind.bounds(literal) {
            Some(_) => Ok(()),
            None => Err(no_constant(column, literal, &found.kind.to_string())),
        };
    }
    let kind = clear_type(schema, column)?;
    let fits = match kind {
        ClearType::Bool => matches!(literal, Literal::Bool(_)),
        ClearType::Int64 | ClearType::Float64 => match literal {
            Literal::Int(_) => true,
            Literal::Float(value) => value.is_finite(),
            Literal::Bool(_) | Literal::Text(_) => false,
        },
        ClearType::Text => matches!(literal, Literal::Text(_)),
        ClearType::Date | ClearType::Timestamp(_) => {
            kind.integers().is_some_and(|kind| kind.bounds(literal).is_some())
        }
    };
    if fits {
        return Ok(());
    }
    Err(no_constant(column, literal, kind.name()))
}

fn no_constant(column: &str, literal: &Literal, kind: &str) -> Error {
    let reason = format!("{literal} is no constant of the type {kind}");
    Error::Unsupported { operation: "a comparison", column: column.to_owned(), reason }
}

impl Comparison {
    /// Returns whether two values in this order are in this relation; a NaN is unequal to all.
    pub(crate) fn holds(self, ordering: Option<Ordering>) -> bool {
        match self {
            Comparison::Equal => ordering == Some(Ordering::Equal),
            Comparison::NotEqual => ordering != Some(Ordering::Equal),
            Comparison::Less => ordering.is_some_and(Ordering::is_lt),
            Comparison::LessOrEqual => ordering.is_some_and(Ordering::is_le),
            Comparison::Greater => ordering.is_some_and(Ordering::is_gt),
            Comparison::GreaterOrEqual => ordering.is_some_and(Ordering::is_ge),
        }
    }
}

/// Compares every value of a column with a literal of its type.
fn compared(
    values: &ClearValues,
    literal: &Literal,
    holds: impl Fn(Option<Ordering>) -> bool,
) -> Vec<Option<bool>> {
    let holds = &holds;
    match (values, literal) {
        (ClearValues::Bool(values), Literal::Bool(b)) => {
            values.iter().map(|a| a.map(|a| holds(Some(a.cmp(b))))).collect()
        }
        (ClearValues::Int(values), Literal::Int(b)) => {
            values.iter().map(|a| a.map(|a| holds(Some(a.cmp(b))))).collect()
        }
        (ClearValues::Int(values), Literal::Float(b)) => {
            values.iter().map(|a| a.map(|a| holds(order(a, *b)))).collect()
        }
        (ClearValues::Float(values), Literal::Float(b)) => {
            values.iter().map(|a| a.map(|a| holds(a.partial_cmp(b)))).collect()
        }
        (ClearValues::Float(values), Literal::Int(b)) => {
            let reversed = |a| order(*b, a).map(Ordering::reverse);
            values.iter().map(|a| a.map(|a| holds(reversed(a)))).collect()
        }
        (ClearValues::Text(values), Literal::Text(b)) => {
            values.iter().map(|a| a.map(|a| holds(Some(a.cmp(b.as_str()))))).collect()
        }
        (ClearValues::Time(values, kind), literal) => {
            let Some([least, above]) = kind.bounds(literal) else {
                return vec![None; values.len()];
            };
            // A constant between two integers is above the lesser one.
            let between = if least == above { Ordering::Greater } else { Ordering::Equal };
            let ordered = |a: i64| i128::from(a).cmp(&least).then(between);
            values.iter().map(|a| a.map(|a| holds(Some(ordered(a))))).collect()
        }
        // `check` refused every other pair.
        (ClearValues::Bool(values), _) => vec![None; values.len()],
        (ClearValues::Int(values), _) => vec![None; values.len()],
        (ClearValues::Float(values), _) => vec![None; values.len()],
        (ClearValues::Text(values), _) => vec![None; values.len()],
    }
}

/// Orders an integer and a number in double precision by value, without rounding the integer.
pub(crate) fn order(a: i64, b: f64) -> Option<Ordering> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if b.is_nan() {
        return None;
    }
    if b >= BEYOND {
        return Some(Ordering::Less);
    }
    if b < -BEYOND {
        return Some(Ordering::Greater);
    }
    // The integer part of `b` is exact.
    let whole = b.trunc() as i64;
    Some(a.cmp(&whole).then(0.0f64.total_cmp(&(b - b.trunc() + 0.0))))
}

pub(crate) fn either(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        (None, _) | (_, None) => None,
    }
}

fn combine(
    all: &mut [Option<bool>],
    own: &[Option<bool>],
    with: impl Fn(Option<bool>, Option<bool>) -> Option<bool>,
) {
    all.iter_mut().zip(own).for_each(|(all, own)| *all = with(*all, *own));
}

/// Returns for each row whether it is missing, from a list of validity.
pub(crate) fn missing(valid: Option<&BooleanArray>, count: usize) -> Vec<Option<bool>> {
    let is_valid = |row| valid.is_none_or(|valid| valid.len() > row && valid.value(row));
    (0..count).map(|row| Some(!is_valid(row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_doubles_are_compared_by_value() {
        let big = (1i64 << 53) + 1;
        assert_eq!(order(big, (1i64 << 53) as f64), Some(Ordering::Greater));
        assert_eq!(order(1, 1.5), Some(Ordering::Less));
        assert_eq!(order(-1, -1.5), Some(Ordering::Greater));
        assert_eq!(order(-1, -0.5), Some(Ordering::Less));
        assert_eq!(order(0, -0.0), Some(Ordering::Equal));
        assert_eq!(order(i64::MAX, 1e19), Some(Ordering::Less));
        assert_eq!(order(i64::MIN, -9_223_372_036_854_775_808.0), Some(Ordering::Equal));
        assert_eq!(order(0, f64::NAN), None);
    }

    #[test]
    fn unknown_is_neither_true_nor_false() {
        assert_eq!(either(None, Some(true)), Some(true));
        assert_eq!(either(None, Some(false)), None);
        assert_eq!(either(Some(false), Some(false)), Some(false));
    }
}

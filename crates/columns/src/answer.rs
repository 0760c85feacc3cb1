//! Answers: what the client reads, and the rows of it that are asked for.
//!
//! Conditions on aggregates and their order need the decrypted values. They are computed here, on
//! the answer, as SQL computes HAVING and ORDER BY.

use crate::predicate::either;
use crate::units::{TimeUnit, parse_decimal, parse_time, show_decimal, show_double, show_time};
use crate::{Comparison, Error, Label, Literal, Predicate};
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The columns by which rows are grouped; in JSON, a name or a list of names.
    #[serde(with = "crate::names")]
    pub group_by: Vec<String>,
    /// Names of the aggregates.
    pub aggregates: Vec<String>,
    /// Identifiers of the tables that were added up.
    pub tables: Vec<String>,
    /// One row for each group, in the order of the labels; one in all without groups.
    pub rows: Vec<AnswerRow>,
}

/// The aggregates of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerRow {
    /// The value of the grouping column, or those of several; null without groups.
    pub label: Label,
    /// One for each aggregate.
    pub values: Vec<Value>,
}

/// A value of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// There are not enough values: a sum of none, or the variance of a sample of one.
    Null,
    /// A count.
    Count(u64),
    /// A sum, exact.
    Sum(i128),
    /// A sum of decimal numbers, exact, in units of their last digit. In JSON it is text.
    Decimal {
        /// The number of units.
        units: i128,
        /// The digits after the point.
        scale: u32,
    },
    /// A mean, a variance or a standard deviation: the quotient of two exact integers, and its
    /// root, rounded four times at most.
    Real(f64),
    /// A mean of dates or times, rounded to the nearest unit. In JSON it is text.
    Time {
        /// Units since the start of 1970.
        count: i64,
        /// The unit of the count.
        unit: TimeUnit,
    },
}

/// A column of an answer by which its rows are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The name of a grouping column or of an aggregate.
    pub column: String,
    /// The direction of the order.
    pub direction: Direction,
}

/// A direction in which rows are sorted. Missing values are last in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The least values first.
    Ascending,
    /// The greatest values first.
    Descending,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => Ok(()),
            Value::Count(value) => write!(f, "{value}"),
            Value::Sum(value) => write!(f, "{value}"),
            Value::Decimal { units, scale } => f.write_str(&show_decimal(*units, *scale)),
            Value::Real(value) => write!(f, "{value}"),
            Value::Time { count, unit } => f.write_str(&show_time(*count, *unit)),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => to.serialize_none(),
            Value::Count(value) => to.serialize_u64(*value),
            Value::Sum(value) => value.serialize(to),
            Value::Real(value) => to.serialize_f64(*value),
            Value::Decimal { .. } | Value::Time { .. } => to.collect_str(self),
        }
    }
}

/// A cell of an answer.
#[derive(Clone, Copy)]
enum Cell<'a> {
    Label(&'a Label),
    Value(&'a Value),
}

/// A column of an answer.
#[derive(Clone, Copy)]
enum Place {
    /// A grouping column: its number, and the number of such columns.
    Label(usize, usize),
    Value(usize),
}

impl Answer {
    /// Returns the answer with the rows for which a condition on its columns is true: HAVING.
    /// Columns have the names of grouping columns and of aggregates.
    ///
    /// ```no_run
    /// use fathom_columns::{Answer, Comparison, Literal, Predicate};
    ///
    /// fn large(answer: Answer) -> Result<Answer, fathom_columns::Error> {
    ///     answer.having(&Predicate::compare("count(*)", Comparison::Greater, Literal::Int(9)))
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownColumn`]; [`Error::Unsupported`] for a constant of another type than its
    /// column.
    pub fn having(mut self, condition: &Predicate) -> Result<Answer, Error> {
        for name in condition.columns() {
            self.place(name)?;
        }
        let holds = |row: &AnswerRow| self.holds(condition, row);
        let kept = self.rows.iter().map(holds).collect::<Result<Vec<_>, Error>>()?;
        let mut kept = kept.into_iter();
        self.rows.retain(|_| kept.next() == Some(Some(true)));
        Ok(self)
    }

    /// Sorts the rows by columns of the answer, the first of which counts most; rows that are equal
    /// in all of them keep their order.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`].
    pub fn order_by(mut self, keys: &[SortKey]) -> Result<Answer, Error> {
        let places = keys.iter().map(|key| Ok((self.place(&key.column)?, key.direction)));
        let places = places.collect::<Result<Vec<_>, Error>>()?;
        self.rows.sort_by(|a, b| {
            let own = |&(place, direction): &(Place, Direction)| {
                sorted(cell(a, place), cell(b, place), direction)
            };
            places.iter().map(own).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        Ok(self)
    }

    /// Finds a column.
    fn place(&self, name: &str) -> Result<Place, Error> {
        if let Some(at) = self.group_by.iter().position(|own| own == name) {
            return Ok(Place::Label(at, self.group_by.len()));
        }
        let found = self.aggregates.iter().position(|own| own == name).map(Place::Value);
        found.ok_or_else(|| {
            let known: Vec<&str> =
                self.group_by.iter().chain(&self.aggregates).map(String::as_str).collect();
            Error::UnknownColumn { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Evaluates a condition in a row; `None` where it is unknown.
    fn holds(&self, condition: &Predicate, row: &AnswerRow) -> Result<Option<bool>, Error> {
        let compared = |column: &str, relation: Comparison, literal: &Literal| {
            let cell = cell(row, self.place(column)?);
            if cell.is_null() {
                return Ok(None);
            }
            let order = cell.compared(literal).ok_or_else(|| Error::Unsupported {
                operation: "a comparison",
                column: column.to_owned(),
                reason: format!("{literal} is no constant of the type of {cell}"),
            })?;
            Ok(Some(relation.holds(Some(order))))
        };
        let negated = |value: Option<bool>| value.map(|value| !value);
        Ok(match condition {
            Predicate::Compare { column, relation, literal } => {
                compared(column, *relation, literal)?
            }
            Predicate::In { column, literals } => {
                let each = literals.iter().map(|one| compared(column, Comparison::Equal, one));
                each.collect::<Result<Vec<_>, Error>>()?.into_iter().fold(Some(false), either)
            }
            Predicate::IsNull { column } => Some(cell(row, self.place(column)?).is_null()),
            Predicate::All(parts) => {
                let parts = parts.iter().map(|part| self.holds(part, row));
                let parts = parts.collect::<Result<Vec<_>, Error>>()?.into_iter().map(negated);
                negated(parts.fold(Some(false), either))
            }
            Predicate::Any(parts) => {
                let parts = parts.iter().map(|part| self.holds(part, row));
                parts.collect::<Result<Vec<_>, Error>>()?.into_iter().fold(Some(false), either)
            }
            Predicate::Not(part) => negated(self.holds(part, row)?),
            Predicate::CompareColumns { left, .. } => {
                let reason = "columns of an answer are compared with constants".to_owned();
                let (operation, column) = ("a comparison of two columns", left.clone());
                return Err(Error::Unsupported { operation, column, reason });
            }
        })
    }
}

fn cell(row: &AnswerRow, place: Place) -> Cell<'_> {
    match (place, &row.label) {
        (Place::Value(at), _) => Cell::Value(&row.values[at]),
        (Place::Label(at, count), Label::Several(labels)) if labels.len() == count => {
            Cell::Label(&labels[at])
        }
        (Place::Label(..), label) => Cell::Label(label),
    }
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Label(label) => write!(f, "{label}"),
            Cell::Value(value) => write!(f, "{value}"),
        }
    }
}

impl Cell<'_> {
    fn is_null(self) -> bool {
        matches!(self, Cell::Label(Label::Null) | Cell::Value(Value::Null))
    }

    /// Orders the cell and a constant by value, without rounding integers; `None` for a constant
    /// of another type, or one that is not a number.
    fn compared(self, literal: &Literal) -> Option<Ordering> {
        match self {
            Cell::Label(Label::Bool(own)) => match literal {
                Literal::Bool(other) => Some(own.cmp(other)),
                Literal::Int(_) | Literal::Float(_) | Literal::Text(_) => None,
            },
            Cell::Label(Label::Text(own)) => match literal {
                Literal::Text(other) => Some(own.as_str().cmp(other)),
                Literal::Int(_) | Literal::Float(_) | Literal::Bool(_) => None,
            },
            Cell::Label(Label::Int(own)) => of_integer((*own).into(), 0, literal),
            Cell::Value(Value::Count(own)) => of_integer((*own).into(), 0, literal),
            Cell::Value(Value::Sum(own)) => of_integer(*own, 0, literal),
            Cell::Value(Value::Decimal { units, scale }) => of_integer(*units, *scale, literal),
            Cell::Value(Value::Real(own)) => match literal {
                Literal::Int(other) => of_real(*own, *other),
                Literal::Float(other) => own.partial_cmp(other),
                Literal::Bool(_) | Literal::Text(_) => None,
            },
            Cell::Value(Value::Time { count, unit }) => match literal {
                Literal::Text(text) => {
                    let other = parse_time(text, *unit)?;
                    Some(i128::from(*count).cmp(&other.floor).then(less_if(!other.is_whole)))
                }
                Literal::Int(_) | Literal::Float(_) | Literal::Bool(_) => None,
            },
            Cell::Label(Label::Null | Label::Several(_)) | Cell::Value(Value::Null) => None,
        }
    }
}

/// Orders equal integers whose second has a fraction more.
fn less_if(has_more: bool) -> Ordering {
    if has_more { Ordering::Less } else { Ordering::Equal }
}

/// Orders a number of units of 10 to the power `-scale` and a constant.
fn of_integer(own: i128, scale: u32, literal: &Literal) -> Option<Ordering> {
    let text = match literal {
        Literal::Int(value) => value.to_string(),
        Literal::Float(value) if value.is_nan() => return None,
        Literal::Float(value) => show_double(*value),
        Literal::Text(text) if scale > 0 => text.clone(),
        Literal::Bool(_) | Literal::Text(_) => return None,
    };
    let Some(other) = parse_decimal(&text, scale) else {
        // Numbers beyond 38 digits, which no sum reaches.
        let is_number = !matches!(literal, Literal::Text(_));
        let order = if text.starts_with('-') { Ordering::Greater } else { Ordering::Less };
        return is_number.then_some(order);
    };
    Some(own.cmp(&other.floor).then(less_if(!other.is_whole)))
}

/// Orders a number in double precision and an integer by value.
fn of_real(own: f64, other: i64) -> Option<Ordering> {
    crate::predicate::order(other, own).map(Ordering::reverse)
}

/// Orders cells of one column, missing ones last.
fn sorted(a: Cell<'_>, b: Cell<'_>, direction: Direction) -> Ordering {
    let nulls = a.is_null().cmp(&b.is_null());
    let own = match (a, b) {
        (Cell::Label(a), Cell::Label(b)) => a.cmp(b),
        (Cell::Value(Value::Count(a)), Cell::Value(Value::Count(b))) => a.cmp(b),
        (Cell::Value(Value::Real(a)), Cell::Value(Value::Real(b))) => a.total_cmp(b),
        (Cell::Value(Value::Time { count: a, .. }), Cell::Value(Value::Time { count: b, .. })) => {
            a.cmp(b)
        }
        (
            Cell::Value(Value::Sum(a) | Value::Decimal { units: a, .. }),
            Cell::Value(Value::Sum(b) | Value::Decimal { units: b, .. }),
        ) => a.cmp(b),
        (Cell::Label(_) | Cell::Value(_), _) => Ordering::Equal,
    };
    nulls.then(match direction {
        Direction::Ascending => own,
        Direction::Descending => own.reverse(),
    })
}

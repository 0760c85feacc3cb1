//! Predicates with encrypted columns, in the form in which a server computes them.
//!
//! A selector is 1 in the slots of rows for which the predicate is true, and 0 where it is false or
//! unknown, or where there is no row. Negations are moved to the comparisons, which makes that
//! two-valued form equal to the logic of SQL: a conjunction is true where all parts are, and false
//! where any part is. Comparisons of one column that stand side by side become one set of values.

use crate::intervals::Intervals;
use crate::{Comparison, EncryptedColumn, Error, Literal, Predicate, Schema};

/// A selector: 1 in the slots of the rows for which a predicate is true.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Selector {
    /// The rows for which a predicate over clear columns is true.
    Clear(Predicate),
    /// The rows in which an encrypted column has a value that belongs to a set, which is neither
    /// empty nor full.
    Within { column: String, set: Intervals },
    /// The rows in which two encrypted columns have values that are in a relation.
    Pair { left: String, relation: Relation, right: String },
    /// The rows that all of these selectors select; at most one of them is clear.
    All(Vec<Selector>),
    /// The rows that any of these selectors selects; at most one of them is clear.
    Any(Vec<Selector>),
}

/// A relation of two encrypted columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Greater,
    NotGreater,
    Equal,
    NotEqual,
}

/// The truth value of a predicate for which rows are selected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    True,
    False,
}

/// A conjunction or a disjunction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    All,
    Any,
}

impl Selector {
    /// Returns where a predicate, which has been checked, is true.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a literal that is no number.
    pub(crate) fn of(predicate: &Predicate, schema: &Schema) -> Result<Selector, Error> {
        Selector::wanted(predicate, Wanted::True, schema)
    }

    fn wanted(predicate: &Predicate, wanted: Wanted, schema: &Schema) -> Result<Selector, Error> {
        if predicate.compared(schema).is_empty() {
            let own = predicate.clone();
            return Ok(Selector::Clear(match wanted {
                Wanted::True => own,
                Wanted::False => Predicate::Not(Box::new(own)),
            }));
        }
        match predicate {
            Predicate::Compare { column, relation, literal } => {
                let column = encrypted(schema, column)?;
                Ok(within(column, wanted_set(related(column, *relation, literal)?, wanted)))
            }
            Predicate::In { column, literals } => {
                let column = encrypted(schema, column)?;
                let equal = |literal| related(column, Comparison::Equal, literal);
                let mut sets = literals.iter().map(equal).collect::<Result<Vec<_>, _>>()?;
                while sets.len() > 1 {
                    let joined = |pair: &[Intervals]| match pair {
                        [a, b] => a.union(b),
                        one => one[0].clone(),
                    };
                    sets = sets.chunks(2).map(joined).collect();
                }
                // Nothing is one of no literals.
                let none = || related(column, Comparison::Less, &Literal::Int(column.limits()[0]));
                let set = sets.pop().map_or_else(none, Ok)?;
                Ok(within(column, wanted_set(set, wanted)))
            }
            Predicate::CompareColumns { left, relation, right } => {
                Ok(pair(left, *relation, right, wanted))
            }
            Predicate::All(parts) | Predicate::Any(parts) => {
                let is_all = matches!(predicate, Predicate::All(_));
                let joint =
                    if is_all == (wanted == Wanted::True) { Joint::All } else { Joint::Any };
                let parts = parts.iter().map(|part| Selector::wanted(part, wanted, schema));
                let parts = parts.collect::<Result<_, _>>()?;
                Ok(joined(joint, parts, schema))
            }
            Predicate::Not(part) => {
                let opposite = match wanted {
                    Wanted::True => Wanted::False,
                    Wanted::False => Wanted::True,
                };
                Selector::wanted(part, opposite, schema)
            }
            Predicate::IsNull { .. } => Ok(Selector::Clear(predicate.clone())),
        }
    }

    /// Returns the number of comparisons of encrypted values.
    pub(crate) fn comparison_count(&self) -> usize {
        match self {
            Selector::Clear(_) => 0,
            Selector::Within { set, .. } => set.terms().len(),
            Selector::Pair { .. } => 1,
            Selector::All(parts) | Selector::Any(parts) => {
                parts.iter().map(Selector::comparison_count).sum()
            }
        }
    }

    /// Returns the encrypted columns that it compares, without repetition.
    pub(crate) fn compared(&self) -> Vec<&str> {
        let mut found: Vec<&str> = match self {
            Selector::Clear(_) => Vec::new(),
            Selector::Within { column, .. } => vec![column],
            Selector::Pair { left, right, .. } => vec![left, right],
            Selector::All(parts) | Selector::Any(parts) => {
                parts.iter().flat_map(Selector::compared).collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn encrypted<'a>(schema: &'a Schema, name: &str) -> Result<&'a EncryptedColumn, Error> {
    schema.find_encrypted(name).ok_or_else(|| schema.unknown(name))
}

fn related(
    column: &EncryptedColumn,
    relation: Comparison,
    literal: &Literal,
) -> Result<Intervals, Error> {
    Intervals::related(column, relation, literal).ok_or_else(|| Error::Unsupported {
        operation: "a comparison",
        column: column.name.clone(),
        reason: format!("{literal} is not {}", column.kind.described()),
    })
}

fn wanted_set(set: Intervals, wanted: Wanted) -> Intervals {
    match wanted {
        Wanted::True => set,
        Wanted::False => set.complement(),
    }
}

/// Returns where a value is there and belongs to a set: a clear selector if that does not depend on
/// the value.
fn within(column: &EncryptedColumn, set: Intervals) -> Selector {
    if set.is_empty() {
        return Selector::Clear(Predicate::Any(Vec::new()));
    }
    if set.is_full() {
        return Selector::Clear(is_there(&column.name));
    }
    Selector::Within { column: column.name.clone(), set }
}

/// Returns the condition that a value is not missing.
pub(crate) fn is_there(column: &str) -> Predicate {
    Predicate::Not(Box::new(Predicate::IsNull { column: column.to_owned() }))
}

fn pair(left: &str, relation: Comparison, right: &str, wanted: Wanted) -> Selector {
    let (relation, is_swapped) = match relation {
        Comparison::Equal => (Relation::Equal, false),
        Comparison::NotEqual => (Relation::NotEqual, false),
        Comparison::Less => (Relation::Greater, true),
        Comparison::LessOrEqual => (Relation::NotGreater, false),
        Comparison::Greater => (Relation::Greater, false),
        Comparison::GreaterOrEqual => (Relation::NotGreater, true),
    };
    let relation = match (wanted, relation) {
        (Wanted::True, own) => own,
        (Wanted::False, Relation::Greater) => Relation::NotGreater,
        (Wanted::False, Relation::NotGreater) => Relation::Greater,
        (Wanted::False, Relation::Equal) => Relation::NotEqual,
        (Wanted::False, Relation::NotEqual) => Relation::Equal,
    };
    let (left, right) = if is_swapped { (right, left) } else { (left, right) };
    Selector::Pair { left: left.to_owned(), relation, right: right.to_owned() }
}

/// Joins selectors: the sets of a column are merged, and clear ones become one predicate.
fn joined(joint: Joint, parts: Vec<Selector>, schema: &Schema) -> Selector {
    let mut clear = Vec::new();
    let mut sets: Vec<(String, Intervals)> = Vec::new();
    let mut others = Vec::new();
    for part in parts.into_iter().flat_map(|part| flattened(joint, part)) {
        match part {
            Selector::Clear(predicate) => clear.push(predicate),
            Selector::Within { column, set } => {
                match (sets.iter_mut().find(|(own, _)| *own == column), joint) {
                    (Some((_, own)), Joint::All) => *own = own.intersection(&set),
                    (Some((_, own)), Joint::Any) => *own = own.union(&set),
                    (None, _) => sets.push((column, set)),
                }
            }
            Selector::Pair { .. } | Selector::All(_) | Selector::Any(_) => others.push(part),
        }
    }
    for (column, set) in sets {
        // A merged set can be empty or full.
        let merged = schema.find_encrypted(&column).map(|column| within(column, set));
        match merged {
            Some(Selector::Clear(predicate)) => clear.push(predicate),
            other => others.extend(other),
        }
    }
    if !clear.is_empty() {
        let all = match joint {
            Joint::All => Predicate::All(clear),
            Joint::Any => Predicate::Any(clear),
        };
        others.push(Selector::Clear(all));
    }
    match (others.len(), joint) {
        (1, _) => others.remove(0),
        (_, Joint::All) => Selector::All(others),
        (_, Joint::Any) => Selector::Any(others),
    }
}

/// Returns the parts of a selector that is of the same kind as the one that it stands in.
fn flattened(joint: Joint, part: Selector) -> Vec<Selector> {
    match (joint, part) {
        (Joint::All, Selector::All(parts)) | (Joint::Any, Selector::Any(parts)) => parts,
        (_, part) => vec![part],
    }
}

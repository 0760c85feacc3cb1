//! Constants in predicates and schemas.

use serde::{Deserialize, Serialize};

/// A constant in a predicate. Numbers of both kinds are compared by value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Literal {
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number in double precision.
    Float(f64),
    /// Text, compared by the bytes of its UTF-8.
    Text(String),
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Literal::Bool(value) => write!(f, "{value}"),
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Float(value) => write!(f, "{value}"),
            Literal::Text(value) => write!(f, "{value:?}"),
        }
    }
}

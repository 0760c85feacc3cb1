//! Operations on lists by name.

use super::content::{Content, truth_of, unknown};
use super::machine::Machine;
use super::operand::Operand;
use crate::errors::Refusal;
use fathom::tfhe::boolean::{Bit, Gates};
use fathom::tfhe::integer::{Clear, FheBool, FheValue, Integers, RadixInt, ValueType};

/// A list of values of one kind.
enum List {
    Integers(Vec<RadixInt>),
    Truths(Vec<FheBool>),
    Bits(Vec<Bit>),
}

impl List {
    /// Collects values, which are all of the kind of the first.
    fn of(values: &[&Content]) -> Option<List> {
        macro_rules! all {
            ($kind:ident) => {
                values.iter().map(|value| match value {
                    Content::$kind(value) => Some(value.clone()),
                    _ => None,
                })
            };
        }
        match values.first()? {
            Content::Integer(_) => all!(Integer).collect::<Option<_>>().map(List::Integers),
            Content::Truth(_) => all!(Truth).collect::<Option<_>>().map(List::Truths),
            Content::Bit(_) => all!(Bit).collect::<Option<_>>().map(List::Bits),
            Content::Bytes(_) => None,
        }
    }
}

/// Computes an operation on a list and sometimes an operand, such as the index of a lookup.
///
/// # Errors
/// Those of the operation; `KindError` if there is none for lists of this kind.
pub fn on_list(
    machine: &Machine,
    operation: &str,
    values: &[&Content],
    operand: Option<&Operand<'_>>,
) -> Result<Vec<Content>, Refusal> {
    let list = List::of(values).ok_or_else(|| unknown(operation))?;
    match (machine, &list, operand) {
        (Machine::Integers(integers), List::Integers(list), None) => {
            of_integers(integers, operation, list)
        }
        (Machine::Integers(integers), List::Integers(list), Some(operand)) => {
            let index = |index: &_| Ok(vec![Content::Integer(integers.lookup(list, index)?)]);
            match (operation, operand) {
                ("lookup", Operand::Encrypted(Content::Integer(place))) => index(place),
                (_, Operand::Encrypted(Content::Integer(value))) => {
                    searched(integers, operation, list, value)
                }
                (_, Operand::Integer(value)) => searched(integers, operation, list, *value),
                _ => Err(unknown(operation)),
            }
        }
        (Machine::Integers(integers), List::Truths(list), None) => {
            if operation == "sum" {
                return Ok(vec![Content::Integer(integers.sum(list)?.into())]);
            }
            let (gates, params) = (Gates::new(integers.evaluator().clone())?, integers.params());
            let bits = list.iter().map(|truth| Bit::from_block(params, truth.block().clone()));
            let bit = of_bits(&gates, operation, &bits.collect::<Result<Vec<_>, _>>()?)?;
            Ok(vec![Content::Truth(truth_of(&bit)?)])
        }
        (Machine::Integers(integers), List::Truths(list), Some(operand)) => {
            match (operation, operand) {
                ("lookup", Operand::Encrypted(Content::Integer(place))) => {
                    Ok(vec![Content::Truth(integers.lookup(list, place)?)])
                }
                (_, Operand::Encrypted(Content::Truth(value))) => {
                    searched(integers, operation, list, value)
                }
                (_, Operand::Truth(value)) => searched(integers, operation, list, *value),
                _ => Err(unknown(operation)),
            }
        }
        (Machine::Gates(gates), List::Bits(list), None) => {
            Ok(vec![of_bits(gates, operation, list)?])
        }
        _ => Err(unknown(operation)),
    }
}

fn of_integers(
    integers: &Integers,
    operation: &str,
    list: &[RadixInt],
) -> Result<Vec<Content>, Refusal> {
    let integer = match operation {
        "sum" => integers.sum(list),
        "max" => integers.max_of(list),
        "min" => integers.min_of(list),
        "sort" => {
            return Ok(integers.sort(list)?.into_iter().map(Content::Integer).collect());
        }
        "argmax" | "argmin" => {
            let extreme = if operation == "argmax" { Integers::argmax } else { Integers::argmin };
            let (place, value) = extreme(integers, list)?;
            return Ok(vec![Content::Integer(place.into()), Content::Integer(value)]);
        }
        _ => return Err(unknown(operation)),
    };
    Ok(vec![Content::Integer(integer?)])
}

fn searched<T: FheValue + Sync>(
    integers: &Integers,
    operation: &str,
    list: &[T],
    value: impl fathom::tfhe::integer::Operand<T>,
) -> Result<Vec<Content>, Refusal> {
    match operation {
        "contains" => Ok(vec![Content::Truth(integers.contains(list, value)?)]),
        "find" => {
            let (place, found) = integers.find(list, value)?;
            Ok(vec![Content::Integer(place.into()), Content::Truth(found)])
        }
        _ => Err(unknown(operation)),
    }
}

fn of_bits(gates: &Gates, operation: &str, list: &[Bit]) -> Result<Content, Refusal> {
    Ok(Content::Bit(match operation {
        "all" => gates.all(list)?,
        "any" => gates.any(list)?,
        "parity" => gates.parity(list)?,
        _ => return Err(unknown(operation)),
    }))
}

/// Sorts integers by keys, of which there are as many: returns the keys, then the values.
///
/// # Errors
/// Those of the operation; `KindError` for anything but integers.
pub fn sorted_by(
    machine: &Machine,
    keys: &[&Content],
    values: &[&Content],
) -> Result<Vec<Content>, Refusal> {
    match (machine, List::of(keys), List::of(values)) {
        (Machine::Integers(integers), Some(List::Integers(keys)), Some(List::Integers(values))) => {
            let (keys, values) = integers.sort_by_key(&keys, &values)?;
            Ok(keys.into_iter().chain(values).map(Content::Integer).collect())
        }
        _ => Err(unknown("sort")),
    }
}

/// Computes the sum of products with clear weights as an integer of a type.
///
/// # Errors
/// Those of the operation; `KindError` for bits.
pub fn weighted_sum(
    machine: &Machine,
    values: &[&Content],
    weights: &[Clear],
    ty: ValueType,
) -> Result<Vec<Content>, Refusal> {
    let sum = match (machine, List::of(values)) {
        (Machine::Integers(integers), Some(List::Integers(list))) => {
            integers.dot_clear_to(&list, weights, ty)?
        }
        (Machine::Integers(integers), Some(List::Truths(list))) => {
            integers.dot_clear_to(&list, weights, ty)?
        }
        _ => return Err(unknown("dot")),
    };
    Ok(vec![Content::Integer(sum)])
}

/// Reads a clear table at an encrypted index as an integer of a type.
///
/// # Errors
/// Those of the operation; `KindError` for an index that is no integer.
pub fn read_table(
    machine: &Machine,
    table: &[Clear],
    index: &Content,
    ty: ValueType,
) -> Result<Vec<Content>, Refusal> {
    match (machine, index) {
        (Machine::Integers(integers), Content::Integer(index)) => {
            Ok(vec![Content::Integer(integers.lookup_clear_to(table, index, ty)?)])
        }
        _ => Err(unknown("lookup")),
    }
}

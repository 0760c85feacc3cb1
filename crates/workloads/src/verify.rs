//! Comparison of a result with the specified one.

use crate::{Column, Data, Error};

/// Compares two sets of columns: integers exactly, reals with an absolute tolerance.
///
/// # Errors
/// [`Error::Wrong`], [`Error::Column`].
pub(crate) fn compare(expected: &Data, got: &Data, tolerance: f64) -> Result<(), Error> {
    if let Some((name, _)) = got.columns().find(|(name, _)| expected.column(name).is_none()) {
        return Err(Error::column(name, "is not part of the result"));
    }
    for (name, column) in expected.columns() {
        let other = got.column(name).ok_or_else(|| Error::column(name, "is missing"))?;
        if column.len() != other.len() {
            let problem = format!("has {} values in place of {}", other.len(), column.len());
            return Err(Error::column(name, problem));
        }
        let wrong = match (column, other) {
            (Column::Integers(a), Column::Integers(b)) => first(a, b, |a, b| a == b),
            (Column::Reals(a), Column::Reals(b)) => first(a, b, |a, b| (a - b).abs() <= tolerance),
            _ => return Err(Error::column(name, "has another type than the result")),
        };
        if let Some((index, expected, got)) = wrong {
            return Err(Error::Wrong { column: name.into(), index, expected, got });
        }
    }
    Ok(())
}

/// Returns the first pair that does not agree.
fn first<T: ToString>(
    expected: &[T],
    got: &[T],
    agree: impl Fn(&T, &T) -> bool,
) -> Option<(usize, String, String)> {
    let mut pairs = expected.iter().zip(got).enumerate();
    let (index, (expected, got)) = pairs.find(|(_, (a, b))| !agree(a, b))?;
    Some((index, expected.to_string(), got.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutated_result_is_found() {
        let right = Data::new().with_integers("a", vec![1, 2]).with_reals("b", vec![0.5]);
        compare(&right, &right, 0.0).unwrap();
        let close = Data::new().with_integers("a", vec![1, 2]).with_reals("b", vec![0.5001]);
        compare(&right, &close, 1e-3).unwrap();
        let wrong = [
            Data::new().with_integers("a", vec![1, 3]).with_reals("b", vec![0.5]),
            Data::new().with_integers("a", vec![1, 2]).with_reals("b", vec![f64::NAN]),
            Data::new().with_integers("a", vec![1]).with_reals("b", vec![0.5]),
            Data::new().with_reals("a", vec![1.0, 2.0]).with_reals("b", vec![0.5]),
            Data::new().with_integers("a", vec![1, 2]),
            right.clone().with_integers("c", vec![]),
        ];
        for wrong in wrong {
            compare(&right, &wrong, 1e-3).unwrap_err();
        }
    }
}

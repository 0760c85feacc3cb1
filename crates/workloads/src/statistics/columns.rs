//! The columns of each variant.

use crate::{Data, Error, Task};

/// The variant without features.
pub(super) const MOMENTS: &str = "moments";

/// Returns the number of features, at least 1.
pub(super) fn features(task: &Task) -> Result<usize, Error> {
    Ok(task.number("features")?.max(1))
}

/// Returns a column as signed integers, after a check of its length and range.
pub(super) fn checked(data: &Data, name: &str, count: usize, bits: u32) -> Result<Vec<i64>, Error> {
    let values = data.integers(name)?;
    if values.len() != count {
        let problem = format!("has {} values in place of {count}", values.len());
        return Err(Error::column(name, problem));
    }
    if let Some(value) = values.iter().find(|value| **value >> bits != 0) {
        return Err(Error::column(name, format!("holds {value}: more than {bits} bits")));
    }
    Ok(values.iter().map(|&value| value as i64).collect())
}

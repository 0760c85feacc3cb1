//! The columns of each variant.

use crate::{Data, Task};

/// The greatest value of a template; the least is 0.
pub(super) const GREATEST: u64 = 14;

/// Returns true if all templates are compared with one probe.
pub(super) fn one_probe(task: &Task) -> bool {
    task.variant == "identify"
}

/// Returns the columns of a result: the distances, and the nearest template if there is one probe.
pub(super) fn outputs(task: &Task, distances: Vec<u64>) -> Data {
    let nearest = one_probe(task).then(|| nearest(&distances));
    let data = Data::new().with_integers("distances", distances);
    match nearest {
        Some(nearest) => data.with_integers("nearest", vec![nearest]),
        None => data,
    }
}

/// Returns the number of the first least distance.
fn nearest(distances: &[u64]) -> u64 {
    let least = distances.iter().enumerate().min_by_key(|(user, distance)| (**distance, *user));
    least.map_or(0, |(user, _)| user as u64)
}

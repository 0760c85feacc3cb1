//! The graphs of both variants, and the order in which their paths are improved.

use crate::Task;

/// Returns true if only the existence of paths is computed.
pub(super) fn is_reachability(task: &Task) -> bool {
    task.variant == "reachability"
}

/// Returns the pairs of nodes whose path may become shorter through node `k`.
pub(super) fn pairs_through(nodes: usize, k: usize) -> Vec<(usize, usize)> {
    let others = move |except: usize| (0..nodes).filter(move |&i| i != k && i != except);
    others(k).flat_map(|i| others(i).map(move |j| (i, j))).collect()
}

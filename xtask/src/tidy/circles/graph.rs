//! Circles of a directed graph.

use std::collections::{BTreeMap, BTreeSet};

/// Names, each with those that it points to.
pub(super) type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the sets of at least two names that all reach each other, each in alphabetical order.
pub(super) fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|name| (name, reached(graph, name))).collect();
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut circles = Vec::new();
    for (name, reached) in &reach {
        let back = |other: &&&String| reach.get(**other).is_some_and(|own| own.contains(name));
        let circle: Vec<&String> = reached.iter().filter(back).copied().collect();
        if circle.len() > 1 && seen.insert(name) {
            seen.extend(&circle);
            circles.push(circle.into_iter().cloned().collect());
        }
    }
    circles
}

/// Returns the names to which a path of at least one step leads.
fn reached<'a>(graph: &'a Graph, start: &String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&String> = graph.get(start).into_iter().flatten().collect();
    while let Some(name) = waiting.pop() {
        if reached.insert(name) {
            waiting.extend(graph.get(name).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_reach_each_other_are_one_circle() {
        let edges = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "e"), ("e", "d"), ("c", "d")];
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(from.into()).or_default().insert(to.into());
        }
        assert_eq!(circles(&graph), [["b", "c"], ["d", "e"]]);
    }
}

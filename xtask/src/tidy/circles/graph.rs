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

/// Returns, for every folder of the files, what is in it, each with what it points to there. A name
/// stands for the folder and the file of that name, and for everything below.
pub(super) fn siblings(files: &Graph) -> BTreeMap<String, Graph> {
    let mut folders: BTreeMap<String, Graph> = BTreeMap::new();
    let pairs = files.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to)));
    for (from, to) in pairs {
        let [from, to] = [from, to].map(|path| path.trim_end_matches(".rs").split('/'));
        let common = from.clone().zip(to.clone()).take_while(|(a, b)| a == b).count();
        let folder = from.clone().take(common).collect::<Vec<_>>().join("/");
        // A file stands above the folder of its name, and `mod` above what is beside it.
        let next = [from, to].map(|mut path| path.nth(common).filter(|name| *name != "mod"));
        if let [Some(from), Some(to)] = next {
            folders.entry(folder).or_default().entry(from.into()).or_default().insert(to.into());
        }
    }
    folders
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

//! Project rules that the compiler does not check, one module each.

mod borders;
mod circles;
mod conflicts;
mod dead_files;
mod exports;
mod lengths;
mod links;
mod paths;
mod profiles;
mod tree;
mod words;

use std::fs;
use std::path::Path;

use tree::{Finding, Tree};

/// Checks every rule and prints the violations.
pub(crate) fn run(root: &Path) -> bool {
    let read = Tree::read(root).and_then(|tree| {
        let ratchet = fs::read_to_string(root.join(lengths::RATCHET))?;
        Ok((tree, ratchet))
    });
    let (tree, ratchet) = match read {
        Ok(read) => read,
        Err(error) => {
            eprintln!("tidy cannot read the repository: {error}");
            return false;
        }
    };
    let mut findings: Vec<Finding> = [
        borders::check(&tree),
        circles::check(&tree),
        conflicts::check(&tree),
        dead_files::check(&tree),
        exports::check(&tree),
        lengths::check(&tree, &ratchet),
        links::check(&tree),
        profiles::check(&tree),
        words::check(&tree),
    ]
    .into_iter()
    .flatten()
    .collect();
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} files, {} findings", tree.files.len(), findings.len());
    findings.is_empty()
}

//! Checks that the programs of the workspace share one build of the engine: each takes the same
//! features of every library that the engine stands on.

use std::collections::BTreeMap;
use std::path::Path;

use crate::cargo::cargo;

/// A crate and two programs that stand on it.
const SHARED: [(&str, [&str; 2]); 3] = [
    ("fathom", ["fathom-bench", "fathom-columns"]),
    ("fathom", ["fathom-bench", "fathom-python"]),
    ("fathom-columns", ["fathom-columns", "fathom-python"]),
];
/// The manifest that lists the features.
const LIST: &str = "crates/one-build/Cargo.toml";

/// Compares the features, and names those that one program takes and another does not.
pub(crate) fn run(root: &Path) -> bool {
    let mut ok = true;
    for (engine, programs) in SHARED {
        let below = features(root, engine);
        let [mut first, second] = programs.map(|program| features(root, program));
        first.retain(|library, _| below.contains_key(library));
        if programs.contains(&engine) {
            // A program may leave out commands of its own crate.
            first.retain(|library, _| library.split(' ').next() != Some(engine));
        }
        if first.is_empty() {
            println!("one build: `cargo tree` lists no library of `{engine}`");
            ok = false;
        }
        for difference in differences(&first, &second) {
            println!("one build: {}: {difference}: list them in {LIST}", programs.join(", "));
            ok = false;
        }
    }
    ok
}

/// Returns the features of the libraries below a package that are built for the target.
fn features(root: &Path, package: &str) -> BTreeMap<String, String> {
    let arguments = ["tree", "--package", package, "--edges", "normal,no-proc-macro"];
    let mut cargo = cargo(root);
    cargo.args(arguments).args(["--prefix", "none", "--format", "{p}|{f}"]);
    let output = cargo.output().map(|output| output.stdout).unwrap_or_default();
    parsed(&String::from_utf8_lossy(&output))
}

/// Reads lines of a library and its features; `(*)` stands after a library that was listed before.
fn parsed(text: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let (library, features) = line.trim_end_matches(" (*)").split_once('|')?;
        let name = library.split(' ').take(2).collect::<Vec<_>>().join(" ");
        Some((name, features.to_owned()))
    };
    text.lines().filter_map(line).collect()
}

/// Returns the libraries that have other features in `b`.
fn differences(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> Vec<String> {
    let differs = |(library, features): (&String, &String)| {
        let others = b.get(library)?;
        (others != features).then(|| format!("{library} has [{features}] and [{others}]"))
    };
    a.iter().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_one_program_alone_takes_is_named() {
        let one = parsed("fathom v0.2.0 (/x)|rayon\nlibc v0.2.1|default,std\n");
        let two = parsed("libc v0.2.1|default,extra_traits,std\nfathom v0.2.0 (/x)|rayon (*)\n");
        assert_eq!(
            differences(&one, &two),
            ["libc v0.2.1 has [default,std] and [default,extra_traits,std]"]
        );
        assert!(differences(&one, &one).is_empty());
    }
}

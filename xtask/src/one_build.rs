//! Checks that the programs of the workspace share one build of the engine: each takes the same
//! features of every library that the engine stands on.

use std::collections::BTreeMap;
use std::path::Path;

use crate::cargo::cargo;

/// The packages of the programs that stand on the engine.
const PROGRAMS: [&str; 3] = ["fathom-bench", "fathom-columns", "fathom-python"];
/// The engine and the manifest that lists the features.
const ENGINE: &str = "fathom";
const LIST: &str = "crates/one-build/Cargo.toml";

/// Compares the features, and names those that one program takes and another does not.
pub(crate) fn run(root: &Path) -> bool {
    let [mut first, second, third] = PROGRAMS.map(|program| features(root, program));
    let below = features(root, ENGINE);
    first.retain(|library, _| below.contains_key(library));
    if first.is_empty() {
        println!("one build: `cargo tree` lists no library of `{ENGINE}`");
        return false;
    }
    let mut ok = true;
    for (other, program) in [second, third].iter().zip(&PROGRAMS[1..]) {
        for difference in differences(&first, other) {
            println!("one build: {}, {program}: {difference}: list them in {LIST}", PROGRAMS[0]);
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

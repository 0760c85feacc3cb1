//! Checks of one change before the next one is begun: tidy, format, and lints and tests of the
//! crates that it touches.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::cargo::{cargo, succeeds};

/// Checks the files that differ from the last commit, or those of the last commit if none does.
pub(crate) fn run(root: &Path) -> bool {
    let changed = changed(root);
    let packages: Vec<String> = changed
        .iter()
        .filter_map(|path| package(path))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    println!("quick: {} files changed; crates: {}", changed.len(), packages.join(", "));
    let selected: Vec<&str> = packages.iter().flat_map(|name| ["--package", name]).collect();
    let mut ok = crate::tidy::run(root);
    ok &= succeeds(cargo(root).args(["fmt", "--all", "--", "--check"]));
    if selected.is_empty() {
        return ok;
    }
    let mut lints = cargo(root);
    lints.arg("clippy").args(&selected).args(["--all-targets", "--all-features"]);
    ok &= succeeds(lints.args(["--", "-D", "warnings"]));
    let mut tests = cargo(root);
    tests.arg("test").args(&selected).args(["--all-features", "--lib", "--bins", "--tests"]);
    ok & succeeds(tests.args(["--no-fail-fast", "--"]).args(filters(&changed)))
}

/// Returns the paths of the files that changed, relative to the root.
fn changed(root: &Path) -> Vec<String> {
    let listed = |arguments: &[&str]| -> Vec<String> {
        let output = Command::new("git").args(arguments).current_dir(root).output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        text.unwrap_or_default().lines().map(str::to_owned).collect()
    };
    let mut paths = listed(&["diff", "--name-only", "HEAD"]);
    paths.extend(listed(&["ls-files", "--others", "--exclude-standard"]));
    if paths.is_empty() {
        paths = listed(&["diff", "--name-only", "HEAD~1", "HEAD"]);
    }
    paths
}

/// Returns the package that holds a file, if a package of the workspace does.
fn package(path: &str) -> Option<String> {
    let (folder, rest) = path.split_once('/')?;
    match folder {
        "xtask" => Some("xtask".to_owned()),
        "crates" => {
            let (name, _) = rest.split_once('/')?;
            Some(if name == "fathom" { name.to_owned() } else { format!("fathom-{name}") })
        }
        _ => None,
    }
}

/// Returns the names of the tests that a change in one folder of the library asks for; none stands
/// for all. The library has minutes of tests, and its folders are its schemes.
fn filters(changed: &[String]) -> Vec<String> {
    let mut names = BTreeSet::new();
    for path in changed.iter().filter(|path| package(path).is_some()) {
        let mut wings = ["crates/rings/", "crates/torus/"].into_iter();
        let inside = wings.find_map(|wing| path.strip_prefix(wing));
        let inside = inside.and_then(|inside| inside.split_once('/'));
        match inside.and_then(|(_, inside)| inside.split_once('/')) {
            // What the schemes share is tested by all of them.
            None | Some(("rlwe" | "lwe" | "common", _)) => return Vec::new(),
            Some((folder, _)) => names.insert(format!("{folder}::")),
        };
    }
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_package_of_its_folder() {
        assert_eq!(package("crates/fathom/src/lib.rs").as_deref(), Some("fathom"));
        assert_eq!(package("crates/ring/src/lib.rs").as_deref(), Some("fathom-ring"));
        assert_eq!(package("xtask/src/main.rs").as_deref(), Some("xtask"));
        assert_eq!(package("docs/README.md"), None);
        assert_eq!(package("README.md"), None);
    }

    #[test]
    fn a_change_of_one_scheme_runs_its_tests_and_a_shared_one_all() {
        let paths = |all: &[&str]| all.iter().map(|&path| path.to_owned()).collect::<Vec<_>>();
        let one = paths(&["crates/rings/src/ckks/mod.rs", "docs/api.md"]);
        assert_eq!(filters(&one), ["ckks::"]);
        let shared = paths(&["crates/rings/src/ckks/mod.rs", "crates/rings/src/rlwe/mul.rs"]);
        assert!(filters(&shared).is_empty());
        assert!(filters(&paths(&["crates/ring/src/lib.rs"])).is_empty());
    }
}

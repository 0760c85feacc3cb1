//! One release build: kernels and rings are compiled whole, and no script changes the profile, so
//! that what is tested is what users get.

use toml::Table;

use super::tree::{Finding, Tree};

/// The manifest of the workspace.
const MANIFEST: &str = "Cargo.toml";

/// The crates that are compiled as one unit.
const WHOLE: [&str; 2] = ["fathom-kernels", "fathom-ring"];

/// The beginning of the names of variables that change the release profile.
const VARIABLE: &str = "CARGO_PROFILE_RELEASE";

/// Checks the manifest and the scripts.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(manifest) = tree.files.iter().find(|file| file.path == MANIFEST) {
        let read = manifest.text.parse::<Table>().unwrap_or_default();
        for name in WHOLE.into_iter().filter(|name| units(&read, name) != Some(1)) {
            let what = format!("the release profile splits {name} into units");
            findings.push(Finding::new(MANIFEST, 1, what, "set its `codegen-units` to 1"));
        }
    }
    let scripts = tree.others.iter().filter(|(_, text)| text.starts_with("#!"));
    for (path, text) in scripts {
        for (at, _) in text.lines().enumerate().filter(|(_, line)| line.contains(VARIABLE)) {
            let what = "a script changes the release build";
            findings.push(Finding::new(path, at + 1, what, "test the build that users get"));
        }
    }
    findings
}

/// Returns the number of units of a crate that the release profile states.
fn units(manifest: &Table, name: &str) -> Option<i64> {
    let release = manifest.get("profile")?.get("release")?;
    release.get("package")?.get(name)?.get("codegen-units")?.as_integer()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    const RIGHT: &str = "[profile.release]\nlto = false\n\
        [profile.release.package.fathom-kernels]\ncodegen-units = 1\n\
        [profile.release.package.fathom-ring]\ncodegen-units = 1\n";

    fn found(manifest: &str, script: &str) -> Vec<String> {
        let mut tree = tree(&[(MANIFEST, manifest)]);
        tree.others.push((".ci/run".to_owned(), script.to_owned()));
        check(&tree).into_iter().map(|finding| finding.path).collect()
    }

    #[test]
    fn whole_crates_are_right() {
        assert!(found(RIGHT, "#!/bin/sh\nexport CARGO_PROFILE_DEV_DEBUG=0\n").is_empty());
    }

    #[test]
    fn a_profile_that_splits_a_crate_is_found() {
        assert_eq!(found(&RIGHT.replace("codegen-units = 1", "codegen-units = 16"), "").len(), 2);
    }

    #[test]
    fn a_script_that_changes_the_release_build_is_found() {
        let script = format!("#!/bin/sh\nexport {VARIABLE}_LTO=off\n");
        assert_eq!(found(RIGHT, &script), [".ci/run"]);
    }
}

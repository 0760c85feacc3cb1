//! One release build: the workspace and the Python package have the same release profile, and no
//! script changes it, so that what is tested is what users get.

use toml::{Table, Value};

use super::tree::{Finding, Tree};

/// The manifests whose release profiles must agree.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "bindings/python/Cargo.toml"];

/// The crates that both workspaces build and that have settings of their own.
const SHARED: [&str; 3] = ["fathom-kernels", "fathom-ring", "fathom-planner"];

/// The crates that are compiled as one unit.
const WHOLE: [&str; 2] = ["fathom-kernels", "fathom-ring"];

/// The beginning of the names of variables that change the release profile.
const VARIABLE: &str = "CARGO_PROFILE_RELEASE";

/// Checks the manifests and the scripts.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let profiles = MANIFESTS.map(|path| profile(text_of(tree, path).unwrap_or_default()));
    for (path, profile) in MANIFESTS.iter().zip(&profiles) {
        let unit = |name: &str| {
            let settings = profile.get("package")?.get(name)?;
            settings.get("codegen-units")?.as_integer()
        };
        for name in WHOLE.into_iter().filter(|name| unit(name) != Some(1)) {
            let what = format!("the release profile splits {name} into units");
            findings.push(Finding::new(path, 1, what, "set its `codegen-units` to 1"));
        }
    }
    if shared(&profiles[0]) != shared(&profiles[1]) {
        let what = "the release profile is not that of the workspace";
        findings.push(Finding::new(MANIFESTS[1], 1, what, "copy the profile of the root"));
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

/// Returns the settings that hold for the crates of both workspaces.
fn shared(profile: &Table) -> Table {
    let mut shared = profile.clone();
    let packages = shared.remove("package").unwrap_or(Value::Table(Table::new()));
    for name in SHARED {
        shared.extend(packages.get(name).map(|settings| (name.to_owned(), settings.clone())));
    }
    shared
}

/// Returns the text of a file of any kind.
fn text_of<'a>(tree: &'a Tree, path: &str) -> Option<&'a str> {
    let file = tree.files.iter().find(|file| file.path == path).map(|file| &*file.text);
    file.or_else(|| tree.others.iter().find(|(name, _)| name == path).map(|(_, text)| &**text))
}

/// Returns the release profile of a manifest; empty if there is none.
fn profile(manifest: &str) -> Table {
    let read = manifest.parse::<Table>().unwrap_or_default();
    let profile = read.get("profile").and_then(|profile| profile.get("release"));
    profile.and_then(Value::as_table).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    const RIGHT: &str = "[profile.release]\nlto = false\n\
        [profile.release.package.fathom-kernels]\ncodegen-units = 1\n\
        [profile.release.package.fathom-ring]\ncodegen-units = 1\n";

    fn found(manifests: [&str; 2], script: &str) -> Vec<String> {
        let mut tree = tree(&[]);
        for (path, text) in MANIFESTS.iter().zip(manifests) {
            tree.others.push(((*path).to_owned(), text.to_owned()));
        }
        tree.others.push((".ci/run".to_owned(), script.to_owned()));
        check(&tree).into_iter().map(|finding| finding.path).collect()
    }

    #[test]
    fn equal_profiles_with_whole_crates_are_right() {
        assert!(found([RIGHT, RIGHT], "#!/bin/sh\nexport CARGO_PROFILE_DEV_DEBUG=0\n").is_empty());
    }

    #[test]
    fn a_profile_that_splits_a_crate_or_differs_is_found() {
        let split = RIGHT.replace("codegen-units = 1", "codegen-units = 16");
        assert_eq!(found([&split, &split], "").len(), 4);
        let other = RIGHT.replace("lto = false", "lto = \"thin\"");
        assert_eq!(found([RIGHT, &other], ""), [MANIFESTS[1]]);
    }

    #[test]
    fn a_script_that_changes_the_release_build_is_found() {
        let script = format!("#!/bin/sh\nexport {VARIABLE}_LTO=off\n");
        assert_eq!(found([RIGHT, RIGHT], &script), [".ci/run"]);
    }
}

//! Rules about dependencies between crates and between schemes.

use super::paths::{Tests, named};
use super::tree::{File, Finding, Tree};
use crate::rust_text::{line_of, occurrences};

/// The only crate that may contain unsafe code and CPU-specific code.
const KERNELS: &str = "crates/kernels/";

/// The only other file that may contain unsafe code: it takes over structures of Arrow's C
/// interface that other Python packages made.
const CAPSULES: &str = "bindings/python/src/arrow.rs";

/// Words that only [`KERNELS`] may contain; the first one [`CAPSULES`] too.
const KERNEL_WORDS: [&str; 5] =
    ["unsafe", "target_arch", "std::arch", "core::arch", "is_x86_feature_detected"];

/// Folder of the schemes of a wing, and their names. No scheme may name another; of the other wing
/// it cannot, since neither crate depends on the other.
const SCHEMES_AT: &str = "crates/rings/src/";
const SCHEMES: [&str; 4] = ["bfv", "bgv", "ckks", "wide"];

/// The crates of the project, each with the crates on which it may depend.
const ARROWS: [(&str, &[&str]); 21] = [
    ("fathom-kernels", &[]),
    ("fathom-one-build", &[]),
    ("fathom-circuits", &[]),
    ("fathom-verbs", &[]),
    ("fathom-security", &[]),
    ("fathom-ring", &["fathom-kernels"]),
    ("fathom-base", &["fathom-ring", "fathom-security", "fathom-kernels"]),
    (
        "fathom-rings",
        &["fathom-base", "fathom-ring", "fathom-security", "fathom-kernels", "fathom-verbs"],
    ),
    ("fathom-torus", &["fathom-base", "fathom-ring", "fathom-security", "fathom-kernels"]),
    (
        "fathom-bootstrap",
        &["fathom-base", "fathom-ring", "fathom-rings", "fathom-security", "fathom-kernels"],
    ),
    (
        "fathom",
        &[
            "fathom-base",
            "fathom-bootstrap",
            "fathom-ring",
            "fathom-rings",
            "fathom-security",
            "fathom-torus",
        ],
    ),
    ("fathom-fhew", &["fathom", "fathom-base", "fathom-ring", "fathom-security"]),
    ("fathom-hfhe", &["fathom", "fathom-base", "fathom-ring", "fathom-kernels"]),
    ("fathom-planner", &["fathom"]),
    ("fathom-columns", &["fathom", "fathom-base", "fathom-one-build"]),
    (
        "fathom-python",
        &["fathom", "fathom-columns", "fathom-planner", "fathom-one-build", "fathom-verbs"],
    ),
    ("fathom-workloads", &["fathom", "fathom-planner"]),
    (
        "fathom-drivers",
        &[
            "fathom",
            "fathom-fhew",
            "fathom-hfhe",
            "fathom-planner",
            "fathom-security",
            "fathom-verbs",
            "fathom-workloads",
        ],
    ),
    (
        "fathom-cases",
        &["fathom", "fathom-drivers", "fathom-planner", "fathom-security", "fathom-workloads"],
    ),
    (
        "fathom-documents",
        &[
            "fathom",
            "fathom-cases",
            "fathom-drivers",
            "fathom-kernels",
            "fathom-security",
            "fathom-workloads",
        ],
    ),
    (
        "fathom-bench",
        &[
            "fathom",
            "fathom-base",
            "fathom-cases",
            "fathom-columns",
            "fathom-documents",
            "fathom-drivers",
            "fathom-planner",
            "fathom-workloads",
            "fathom-security",
            "fathom-kernels",
            "fathom-one-build",
        ],
    ),
];

/// The crate that tests of every other may use, and nothing else.
const OF_TESTS: &str = "fathom-circuits";

/// Checks all rules of this module.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in tree.rust() {
        findings.extend(kernel_words(&file.path, &rust.code));
        findings.extend(sibling_imports(&file.path, &rust.items));
        findings.extend(missing_forbid(file));
    }
    for manifest in tree.ending("Cargo.toml") {
        findings.extend(wrong_arrows(manifest));
    }
    findings
}

fn kernel_words(path: &str, code: &str) -> Vec<Finding> {
    if path.starts_with(KERNELS) || path.starts_with("peers/") {
        return Vec::new();
    }
    let words = &KERNEL_WORDS[usize::from(path == CAPSULES)..];
    let found = words.iter().flat_map(|word| occurrences(code, word).map(move |at| (word, at)));
    found
        .map(|(word, at)| {
            let what = format!("`{word}` outside {KERNELS}");
            Finding::new(path, line_of(code, at), what, "move it behind a function of the kernels")
        })
        .collect()
}

/// Finds names of other schemes in the folder or file of a scheme.
fn sibling_imports(path: &str, items: &[syn::Item]) -> Vec<Finding> {
    let Some(inside) = path.strip_prefix(SCHEMES_AT) else { return Vec::new() };
    let own = inside.split(['/', '.']).next().unwrap_or_default();
    if !SCHEMES.contains(&own) {
        return Vec::new();
    }
    let roots = ["crate", "super"];
    let paths = named(items, Tests::Read, |first| roots.contains(&first)).into_iter();
    let second = paths.filter(|path| roots.contains(&path.segments[0].as_str()));
    let second = second.filter_map(|path| Some((path.segments.get(1)?.clone(), path.line)));
    let siblings = second.filter(|(name, _)| name != own && SCHEMES.contains(&name.as_str()));
    let finding = |(name, line)| {
        let what = format!("the scheme `{own}` names its sibling `{name}`");
        let fix = "move what both need to rlwe/";
        Finding::new(path, line, what, fix)
    };
    siblings.map(finding).collect()
}

/// Finds a crate root without `forbid(unsafe_code)`.
fn missing_forbid(file: &File) -> Option<Finding> {
    let path = &file.path;
    let is_root = path.ends_with("src/lib.rs") || path.ends_with("src/main.rs");
    let is_ours = path.starts_with("crates/") || path.starts_with("xtask/");
    if !is_root || !is_ours || path.starts_with(KERNELS) {
        return None;
    }
    let code = &file.rust.as_ref()?.code;
    (!code.contains("#![forbid(unsafe_code)]")).then(|| {
        let what = "the crate root does not forbid unsafe code";
        Finding::new(path, 1, what, "add #![forbid(unsafe_code)]")
    })
}

/// Finds dependencies of a manifest that [`ARROWS`] does not allow.
fn wrong_arrows(manifest: &File) -> Vec<Finding> {
    let line_with = |start: &str| manifest.text.lines().find(|line| line.starts_with(start));
    let name = line_with("name = ").and_then(|line| line.split('"').nth(1)).unwrap_or_default();
    let Some((_, allowed)) = ARROWS.iter().find(|(of, _)| *of == name) else { return Vec::new() };
    let (mut in_dependencies, mut in_tests) = (false, false);
    let mut findings = Vec::new();
    for (index, line) in manifest.text.lines().enumerate() {
        if line.starts_with('[') {
            in_dependencies = line.trim_end_matches(']').ends_with("dependencies");
            in_tests = line.starts_with("[dev-dependencies");
        }
        let target = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let is_ours = ARROWS.iter().any(|(of, _)| *of == target);
        let is_allowed = allowed.contains(&target) || in_tests && target == OF_TESTS;
        if in_dependencies && is_ours && !is_allowed {
            let what = format!("`{name}` must not depend on `{target}`");
            findings.push(Finding::new(&manifest.path, index + 1, what, "arrows go down only"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    const FORBID: &str = "#![forbid(unsafe_code)]\n";

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&tree(&[(path, text)])).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn unsafe_code_and_the_processor_belong_to_the_kernels() {
        let bad = "// unsafe\nfn f() {\n    unsafe { g() }\n}\n#[cfg(target_arch = \"x86_64\")]\n\
                   use std::arch::x86_64;\n";
        assert_eq!(lines("crates/ring/src/poly.rs", bad), [3, 5, 6]);
        assert!(lines("crates/kernels/src/arch.rs", bad).is_empty());
    }

    #[test]
    fn a_scheme_does_not_name_its_sibling() {
        let bad = "use crate::bgv::Ciphertext;\nuse crate::{rlwe::{Key, bgv}, ckks};\n\
                   use crate::bfv::encode;\n";
        assert_eq!(lines("crates/rings/src/bfv/multiply.rs", bad), [1, 2]);
        assert_eq!(lines("crates/rings/src/bfv.rs", "fn f(c: super::wide::Key) {}\n"), [1]);
        assert!(lines("crates/rings/src/internals.rs", bad).is_empty());
    }

    #[test]
    fn every_other_root_forbids_unsafe_code() {
        assert_eq!(lines("crates/ring/src/lib.rs", "//! Ring.\n"), [1]);
        assert!(lines("crates/ring/src/lib.rs", FORBID).is_empty());
        assert!(lines("crates/ring/src/poly.rs", "").is_empty());
        assert!(lines("crates/kernels/src/lib.rs", "").is_empty());
    }

    #[test]
    fn dependencies_point_down() {
        let manifest = "[package]\nname = \"fathom-ring\"\n\n[dependencies]\n\
                        fathom-kernels.workspace = true\nfathom.workspace = true\n\n\
                        [dev-dependencies]\nfathom-bench = { path = \"../bench\" }\n";
        assert_eq!(lines("crates/ring/Cargo.toml", manifest), [6, 9]);
        let manifest = "name = \"fathom-ring\"\n[dependencies]\nfathom-circuits.workspace = true\n\
                        [dev-dependencies]\nfathom-circuits.workspace = true\n";
        assert_eq!(lines("crates/ring/Cargo.toml", manifest), [3]);
    }
}

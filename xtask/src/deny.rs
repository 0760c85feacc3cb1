//! Checks that the dependencies are those that `deny.toml` allows. Where cargo-deny is installed it
//! does this; else a check of licences, sources and bans does, because building cargo-deny takes
//! minutes.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};

use crate::cargo::{cargo, succeeds};

/// The source of every package of the registry.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks licences, bans, sources and, where their database can be reached, advisories.
pub(crate) fn run(root: &Path) -> bool {
    let installed = Command::new("cargo-deny").arg("--version").output();
    if installed.is_ok_and(|output| output.status.success()) {
        let mut check = Command::new("cargo-deny");
        check.current_dir(root).args(["check", "bans", "licenses", "sources"]);
        return succeeds(&mut check) && advisories(root);
    }
    println!("deny: SKIPPED: advisories, since cargo-deny is not installed");
    let faults = match (Rules::read(root), packages(root)) {
        (Some(rules), Some(packages)) => {
            println!("deny: {} packages against deny.toml", packages.len());
            packages.iter().filter_map(|package| rules.fault(package)).collect()
        }
        (None, _) => vec!["deny.toml cannot be read".to_owned()],
        (_, None) => vec!["cargo metadata gives no packages".to_owned()],
    };
    for fault in &faults {
        println!("deny: {fault}");
    }
    faults.is_empty()
}

/// Checks advisories. Their database needs the network; the check is skipped without it.
fn advisories(root: &Path) -> bool {
    let mut check = Command::new("cargo-deny");
    let Ok(output) = check.current_dir(root).args(["check", "advisories"]).output() else {
        return false;
    };
    let report = String::from_utf8_lossy(&output.stderr);
    if report.contains("failed to fetch advisory database") {
        println!("deny: SKIPPED: the advisory database is out of reach");
        return true;
    }
    eprint!("{report}");
    output.status.success()
}

/// A dependency as `cargo metadata` describes it.
struct Package {
    name: String,
    /// The source of the package; `None` for a package of this repository.
    source: Option<String>,
    license: Option<String>,
}

fn packages(root: &Path) -> Option<Vec<Package>> {
    let mut metadata = cargo(root);
    let output = metadata.args(["metadata", "--format-version", "1", "--all-features"]).output();
    let document: Value = serde_json::from_slice(&output.ok()?.stdout).ok()?;
    let text = |package: &Value, field: &str| package[field].as_str().map(str::to_owned);
    let packages = document["packages"].as_array()?.iter().map(|package| {
        Some(Package {
            name: text(package, "name")?,
            source: text(package, "source"),
            license: text(package, "license"),
        })
    });
    packages.collect()
}

/// The licences that `deny.toml` allows and the packages that it forbids.
struct Rules {
    licenses: Vec<String>,
    banned: Vec<String>,
}

impl Rules {
    fn read(root: &Path) -> Option<Rules> {
        Rules::parse(&fs::read_to_string(root.join("deny.toml")).ok()?)
    }

    fn parse(text: &str) -> Option<Rules> {
        let document: toml::Value = toml::from_str(text).ok()?;
        let list = |section: &str, field: &str| document.get(section)?.get(field)?.as_array();
        let text = |value: &toml::Value| value.as_str().map(str::to_owned);
        Some(Rules {
            licenses: list("licenses", "allow")?.iter().map(text).collect::<Option<_>>()?,
            banned: list("bans", "deny")?
                .iter()
                .map(|ban| ban.get("name").and_then(text))
                .collect::<Option<_>>()?,
        })
    }

    /// Returns what is wrong with a package. Those of this repository have no source.
    fn fault(&self, package: &Package) -> Option<String> {
        let Package { name, source, license } = package;
        let source = source.as_ref()?;
        if source != REGISTRY {
            return Some(format!("{name} comes from {source}, which is not the registry"));
        }
        if self.banned.contains(name) {
            return Some(format!("{name} is banned"));
        }
        let Some(license) = license else { return Some(format!("{name} names no licence")) };
        let Ok(expression) = Expression::parse_mode(license, ParseMode::LAX) else {
            return Some(format!("{name}: its licence `{license}` is no SPDX expression"));
        };
        let allowed = expression
            .evaluate(|needed| self.licenses.iter().any(|known| *known == needed.to_string()));
        (!allowed).then(|| format!("{name}: its licence `{license}` is not in deny.toml"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENY: &str = "[licenses]\nallow = [\"MIT\", \"Apache-2.0 WITH LLVM-exception\"]\n\
                        [bans]\ndeny = [{ name = \"bincode\" }]\n";

    fn fault(name: &str, source: Option<&str>, license: Option<&str>) -> Option<String> {
        let [source, license] = [source, license].map(|text| text.map(str::to_owned));
        Rules::parse(DENY).unwrap().fault(&Package { name: name.to_owned(), source, license })
    }

    #[test]
    fn licenses_sources_and_names_are_checked() {
        let of = |license| fault("one", Some(REGISTRY), Some(license));
        assert_eq!(of("MIT OR GPL-3.0"), None);
        assert_eq!(of("MIT/GPL-3.0"), None);
        assert_eq!(of("Apache-2.0 WITH LLVM-exception AND MIT"), None);
        assert!(of("Apache-2.0 AND MIT").is_some());
        assert!(of("GPL-3.0").is_some());
        assert!(of("no licence at all").is_some());
        assert!(fault("one", Some(REGISTRY), None).is_some());
        assert!(fault("one", Some("git+https://example.org"), Some("MIT")).is_some());
        assert!(fault("bincode", Some(REGISTRY), Some("MIT")).is_some());
        assert_eq!(fault("ours", None, None), None);
    }
}

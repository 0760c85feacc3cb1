//! The long run of the adversarial search for noise bounds that are too small.

use std::path::Path;
use std::process::Command;

/// Environment variables of the search, with their values for a long run.
const SETTINGS: [(&str, &str); 2] = [
    ("FATHOM_SEARCH_CIRCUITS", "100000"),
    (
        "FATHOM_SEARCH_SETS",
        "e1,e1-192,e1-256,e1d2,e1-t786433,e2,e2-192,e2-256,e-t2013265921,e5-192,e5-256,depth-12",
    ),
];

/// Runs the search of `crates/fathom/tests/noise_search` with these settings, or with those set in
/// the environment.
pub(crate) fn run(root: &Path) -> bool {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["test", "--package", "fathom", "--test", "noise_search"]);
    cargo.args(["--", "--nocapture"]);
    for (name, value) in SETTINGS {
        if std::env::var_os(name).is_none() {
            cargo.env(name, value);
        }
    }
    cargo.status().is_ok_and(|status| status.success())
}

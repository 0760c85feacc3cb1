//! The client side in a browser: keys, encryption and decryption compile for WebAssembly.

use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Checks that the library and the schemes beside it compile for WebAssembly; skipped, with a line
/// that says so, where the target is not installed.
pub(crate) fn run(root: &Path) -> bool {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let names = installed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if !names.is_ok_and(|names| names.lines().any(|name| name == TARGET)) {
        println!("wasm: SKIPPED, since {TARGET} is not installed: rustup target add {TARGET}");
        return true;
    }
    let packages = ["--package", "fathom", "--package", "fathom-fhew", "--package", "fathom-hfhe"];
    let arguments = [&["check", "--target", TARGET][..], &packages].concat();
    Command::new("cargo").current_dir(root).args(arguments).status().is_ok_and(|s| s.success())
}

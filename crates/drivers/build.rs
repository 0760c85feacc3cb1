//! Records the compiler and the target in the binary, for the records of every run.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(compiler).arg("--version").output();
    let version = version.ok().and_then(|out| String::from_utf8(out.stdout).ok());
    let version = version.unwrap_or_else(|| "rustc of unknown version".into());
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=FATHOM_BUILD={}, {target}", version.trim());
}

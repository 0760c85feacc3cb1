//! Records the compiler, its flags and the version of poulpy in the binary.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=Cargo.lock");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let compiler = Command::new(variable("RUSTC")).arg("--version").output();
    let compiler = compiler.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    let compiler = compiler.unwrap_or_else(|_| "rustc of unknown version".into());
    let flags = variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    let level = variable("OPT_LEVEL");
    println!("cargo::rustc-env=DRIVER_BUILD={compiler}, {flags}, opt-level {level}, lto thin");
    let lock = std::fs::read_to_string("Cargo.lock").unwrap_or_default();
    let version = lock.split("name = \"poulpy-ckks\"\nversion = \"").nth(1);
    let version = version.and_then(|rest| rest.split('"').next()).unwrap_or("unknown");
    println!("cargo::rustc-env=LIBRARY_VERSION={version}");
}

//! Records the level of optimisation of the engine in the binary, for the records of every run.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=FATHOM_OPT_LEVEL={level}");
}

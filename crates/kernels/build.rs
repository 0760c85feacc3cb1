//! Sets the cfg `optimized` where the compiler optimises this crate.
//!
//! The algorithms are inlined into one function for each operation, which enables the instruction
//! set. Without optimisation every value of every inlined function would have a place of its own
//! on the stack, megabytes in all; there they stay functions, and frames stay small.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(optimized)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0") {
        println!("cargo::rustc-cfg=optimized");
    }
}

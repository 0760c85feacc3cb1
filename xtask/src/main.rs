//! Checks of this repository that cargo does not have: `cargo xtask <verb>`.

#![forbid(unsafe_code)]

mod book;
mod cargo;
mod ci;
mod deny;
mod frames;
mod full;
mod one_build;
mod quick;
mod readme;
mod rust_text;
mod search;
mod test;
mod tidy;
mod user;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cargo::Check;

/// Every verb: its name, its description, and its function.
const VERBS: [(&str, &str, Check); 15] = [
    ("test", "all tests of the workspace, and those of the documentation", test::run),
    ("quick", "tidy, format, lints and tests of the crates that a change touches", quick::run),
    ("tidy", "check the house rules that no compiler checks", tidy::run),
    ("ci", "format, lints, tidy, docs, benches once, the unsafe code under a sanitizer", ci::run),
    ("full", "everything at full length, in hours", full::run),
    ("left", "print what continuous integration leaves to `full`", full::print_left),
    ("book", "check the documentation, build its site with mdBook, check its links", book::site),
    ("readme", "run the commands of the documents that are marked for it", readme::run),
    ("user", "a crate outside the workspace: tests in the dev profile, stack frames", user::run),
    ("wasm", "compile the client side for WebAssembly", wasm::run),
    ("asan", "test the unsafe code under AddressSanitizer", ci::asan),
    (
        "noise-search",
        "search at length for a noise bound of BFV or BGV that is too small",
        search::noise,
    ),
    ("ckks-search", "search at length for an error of CKKS beyond its bound", search::ckks),
    ("tfhe-search", "search at length for a noise bound of TFHE that is too small", search::tfhe),
    ("mixing", "a million operations that mix keys, parameters and types", search::mixing),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chosen = VERBS.iter().find(|(name, ..)| arguments == [*name]);
    let Some((_, _, run)) = chosen else {
        eprintln!("usage: cargo xtask <verb>");
        for (name, summary, _) in VERBS {
            eprintln!("  {name:<14}{summary}");
        }
        return ExitCode::from(2);
    };
    if run(&root()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the root of the repository, the folder above this crate.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

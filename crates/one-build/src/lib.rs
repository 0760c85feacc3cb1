//! No code: a list of features.
//!
//! Cargo builds a library once for each set of its features, and again all that depend on it. The
//! testbed, `fathom-columns` and the Python package stand on the same engine and take different
//! features of the smallest libraries below it, such as `libc`; each of them would build the engine
//! for itself, which takes longer than everything else. All three depend on this crate, whose
//! manifest lists the features that one of them takes, so that all take them.
#![forbid(unsafe_code)]

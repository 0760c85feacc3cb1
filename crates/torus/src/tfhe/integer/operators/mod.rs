//! The Rust operators: in the scope of a server, or on a value bound to one.

mod outcome;
mod overload;

pub use outcome::Outcome;

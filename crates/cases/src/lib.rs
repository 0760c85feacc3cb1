//! A case of the testbed: what libraries are asked, how their calls are timed, and the record of
//! what was found.
//!
//! | module | content |
//! |---|---|
//! | [`question`] | the purpose that all libraries share, and the form in which each is asked |
//! | [`effort`], [`stats`], [`machine`] | samples, their statistics, and the machine |
//! | [`program`] | measurements in this process: code over the engine with an oracle of its own |
//! | [`pace`] | how long a program takes, before it is run |
//! | [`record`] | what is stored of a case, and comparisons of records |

#![forbid(unsafe_code)]

pub mod effort;
pub mod machine;
pub mod pace;
pub mod program;
pub mod question;
pub mod record;
pub mod stats;

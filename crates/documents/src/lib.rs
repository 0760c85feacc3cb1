//! Five published documents: their figures, what is doubtful about them, and how they stand beside
//! what this machine measured.
//!
//! | module | content |
//! |---|---|
//! | [`documents`], [`table`] | the figures as data, each with the line that states it |
//! | [`rules`] | what a table contradicts by itself, and what it does not say |
//! | [`coverage`], [`beside`], [`judged`], [`outcomes`] | the case of each figure, its outcome |
//! | [`record`], [`evidence`] | the committed runs of a document, and what their samples prove |
//! | [`tables`] | the tables of the documents, with printed and measured figures |
//! | [`nine65`], [`h33`] | what two documents measure besides operations of the driver protocol |

#![forbid(unsafe_code)]

pub mod beside;
mod computed;
pub mod coverage;
pub mod documents;
pub mod evidence;
mod figure;
pub mod h33;
pub mod judged;
pub mod nine65;
pub mod options;
pub mod outcomes;
pub mod own;
pub mod pages;
mod pairing;
pub mod party;
mod pinned;
pub mod quantity;
pub mod record;
pub mod refreshing;
pub mod rules;
pub mod table;
pub mod tables;
pub mod transform_oracle;
pub mod unit;
mod wrapped;

pub use rules::{Doubt, Finding, check};
pub use table::{ClaimsError, HEADER, Row, read};
pub use unit::Unit;

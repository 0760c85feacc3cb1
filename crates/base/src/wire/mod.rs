//! Frames: the form of every object that travels, whatever its scheme.
//!
//! docs/wire-format.md specifies the layout, and the module `wire` of `fathom` says what users may
//! rely on.

pub mod frame;
pub mod object;
pub mod pack;
pub mod reader;

pub use crate::error::WireError;
pub use crate::kind::{Kind, VERSION};
pub use frame::{Summary, summary};
pub use object::{Header, Trust, Wire, WireFresh, WireObject, WireValue};

//! fathom

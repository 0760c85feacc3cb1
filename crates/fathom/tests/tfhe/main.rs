//! Bootstraps under real keys.

mod bootstrap;
mod params;
mod wire;

//! Peer libraries: their manifests, installation, start and conformance test.
//!
//! A peer is a folder `peers/<name>/` with a [`Manifest`], a driver program and a README;
//! `docs/peers.md` says how to add one.

pub mod conformance;
pub mod install;
pub mod manifest;
mod peers_folder;

pub use manifest::Manifest;
pub use peers_folder::{Peer, PeersFolder, PeersFolderError, State};

//! The libraries of a run: the engine and the requested peers.

use std::path::Path;

use fathom_drivers::process::Launch;

use super::outcome::Failure;
use super::shared::DriverArgs;
use crate::peers::{Peer, PeersFolder};
use crate::plan::libraries::{Entrant, Libraries, Role};

/// Starts the engine and the requested peers and returns those that answered, with one line on
/// stderr for each peer that is not installed or does not answer.
///
/// # Errors
/// A peer was requested by name that does not exist or is not installed, or the engine does not
/// answer.
pub(super) fn gather(
    driver: &DriverArgs,
    launch: &Launch,
    peers: &[String],
    folder: Option<&Path>,
) -> Result<Libraries, Failure> {
    let mut entrants = vec![Entrant { launch: launch.clone(), role: Role::Engine }];
    for peer in chosen(driver, peers, folder)? {
        entrants.push(Entrant {
            launch: Launch { reply_time: launch.reply_time, ..peer.launch() },
            role: Role::Peer {
                name: peer.manifest.name.clone(),
                own: peer.manifest.own,
                encodes: peer.manifest.encodes,
                presets: peer.manifest.peer_presets(),
                bootstraps: peer.manifest.bootstraps.clone(),
            },
        });
    }
    let libraries = Libraries::greet(&entrants).map_err(Failure::nothing)?;
    for (name, fault) in libraries.silent() {
        eprintln!("{name}: skipped: {fault} (fathom peers check {name})");
    }
    Ok(libraries)
}

/// Returns the requested peers that are built; `peers` is `none`, `all` or names.
pub(super) fn chosen(
    driver: &DriverArgs,
    peers: &[String],
    folder: Option<&Path>,
) -> Result<Vec<Peer>, Failure> {
    let all = peers.is_empty() || peers == ["all"];
    // A driver given with --driver runs without peers unless some are named.
    if peers == ["none"] || (peers.is_empty() && driver.driver.is_some()) {
        return Ok(Vec::new());
    }
    if let Some(alone) = peers.iter().find(|name| ["all", "none", ""].contains(&name.as_str()))
        && !all
    {
        let text = format!("--peers takes `none`, `all` or names of peers; `{alone}` is no name");
        return Err(Failure::usage(text));
    }
    let peers_folder = match PeersFolder::find(folder) {
        Ok(peers_folder) => peers_folder,
        Err(error) if all && folder.is_none() => {
            eprintln!("no peers: {error}");
            return Ok(Vec::new());
        }
        Err(error) => return Err(Failure::usage(error)),
    };
    let names = if all { peers_folder.names().map_err(Failure::usage)? } else { peers.to_vec() };
    let mut found = Vec::new();
    for name in names {
        let peer = peers_folder.peer(&name).map_err(Failure::usage)?;
        if peer.is_built() {
            found.push(peer);
        } else if all {
            eprintln!("{name}: not installed: {}", peer.hint());
        } else {
            let text = format!("{name} is not installed: run `{}`", peer.hint());
            return Err(Failure::usage(text));
        }
    }
    Ok(found)
}

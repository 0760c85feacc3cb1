//! `fathom peers`: lists, installs and checks peer libraries.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Subcommand};
use fathom_drivers::process::Launch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::outcome::{Exit, Failure, Outcome};
use super::shared::{DriverArgs, stop_on_interrupt, style};
use crate::peers::conformance::{self, Check};
use crate::peers::install::{self, InstallError, Progress};
use crate::peers::{Peer, PeersFolder, State};
use crate::report::table::Table;
use crate::report::terminal::table::draw;

/// Longest wait for a reply during a check.
const CHECK_REPLY_TIME: Duration = Duration::from_mins(10);

#[derive(Debug, Args)]
pub(super) struct PeersArgs {
    /// Folder of the peers (default: `peers` in this folder or the nearest one above)
    #[arg(long, value_name = "DIR", global = true)]
    peers_folder: Option<PathBuf>,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the peers and whether they are installed
    List,
    /// Install a peer, or all of them
    Install {
        /// Names of peers, or `all`, which skips peers whose requirements are missing
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    /// Check that a driver follows the protocol and gives correct results
    Check {
        /// Names of peers, `fathom` for the engine's own driver, or `all` for every installed one
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
        #[command(flatten)]
        driver: DriverArgs,
    },
}

pub(super) fn run(args: &PeersArgs) -> Outcome {
    let peers_folder = || PeersFolder::find(args.peers_folder.as_deref()).map_err(Failure::usage);
    match &args.action {
        Action::List => list(&peers_folder()?),
        Action::Install { names } => install(&peers_folder()?, names),
        Action::Check { names, driver } => {
            // The engine's own driver needs no folder of peers.
            let engine_only = names == &["fathom"];
            let peers_folder = if engine_only { None } else { Some(peers_folder()?) };
            check(peers_folder.as_ref(), names, driver)
        }
    }
}

/// Prints the peers of a folder, with how to install those that are absent.
pub(super) fn list(peers_folder: &PeersFolder) -> Outcome {
    let mut table = Table::new("", &["peer", "library", "version", "licence", "state"]);
    for name in peers_folder.names().map_err(Failure::usage)? {
        let row = match peers_folder.peer(&name) {
            Ok(peer) => {
                let Peer { manifest, .. } = &peer;
                let (version, state) = match peer.state() {
                    State::Absent => (manifest.version.clone(), peer.hint()),
                    State::Installed { library, schemes } => {
                        let schemes: Vec<String> =
                            schemes.iter().map(ToString::to_string).collect();
                        (library.version, format!("installed: {}", schemes.join(", ")))
                    }
                    State::Broken(fault) => (manifest.version.clone(), format!("broken: {fault}")),
                };
                [name, manifest.title.clone(), version, manifest.license.clone(), state]
            }
            Err(error) => {
                [name, String::new(), String::new(), String::new(), format!("broken: {error}")]
            }
        };
        table.push_texts(row);
    }
    println!("{}", draw(&table, style()));
    Ok(Exit::Ok)
}

fn install(peers_folder: &PeersFolder, names: &[String]) -> Outcome {
    let all = names == ["all"];
    let names = if all { peers_folder.names().map_err(Failure::usage)? } else { names.to_vec() };
    let stop = stop_on_interrupt()?;
    let mut failed = Vec::new();
    for name in names {
        let peer = peers_folder.peer(&name).map_err(Failure::usage)?;
        match install_one(&peer, &stop) {
            Ok(line) => println!("{line}"),
            Err(error @ InstallError::Missing { .. }) if all => {
                println!("{name}: skipped");
                eprintln!("{error}");
            }
            Err(error) => {
                println!("{name}: not installed");
                eprintln!("{error}");
                failed.push(name);
                if matches!(error, InstallError::Stopped { .. }) {
                    break;
                }
            }
        }
    }
    if failed.is_empty() {
        return Ok(Exit::Ok);
    }
    eprintln!("not installed: {}", failed.join(", "));
    Ok(Exit::Check)
}

fn install_one(peer: &Peer, stop: &AtomicBool) -> Result<String, InstallError> {
    let name = &peer.manifest.name;
    let mut bar = Bar::new(name, peer.manifest.install.minutes);
    let library = install::install(peer, &mut bar, stop);
    bar.bar.finish_and_clear();
    let license = &peer.manifest.license;
    library.map(|library| {
        format!("{name}: installed, version {}, licence: {license}", library.version)
    })
}

/// Shows elapsed time, step and last output line on stderr; plain lines if that is not a terminal.
struct Bar {
    bar: ProgressBar,
    prefix: String,
}

impl Bar {
    fn new(name: &str, minutes: f64) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let template = ProgressStyle::with_template("{spinner} {elapsed} {prefix} {wide_msg}");
        bar.set_style(template.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, prefix: format!("{name} (about {minutes} min)") }
    }
}

impl Progress for Bar {
    fn step(&mut self, number: usize, count: usize, command: &str) {
        self.bar.set_prefix(format!("{} step {number} of {count}", self.prefix));
        self.bar.set_message(command.to_owned());
        if self.bar.is_hidden() {
            eprintln!("{}, step {number} of {count}: {command}", self.prefix);
        }
    }

    fn line(&mut self, line: &str) {
        self.bar.set_message(line.to_owned());
    }
}

fn check(peers_folder: Option<&PeersFolder>, names: &[String], driver: &DriverArgs) -> Outcome {
    let mut failures = 0;
    let all = names == ["all"];
    let names = match peers_folder {
        Some(peers_folder) if all => peers_folder.names().map_err(Failure::usage)?,
        Some(_) | None => names.to_vec(),
    };
    for name in names {
        let mut own = driver.launch()?;
        // A single operation on integers may take minutes on a busy machine.
        own.reply_time = driver.reply_time.unwrap_or(CHECK_REPLY_TIME);
        let (launch, presets) = if name == "fathom" {
            (own, None)
        } else {
            let found = peers_folder.map(|peers_folder| peers_folder.peer(&name)).transpose();
            let peer = found.map_err(Failure::usage)?;
            let peer = peer.ok_or_else(|| Failure::usage("there is no folder of peers"))?;
            if !peer.is_built() {
                println!("{name}: not installed: {}", peer.hint());
                failures += usize::from(!all);
                continue;
            }
            let launch = Launch { reply_time: own.reply_time, ..peer.launch() };
            (launch, Some(peer.manifest.peer_presets()))
        };
        println!("{name}");
        let mut seen = 0;
        let wrong = conformance::check(&name, &launch, presets.as_ref(), &mut |check| {
            seen += 1;
            show(check);
        });
        println!("{name}: {seen} checks, {wrong} failed");
        failures += wrong;
    }
    Ok(if failures == 0 { Exit::Ok } else { Exit::Check })
}

fn show(check: &Check) {
    match &check.outcome {
        Ok(remark) if remark.is_empty() => println!("  ok    {}", check.name),
        Ok(remark) => println!("  ok    {}: {remark}", check.name),
        Err(reason) => println!("  FAIL  {}: {reason}", check.name),
    }
}

//! Options, files and terminal output that several commands share.

use std::io::{ErrorKind, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fathom_cases::record::Stored;
use fathom_drivers::process::Launch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::outcome::Failure;
use super::values::duration;
use crate::report::terminal::table::Style;

/// The options that say how the driver of a library is started.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct DriverArgs {
    /// Program that speaks the driver protocol, to use instead of the engine
    #[arg(long, value_name = "PROGRAM")]
    pub(super) driver: Option<std::path::PathBuf>,
    /// Argument for that program; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, requires = "driver")]
    pub(super) driver_arg: Vec<String>,
    /// Longest time to wait for one reply of a driver
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) reply_time: Option<Duration>,
}

/// Default folder of the folders of runs.
pub(super) const RESULTS: &str = "results";

/// Returns how to start this program as the engine.
pub(super) fn engine() -> Result<Launch, Failure> {
    let this = std::env::current_exe();
    let unknown = |e| Failure::nothing(format!("this program's path is not known: {e}"));
    this.map(Launch::engine).map_err(unknown)
}

/// Longest wait for a reply, unless the command line or a suite sets another.
const REPLY_TIME: Duration = Duration::from_mins(2);

impl DriverArgs {
    /// Returns how to start the driver; without --driver, this program runs the engine.
    pub(super) fn launch(&self) -> Result<Launch, Failure> {
        let mut launch = if let Some(program) = &self.driver {
            let arguments: Vec<&str> = self.driver_arg.iter().map(String::as_str).collect();
            Launch::new(program, &arguments)
        } else {
            engine()?
        };
        launch.reply_time = self.reply_time.unwrap_or(REPLY_TIME);
        Ok(launch)
    }
}

/// Refuses to measure with a debug build, unless the user allows it.
pub(super) fn check_build(allow_debug: bool) -> Result<(), Failure> {
    if cfg!(debug_assertions) && !allow_debug {
        let text = "this is a debug build, whose times are meaningless: build with --release, or \
                    add --allow-debug";
        return Err(Failure::usage(text));
    }
    Ok(())
}

/// Reads a file named on the command line as text.
pub(super) fn text_of(path: &std::path::Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| {
        if error.kind() == ErrorKind::InvalidData {
            return Failure::usage(format!("{}: this is not a text file", path.display()));
        }
        unreadable(path, &error)
    })
}

/// Says why a file named on the command line cannot be read, and what to name instead.
pub(super) fn unreadable(path: &std::path::Path, error: &std::io::Error) -> Failure {
    let remedies = [
        (ErrorKind::NotFound, "; name a result file, or a folder of `fathom bench --out`"),
        (ErrorKind::IsADirectory, "; name a file in it"),
    ];
    let remedy = remedies.iter().find(|(kind, _)| *kind == error.kind());
    let remedy = remedy.map_or("", |(_, text)| text);
    Failure::usage(format!("{}: {error}{remedy}", path.display()))
}

/// Reads a result file; damaged lines are left out with a warning.
pub(super) fn stored(path: &std::path::Path) -> Result<Stored, Failure> {
    let stored = Stored::read(path).map_err(|error| unreadable(path, &error))?;
    for warning in stored.warnings(path) {
        warn(&warning);
    }
    Ok(stored)
}

/// Prints a warning on stderr.
pub(super) fn warn(text: &str) {
    eprintln!("warning: {text}");
}

/// Exit code of a process that Ctrl-C ended, as shells report it.
const INTERRUPTED: i32 = 130;

pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!("\nstopping; finished cases are kept (press Ctrl-C again to quit at once)");
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::nothing(format!("Ctrl-C: {e}")))?;
    Ok(stop)
}

/// Work that Ctrl-C ends soon, even if it never looks at a flag.
#[derive(Clone)]
pub(super) struct Interrupt {
    /// Set by Ctrl-C.
    pub(super) stop: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

/// Time that work has to end by itself after Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(700);

impl Interrupt {
    /// Waits for Ctrl-C from now on. Work that is not over soon after it is abandoned: the process
    /// prints what `kept` says and ends.
    pub(super) fn watch(
        kept: impl Fn() -> String + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let interrupt = Self { stop: Arc::default(), over: Arc::default() };
        let (Self { stop, over }, kept) = (interrupt.clone(), Arc::new(kept));
        let handler = move || {
            if stop.swap(true, Ordering::SeqCst) {
                std::process::exit(INTERRUPTED);
            }
            let (over, kept) = (Arc::clone(&over), Arc::clone(&kept));
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                if !over.load(Ordering::SeqCst) {
                    eprintln!("\n{}", kept());
                    std::process::exit(INTERRUPTED);
                }
            });
        };
        ctrlc::set_handler(handler).map_err(|e| Failure::nothing(format!("Ctrl-C: {e}")))?;
        Ok(interrupt)
    }

    /// States that the work is over; returns true if Ctrl-C ended it.
    pub(super) fn is_over(&self) -> bool {
        self.over.store(true, Ordering::SeqCst);
        self.stop.load(Ordering::SeqCst)
    }
}

/// Returns the style of tables on stdout: colours on a terminal that has them, unless `NO_COLOR` is
/// set.
pub(super) fn style() -> Style {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colored = std::io::stdout().is_terminal() && !refused && !is_dumb();
    if colored { Style::Color } else { Style::Plain }
}

/// Returns true if the terminal says that it understands no control sequences.
pub(super) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Returns where progress is drawn: on stderr, if it is a terminal that can move its cursor.
pub(super) fn draw_target() -> ProgressDrawTarget {
    if is_dumb() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() }
}

/// Returns a sign of progress for work of unknown length, on a line that the terminal has room for.
pub(super) fn steady() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, draw_target());
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

//! Options, files and terminal output that several commands share.

use std::io::{ErrorKind, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::outcome::Failure;
use super::values::duration;
use crate::drivers::process::Launch;
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

/// Longest wait for a reply, unless the command line or a suite sets another.
const REPLY_TIME: Duration = Duration::from_mins(2);

impl DriverArgs {
    /// Returns how to start the driver; without --driver, this program runs the engine.
    pub(super) fn launch(&self) -> Result<Launch, Failure> {
        let mut launch = if let Some(program) = &self.driver {
            let arguments: Vec<&str> = self.driver_arg.iter().map(String::as_str).collect();
            Launch::new(program, &arguments)
        } else {
            let this = std::env::current_exe()
                .map_err(|e| Failure::nothing(format!("this program's path is not known: {e}")))?;
            Launch::engine(this)
        };
        launch.reply_time = self.reply_time.unwrap_or(REPLY_TIME);
        Ok(launch)
    }
}

/// Reads a file named on the command line as text.
pub(super) fn text_of(path: &std::path::Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| {
        let path = path.display();
        let remedies = [
            (ErrorKind::NotFound, "; name a result file, or a folder of `fathom bench --out`"),
            (ErrorKind::InvalidData, "; this is not a text file"),
            (ErrorKind::IsADirectory, "; name a file in it"),
        ];
        let remedy = remedies.iter().find(|(kind, _)| *kind == error.kind());
        let remedy = remedy.map_or("", |(_, text)| text);
        Failure::usage(format!("{path}: {error}{remedy}"))
    })
}

pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        eprintln!("\nstopping; finished cases are kept (press Ctrl-C again to quit at once)");
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::nothing(format!("Ctrl-C: {e}")))?;
    Ok(stop)
}

/// Returns the style of tables on stdout: colours on a terminal unless `NO_COLOR` is set.
pub(super) fn style() -> Style {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stdout().is_terminal() && !refused { Style::Colour } else { Style::Plain }
}

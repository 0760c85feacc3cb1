//! The conformance test, which every driver must pass, the engine's own included.

mod bootstrap;
mod log;
mod malformed_requests;
mod scheme;

use fathom_cases::question::PeerPresets;
use fathom_drivers::client::Driver;
use fathom_drivers::limits::LIMITS;
use fathom_drivers::process::Launch;
use fathom_drivers::protocol::SchemeInfo;

use crate::measure::bootstrapping::LOOKUP;

pub use log::Check;
use log::Log;

/// Checks the driver of the library `name`, reports every check as it ends, and returns the number
/// of failures. `presets` are the peer's own names for presets of the engine, `None` for the
/// engine.
pub fn check(
    name: &str,
    launch: &Launch,
    presets: Option<&PeerPresets>,
    tell: &mut dyn FnMut(&Check),
) -> usize {
    let mut log = Log { tell, failures: 0, violations: 0 };
    let Some(schemes) = greet(name, launch, &mut log) else { return log.failures };
    // Schemes for tables alone have no operation that the general check knows.
    for found in schemes.iter().filter(|found| found.scheme != LOOKUP.scheme) {
        for (label, request) in scheme::requests(found, presets) {
            scheme::check(launch, found, &label, &request, &mut log);
        }
    }
    bootstrap::check(launch, &schemes, &mut log);
    if let Some(found) = schemes.first() {
        let request = scheme::requests(found, presets).into_iter().next();
        malformed_requests::check(launch, found, request.map(|(_, request)| request), &mut log);
    }
    log.note(
        "limits",
        match log.violations {
            0 => Ok(format!("every reply within the {} limits of the protocol", LIMITS.len())),
            count => Err(format!("{count} checks met a reply outside the limits of the protocol")),
        },
    );
    log.failures
}

/// Checks `hello` and returns the schemes that it announces; `None` if the test cannot continue.
fn greet(name: &str, launch: &Launch, log: &mut Log<'_>) -> Option<Vec<SchemeInfo>> {
    let driver = match Driver::start(launch) {
        Ok(driver) => driver,
        Err(fault) => {
            log.note("hello", Err(fault.to_string()));
            return None;
        }
    };
    let library = &driver.library;
    let described = format!("{} {}, {}", library.name, library.version, library.build);
    let complete = !library.version.is_empty() && !library.build.is_empty();
    log.note(
        "hello",
        match (library.name == name, complete) {
            (true, true) => Ok(described),
            (true, false) => Err(format!("version or build is empty: {described}")),
            (false, _) => Err(format!("the library is called {}, not {name}", library.name)),
        },
    );
    let schemes = driver.schemes;
    let announced: Vec<String> = schemes.iter().map(ToString::to_string).collect();
    let none = schemes.is_empty();
    log.note("schemes", if none { Err("none".into()) } else { Ok(announced.join(", ")) });
    Some(schemes).filter(|_| !none)
}

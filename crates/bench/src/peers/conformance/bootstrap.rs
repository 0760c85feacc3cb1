//! Conformance test: a set that the driver can bootstrap, with the keys that it publishes.

use fathom::ckks::Complex64;

use super::log::{Log, failed};
use crate::drivers::process::{Fault, Launch};
use crate::drivers::protocol::{Code, SchemeInfo};
use crate::measure::bootstrapping::{self, Bootstrapping};
use crate::record::KeySecurity;
use crate::verify::TOLERANCE;

/// Bootstraps under the first set, if there is one: it is the smallest, and others take minutes.
pub(super) fn check(launch: &Launch, schemes: &[SchemeInfo], log: &mut Log<'_>) {
    let Some(set) = bootstrapping::sets(schemes).first() else { return };
    let title = format!("{}/{set} bootstrap", bootstrapping::SCHEME);
    let outcome = match tried(launch, set) {
        Err(Fault::Refused(refusal)) if refusal.code == Code::Unsupported => {
            Ok(format!("refused: {}", refusal.message))
        }
        other => failed(other).flatten(),
    };
    log.note(title, outcome);
}

fn tried(launch: &Launch, set: &str) -> Result<Result<String, String>, Fault> {
    let mut peer = Bootstrapping::open(launch, set)?;
    let published = &peer.keys.published;
    if published.len() < 2 {
        let text = "`keygen` must list the raised keys and those of every other secret";
        return Ok(Err(text.into()));
    }
    let largest = published.iter().map(|keys| keys.log_q).fold(0.0, f64::max);
    if (largest - peer.params.log_qp).abs() > 1.0 {
        let log_qp = peer.params.log_qp;
        return Ok(Err(format!("keys of {largest:.1} bits, but log_qp is {log_qp:.1}")));
    }
    let security: Vec<String> =
        published.iter().map(|keys| KeySecurity::of(&peer.params, keys).to_string()).collect();
    let slots = peer.params.slots;
    let message: Vec<Complex64> =
        (0..slots).map(|slot| Complex64::cis(slot as f64) * 0.5).collect();
    let input = peer.encrypt(&message)?.ct;
    let timed = peer.run(input, 0, 1, None)?;
    let found = peer.decrypt(&timed)?;
    let errors = found.iter().zip(&message).map(|(found, wanted)| (found - wanted).norm());
    let worst = errors.fold(0.0, f64::max);
    peer.bye()?;
    Ok(match timed.level {
        None | Some(0) => Err("the result has no levels".into()),
        Some(_) if found.len() != slots => Err(format!("{} of {slots} slots", found.len())),
        Some(_) if worst > TOLERANCE => Err(format!("a slot is off by {worst:.1e}")),
        Some(level) => {
            let bits = -worst.log2();
            Ok(format!("{level} levels, {bits:.1} bits of precision; {}", security.join("; ")))
        }
    })
}

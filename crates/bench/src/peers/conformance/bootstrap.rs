//! Conformance test: sets under which the driver bootstraps, with the keys that it publishes.

use fathom::ckks::Complex64;
use fathom_cases::record::KeySecurity;
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{Args, Code, Numbers, SchemeInfo};

use super::log::{Log, failed};
use crate::measure::bootstrapping::{Bootstrapping, Circuit, LOOKUP, REFRESH, complex, pairs};
use crate::verify::TOLERANCE;

/// The outcome of a check is a remark, or the text that says what is wrong.
type Found = Result<String, String>;

/// Bootstraps under the first set, and applies a table under the first set for tables, if there are
/// any: they are the smallest, and others take minutes.
pub(super) fn check(launch: &Launch, schemes: &[SchemeInfo], log: &mut Log<'_>) {
    one(launch, schemes, &REFRESH, refresh, log);
    one(launch, schemes, &LOOKUP, lookup, log);
}

fn one(
    launch: &Launch,
    schemes: &[SchemeInfo],
    circuit: &'static Circuit,
    tried: fn(Bootstrapping, &str) -> Result<Found, Fault>,
    log: &mut Log<'_>,
) {
    let Some(set) = circuit.sets(schemes).first() else { return };
    let title = format!("{}/{set} {}", circuit.scheme, circuit.op);
    let opened = Bootstrapping::open(launch, circuit, set);
    let outcome = match opened.and_then(|peer| match published(&peer) {
        Ok(security) => tried(peer, &security.join("; ")),
        Err(wrong) => Ok(Err(wrong)),
    }) {
        Err(Fault::Refused(refusal)) if refusal.code == Code::Unsupported => {
            Ok(format!("refused: {}", refusal.message))
        }
        other => failed(other).flatten(),
    };
    log.note(title, outcome);
}

/// Returns the security of the published keys, one entry each.
fn published(peer: &Bootstrapping) -> Result<Vec<String>, String> {
    let published = &peer.keys.published;
    if published.len() < 2 {
        return Err("`keygen` must list the raised keys and those of every other secret".into());
    }
    let largest = published.iter().map(|keys| keys.log_q).fold(0.0, f64::max);
    if (largest - peer.params.log_qp).abs() > 1.0 {
        let log_qp = peer.params.log_qp;
        return Err(format!("keys of {largest:.1} bits, but log_qp is {log_qp:.1}"));
    }
    Ok(published.iter().map(|keys| KeySecurity::of(&peer.params, keys).to_string()).collect())
}

fn refresh(mut peer: Bootstrapping, security: &str) -> Result<Found, Fault> {
    let slots = peer.params.slots;
    let message: Vec<Complex64> =
        (0..slots).map(|slot| Complex64::cis(slot as f64) * 0.5).collect();
    let input = peer.encrypt(pairs(&message))?.ct;
    let timed = peer.run(input, Args::default(), [0, 1], None)?;
    let found = complex(&peer.decrypt(&timed)?);
    let errors = found.iter().zip(&message).map(|(found, wanted)| (found - wanted).norm());
    let worst = errors.fold(0.0, f64::max);
    peer.bye()?;
    Ok(match timed.level {
        None | Some(0) => Err("the result has no levels".into()),
        Some(_) if found.len() != slots => Err(format!("{} of {slots} slots", found.len())),
        Some(_) if worst > TOLERANCE => Err(format!("a slot is off by {worst:.1e}")),
        Some(level) => {
            let bits = -worst.log2();
            Ok(format!("{level} levels, {bits:.1} bits of precision; {security}"))
        }
    })
}

/// Applies the square modulo the number of integers.
fn lookup(mut peer: Bootstrapping, security: &str) -> Result<Found, Fault> {
    let count = peer.params.slots;
    let size = peer.params.plain_modulus as i64;
    if !(1..=count as i64).contains(&size) {
        return Ok(Err(format!("tables of {size} entries are not 1 to {count}")));
    }
    let square = |x: i64| x * x % size;
    let operands: Vec<i64> = (0..count as i64).map(|x| x % size).collect();
    let expected: Vec<i64> = operands.iter().copied().map(square).collect();
    let input = peer.encrypt(Numbers::Integers(operands))?.ct;
    let args = Args { coefficients: Some((0..size).map(square).collect()), ..Args::default() };
    let timed = peer.run(input, args, [0, 1], None)?;
    let found = peer.decrypt(&timed)?;
    peer.bye()?;
    let wrong = found.integers()?.iter().zip(&expected).filter(|(a, b)| a != b).count();
    Ok(match found.integers()?.len() {
        len if len != count => Err(format!("{len} of {count} values")),
        _ if wrong > 0 => Err(format!("{wrong} of {count} values are wrong")),
        _ => Ok(format!("{count} values; {security}")),
    })
}

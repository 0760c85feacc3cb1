//! One bootstrapping: its time, and what it leaves.

use std::rc::Rc;

use fathom::Error;
use fathom::SecretRng;
use fathom::ckks::{BootstrapParams, Complex64, Params};
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_cases::record::{KeySecurity, Refresh, secret_name};
use fathom_drivers::engine::describe_ckks;
use fathom_drivers::ops::BOOTSTRAP;
use fathom_drivers::protocol::PublishedKeys;

use super::messages::messages;
use super::parties::{Desk, Parties};

/// Returns the program `bootstrap`.
pub(super) fn program(desk: &Rc<Desk>) -> Program {
    let scale_bits = desk.set().spec().scale_bits;
    let text = "one bootstrapping of complex slots, from the last level to the top one";
    desk.program(BOOTSTRAP, text, move |meter, parties| run(meter, parties, scale_bits))
}

fn run(meter: &mut Meter, parties: &Parties, scale_bits: f64) -> Result<(), Error> {
    let slots = parties.params.slot_count();
    let mut rng = SecretRng::from_os()?;
    let [uniform, ones] = messages(meter.seed(), slots);
    let encrypt = |message: &[Complex64], rng: &mut SecretRng| {
        parties.secret.encrypt(&parties.params.encode(message)?, rng)
    };
    let x = encrypt(&uniform, &mut rng)?;
    let fresh = meter.time_long(|| parties.server.bootstrap(&x))?;
    let found = parties.secret.decrypt(&fresh)?;
    let bound = found.error_bound();
    let of_uniform = meter.check_near(&found.slots_complex(), &uniform, bound);
    let fresh_ones = parties.server.bootstrap(&encrypt(&ones, &mut rng)?)?;
    let found = parties.secret.decrypt(&fresh_ones)?;
    let of_ones = meter.check_near(&found.slots_complex(), &ones, found.error_bound());
    // The lowest levels are those of the map from slots to coefficients.
    let reserved = parties.params.top_level().get() - parties.params.depth();
    let levels = fresh.level().get().saturating_sub(reserved) as f64;
    let seconds = meter.median_ns().unwrap_or(f64::INFINITY) / 1e9;
    let errors = [of_uniform, of_ones];
    meter.values(slots);
    let refresh =
        Refresh::new([levels, scale_bits], [slots as f64, seconds], errors, keys(&parties.params)?);
    meter.refresh(refresh.with_bound(bound.max(found.error_bound())));
    Ok(())
}

/// Returns the published keys with their security.
fn keys(params: &Params) -> Result<Vec<KeySecurity>, Error> {
    let info = describe_ckks(params);
    let keys = params.bootstrapping_moduli()?.map(|keys| PublishedKeys {
        purpose: keys.purpose.into(),
        secret: secret_name(keys.secret),
        log_q: keys.log2,
    });
    Ok(keys.iter().map(|keys| KeySecurity::of(&info, keys)).collect())
}

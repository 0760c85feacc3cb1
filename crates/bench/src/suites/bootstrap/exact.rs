//! Refreshes of BFV, one, and several with products between them; and tables of coefficients.

use std::rc::Rc;

use fathom::bfv::{Ciphertext, Evaluator};
use fathom::refresh::{CoefficientTable, RefreshSet};
use fathom::{Error, SecretRng};
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_cases::program::desk;
use fathom_documents::refreshing::{Desk, Refreshing};
use fathom_drivers::protocol::NoiseStep;
use fathom_drivers::random::SplitMix64;

/// Refreshes of a chain.
const ROUNDS: usize = 5;

/// Returns the programs on the set of depth 1 at degree 4096.
pub(super) fn programs() -> [Program; 3] {
    let desk: Desk = Rc::new(desk::Desk::new(("e1", RefreshSet::Noise)));
    let larger: Desk = Rc::new(desk::Desk::new(("e1", RefreshSet::Tables)));
    let table = "one table of 8 bits on the coefficients of as many ciphertexts as fit";
    let text = "one refresh of as many ciphertexts as fit, after a product of each";
    let rounds = format!("{ROUNDS} refreshes of as many, and the products between them");
    [
        desk.program("refresh", text, |meter, keys| run(meter, keys, 1)),
        desk.program(format!("product_refresh_x{ROUNDS}"), rounds, |meter, keys| {
            run(meter, keys, ROUNDS)
        }),
        larger.program("table8_coefficients", table, tabulate),
    ]
}

/// Squares, and then refreshes with squares between them: the time is that of what follows the
/// first square.
fn run(meter: &mut Meter, keys: &Refreshing, rounds: usize) -> Result<(), Error> {
    let Refreshing { party, server, .. } = keys;
    let (slots, t) = (party.params.slot_count(), party.params.plain_modulus());
    let mut rng = SecretRng::from_os()?;
    let mut random = SplitMix64(meter.seed());
    let mut clear: Vec<Vec<u64>> = (0..server.capacity())
        .map(|_| (0..slots).map(|_| random.next_u64() % t).collect())
        .collect();
    let encrypt = |values: &Vec<u64>| party.secret.encrypt(&party.params.encode(values)?, &mut rng);
    let all = clear.iter().map(encrypt).collect::<Result<Vec<_>, Error>>()?;
    let squares = squared(&party.evaluator, &all)?;
    let results = meter.time_long(|| {
        let first = server.refresh_all(&squares)?;
        (1..rounds).try_fold(first, |all, _| server.refresh_all(&squared(&party.evaluator, &all)?))
    })?;
    for values in &mut clear {
        for value in values.iter_mut() {
            *value = (0..rounds).fold(*value, |value, _| value * value % t);
        }
    }
    for (result, values) in results.iter().zip(&clear) {
        let found = party.secret.decrypt(result)?;
        meter.check(found.slots()?, values.iter().copied());
    }
    let budget = |a: &Ciphertext| {
        let found = party.secret.decrypt(a)?;
        party.secret.debug_noise_budget_bits(a, &found)
    };
    meter.noise(NoiseStep {
        before: Some(budget(&squares[0])?),
        after: Some(budget(&results[0])?),
        predicted_after: Some(results[0].noise_budget_bits()),
    });
    meter.values(slots * results.len());
    Ok(())
}

/// Applies a random table of bytes to every coefficient.
fn tabulate(meter: &mut Meter, keys: &Refreshing) -> Result<(), Error> {
    let Refreshing { party, server, .. } = keys;
    let degree = party.params.degree();
    let mut rng = SecretRng::from_os()?;
    let mut random = SplitMix64(meter.seed());
    let mut bytes = |count| -> Vec<u64> { (0..count).map(|_| random.next_u64() % 256).collect() };
    let values = bytes(256);
    let clear = bytes(server.capacity() * degree);
    let encrypt = |bytes| party.secret.encrypt(&party.params.encode_coefficients(bytes)?, &mut rng);
    let all = clear.chunks(degree).map(encrypt).collect::<Result<Vec<_>, Error>>()?;
    let table = CoefficientTable::new(8, |byte| values[byte as usize] as i64)?;
    let prepared = server.prepare(&[table])?;
    let results = meter.time_long(|| server.apply(&all, &prepared))?;
    let budget = |a: &Ciphertext| {
        let found = party.secret.decrypt(a)?;
        party.secret.debug_noise_budget_bits(a, &found)
    };
    for ([result], bytes) in results.iter().zip(clear.chunks(degree)) {
        let found = party.secret.decrypt(result)?;
        let expected = bytes.iter().map(|&byte| values[byte as usize]);
        meter.check(found.coefficients().iter().copied(), expected);
    }
    meter.noise(NoiseStep {
        before: Some(budget(&all[0])?),
        after: Some(budget(&results[0][0])?),
        predicted_after: Some(results[0][0].noise_budget_bits()),
    });
    meter.values(clear.len());
    Ok(())
}

fn squared(evaluator: &Evaluator, all: &[Ciphertext]) -> Result<Vec<Ciphertext>, Error> {
    all.iter().map(|x| evaluator.square(x)).collect()
}

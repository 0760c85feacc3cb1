//! Chains with clear constants: the depth chain and the four scale tests, without and with
//! refreshes.

use std::rc::Rc;
use std::time::{Duration, Instant};

use fathom::bfv::Bfv;
use fathom::refresh::{LEAST_BUDGET, RefreshSet, Refresher};
use fathom::rlwe::Rotations;
use fathom::{Error, SecretRng, bfv};
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_cases::program::desk;
use fathom_drivers::protocol::NoiseStep;
use serde_json::{Value, json};

use super::patterns::{CHAINS, Chain, Step, centered};
use super::products;
use crate::options::{Config, Options};
use crate::party;
use crate::party::Party;
use crate::refreshing::{Desk, Refreshing};

/// Bits between the plaintext modulus and the bound on fresh noise under the public key, for all
/// degrees of the sets.
const FRESH_BITS: f64 = 15.0;

/// The end of the names of chains with refreshes.
pub(super) const REFRESHED: &str = "_refresh";

/// Returns the chains on the published set and on the one that is large enough, and those with
/// refreshes on the published set, where its security level has some.
pub(super) fn programs(config: Config, options: &Options) -> Vec<Program> {
    let mut programs = Vec::new();
    for set in [config.published(), config.sized()] {
        for chain in &CHAINS {
            let (op, length) = named(chain, options);
            let (a, b) = (options.a, options.b);
            let work = move |meter: &mut Meter| alone(meter, set, Plan { chain, a, b, length });
            programs.push(Program::new("bfv", set, op, chain.meaning, work));
        }
    }
    if options.quick || !config.is_refreshed() {
        return programs;
    }
    let desk: Desk = Rc::new(desk::Desk::new((config.published(), RefreshSet::Noise)));
    for chain in &CHAINS {
        let (op, length) = named(chain, options);
        let plan = Plan { chain, a: options.a, b: options.b, length };
        let text = format!("{}, with a refresh where the noise needs one", chain.meaning);
        programs.push(desk.program(format!("{op}{REFRESHED}"), text, move |meter, keys| {
            let Refreshing { party, server, .. } = keys;
            run(meter, party, plan, Some(server))
        }));
    }
    let text = "50 products with an encrypted 2, with a refresh where the noise needs one";
    programs.push(desk.program(format!("depth50{REFRESHED}"), text.to_owned(), |meter, keys| {
        products::refreshed(meter, keys, 50)
    }));
    programs
}

/// Returns the name and the length of a chain.
fn named(chain: &Chain, options: &Options) -> (String, usize) {
    let depth = options.max_depth.filter(|_| chain.op == "depth_chain");
    let length = depth.unwrap_or(chain.length);
    let op =
        if length == chain.length { chain.op.to_owned() } else { format!("{}_{length}", chain.op) };
    (op, length)
}

/// A chain with its operands and its number of steps.
#[derive(Clone, Copy)]
struct Plan {
    chain: &'static Chain,
    a: u64,
    b: u64,
    length: usize,
}

/// One step of a chain, as the document's JSON lists it.
struct Entry {
    operation: String,
    elapsed_us: f64,
    budget_bits: f64,
    noise_bits: f64,
    correct: bool,
    refreshed: bool,
}

/// The end of a chain of products.
struct Ended<'a> {
    /// The whole noise budget of the set, in bits: that of a ciphertext without noise.
    limit: f64,
    /// Times of the refreshes.
    refreshes: &'a [Duration],
    expected: u64,
    found: &'a bfv::Plaintext,
}

/// Applies one step on encrypted slots.
fn apply(own: &Party, x: &bfv::Ciphertext, step: Step) -> Result<bfv::Ciphertext, Error> {
    let t = own.params.plain_modulus();
    match step {
        Step::Times(k) => own.evaluator.mul_scalar(x, centered(k, t)),
        Step::Plus(k) => own.evaluator.add_scalar(x, centered(k, t)),
        Step::Minus(k) => own.evaluator.add_scalar(x, -centered(k, t)),
    }
}

/// Runs a chain without refreshes.
fn alone(meter: &mut Meter, set: &str, plan: Plan) -> Result<(), Error> {
    let mut rng = SecretRng::from_os()?;
    let party = Party::new(party::named(set, meter)?, &Rotations::none(), &mut rng)?;
    run(meter, &party, plan, None)
}

/// Applies one step, after a refresh if it takes one; returns its time. A refresh takes two bits of
/// noise budget.
fn stepped(
    own: &Party,
    x: &bfv::Ciphertext,
    step: Step,
    server: Option<&Refresher<Bfv>>,
    refreshes: &mut Vec<Duration>,
) -> Result<bfv::Ciphertext, Error> {
    let next = apply(own, x, step);
    let Some(server) = server else { return next };
    match next {
        Ok(next) if next.noise_budget_bits() >= LEAST_BUDGET => Ok(next),
        _ => {
            let start = Instant::now();
            let fresh = server.refresh(x)?;
            refreshes.push(start.elapsed());
            apply(own, &fresh, step)
        }
    }
}

/// Runs a chain step by step on encrypted slots; every step is timed, decrypted and compared.
fn run(
    meter: &mut Meter,
    party: &Party,
    plan: Plan,
    server: Option<&Refresher<Bfv>>,
) -> Result<(), Error> {
    let Plan { chain, a, b, length } = plan;
    let mut rng = SecretRng::from_os()?;
    let t = party.params.plain_modulus();
    let is_depth_chain = chain.op == "depth_chain";
    let first = if is_depth_chain { a } else { chain.first };
    let step =
        |index| if is_depth_chain && index == 0 { Step::Times(b) } else { (chain.step)(index) };
    // The first slot holds the document's value, the others its successors.
    let mut clear: Vec<u64> =
        (0..party.params.slot_count() as u64).map(|i| (first + i) % t).collect();
    let mut x = party.public.encrypt(&party.params.encode(&clear)?, &mut rng)?;
    let fresh = x.noise_budget_bits();
    let limit = fresh + x.noise_bound_bits();
    let (mut entries, mut refreshes, mut bits) = (Vec::new(), Vec::new(), 0.0);
    let mut noise = NoiseStep { before: Some(fresh), ..NoiseStep::default() };
    let mut ended = Ok(());
    for index in 0..length {
        bits += step(index).bits(t);
        let (start, before) = (Instant::now(), refreshes.len());
        match stepped(party, &x, step(index), server, &mut refreshes) {
            Ok(next) => x = next,
            Err(error) => {
                let top = party.params.log2_modulus(party.params.top_level());
                let log_q = top.expect("the top level is a level of its set");
                let needed = bits + (t as f64).log2() + FRESH_BITS;
                // With refreshes, nothing may be refused.
                meter.refused_after(index, server.is_none() && needed >= log_q - 1.0);
                ended = Err(error);
                break;
            }
        }
        let elapsed = start.elapsed();
        meter.sample(elapsed);
        for value in &mut clear {
            *value = step(index).apply(*value, t);
        }
        let found = party.secret.decrypt(&x)?;
        let budget = party.secret.debug_noise_budget_bits(&x, &found)?;
        let slots = found.slots()?;
        let correct = slots == clear;
        meter.check(slots, clear.iter().copied());
        noise.after = Some(budget);
        noise.predicted_after = Some(x.noise_budget_bits());
        entries.push(Entry {
            operation: if is_depth_chain && index == 0 {
                format!("{a} \u{d7} {b}")
            } else {
                step(index).text()
            },
            elapsed_us: elapsed.as_nanos() as f64 / 1e3,
            budget_bits: budget,
            noise_bits: x.noise_budget_bits() + x.noise_bound_bits() - budget,
            correct,
            refreshed: refreshes.len() > before,
        });
    }
    meter.noise(noise);
    let found = &party.secret.decrypt(&x)?;
    let outcome = Ended { limit, refreshes: &refreshes, expected: clear[0], found };
    meter.details(details(plan, &entries, &outcome));
    ended
}

/// Returns the details in the form of the document's JSON.
fn details(
    Plan { chain, a, b, length }: Plan,
    entries: &[Entry],
    Ended { limit, refreshes, expected, found }: &Ended<'_>,
) -> Value {
    // A product by 0 leaves less noise than encryption, but never more than the whole budget.
    let percent = |budget: f64| (budget / limit * 1e3).round() / 10.0;
    let found = found.slots().map_or(0, |slots| slots[0]);
    let list: Vec<Value> = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| {
            json!({
                "depth": index + 1,
                "operation": entry.operation,
                "noise_budget_pct": percent(entry.budget_bits),
                "elapsed_us": entry.elapsed_us,
                "refreshed": entry.refreshed,
                "measured_noise_bits": tenth(entry.noise_bits),
                "measured_budget_bits": tenth(entry.budget_bits),
                "correct": entry.correct,
            })
        })
        .collect();
    let total_us: f64 = entries.iter().map(|entry| entry.elapsed_us).sum();
    let last = entries.last().map(|entry| percent(entry.budget_bits));
    let refresh_us: Vec<f64> =
        refreshes.iter().map(|time| (time.as_nanos() as f64 / 1e3).round()).collect();
    json!({
        "init_expression": format!("{a} \u{d7} {b}"),
        "final_depth": entries.len(),
        "total_refreshes": refreshes.len(),
        "refresh_us": refresh_us,
        "completed": entries.len() == length,
        "correct": is_correct(entries, length),
        "decrypted_result": found,
        "expected_result": expected,
        "entries": list,
        "workload": chain.workload,
        "max_depth": entries.len(),
        "total_ops": entries.len(),
        "total_time_ms": tenth(total_us / 1e3),
        "ops_per_sec": tenth(entries.len() as f64 / total_us.max(1e-3) * 1e6),
        "refreshes": refreshes.len(),
        "final_noise_pct": last,
    })
}

/// Returns true for a chain whose every step was made and was correct.
fn is_correct(entries: &[Entry], length: usize) -> bool {
    length > 0 && entries.len() == length && entries.iter().all(|entry| entry.correct)
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use fathom_cases::program::run_one;

    fn chain(operands: [u64; 2], length: usize) -> Value {
        let [a, b] = operands;
        let work = move |meter: &mut Meter| {
            let plan = Plan { chain: &CHAINS[0], a, b, length };
            alone(meter, "nine65-128", plan)
        };
        let program = Program::new("bfv", "nine65-128", "chain", "", work);
        // A refusal is one of the outcomes.
        run_one(&program, Meter::new(Duration::from_millis(1), 1)).details
    }

    #[test]
    fn a_chain_is_correct_if_it_reached_its_length_and_no_budget_exceeds_the_whole() {
        for (operands, length, completed, correct) in
            [([8, 8], 5, true, true), ([0, 0], 5, true, true), ([8, 8], 0, true, false)]
        {
            let chain = chain(operands, length);
            assert_eq!(chain["completed"], completed, "{operands:?} {length}");
            assert_eq!(chain["correct"], correct, "{operands:?} {length}");
            for entry in chain["entries"].as_array().unwrap() {
                let share = entry["noise_budget_pct"].as_f64().unwrap();
                assert!((0.0..=100.0).contains(&share), "{operands:?}: {share} %");
            }
        }
        let refused = chain([8, 8], 80);
        assert!(refused["final_depth"].as_u64().unwrap() < 80);
        assert_eq!((&refused["completed"], &refused["correct"]), (&json!(false), &json!(false)));
        assert!(
            refused["entries"].as_array().unwrap().iter().all(|entry| entry["correct"] == true)
        );
    }
}

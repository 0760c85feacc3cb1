//! Chains of products of ciphertexts, and sums of a batch.

use fathom::refresh::LEAST_BUDGET;
use fathom::rlwe::Rotations;
use fathom::{Error, SecretRng, bfv};
use fathom_cases::program::Meter;
use fathom_cases::program::Program;

use super::patterns::{CHAINS, Step};
use crate::options::{Config, Options};
use crate::party;
use crate::party::Party;
use crate::refreshing::Refreshing;

/// Returns the chains of products of a configuration.
pub(super) fn programs(config: Config, options: &Options) -> Vec<Program> {
    let set = config.published();
    let depth = options.max_depth.unwrap_or(80);
    vec![
        Program::new(
            "bfv",
            set,
            "noise_growth20",
            "20 squarings of an encrypted 2, until the noise limit",
            move |meter| squarings(meter, set, 20),
        ),
        Program::new(
            "bfv",
            set,
            "depth50",
            "50 products with an encrypted 2, until the noise limit",
            move |meter| products(meter, set, 50),
        ),
        Program::new(
            "bfv",
            set,
            "depth_chain_encrypted",
            "the depth chain with encrypted constants, until the noise limit",
            move |meter| encrypted(meter, set, depth),
        ),
        Program::new(
            "bfv",
            set,
            "batch_sum50",
            "50 encryptions and their 49 sums, time per ciphertext",
            move |meter| sum(meter, set, 50),
        ),
    ]
}

fn parties(set: &str, meter: &mut Meter, rng: &mut SecretRng) -> Result<Party, Error> {
    Party::new(party::named(set, meter)?, &Rotations::none(), rng)
}

/// Applies steps to an encrypted vector, each compared with the clear one; a refusal is expected
/// once as many products have succeeded as the parameters guarantee.
fn chain(
    meter: &mut Meter,
    own: &Party,
    first: u64,
    length: usize,
    mut step: impl FnMut(usize, &bfv::Ciphertext) -> Result<(bfv::Ciphertext, Clear), Error>,
    rng: &mut SecretRng,
) -> Result<(), Error> {
    let t = own.params.plain_modulus();
    let mut clear = vec![first % t; own.params.slot_count()];
    let mut x = own.public.encrypt(&own.params.encode(&clear)?, rng)?;
    let mut products = 0;
    for index in 0..length {
        let next = meter.once(|| step(index, &x));
        let (next, apply) = match next {
            Ok(next) => next,
            Err(error) => {
                meter.refused_after(index, products >= LEAST_PRODUCTS);
                return Err(error);
            }
        };
        x = next;
        products += usize::from(apply.is_product);
        for value in &mut clear {
            *value = (apply.apply)(*value);
        }
        meter.check(own.secret.decrypt(&x)?.slots()?, clear.iter().copied());
    }
    Ok(())
}

/// Products that every published set supports.
const LEAST_PRODUCTS: usize = 1;

/// The clear side of a step.
struct Clear {
    apply: Box<dyn Fn(u64) -> u64>,
    is_product: bool,
}

fn squarings(meter: &mut Meter, set: &str, count: usize) -> Result<(), Error> {
    let mut rng = SecretRng::from_os()?;
    let own = parties(set, meter, &mut rng)?;
    let t = own.params.plain_modulus();
    let square = |_, x: &bfv::Ciphertext| {
        let apply = Box::new(move |value| Step::Times(value).apply(value, t));
        Ok((own.evaluator.square(x)?, Clear { apply, is_product: true }))
    };
    chain(meter, &own, 2, count, square, &mut rng)
}

fn products(meter: &mut Meter, set: &str, count: usize) -> Result<(), Error> {
    let mut rng = SecretRng::from_os()?;
    let own = parties(set, meter, &mut rng)?;
    let t = own.params.plain_modulus();
    let two = own.params.encode(&vec![2; own.params.slot_count()])?;
    let two = own.public.encrypt(&two, &mut rng)?;
    let product = |_, x: &bfv::Ciphertext| {
        let apply = Box::new(move |value| Step::Times(2).apply(value, t));
        Ok((own.evaluator.mul(x, &two)?, Clear { apply, is_product: true }))
    };
    chain(meter, &own, 2, count, product, &mut rng)
}

/// Multiplies by an encrypted 2 as often as asked for, with a refresh of the product so far where
/// the noise of the next one needs it; every product is compared with the clear one.
pub(super) fn refreshed(meter: &mut Meter, keys: &Refreshing, count: usize) -> Result<(), Error> {
    let Refreshing { party: own, server, .. } = keys;
    let mut rng = SecretRng::from_os()?;
    let t = own.params.plain_modulus();
    let mut clear = vec![2; own.params.slot_count()];
    let two = own.public.encrypt(&own.params.encode(&clear)?, &mut rng)?;
    let mut x = two.clone();
    for _ in 0..count {
        x = meter.once(|| match own.evaluator.mul(&x, &two) {
            Ok(next) if next.noise_budget_bits() >= LEAST_BUDGET => Ok(next),
            Ok(_) | Err(_) => own.evaluator.mul(&server.refresh(&x)?, &two),
        })?;
        for value in &mut clear {
            *value = Step::Times(2).apply(*value, t);
        }
        meter.check(own.secret.decrypt(&x)?.slots()?, clear.iter().copied());
    }
    Ok(())
}

fn encrypted(meter: &mut Meter, set: &str, count: usize) -> Result<(), Error> {
    let mut rng = SecretRng::from_os()?;
    let own = parties(set, meter, &mut rng)?;
    let (t, slots) = (own.params.plain_modulus(), own.params.slot_count());
    let mut constants = Vec::new();
    let mut other = SecretRng::from_os()?;
    for index in 0..count.min(20) {
        let (Step::Times(k) | Step::Plus(k) | Step::Minus(k)) = (CHAINS[0].step)(index + 1);
        let constant = own.params.encode(&vec![k % t; slots])?;
        constants.push(own.public.encrypt(&constant, &mut other)?);
    }
    let step = |index: usize, x: &bfv::Ciphertext| {
        let clear = (CHAINS[0].step)(index + 1);
        let constant = &constants[index % constants.len()];
        let found = match clear {
            Step::Times(_) => own.evaluator.mul(x, constant)?,
            Step::Plus(_) => own.evaluator.add(x, constant)?,
            Step::Minus(_) => own.evaluator.sub(x, constant)?,
        };
        let is_product = matches!(clear, Step::Times(_));
        Ok((found, Clear { apply: Box::new(move |value| clear.apply(value, t)), is_product }))
    };
    chain(meter, &own, 8, count, step, &mut rng)
}

fn sum(meter: &mut Meter, set: &str, count: u64) -> Result<(), Error> {
    let mut rng = SecretRng::from_os()?;
    let own = parties(set, meter, &mut rng)?;
    let slots = own.params.slot_count();
    let messages = (0..count)
        .map(|i| own.params.encode(&(0..slots as u64).map(|slot| slot + i).collect::<Vec<_>>()))
        .collect::<Result<Vec<_>, _>>()?;
    let total = meter.time(count as usize, || {
        let encrypt = |message| own.public.encrypt(message, &mut rng);
        let all = messages.iter().map(encrypt).collect::<Result<Vec<_>, _>>()?;
        own.evaluator.sum(&all)
    })?;
    let t = own.params.plain_modulus();
    let expected = (0..slots as u64).map(|slot| (slot * count + count * (count - 1) / 2) % t);
    meter.check(own.secret.decrypt(&total)?.slots()?, expected);
    Ok(())
}

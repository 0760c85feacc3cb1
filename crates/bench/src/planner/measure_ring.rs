//! Measures the unit costs of BFV and CKKS with the engine's public interface.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Instant, SystemTime};

use fathom::bfv::Bfv;
use fathom::ckks::Ckks;
use fathom::rlwe::{
    Ciphertext, Encoding, EvaluationKeys, Evaluator, MetaCodec, Params, Rotations, Scheme,
    SecretKey,
};
use fathom::{Error, SecretRng};
use fathom_workloads::{RingOperation, RingParams};

use super::ring_costs::RingCosts;
use super::timed::timed;
use crate::drivers::resident_bytes;
use crate::measure::machine::rfc3339;
use crate::measure::stats::lower_quartile;

/// Repetitions of what has to do with keys, and of everything else.
const KEY_REPEATS: usize = 3;
const REPEATS: usize = 9;
/// The rotations for which keys are made: as many keys as circuits have, so that they compete for
/// the caches as they do there.
const STEPS: [i64; 7] = [1, 2, 4, 8, 16, 32, 64];

/// A scheme whose vectors can be encrypted and decrypted.
trait Vectors: Scheme + MetaCodec {
    /// Encrypts ones.
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error>;

    /// Decrypts and decodes.
    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error>;

    /// Multiplies by a number.
    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error>;

    /// A clear vector as products take it.
    type Factor;

    /// Encodes a clear vector for products at a level.
    fn factor(evaluator: &Evaluator<Self>, level: usize) -> Result<Self::Factor, Error>;

    /// Multiplies by a clear vector.
    fn mul_plain(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        factor: &Self::Factor,
    ) -> Result<Ciphertext<Self>, Error>;
}

impl Vectors for Bfv {
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error> {
        let ones = vec![1; secret.params().degree()];
        secret.encrypt(&secret.params().encode_signed(&ones)?, rng)
    }

    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error> {
        secret.decrypt(ciphertext)?.slots_signed().map(drop)
    }

    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.mul_scalar(a, 3)
    }

    type Factor = fathom::bfv::Multiplicand;

    fn factor(evaluator: &Evaluator<Self>, _: usize) -> Result<Self::Factor, Error> {
        let params = evaluator.params();
        Ok(params.encode_signed(&vec![1; params.degree()])?.to_multiplicand())
    }

    fn mul_plain(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        factor: &Self::Factor,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.mul_plain(a, factor)
    }
}

impl Vectors for Ckks {
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error> {
        let ones = vec![0.5; secret.params().degree() / 2];
        secret.encrypt(&secret.params().encode(&ones)?, rng)
    }

    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error> {
        secret.decrypt_with_precision(ciphertext, 0.0)?.slots();
        Ok(())
    }

    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.mul_scalar(a, 0.5)
    }

    type Factor = fathom::ckks::Multiplicand;

    fn factor(evaluator: &Evaluator<Self>, level: usize) -> Result<Self::Factor, Error> {
        let params = evaluator.params();
        params.encode(&vec![0.5; params.degree() / 2])?.to_multiplicand(level)
    }

    fn mul_plain(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        factor: &Self::Factor,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.mul_plain(a, factor)
    }
}

/// Returns the name of parameters in the costs, and their scheme.
pub(super) fn name(params: &RingParams) -> Option<String> {
    let named = |scheme: &str, id: &[u8; 32]| {
        let number = id.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        Some(format!("{scheme} {number:016x}"))
    };
    match params {
        RingParams::Bfv(params) => named(<Bfv as Encoding>::NAME, params.id()),
        RingParams::Ckks(params) => named(<Ckks as Encoding>::NAME, params.id()),
        _ => None,
    }
}

/// Measures the operations of a circuit and all other unit costs of its parameters; `None` for a
/// scheme without a measurement. Operations that are not measured are missing in the result.
///
/// # Errors
/// Those of the random generator of the system and of the operations.
pub(super) fn measure(
    params: &RingParams,
    operations: &BTreeSet<(RingOperation, usize)>,
    report: &mut dyn FnMut(&str),
) -> Result<Option<RingCosts>, Error> {
    let Some(name) = name(params) else { return Ok(None) };
    report(&format!("unit costs of {name}"));
    match params {
        RingParams::Bfv(params) => measure_scheme(params, name, operations).map(Some),
        RingParams::Ckks(params) => measure_scheme(params, name, operations).map(Some),
        _ => Ok(None),
    }
}

fn measure_scheme<S: Vectors>(
    params: &Params<S>,
    name: String,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<RingCosts, Error> {
    let process_bytes = resident_bytes();
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(params, &mut rng);
    let rotations = Rotations::steps(&STEPS);
    let (bytes, keygen_ns) =
        timed(KEY_REPEATS, || Ok(secret.evaluation_keys(&rotations, &mut rng)?.to_bytes()))?;
    let (keys, keys_ns) = timed(KEY_REPEATS, || EvaluationKeys::<S>::from_bytes(params, &bytes))?;
    let evaluator = Evaluator::new(keys);
    let (frame, encrypt_ns) = timed(REPEATS, || Ok(S::encrypt(&secret, &mut rng)?.to_bytes()))?;
    let (fresh, load_ns) = timed(REPEATS, || Ciphertext::from_bytes_fresh(params, &frame))?;
    let other = Ciphertext::from_bytes_fresh(params, &S::encrypt(&secret, &mut rng)?.to_bytes())?;
    let operations = operations_ns(&evaluator, operations, [&fresh, &other])?;
    let result = evaluator.add(&fresh, &other)?;
    let (answer, answer_ns) = timed(REPEATS, || Ok(result.to_bytes()))?;
    let ((), decrypt_ns) =
        timed(REPEATS, || S::decrypt(&secret, &Ciphertext::from_bytes(params, &answer)?))?;
    let count = (STEPS.len() + 1) as f64;
    Ok(RingCosts {
        params: name,
        measured: rfc3339(SystemTime::now()),
        operations,
        keygen_ns: keygen_ns / count,
        keys_ns: keys_ns / count,
        encrypt_ns,
        load_ns,
        answer_ns,
        decrypt_ns,
        ciphertext_bytes: (2 * params.chain().len() * params.degree() * 8) as u64,
        process_bytes,
    })
}

/// Measures operations in rounds over all of them, which finds the caches as a circuit does. What
/// is not measured is missing in the result.
fn operations_ns<S: Vectors>(
    evaluator: &Evaluator<S>,
    operations: &BTreeSet<(RingOperation, usize)>,
    fresh: [&Ciphertext<S>; 2],
) -> Result<BTreeMap<String, f64>, Error> {
    let mut operands = BTreeMap::new();
    for &(_, level) in operations {
        let at = |ciphertext: &Ciphertext<S>| {
            if ciphertext.level().get() == level {
                Ok(ciphertext.clone())
            } else {
                evaluator.mod_switch_to(ciphertext, level)
            }
        };
        let factor = operations.contains(&(RingOperation::MulPlain, level));
        let factor = factor.then(|| S::factor(evaluator, level)).transpose()?;
        operands.insert(level, (at(fresh[0])?, at(fresh[1])?, factor));
    }
    let mut samples: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for round in 0..=REPEATS {
        for &(operation, level) in operations {
            let (a, b, factor) = &operands[&level];
            let start = Instant::now();
            match operation {
                RingOperation::Add => evaluator.add(a, b)?,
                RingOperation::Mul => evaluator.mul(a, b)?,
                RingOperation::Tensor => evaluator.tensor(a, b)?,
                RingOperation::MulScalar => S::mul_scalar(evaluator, a)?,
                RingOperation::MulPlain => match factor {
                    Some(factor) => S::mul_plain(evaluator, a, factor)?,
                    None => continue,
                },
                RingOperation::Rotate => evaluator.rotate_rows(a, STEPS[round % STEPS.len()])?,
                RingOperation::ModSwitch if level > 0 => evaluator.mod_switch_to(a, level - 1)?,
                RingOperation::ModSwitch | _ => continue,
            };
            // The first round fills the pool of buffers.
            if round > 0 {
                let time = start.elapsed().as_nanos() as f64;
                samples.entry(RingCosts::key(operation, level)).or_default().push(time);
            }
        }
    }
    let quartiles =
        samples.into_iter().filter_map(|(key, times)| Some((key, lower_quartile(&times)?)));
    Ok(quartiles.collect())
}

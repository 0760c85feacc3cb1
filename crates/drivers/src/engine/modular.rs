//! BFV and BGV of the engine.

use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Encryption, EvaluationKeys, Evaluator, Modular, Multiplicand, Params, Plaintext,
    Preset, Rotations, SecretKey, Spec,
};
use fathom::{Error, SecretRng, SecurityLevel};
use fathom_verbs::exact_verbs;

use super::published;
use super::ring::{
    Coded, Computed, Encoded, RingCall, RingItem, RingSession, announced, bind, binding,
    no_encoding, no_preset, slotted,
};
use crate::ops;
use crate::protocol::{
    Code, Encoding, Noise, Numbers, ParamsInfo, ParamsRequest, Prepare, Purpose, Refusal,
};
use crate::refusal::refusal;
use crate::session::Bind;

/// BFV or BGV, with its name.
pub(super) trait Named: Modular {
    /// The name in requests.
    const SCHEME: ops::Scheme;
}

impl Named for Bfv {
    const SCHEME: ops::Scheme = ops::Scheme::Bfv;
}

impl Named for Bgv {
    const SCHEME: ops::Scheme = ops::Scheme::Bgv;
}

/// Returns the description of a published set, which is one of BFV.
fn published<S: Named>(name: &str) -> Option<Spec> {
    let is_bfv = <S as Named>::SCHEME == ops::Scheme::Bfv;
    published::spec(name).filter(|_| is_bfv)
}

impl<S: Named> Coded for S {
    const SCHEME: ops::Scheme = <S as Named>::SCHEME;
    type Prepared = Multiplicand<S>;

    fn presets() -> Vec<String> {
        let own = Preset::ALL.iter().map(|preset| preset.name());
        let published = published::names().filter(|name| published::<S>(name).is_some());
        own.chain(published).map(str::to_owned).collect()
    }

    fn choose(request: &Prepare) -> Result<(Params<S>, Option<String>), Refusal> {
        match &request.params {
            ParamsRequest::Preset { preset } => {
                if let Some(spec) = published::<S>(preset) {
                    let why =
                        "the published degree and modulus, in primes that the kernels support";
                    return Ok((Params::<S>::new(spec).map_err(refusal)?, Some(why.into())));
                }
                let unknown = || no_preset(<S as Named>::SCHEME, preset);
                let found: Preset = preset.parse().map_err(|_| unknown())?;
                Ok((Params::<S>::preset(found).map_err(refusal)?, None))
            }
            ParamsRequest::For(purpose) => for_purpose(purpose),
        }
    }

    fn describe(params: &Params<S>, common: ParamsInfo) -> ParamsInfo {
        let secret = match params.spec().secret_weight {
            Some(weight) => format!("sparse_ternary:{weight}"),
            None => "ternary".into(),
        };
        ParamsInfo {
            plain_modulus: params.plain_modulus(),
            slots: params.slot_count(),
            secret,
            p_fail_log2: Some(params.spec().failure_log2),
            ..common
        }
    }

    fn read(
        params: &Params<S>,
        values: &Numbers,
        encoding: Encoding,
    ) -> Result<Encoded<S>, Refusal> {
        let t = params.plain_modulus() as i64;
        let values: Vec<u64> = values.integers()?.iter().map(|v| v.rem_euclid(t) as u64).collect();
        let message = match encoding {
            Encoding::Slots => params.encode(&values),
            Encoding::Coefficients => params.encode_coefficients(&values),
            Encoding::Complex | Encoding::Integer(_) => return Err(no_encoding(encoding)),
        };
        let mut message = message.map_err(refusal)?;
        message.prepare_sums(params.top_level()).map_err(refusal)?;
        let prepared = Some(message.to_multiplicand());
        Ok(Encoded { message, prepared })
    }

    fn write(message: &Plaintext<S>, encoding: Encoding) -> Result<Numbers, Refusal> {
        let values = match encoding {
            Encoding::Slots => message.slots().map_err(refusal)?,
            Encoding::Coefficients => message.coefficients().to_vec(),
            Encoding::Complex | Encoding::Integer(_) => return Err(no_encoding(encoding)),
        };
        Ok(values.into_iter().map(|v| v as i64).collect::<Vec<_>>().into())
    }

    fn factor(prepared: &Multiplicand<S>) -> &Multiplicand<S> {
        prepared
    }

    fn evaluation_keys(
        secret: &SecretKey<S>,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<EvaluationKeys<S>, Refusal> {
        secret.evaluation_keys(rotations, rng).map_err(refusal)
    }

    fn noise(secret: Option<&SecretKey<S>>, x: &Ciphertext<S>) -> Noise {
        Noise {
            measured_budget_bits: secret.and_then(|secret| {
                // The harness compares the results.
                let clear = secret.decrypt(x).ok()?;
                secret.debug_noise_budget_bits(x, &clear).ok()
            }),
            tracked_budget_bits: Some(x.noise_budget_bits()),
        }
    }

    fn vectors() -> Vec<(&'static str, Bind<RingSession<S>>)> {
        let mut vectors = slotted();
        let own: [(&'static str, Bind<RingSession<S>>); 4] = [
            ("polynomial", |own, x, args| {
                polynomial(own, x, args.coefficients.as_deref().unwrap_or_default())
            }),
            ("mod_switch", |own, x, _| own.unary(x, switched)),
            ("inner_product", |own, x, args| {
                let terms = args.terms.unwrap_or(1);
                let switches = switches_before_sums(own, x, terms)?;
                own.binary(x, move |evaluator, x, y| {
                    let product = evaluator.tensor(x, y)?;
                    let product = if switches {
                        evaluator.relinearize_and_switch(&product)?
                    } else {
                        evaluator.relinearize(&product)?
                    };
                    sum_strides(evaluator, product, terms)
                })
            }),
            ("inner_product_plain", |own, x, args| {
                let (terms, factor) = (args.terms.unwrap_or(1), RingSession::factor(x[1])?);
                own.unary(x, move |evaluator, x| {
                    sum_strides(evaluator, evaluator.mul_plain(x, factor)?, terms)
                })
            }),
        ];
        vectors.extend(own);
        exact_verbs!(bind vectors:);
        vectors
    }
}

fn polynomial<'a, S: Named>(
    own: &'a RingSession<S>,
    inputs: &[&'a RingItem<S>],
    coefficients: &[i64],
) -> RingCall<'a, S> {
    let t = own.params.plain_modulus() as i64;
    let reduced: Vec<u64> = coefficients.iter().map(|c| c.rem_euclid(t) as u64).collect();
    own.unary(inputs, move |evaluator, x| evaluator.evaluate_polynomial(x, &reduced))
}

/// Returns true if a product has room for the sum of so many values at the next lower level, where
/// rotations are quicker: a product, untimed, tells.
fn switches_before_sums<S: Named>(
    own: &RingSession<S>,
    inputs: &[&RingItem<S>],
    terms: usize,
) -> Result<bool, Refusal> {
    let [x, y] = [inputs[0].ciphertext()?, inputs[1].ciphertext()?];
    let switched = own.evaluator()?.mul(x, y);
    Ok(switched.is_ok_and(|product| product.noise_budget_bits() > bits_of_sum(terms)))
}

/// Returns the bits of noise budget that the sum of so many rotations of a ciphertext takes, with
/// some for the rotations themselves.
pub fn bits_of_sum(terms: usize) -> f64 {
    (terms.max(1) as f64).log2() + 1.0
}

/// Adds the `terms` values of a row at equal distances, in every place.
fn sum_strides<S: Named>(
    evaluator: &Evaluator<S>,
    mut sum: Ciphertext<S>,
    terms: usize,
) -> Computed<S> {
    let row = evaluator.params().degree() / 2;
    let mut step = row / terms.max(1);
    while step > 0 && step < row {
        sum = evaluator.add(&sum, &evaluator.rotate(&sum, step as i64)?)?;
        step *= 2;
    }
    Ok(sum)
}

/// Switches to the next level.
fn switched<S: Named>(evaluator: &Evaluator<S>, x: &Ciphertext<S>) -> Computed<S> {
    let (from, to) = (x.level(), x.level());
    let next = x.level().next().ok_or(Error::NoSuchLevel { from, to })?;
    evaluator.mod_switch_to(x, next)
}

/// Chooses parameters with the planner, the engine's default, which also chooses the ring degree.
fn for_purpose<S: Named>(purpose: &Purpose) -> Result<(Params<S>, Option<String>), Refusal> {
    let modulus = purpose
        .plain_modulus
        .ok_or_else(|| Refusal::new(Code::BadRequest, "an exact scheme needs `plain_modulus`"))?;
    let level = SecurityLevel::try_from(purpose.security)
        .map_err(|e| Refusal::new(Code::BadRequest, e.to_string()))?;
    // The testbed encrypts with either key.
    let plan = Params::for_depth(purpose.depth as usize, modulus, Encryption::PublicKey, level);
    let plan = plan.map_err(refusal)?;
    let params = plan.params().clone();
    match purpose.n {
        Some(n) if n != params.degree() => Err(Refusal::unsupported(format!(
            "the planner takes degree {} for this purpose and cannot be made to take {n}",
            params.degree()
        ))),
        _ => Ok((params, Some(plan.explanation()))),
    }
}

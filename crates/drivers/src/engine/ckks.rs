//! CKKS of the engine, with levels and scales in the evaluator's hands.

use fathom::ckks::{
    Addend, Automatic, Ciphertext, Ckks, EvaluationKeys, Evaluator, Multiplicand, Params,
    Plaintext, Preset, Rotations, SecretKey,
};
use fathom::rlwe::Encryption;
use fathom::{Error, SecretRng, SecurityLevel};
use fathom_verbs::real_verbs;

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

type Scheme = Ckks<Automatic>;
type Own = RingSession<Scheme>;

/// A message prepared for products and sums at the top level.
pub(super) struct Prepared {
    factor: Multiplicand,
    term: Addend,
}

impl Coded for Scheme {
    const SCHEME: ops::Scheme = ops::Scheme::Ckks;
    type Prepared = Prepared;

    fn presets() -> Vec<String> {
        Preset::ALL.map(|preset| preset.name().to_owned()).to_vec()
    }

    fn choose(request: &Prepare) -> Result<(Params, Option<String>), Refusal> {
        let preset = match &request.params {
            ParamsRequest::Preset { preset } => preset,
            ParamsRequest::For(purpose) => return for_purpose(purpose),
        };
        let unknown = || no_preset(ops::Scheme::Ckks, preset);
        let found: Preset = preset.parse().map_err(|_| unknown())?;
        Ok((Params::preset(found).map_err(refusal)?, None))
    }

    fn describe(params: &Params, common: ParamsInfo) -> ParamsInfo {
        ParamsInfo {
            scale_bits: params.scale(params.top_level()).ok().map(f64::log2),
            slots: params.slot_count(),
            depth: params.depth() as u32,
            p_fail_log2: Some(params.spec().failure_log2),
            ..common
        }
    }

    fn read(
        params: &Params,
        values: &Numbers,
        encoding: Encoding,
    ) -> Result<Encoded<Self>, Refusal> {
        if encoding != Encoding::Slots {
            return Err(no_encoding(encoding));
        }
        let message = params.encode(&values.to_reals()).map_err(refusal)?;
        let factor = message.to_multiplicand(params.top_level()).map_err(refusal)?;
        let term = message.to_addend(params.top_level()).map_err(refusal)?;
        Ok(Encoded { message, prepared: Some(Prepared { factor, term }) })
    }

    fn write(message: &Plaintext, encoding: Encoding) -> Result<Numbers, Refusal> {
        if encoding == Encoding::Slots {
            Ok(message.slots().into())
        } else {
            Err(no_encoding(encoding))
        }
    }

    fn factor(prepared: &Prepared) -> &Multiplicand {
        &prepared.factor
    }

    fn evaluation_keys(
        secret: &SecretKey,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<EvaluationKeys, Refusal> {
        secret.evaluation_keys(rotations, rng).map_err(refusal)
    }

    fn plus(evaluator: &Evaluator, x: &Ciphertext, term: &Encoded<Self>) -> Computed<Self> {
        match &term.prepared {
            Some(prepared) => evaluator.add_plain(x, &prepared.term),
            None => evaluator.add_plain(x, &term.message),
        }
    }

    /// Returns the room for the message in the modulus; the error of slots is checked by the
    /// harness, which knows the values.
    fn noise(_: Option<&SecretKey>, x: &Ciphertext) -> Noise {
        Noise { measured_budget_bits: None, tracked_budget_bits: Some(x.noise_budget_bits()) }
    }

    fn vectors() -> Vec<(&'static str, Bind<Own>)> {
        let mut vectors = slotted();
        let own: [(&'static str, Bind<Own>); 3] = [
            ("mul_no_rescale", |own, x, _| {
                own.binary(x, |evaluator, x, y| evaluator.relinearize(&evaluator.tensor(x, y)?))
            }),
            ("mod_switch", |own, x, _| own.unary(x, switched)),
            ("polynomial", |own, x, args| {
                polynomial(own, x, args.coefficients.as_deref().unwrap_or_default())
            }),
        ];
        vectors.extend(own);
        real_verbs!(bind vectors:);
        vectors
    }
}

/// Plans parameters for squares in a row, under either key.
fn for_purpose(purpose: &Purpose) -> Result<(Params, Option<String>), Refusal> {
    let Purpose { depth, precision_bits: Some(bits), security, n: None, .. } = *purpose else {
        let text = "CKKS of the engine plans a depth with `precision_bits`, at the degree that the \
                    planner finds";
        return Err(Refusal::unsupported(text));
    };
    let level = SecurityLevel::try_from(security)
        .map_err(|error| Refusal::new(Code::BadRequest, error.to_string()))?;
    let params =
        Params::for_precision(depth as usize, f64::from(bits), Encryption::PublicKey, level);
    let params = params.map_err(refusal)?;
    let explanation = format!(
        "scale 2^{}: {depth} squares in a row of values up to 1 keep {bits} bits behind the point",
        params.spec().scale_bits
    );
    Ok((params, Some(explanation)))
}

/// Drops the residues of one prime and keeps the scale, as the other libraries do.
fn switched(evaluator: &Evaluator, x: &Ciphertext) -> Computed<Scheme> {
    let (from, to) = (x.level(), x.level());
    let next = x.level().next().ok_or(Error::NoSuchLevel { from, to })?;
    evaluator.drop_to(x, next)
}

/// Evaluates a polynomial of degree 3 as `(c3 x + c2) x^2 + (c1 x + c0)`, in two levels.
fn polynomial<'a>(
    own: &'a Own,
    inputs: &[&'a RingItem<Scheme>],
    coefficients: &[i64],
) -> RingCall<'a, Scheme> {
    let [c0, c1, c2, c3] = coefficients[..] else {
        return Err(Refusal::unsupported("polynomials of degree 3 are evaluated here"));
    };
    let [c0, c1, c2, c3] = [c0, c1, c2, c3].map(|c| c as f64);
    own.unary(inputs, move |evaluator, x| {
        let linear = |slope: f64, constant: f64| {
            evaluator.add_scalar(&evaluator.mul_scalar(x, slope)?, constant)
        };
        let high = evaluator.mul(&linear(c3, c2)?, &evaluator.square(x)?)?;
        evaluator.add(&high, &linear(c1, c0)?)
    })
}

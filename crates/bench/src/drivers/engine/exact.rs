//! BFV and BGV of the engine.

use fathom::rlwe::exact::{
    Ciphertext, EvaluationKeys, Evaluator, Level, Multiplicand, Params, Plaintext, Preset,
    PublicKey, Rotations, RowSwap, Scheme, SecretKey,
};
use fathom::{Error, SecurityLevel};
use serde_json::json;

use super::generators::Generators;
use crate::drivers::protocol::{
    CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Noise, Numbers, ParamsInfo, ParamsRequest,
    Prepare, Purpose, Refusal, SchemeInfo,
};
use crate::drivers::served::{Served, serving};
use crate::drivers::session::{Bind, Call, Item, Session, vector_names};
use crate::ops::torus::IntegerType;

/// Standard deviation of the error in all parameter sets of the engine.
const SIGMA: f64 = fathom_security::STANDARD_ERROR_DEVIATION;

/// Returns the operations and presets of one of the two schemes.
pub(super) fn scheme<S: Scheme>(scheme: crate::ops::Scheme) -> SchemeInfo {
    SchemeInfo {
        scheme: scheme.name().into(),
        params: Preset::ALL.map(|preset| preset.name().to_owned()).to_vec(),
        ops: vector_names::<EngineSession<S>>(),
    }
}

/// Opens a session on a preset, or on parameters for a purpose.
///
/// # Errors
/// `unsupported`, `insecure` or `bad_request`.
pub(super) fn open<S: Scheme>(request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
    let (params, explanation) = choose::<S>(&request.params)?;
    let info = describe(&params, explanation);
    let session = EngineSession { params, keys: None, generators: Generators::new(request.seed) };
    Ok((serving(session, request.threads), info))
}

/// A parameter set of one scheme with its keys.
struct EngineSession<S: Scheme> {
    params: Params<S>,
    keys: Option<Keys<S>>,
    generators: Generators,
}

struct Keys<S: Scheme> {
    secret: SecretKey<S>,
    public: PublicKey<S>,
    evaluator: Evaluator<S>,
    /// Serialised size of the evaluation keys before rotation keys were added.
    relin_bytes: u64,
}

/// An encoded vector together with the transforms that sums and products use.
struct Encoded<S: Scheme> {
    plaintext: Plaintext<S>,
    multiplicand: Option<Multiplicand<S>>,
}

type EngineItem<S> = Item<Ciphertext<S>, Encoded<S>>;
type Computed<S> = Result<Ciphertext<S>, Error>;

/// An operation on one ciphertext.
trait Unary<S: Scheme>: Fn(&Evaluator<S>, &Ciphertext<S>) -> Computed<S> + Send + Sync {}
impl<S: Scheme, F> Unary<S> for F where
    F: Fn(&Evaluator<S>, &Ciphertext<S>) -> Computed<S> + Send + Sync
{
}

/// An operation on two ciphertexts.
trait Binary<S: Scheme>:
    Fn(&Evaluator<S>, &Ciphertext<S>, &Ciphertext<S>) -> Computed<S> + Send + Sync
{
}
impl<S: Scheme, F> Binary<S> for F where
    F: Fn(&Evaluator<S>, &Ciphertext<S>, &Ciphertext<S>) -> Computed<S> + Send + Sync
{
}

impl<S: Scheme> EngineSession<S> {
    fn keys(&self) -> Result<&Keys<S>, Refusal> {
        self.keys.as_ref().ok_or_else(|| Refusal::new(Code::BadRequest, "`keygen` comes first"))
    }

    /// Binds an operation on one ciphertext.
    fn unary<'a>(
        &'a self,
        inputs: &[&'a EngineItem<S>],
        call: impl Unary<S> + 'a,
    ) -> Result<Call<'a, Self>, Refusal> {
        let (evaluator, x) = (&self.keys()?.evaluator, inputs[0].ciphertext()?);
        Ok(Box::new(move || call(evaluator, x).map(Item::Ciphertext).map_err(refusal)))
    }

    /// Binds an operation on two ciphertexts.
    fn binary<'a>(
        &'a self,
        inputs: &[&'a EngineItem<S>],
        call: impl Binary<S> + 'a,
    ) -> Result<Call<'a, Self>, Refusal> {
        let y = inputs[1].ciphertext()?;
        self.unary(inputs, move |evaluator, x| call(evaluator, x, y))
    }

    /// Binds a dot product; the engine takes lists of ciphertexts, which are prepared here,
    /// untimed.
    fn dot<'a>(&'a self, inputs: &[&'a EngineItem<S>]) -> Result<Call<'a, Self>, Refusal> {
        let (left, right) = inputs.split_at(inputs.len() / 2);
        let list = |side: &[&EngineItem<S>]| {
            side.iter().map(|item| item.ciphertext().cloned()).collect::<Result<Vec<_>, _>>()
        };
        let (left, right) = (list(left)?, list(right)?);
        self.unary(inputs, move |evaluator, _| evaluator.dot(&left, &right))
    }

    fn polynomial<'a>(
        &'a self,
        inputs: &[&'a EngineItem<S>],
        coefficients: Option<&[i64]>,
    ) -> Result<Call<'a, Self>, Refusal> {
        let t = self.params.plain_modulus() as i64;
        let coefficients = coefficients.unwrap_or_default();
        let reduced: Vec<u64> = coefficients.iter().map(|c| c.rem_euclid(t) as u64).collect();
        self.unary(inputs, move |evaluator, x| evaluator.evaluate_polynomial(x, &reduced))
    }

    fn mul_plain<'a>(&'a self, inputs: &[&'a EngineItem<S>]) -> Result<Call<'a, Self>, Refusal> {
        let factor = inputs[1].plaintext()?.multiplicand.as_ref();
        let decrypted = || Refusal::new(Code::BadRequest, "a decrypted plaintext is no factor");
        let factor = factor.ok_or_else(decrypted)?;
        self.unary(inputs, move |evaluator, x| evaluator.mul_plain(x, factor))
    }

    fn add_plain<'a>(&'a self, inputs: &[&'a EngineItem<S>]) -> Result<Call<'a, Self>, Refusal> {
        let term = &inputs[1].plaintext()?.plaintext;
        self.unary(inputs, move |evaluator, x| evaluator.add_plain(x, term))
    }

    fn rotation<'a>(
        &'a self,
        inputs: &[&'a EngineItem<S>],
        steps: Option<i64>,
    ) -> Result<Call<'a, Self>, Refusal> {
        let steps = steps.unwrap_or_default();
        self.unary(inputs, move |evaluator, x| evaluator.rotate_rows(x, steps))
    }

    fn encryption<'a>(
        &'a self,
        inputs: &[&'a EngineItem<S>],
        key: KeyKind,
    ) -> Result<Call<'a, Self>, Refusal> {
        let plaintext = inputs[0].plaintext()?;
        Ok(Box::new(move || self.encrypt(plaintext, key, None).map(Item::Ciphertext)))
    }

    fn decryption<'a>(&'a self, inputs: &[&'a EngineItem<S>]) -> Result<Call<'a, Self>, Refusal> {
        let ciphertext = inputs[0].ciphertext()?;
        Ok(Box::new(move || self.decrypt(ciphertext).map(Item::Plaintext)))
    }
}

impl<S: Scheme> Session for EngineSession<S> {
    type Ciphertext = Ciphertext<S>;
    type Plaintext = Encoded<S>;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        let keys = self.generators.with(|rng| {
            let secret = SecretKey::generate(&self.params, rng);
            let public = secret.public_key(rng);
            let keys = secret.evaluation_keys(&Rotations::none(), rng).map_err(refusal)?;
            Ok((secret, public, keys))
        });
        let (secret, public, keys) = keys?;
        let relin_bytes = keys.byte_len() as u64;
        self.keys = Some(Keys { secret, public, evaluator: Evaluator::new(keys), relin_bytes });
        Ok(())
    }

    /// Generates rotation keys. The engine makes all evaluation keys in one call, so the measured
    /// time includes a second relinearisation key.
    fn generate_rotation_keys(&mut self, steps: &[i64], row_swap: bool) -> Result<(), Refusal> {
        let row_swap = if row_swap { RowSwap::With } else { RowSwap::Without };
        let rotations = Rotations { steps: steps.to_vec(), row_swap };
        let secret = &self.keys()?.secret;
        let keys: EvaluationKeys<S> =
            self.generators.with(|rng| secret.evaluation_keys(&rotations, rng).map_err(refusal))?;
        if let Some(own) = &mut self.keys {
            own.evaluator = Evaluator::new(keys);
        }
        Ok(())
    }

    fn key_bytes(&self) -> KeyBytes {
        self.keys.as_ref().map_or_else(KeyBytes::default, |keys| KeyBytes {
            sk: keys.secret.secret_byte_len() as u64,
            pk: keys.public.byte_len() as u64,
            relin: keys.relin_bytes,
            galois: keys.evaluator.keys().byte_len() as u64 - keys.relin_bytes,
            ..KeyBytes::default()
        })
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<Encoded<S>, Refusal> {
        let t = self.params.plain_modulus() as i64;
        let values: Vec<u64> = values.integers()?.iter().map(|v| v.rem_euclid(t) as u64).collect();
        let plaintext = match encoding {
            Encoding::Slots => self.params.encode(&values),
            Encoding::Coefficients => self.params.encode_coefficients(&values),
            Encoding::Integer(ty) => return Err(no_integers(ty)),
        };
        let mut plaintext = plaintext.map_err(refusal)?;
        plaintext.prepare_sums(self.params.top_level()).map_err(refusal)?;
        let multiplicand = Some(plaintext.to_multiplicand());
        Ok(Encoded { plaintext, multiplicand })
    }

    fn decode(&self, plaintext: &Encoded<S>, encoding: Encoding) -> Result<Numbers, Refusal> {
        let values = match encoding {
            Encoding::Slots => plaintext.plaintext.slots().map_err(refusal)?,
            Encoding::Coefficients => plaintext.plaintext.coefficients().to_vec(),
            Encoding::Integer(ty) => return Err(no_integers(ty)),
        };
        Ok(values.into_iter().map(|v| v as i64).collect::<Vec<_>>().into())
    }

    fn encrypt(
        &self,
        plaintext: &Encoded<S>,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<Ciphertext<S>, Refusal> {
        let keys = self.keys()?;
        let top = self.params.top_level();
        let level = level.map_or(top, |level| Level::new(level as usize));
        let plaintext = &plaintext.plaintext;
        let fresh = self.generators.with(|rng| match key {
            KeyKind::Sk => keys.secret.encrypt_at(plaintext, level, rng).map_err(refusal),
            KeyKind::Pk => keys.public.encrypt(plaintext, rng).map_err(refusal),
        })?;
        if fresh.level() == level {
            return Ok(fresh);
        }
        keys.evaluator.mod_switch_to(&fresh, level).map_err(refusal)
    }

    fn decrypt(&self, ciphertext: &Ciphertext<S>) -> Result<Encoded<S>, Refusal> {
        let plaintext = self.keys()?.secret.decrypt(ciphertext).map_err(refusal)?;
        Ok(Encoded { plaintext, multiplicand: None })
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        vec![
            ("encrypt_pk", |own, x, _| own.encryption(x, KeyKind::Pk)),
            ("encrypt_sk", |own, x, _| own.encryption(x, KeyKind::Sk)),
            ("decrypt", |own, x, _| own.decryption(x)),
            ("add", |own, x, _| own.binary(x, Evaluator::add)),
            ("sub", |own, x, _| own.binary(x, Evaluator::sub)),
            ("neg", |own, x, _| own.unary(x, Evaluator::neg)),
            ("mul", |own, x, _| own.binary(x, Evaluator::mul)),
            ("mul_switch", |own, x, _| own.binary(x, Evaluator::mul)),
            ("mul_no_relin", |own, x, _| own.binary(x, Evaluator::tensor)),
            ("mul_plain", |own, x, _| own.mul_plain(x)),
            ("add_plain", |own, x, _| own.add_plain(x)),
            ("square", |own, x, _| own.unary(x, Evaluator::square)),
            ("relin", |own, x, _| own.unary(x, Evaluator::relinearize)),
            ("rotate", |own, x, args| own.rotation(x, args.steps)),
            ("rotate_sum", |own, x, _| own.unary(x, Evaluator::sum_slots)),
            ("dot", |own, x, _| own.dot(x)),
            ("dot_slots", |own, x, _| {
                own.binary(x, |evaluator, x, y| evaluator.sum_slots(&evaluator.mul(x, y)?))
            }),
            ("polynomial", |own, x, args| own.polynomial(x, args.coefficients.as_deref())),
            ("mod_switch", |own, x, _| own.unary(x, switched)),
        ]
    }

    fn ciphertext_bytes(&self, ciphertext: &Ciphertext<S>) -> CiphertextBytes {
        let bits = self.params.log2_modulus(ciphertext.level());
        let coefficients = (ciphertext.component_count() * self.params.degree()) as f64;
        let length = ciphertext.byte_len() as u64;
        // A negated ciphertext has the same size and no seed.
        let packed = self.keys.as_ref().filter(|_| ciphertext.is_seeded()).and_then(|keys| {
            keys.evaluator.neg(ciphertext).ok().map(|full| full.byte_len() as u64)
        });
        CiphertextBytes {
            packed: packed.unwrap_or(length),
            seeded: ciphertext.is_seeded().then_some(length),
            theory: (coefficients * bits / 8.0).ceil() as u64,
        }
    }

    fn level(&self, ciphertext: &Ciphertext<S>) -> Option<u32> {
        Some(ciphertext.level().get() as u32)
    }

    fn noise(&self, ciphertext: &Ciphertext<S>) -> Noise {
        let secret = self.keys.as_ref().map(|keys| &keys.secret);
        Noise {
            measured_budget_bits: secret.and_then(|secret| {
                // The harness compares the results.
                let clear = secret.decrypt(ciphertext).ok()?;
                secret.debug_noise_budget_bits(ciphertext, &clear).ok()
            }),
            tracked_budget_bits: Some(ciphertext.noise_budget_bits()),
        }
    }
}

/// Switches to the next level.
fn switched<S: Scheme>(evaluator: &Evaluator<S>, x: &Ciphertext<S>) -> Computed<S> {
    let (from, to) = (x.level(), x.level());
    let next = x.level().next().ok_or(Error::NoSuchLevel { from, to })?;
    evaluator.mod_switch_to(x, next)
}

fn choose<S: Scheme>(request: &ParamsRequest) -> Result<(Params<S>, Option<String>), Refusal> {
    match request {
        ParamsRequest::Preset { preset } => {
            let found = Preset::by_name(preset).ok_or_else(|| {
                let message = format!("the engine has no preset {preset}");
                Refusal::new(Code::Unsupported, message)
            })?;
            Ok((Params::<S>::preset(found).map_err(refusal)?, None))
        }
        ParamsRequest::For(purpose) => for_purpose(purpose),
    }
}

/// Chooses parameters with the planner, the engine's default, which also chooses the ring degree.
fn for_purpose<S: Scheme>(purpose: &Purpose) -> Result<(Params<S>, Option<String>), Refusal> {
    let modulus = purpose
        .plain_modulus
        .ok_or_else(|| Refusal::new(Code::BadRequest, "an exact scheme needs `plain_modulus`"))?;
    let level = SecurityLevel::try_from(purpose.security)
        .map_err(|e| Refusal::new(Code::BadRequest, e.to_string()))?;
    let plan = Params::for_depth(purpose.depth as usize, modulus, level).map_err(refusal)?;
    let params = plan.params().clone();
    match purpose.n {
        Some(n) if n != params.degree() => Err(Refusal::unsupported(format!(
            "the planner takes degree {} for this purpose and cannot be made to take {n}",
            params.degree()
        ))),
        _ => Ok((params, Some(plan.explanation()))),
    }
}

fn describe<S: Scheme>(params: &Params<S>, explanation: Option<String>) -> ParamsInfo {
    let secret = match params.spec().secret_weight {
        Some(weight) => format!("sparse_ternary:{weight}"),
        None => "ternary".into(),
    };
    let levels = params.top_level();
    ParamsInfo {
        name: params.name().to_owned(),
        n: params.degree(),
        log_q: tenth(params.log2_modulus(levels)),
        log_qp: tenth(params.log2_largest_modulus()),
        plain_modulus: params.plain_modulus(),
        scale_bits: None,
        slots: params.slot_count(),
        levels: levels.get() as u32,
        secret,
        sigma: SIGMA,
        depth: levels.get() as u32,
        p_fail_log2: Some(params.spec().failure_log2),
        explanation,
        character: None,
        torus: None,
    }
}

fn no_integers(ty: IntegerType) -> Refusal {
    Refusal::unsupported(format!("vectors of residues hold no {ty}"))
}

fn tenth(bits: f64) -> f64 {
    (bits * 100.0).round() / 100.0
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
fn refusal(error: Error) -> Refusal {
    let code = match &error {
        Error::NoiseExhausted { .. } => Code::NoiseExhausted,
        Error::Insecure(_) => Code::Insecure,
        Error::NoSuchLevel { .. } | Error::NoSlots { .. } | Error::Spec { .. } => Code::Unsupported,
        Error::LevelMismatch { .. }
        | Error::Components { .. }
        | Error::ParamsMismatch { .. }
        | Error::TooManyValues { .. }
        | Error::ValueOutOfRange { .. }
        | Error::Shape { .. }
        | Error::ListLength { .. } => Code::BadRequest,
        Error::MissingRelinearizationKey
        | Error::MissingGaloisKey { .. }
        | Error::Transparent { .. }
        | Error::Ring(_)
        | _ => Code::Internal,
    };
    let mut details = serde_json::Value::Null;
    if let Error::NoiseExhausted { level, needed_bits, left_bits, .. } = &error {
        details =
            json!({ "level": level.get(), "needed_bits": needed_bits, "left_bits": left_bits });
    }
    Refusal { code, message: error.to_string(), details }
}

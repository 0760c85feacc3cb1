//! Sessions of the ring schemes: what BFV, BGV, CKKS and wide integers have in common.

use fathom::rlwe::{
    Ciphertext, EvaluationKeys, Evaluator, Level, Mapped, Params, PublicKey, Rotations, RowSwap,
    Scheme, SecretKey,
};
use fathom::wire::WireObject;
use fathom::{Error, SecretRng};
use fathom_verbs::{ring_verbs, slot_verbs};

use super::generators::Generators;
use crate::ops;
use crate::protocol::{
    CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Noise, Numbers, ParamsInfo, Prepare,
    Refusal, SchemeInfo,
};
use crate::refusal::refusal;
use crate::served::{Served, serving};
use crate::session::{Bind, Call, Item, ItemOf, Session, vector_names};

/// Standard deviation of the error in all parameter sets of the engine.
pub(super) const SIGMA: f64 = fathom_security::STANDARD_ERROR_DEVIATION;

/// A ring scheme with its names, encodings and operations in the protocol.
pub(super) trait Coded: Scheme {
    /// The name in requests.
    const SCHEME: ops::Scheme;
    /// A message prepared for sums and products.
    type Prepared: Send + Sync;

    /// Returns the names of the presets.
    fn presets() -> Vec<String>;

    /// Chooses parameters, and says why if it had a choice.
    fn choose(request: &Prepare) -> Result<(Params<Self>, Option<String>), Refusal>;

    /// Describes parameters; the fields that all schemes share are filled in by the session.
    fn describe(params: &Params<Self>, common: ParamsInfo) -> ParamsInfo;

    /// Encodes the numbers of a request.
    fn read(
        params: &Params<Self>,
        values: &Numbers,
        encoding: Encoding,
    ) -> Result<Encoded<Self>, Refusal>;

    /// Returns the numbers for a reply.
    fn write(message: &Self::Plaintext, encoding: Encoding) -> Result<Numbers, Refusal>;

    /// Returns the part of a prepared message that products take.
    fn factor(prepared: &Self::Prepared) -> &Self::Factor;

    /// Generates all evaluation keys, those for rotations among them.
    fn evaluation_keys(
        secret: &SecretKey<Self>,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<EvaluationKeys<Self>, Refusal>;

    /// Adds a message.
    fn plus(
        evaluator: &Evaluator<Self>,
        x: &Ciphertext<Self>,
        term: &Encoded<Self>,
    ) -> Computed<Self> {
        evaluator.add_plain(x, &term.message)
    }

    /// Returns the noise budget, measured and by the bound.
    fn noise(secret: Option<&SecretKey<Self>>, x: &Ciphertext<Self>) -> Noise;

    /// Returns the operations beyond those of [`RingSession`].
    fn vectors() -> Vec<(&'static str, Bind<RingSession<Self>>)>;
}

/// Returns the operations and presets of a scheme.
pub(super) fn scheme<S: Coded>() -> SchemeInfo {
    SchemeInfo {
        scheme: S::SCHEME.name().into(),
        params: S::presets(),
        ops: vector_names::<RingSession<S>>(),
    }
}

/// Opens a session on a preset, or on parameters for a purpose.
///
/// # Errors
/// `unsupported`, `insecure` or `bad_request`.
pub(super) fn open<S: Coded>(request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
    let (params, explanation) = S::choose(request)?;
    let info = described(&params, explanation);
    let session = RingSession { params, keys: None, generators: Generators::new(request.seed) };
    Ok((serving(session, request.threads), info))
}

/// Describes parameters as sessions report them.
pub(super) fn described<S: Coded>(params: &Params<S>, explanation: Option<String>) -> ParamsInfo {
    let levels = params.top_level();
    let common = ParamsInfo {
        name: params.name().to_owned(),
        n: params.degree(),
        log_q: hundredth(params.log2_modulus(levels).expect("the top level is a level of its set")),
        log_qp: hundredth(params.log2_largest_modulus()),
        plain_modulus: 0,
        scale_bits: None,
        word_bits: None,
        slots: 1,
        levels: levels.get() as u32,
        secret: "ternary".into(),
        sigma: SIGMA,
        depth: levels.get() as u32,
        p_fail_log2: None,
        explanation,
        character: None,
        torus: None,
    };
    S::describe(params, common)
}

/// A parameter set of one scheme with its keys.
pub(super) struct RingSession<S: Coded> {
    pub(super) params: Params<S>,
    keys: Option<Keys<S>>,
    generators: Generators,
}

struct Keys<S: Coded> {
    secret: SecretKey<S>,
    public: PublicKey<S>,
    evaluator: Evaluator<S>,
    /// Serialised size of the evaluation keys before rotation keys were added.
    relin_bytes: u64,
}

/// A message together with the transforms that sums and products use; a decrypted one has none.
pub(super) struct Encoded<S: Coded> {
    pub(super) message: S::Plaintext,
    pub(super) prepared: Option<S::Prepared>,
}

pub(super) type RingItem<S> = ItemOf<RingSession<S>>;
pub(super) type RingCall<'a, S> = Result<Call<'a, RingSession<S>>, Refusal>;
pub(super) type Computed<S> = Result<Ciphertext<S>, Error>;

impl<S: Coded> RingSession<S> {
    /// Returns the evaluator with the keys of the session.
    pub(super) fn evaluator(&self) -> Result<&Evaluator<S>, Refusal> {
        Ok(&self.keys()?.evaluator)
    }

    fn keys(&self) -> Result<&Keys<S>, Refusal> {
        self.keys.as_ref().ok_or_else(|| Refusal::new(Code::BadRequest, "`keygen` comes first"))
    }

    /// Binds an operation on one ciphertext.
    pub(super) fn unary<'a>(
        &'a self,
        inputs: &[&'a RingItem<S>],
        call: impl Fn(&Evaluator<S>, &Ciphertext<S>) -> Computed<S> + Send + Sync + 'a,
    ) -> RingCall<'a, S> {
        let (evaluator, x) = (&self.keys()?.evaluator, inputs[0].ciphertext()?);
        Ok(Box::new(move || call(evaluator, x).map(Item::Ciphertext).map_err(refusal)))
    }

    /// Binds an operation on two ciphertexts.
    pub(super) fn binary<'a, F>(&'a self, inputs: &[&'a RingItem<S>], call: F) -> RingCall<'a, S>
    where
        F: Fn(&Evaluator<S>, &Ciphertext<S>, &Ciphertext<S>) -> Computed<S> + Send + Sync + 'a,
    {
        let y = inputs[1].ciphertext()?;
        self.unary(inputs, move |evaluator, x| call(evaluator, x, y))
    }

    /// Binds a dot product; the engine takes lists of ciphertexts, which are prepared here,
    /// untimed.
    fn dot<'a>(&'a self, inputs: &[&'a RingItem<S>]) -> RingCall<'a, S> {
        let (left, right) = inputs.split_at(inputs.len() / 2);
        let list = |side: &[&RingItem<S>]| {
            side.iter().map(|item| item.ciphertext().cloned()).collect::<Result<Vec<_>, _>>()
        };
        let (left, right) = (list(left)?, list(right)?);
        self.unary(inputs, move |evaluator, _| evaluator.dot(&left, &right))
    }

    /// Returns the factor that an encoded operand is.
    pub(super) fn factor(input: &RingItem<S>) -> Result<&S::Factor, Refusal> {
        let decrypted = || Refusal::new(Code::BadRequest, "a decrypted plaintext is no factor");
        input.plaintext()?.prepared.as_ref().map(S::factor).ok_or_else(decrypted)
    }

    /// Binds an operation on one ciphertext and an argument.
    pub(super) fn with<'a, T, F>(
        &'a self,
        inputs: &[&'a RingItem<S>],
        argument: T,
        call: F,
    ) -> RingCall<'a, S>
    where
        T: Clone + Send + Sync + 'a,
        F: Fn(&Evaluator<S>, &Ciphertext<S>, T) -> Computed<S> + Send + Sync + 'a,
    {
        self.unary(inputs, move |evaluator, x| call(evaluator, x, argument.clone()))
    }

    fn add_plain<'a>(&'a self, inputs: &[&'a RingItem<S>]) -> RingCall<'a, S> {
        let term = inputs[1].plaintext()?;
        self.unary(inputs, move |evaluator, x| S::plus(evaluator, x, term))
    }

    fn encryption<'a>(&'a self, inputs: &[&'a RingItem<S>], key: KeyKind) -> RingCall<'a, S> {
        let plaintext = inputs[0].plaintext()?;
        Ok(Box::new(move || self.encrypt(plaintext, key, None).map(Item::Ciphertext)))
    }

    fn decryption<'a>(&'a self, inputs: &[&'a RingItem<S>]) -> RingCall<'a, S> {
        let ciphertext = inputs[0].ciphertext()?;
        Ok(Box::new(move || self.decrypt(ciphertext).map(Item::Plaintext)))
    }
}

/// Appends the operations of the driver protocol among the verbs of a macro of `fathom_verbs`: an
/// arm for each kind of operands. `add_plain`, switches of levels and polynomials differ between
/// schemes and are bound by name.
macro_rules! bind {
    ($list:ident: $($name:ident($takes:ident) {
        call: $call:expr,
        clear: $clear:ident,
        numbers: $numbers:expr,
        keys: $keys:expr,
        cost: $cost:expr,
        driver: $driver:expr,
        meaning: $meaning:expr,
    })*) => {
        $($list.extend(announced($driver, bind!($takes $call)));)*
    };
    (One $call:expr) => { Some(binding(|own, x, _| own.unary(x, $call))) };
    (Product $call:expr) => { Some(binding(|own, x, _| own.unary(x, $call))) };
    (Unscaled $call:expr) => { Some(binding(|own, x, _| own.unary(x, $call))) };
    (Pair $call:expr) => { Some(binding(|own, x, _| own.binary(x, $call))) };
    (Factor $call:expr) => {
        Some(binding(|own, x, _| own.with(x, RingSession::factor(x[1])?, $call)))
    };
    (Steps $call:expr) => {
        Some(binding(|own, x, args| own.with(x, args.steps.unwrap_or_default(), $call)))
    };
    (Numbers $call:expr) => {
        Some(binding(|own, x, args| {
            let listed = args.coefficients.iter().flatten();
            let numbers = listed.map(|&number| i32::try_from(number).map(Into::into));
            let numbers = numbers.collect::<Result<std::sync::Arc<[_]>, _>>();
            let wide = |error| Refusal::new(Code::BadRequest, format!("a coefficient: {error}"));
            own.with(x, numbers.map_err(wide)?, $call)
        }))
    };
    ($other:ident $call:expr) => { None };
}

pub(super) use bind;

/// Returns the name of an operation of the protocol with its binding.
pub(super) fn announced<S: Coded>(
    driver: Option<&'static str>,
    bind: Option<Bind<RingSession<S>>>,
) -> Option<(&'static str, Bind<RingSession<S>>)> {
    driver.zip(bind)
}

/// Returns a closure as the binding of an operation.
pub(super) fn binding<S: Coded>(bind: Bind<RingSession<S>>) -> Bind<RingSession<S>> {
    bind
}

/// Returns the operations of all schemes with slots.
pub(super) fn slotted<S: Coded + Mapped>() -> Vec<(&'static str, Bind<RingSession<S>>)> {
    let mut vectors: Vec<(&'static str, Bind<RingSession<S>>)> =
        vec![("dot_slots", |own, x, _| {
            own.binary(x, |evaluator, x, y| evaluator.sum_slots(&evaluator.mul(x, y)?))
        })];
    slot_verbs!(bind vectors:);
    vectors
}

impl<S: Coded> Session for RingSession<S> {
    type Ciphertext = Ciphertext<S>;
    type Plaintext = Encoded<S>;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        let keys = self.generators.with(|rng| {
            let secret = SecretKey::generate(&self.params, rng);
            let public = secret.public_key(rng);
            let keys = S::evaluation_keys(&secret, &Rotations::none(), rng)?;
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
            self.generators.with(|rng| S::evaluation_keys(secret, &rotations, rng))?;
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
        S::read(&self.params, values, encoding)
    }

    fn decode(&self, plaintext: &Encoded<S>, encoding: Encoding) -> Result<Numbers, Refusal> {
        S::write(&plaintext.message, encoding)
    }

    fn encrypt(
        &self,
        plaintext: &Encoded<S>,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<Ciphertext<S>, Refusal> {
        let keys = self.keys()?;
        let level = level.map_or(self.params.top_level(), |level| Level::new(level as usize));
        let message = &plaintext.message;
        let fresh = self.generators.with(|rng| match key {
            KeyKind::Sk => keys.secret.encrypt_at(message, level, rng).map_err(refusal),
            KeyKind::Pk => keys.public.encrypt(message, rng).map_err(refusal),
        })?;
        if fresh.level() == level {
            return Ok(fresh);
        }
        keys.evaluator.mod_switch_to(&fresh, level).map_err(refusal)
    }

    fn decrypt(&self, ciphertext: &Ciphertext<S>) -> Result<Encoded<S>, Refusal> {
        let message = self.keys()?.secret.decrypt(ciphertext).map_err(refusal)?;
        Ok(Encoded { message, prepared: None })
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        let mut vectors: Vec<(&'static str, Bind<Self>)> = vec![
            ("encrypt_pk", |own, x, _| own.encryption(x, KeyKind::Pk)),
            ("encrypt_sk", |own, x, _| own.encryption(x, KeyKind::Sk)),
            ("decrypt", |own, x, _| own.decryption(x)),
            ("mul_switch", |own, x, _| own.binary(x, Evaluator::mul)),
            ("add_plain", |own, x, _| own.add_plain(x)),
            ("dot", |own, x, _| own.dot(x)),
        ];
        ring_verbs!(bind vectors:);
        vectors.extend(S::vectors());
        vectors
    }

    fn ciphertext_bytes(&self, ciphertext: &Ciphertext<S>) -> CiphertextBytes {
        let bits = self.params.log2_modulus(ciphertext.level());
        let bits = bits.expect("a ciphertext has a level of its set");
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
        S::noise(self.keys.as_ref().map(|keys| &keys.secret), ciphertext)
    }
}

fn hundredth(bits: f64) -> f64 {
    (bits * 100.0).round() / 100.0
}

/// Returns the refusal of a preset that a scheme lacks.
pub(super) fn no_preset(scheme: ops::Scheme, preset: &str) -> Refusal {
    Refusal::unsupported(format!("the engine has no preset {preset} of {}", scheme.name()))
}

/// Returns the refusal of an encoding that a scheme lacks.
pub(super) fn no_encoding(encoding: Encoding) -> Refusal {
    Refusal::unsupported(format!("there are no values in the encoding {}", String::from(encoding)))
}

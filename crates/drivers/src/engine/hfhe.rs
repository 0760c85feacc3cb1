//! The engine's HFHE behind the driver protocol: one value per ciphertext, in four forms.
//!
//! | parameters | ciphertexts | sizes reported |
//! |---|---|---|
//! | `native` | native mode | Fathom's format |
//! | `compat` | compatible mode, decoys generated at serialisation | Fathom's format |
//! | `compat-decoys` | compatible mode, every decoy generated at once | the reference's format |
//! | `compat-unmerged` | all layers, edges and decoys of the reference | the reference's format |
//!
//! Values are exact modulo `2^127 - 1`. The inputs of suites are small enough that every result is
//! an integer below `2^126`, so results are returned modulo [`CLEAR_MODULUS`].

mod form;
mod plain;
mod stored;

use std::sync::{Mutex, PoisonError};

use fathom::SecretRng;
use fathom_hfhe::compat::Compat;
use fathom_hfhe::native::Native;
use fathom_hfhe::{Error, Fp};

use form::Form;
use plain::Plain;
use stored::{Decoys, Unmerged};

use crate::ops::Scheme;
use crate::protocol::{
    Character, CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Numbers, ParamsInfo,
    ParamsRequest, Prepare, Refusal, SECRET_KEY, SchemeInfo,
};
use crate::served::{Served, serving};
use crate::session::{Bind, Call, Item, Session, vector_names};

/// Modulus of clear values: a prime below `2^20`, so that the product of six values is still an
/// exact integer.
const CLEAR_MODULUS: u64 = 1_048_573;

pub(super) fn scheme() -> SchemeInfo {
    SchemeInfo {
        scheme: Scheme::Hfhe.name().into(),
        params: [Plain::<Native>::NAME, Plain::<Compat>::NAME, Decoys::NAME, Unmerged::NAME]
            .map(Into::into)
            .into(),
        ops: vector_names::<HfheSession<Plain<Native>>>(),
    }
}

pub(super) fn open(request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
    let ParamsRequest::Preset { preset } = &request.params else {
        return Err(Refusal::new(Code::Unsupported, "HFHE has no depth to choose parameters for"));
    };
    match preset.as_str() {
        Plain::<Native>::NAME => Ok(start::<Plain<Native>>(request)),
        Plain::<Compat>::NAME => Ok(start::<Plain<Compat>>(request)),
        Decoys::NAME => Ok(start::<Decoys>(request)),
        Unmerged::NAME => Ok(start::<Unmerged>(request)),
        other => {
            let message = format!("HFHE has no parameters {other}");
            Err(Refusal::new(Code::Unsupported, message))
        }
    }
}

fn start<F: Form>(request: &Prepare) -> (Box<dyn Served>, ParamsInfo) {
    let session = HfheSession::<F> { key: None, generators: Mutex::default(), seed: request.seed };
    (serving(session, request.threads), describe(F::NAME, F::ASSUMPTION))
}

fn describe(name: &str, assumption: &str) -> ParamsInfo {
    ParamsInfo {
        name: name.into(),
        n: 1,
        log_q: 127.0,
        log_qp: 127.0,
        plain_modulus: CLEAR_MODULUS,
        scale_bits: None,
        word_bits: None,
        slots: 1,
        levels: 0,
        secret: "uniform".into(),
        sigma: 0.0,
        depth: 0,
        p_fail_log2: None,
        explanation: None,
        character: Some(Character {
            semantics: "exact_mod_2^127-1".into(),
            assumption: assumption.into(),
            badge: "experimental".into(),
            keys: SECRET_KEY.into(),
            compact: false,
        }),
        torus: None,
    }
}

/// A key and its ciphertexts.
struct HfheSession<F: Form> {
    key: Option<F::Key>,
    /// Unused generators; each call takes a fresh one derived from one of them.
    generators: Mutex<Vec<SecretRng>>,
    seed: Option<u64>,
}

type HfheItem<F> = Item<<F as Form>::Ciphertext, Fp>;

impl<F: Form> HfheSession<F> {
    fn key(&self) -> Result<&F::Key, Refusal> {
        self.key.as_ref().ok_or_else(|| Refusal::new(Code::BadRequest, "`keygen` comes first"))
    }

    /// Returns a generator for one call. A seeded session draws the seeds of consecutive calls.
    fn generator(&self) -> Result<SecretRng, Refusal> {
        let Some(seed) = self.seed else {
            return SecretRng::from_os().map_err(|e| Refusal::new(Code::Internal, e.to_string()));
        };
        let mut pool = self.generators.lock().unwrap_or_else(PoisonError::into_inner);
        let mut source = pool.pop().unwrap_or_else(|| SecretRng::insecure_from_seed(seed));
        let own = SecretRng::insecure_from_seed(source.next_word());
        pool.push(source);
        Ok(own)
    }

    fn product(&self, x: &F::Ciphertext, y: &F::Ciphertext) -> Result<F::Ciphertext, Refusal> {
        F::mul(self.key()?, [x, y], self.generator()?).map_err(refusal)
    }

    fn squared(&self, x: &F::Ciphertext) -> Result<F::Ciphertext, Refusal> {
        F::square(self.key()?, x, self.generator()?).map_err(refusal)
    }

    /// Binds an operation on ciphertexts.
    fn call<'a>(
        work: impl Fn() -> Result<F::Ciphertext, Refusal> + Send + Sync + 'a,
    ) -> Call<'a, Self> {
        Box::new(move || work().map(Item::Ciphertext))
    }

    /// Binds an operation on two ciphertexts.
    fn pair<'a>(
        &'a self,
        inputs: &[&'a HfheItem<F>],
        work: impl Fn(&Self, &F::Ciphertext, &F::Ciphertext) -> Result<F::Ciphertext, Refusal>
        + Send
        + Sync
        + 'a,
    ) -> Result<Call<'a, Self>, Refusal> {
        let (x, y) = (inputs[0].ciphertext()?, inputs[1].ciphertext()?);
        Ok(Self::call(move || work(self, x, y)))
    }

    fn add_plain<'a>(&'a self, inputs: &[&'a HfheItem<F>]) -> Result<Call<'a, Self>, Refusal> {
        let (x, constant) = (inputs[0].ciphertext()?, inputs[1].plaintext()?);
        let encrypted = self.encrypt(constant, KeyKind::Sk, None)?;
        Ok(Self::call(move || F::add_scalar(x, *constant, &encrypted).map_err(refusal)))
    }

    fn dot<'a>(&'a self, inputs: &[&'a HfheItem<F>]) -> Result<Call<'a, Self>, Refusal> {
        let ciphertexts: Vec<&F::Ciphertext> =
            inputs.iter().map(|item| item.ciphertext()).collect::<Result<_, _>>()?;
        let half = ciphertexts.len() / 2;
        Ok(Self::call(move || {
            let (left, right) = ciphertexts.split_at(half);
            let mut products = left.iter().zip(right).map(|(x, y)| self.product(x, y));
            let first = products.next().ok_or_else(no_operands)??;
            products.try_fold(first, |sum, product| F::add(&sum, &product?).map_err(refusal))
        }))
    }

    /// Computes the powers one after another and scales each, as the published comparison does.
    fn polynomial<'a>(
        &'a self,
        x: &'a F::Ciphertext,
        coefficients: &'a [i64],
    ) -> Result<Call<'a, Self>, Refusal> {
        let (&constant, rest) = coefficients.split_first().ok_or_else(no_operands)?;
        let constant = Fp::from(constant);
        let encrypted = F::encrypt(self.key()?, constant, self.generator()?).map_err(refusal)?;
        Ok(Self::call(move || {
            let mut power = x.clone();
            let mut sum: Option<F::Ciphertext> = None;
            for (i, &coefficient) in rest.iter().enumerate() {
                if i > 0 {
                    power = self.product(&power, x)?;
                }
                let term = F::mul_scalar(&power, Fp::from(coefficient));
                sum = Some(match sum {
                    Some(sum) => F::add(&sum, &term).map_err(refusal)?,
                    None => term,
                });
            }
            let sum = sum.ok_or_else(no_operands)?;
            F::add_scalar(&sum, constant, &encrypted).map_err(refusal)
        }))
    }
}

impl<F: Form> Session for HfheSession<F> {
    type Ciphertext = F::Ciphertext;
    type Plaintext = Fp;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        self.key = Some(F::generate(&mut self.generator()?).map_err(refusal)?);
        Ok(())
    }

    fn key_bytes(&self) -> KeyBytes {
        self.key.as_ref().map_or_else(KeyBytes::default, F::key_bytes)
    }

    fn encode(&self, values: &Numbers, _: Encoding) -> Result<Fp, Refusal> {
        match values.integers()? {
            [] => Ok(Fp::ZERO),
            [value] => Ok(Fp::from(*value)),
            _ => Err(Refusal::new(Code::BadRequest, "a ciphertext holds one value")),
        }
    }

    fn decode(&self, plaintext: &Fp, _: Encoding) -> Result<Numbers, Refusal> {
        Ok(vec![plaintext.to_signed().rem_euclid(CLEAR_MODULUS.into()) as i64].into())
    }

    fn encrypt(&self, value: &Fp, key: KeyKind, _: Option<u32>) -> Result<F::Ciphertext, Refusal> {
        match key {
            KeyKind::Sk => F::encrypt(self.key()?, *value, self.generator()?).map_err(refusal),
            KeyKind::Pk => Err(unsupported("public-key encryption")),
        }
    }

    fn decrypt(&self, ciphertext: &F::Ciphertext) -> Result<Fp, Refusal> {
        F::decrypt(self.key()?, ciphertext).map_err(refusal)
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        vec![
            ("encrypt_sk", |own, x, _| {
                let value = x[0].plaintext()?;
                Ok(Self::call(move || own.encrypt(value, KeyKind::Sk, None)))
            }),
            ("decrypt", |own, x, _| {
                let x = x[0].ciphertext()?;
                Ok(Box::new(move || own.decrypt(x).map(Item::Plaintext)))
            }),
            ("add", |own, x, _| own.pair(x, |_, x, y| F::add(x, y).map_err(refusal))),
            ("sub", |own, x, _| {
                own.pair(x, |_, x, y| F::add(x, &F::mul_scalar(y, -Fp::ONE)).map_err(refusal))
            }),
            ("neg", |_, x, _| {
                let x = x[0].ciphertext()?;
                Ok(Self::call(move || Ok(F::mul_scalar(x, -Fp::ONE))))
            }),
            ("mul", |own, x, _| own.pair(x, Self::product)),
            ("mul_switch", |own, x, _| own.pair(x, Self::product)),
            ("square", |own, x, _| {
                let x = x[0].ciphertext()?;
                Ok(Self::call(move || own.squared(x)))
            }),
            ("mul_plain", |_, x, _| {
                let (x, factor) = (x[0].ciphertext()?, x[1].plaintext()?);
                Ok(Self::call(move || Ok(F::mul_scalar(x, *factor))))
            }),
            ("add_plain", |own, x, _| own.add_plain(x)),
            ("dot", |own, x, _| own.dot(x)),
            ("polynomial", |own, x, args| {
                own.polynomial(x[0].ciphertext()?, args.coefficients.as_deref().unwrap_or(&[]))
            }),
        ]
    }

    fn ciphertext_bytes(&self, ciphertext: &F::Ciphertext) -> CiphertextBytes {
        F::bytes(ciphertext)
    }
}

fn unsupported(what: &str) -> Refusal {
    Refusal::new(Code::Unsupported, format!("HFHE has no {what}"))
}

fn no_operands() -> Refusal {
    Refusal::new(Code::BadRequest, "there is nothing to compute on")
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
fn refusal(error: Error) -> Refusal {
    let is_too_large = matches!(error, Error::TooLarge { .. });
    let code = if is_too_large { Code::Unsupported } else { Code::Internal };
    Refusal::new(code, error.to_string())
}

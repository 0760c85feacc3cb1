//! A library without encryption: arithmetic on clear vectors, marked `plain` in every record.
//!
//! It exists to test the harness, and it keeps a noise budget so that exhaustion of the budget can
//! be tested too. The `fathom` command never offers it.

use super::library::Library;
use super::protocol::{
    Args, CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, LibraryInfo, Noise, Numbers,
    ParamsInfo, ParamsRequest, Prepare, Refusal, SchemeInfo,
};
use super::served::{Served, serving};
use super::session::{Bind, Call, Item, ItemOf, Session, vector_names};
use crate::ops::Scheme;

/// Ring degree of every session.
const DEGREE: usize = 64;
/// Noise budget of a fresh ciphertext and cost of a product, in bits.
const FRESH_BITS: f64 = 60.0;
const PRODUCT_BITS: f64 = 10.0;

/// The library; it has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// A session: a plaintext modulus and a number of levels.
#[derive(Clone, Debug)]
pub struct PlainSession {
    modulus: u64,
    levels: u32,
    rotation_keys: usize,
    has_keys: bool,
}

/// A clear polynomial of residues, in slot or coefficient form, with a noise budget.
#[derive(Clone, Debug)]
pub struct PlainVector {
    values: Vec<u64>,
    encoding: Encoding,
    level: u32,
    budget_bits: f64,
    relinearized: bool,
}

impl Library for Plain {
    fn info(&self) -> LibraryInfo {
        LibraryInfo {
            name: "plain".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            build: "clear arithmetic, no encryption".into(),
            isa_used: "none".into(),
        }
    }

    fn schemes(&self) -> Vec<SchemeInfo> {
        [Scheme::Bfv, Scheme::Bgv]
            .map(|scheme| SchemeInfo {
                scheme: scheme.name().into(),
                params: ["e1", "e1d2", "e2", "e1-t786433", "e-t2013265921"].map(Into::into).into(),
                ops: vector_names::<PlainSession>(),
            })
            .into()
    }

    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
        let (name, modulus) = match &request.params {
            ParamsRequest::Preset { preset } => {
                let tail = preset.rsplit_once("-t").and_then(|(_, t)| t.parse().ok());
                (preset.clone(), tail.unwrap_or(65537))
            }
            ParamsRequest::For(purpose) => {
                (format!("d{}", purpose.depth), purpose.plain_modulus.unwrap_or(0))
            }
        };
        let known =
            self.schemes().iter().any(|s| s.params.contains(&name) || name.starts_with('d'));
        if !known || modulus < 2 {
            return Err(Refusal::new(Code::Unsupported, format!("no parameters `{name}`")));
        }
        let levels = if name == "e2" { 5 } else { 2 };
        let info = ParamsInfo {
            name,
            n: DEGREE,
            log_q: 64.0,
            log_qp: 70.0,
            plain_modulus: modulus,
            scale_bits: None,
            word_bits: None,
            slots: DEGREE,
            levels,
            secret: "ternary".into(),
            sigma: 3.19,
            depth: levels,
            p_fail_log2: None,
            explanation: None,
            character: None,
            torus: None,
        };
        let session = PlainSession { modulus, levels, rotation_keys: 0, has_keys: false };
        Ok((serving(session, request.threads), info))
    }
}

impl Session for PlainSession {
    type Ciphertext = PlainVector;
    type Plaintext = PlainVector;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        (self.has_keys, self.rotation_keys) = (true, 0);
        Ok(())
    }

    fn generate_rotation_keys(&mut self, steps: &[i64], row_swap: bool) -> Result<(), Refusal> {
        self.rotation_keys = steps.len() + usize::from(row_swap);
        Ok(())
    }

    fn key_bytes(&self) -> KeyBytes {
        let galois = 64 * self.rotation_keys as u64;
        KeyBytes { sk: 16, pk: 32, relin: 64, galois, ..KeyBytes::default() }
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<PlainVector, Refusal> {
        if let Encoding::Integer(ty) = encoding {
            return Err(Refusal::unsupported(format!("there are no encrypted {ty} here")));
        }
        let values = values.integers()?;
        if values.len() > DEGREE {
            let message = format!("{} values do not fit in {DEGREE} slots", values.len());
            return Err(Refusal::new(Code::BadRequest, message));
        }
        let reduce = |v: &i64| v.rem_euclid(self.modulus as i64) as u64;
        let mut residues: Vec<u64> = values.iter().map(reduce).collect();
        residues.resize(DEGREE, 0);
        Ok(PlainVector { values: residues, ..self.fresh(encoding) })
    }

    fn decode(&self, plaintext: &PlainVector, encoding: Encoding) -> Result<Numbers, Refusal> {
        if plaintext.encoding != encoding {
            let message = "a clear vector is decoded as it was encoded";
            return Err(Refusal::new(Code::Unsupported, message));
        }
        Ok(plaintext.values.iter().map(|&v| v as i64).collect::<Vec<_>>().into())
    }

    fn encrypt(
        &self,
        plaintext: &PlainVector,
        _key: KeyKind,
        level: Option<u32>,
    ) -> Result<PlainVector, Refusal> {
        if !self.has_keys {
            return Err(Refusal::new(Code::BadRequest, "`keygen` comes first"));
        }
        let level = level.unwrap_or(self.levels);
        Ok(PlainVector { level, budget_bits: self.budget_at(level), ..plaintext.clone() })
    }

    fn decrypt(&self, ciphertext: &PlainVector) -> Result<PlainVector, Refusal> {
        Ok(ciphertext.clone())
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        vec![
            ("encrypt_pk", |own, x, _| own.call(x, |own, x| own.encrypt(x[0], KeyKind::Pk, None))),
            ("encrypt_sk", |own, x, _| own.call(x, |own, x| own.encrypt(x[0], KeyKind::Sk, None))),
            ("decrypt", |own, x, _| {
                let vector = vector(x[0]);
                Ok(Box::new(move || own.decrypt(vector).map(Item::Plaintext)))
            }),
            ("add", |own, x, _| own.call(x, |own, x| Ok(own.add(x[0], x[1])))),
            ("add_plain", |own, x, _| own.call(x, |own, x| Ok(own.add(x[0], x[1])))),
            ("sub", |own, x, _| own.call(x, |own, x| Ok(own.add(x[0], &own.scale(x[1], -1))))),
            ("neg", |own, x, _| own.call(x, |own, x| Ok(own.scale(x[0], -1)))),
            ("mul", |own, x, _| own.call(x, |own, x| own.mul(x[0], x[1]))),
            ("mul_plain", |own, x, _| own.call(x, |own, x| own.mul(x[0], x[1]))),
            ("mul_no_relin", |own, x, _| {
                own.call(x, |own, x| {
                    own.mul(x[0], x[1])
                        .map(|product| PlainVector { relinearized: false, ..product })
                })
            }),
            ("mul_switch", |own, x, _| own.call(x, |own, x| own.mul(x[0], x[1]).map(Self::switch))),
            ("square", |own, x, _| own.call(x, |own, x| own.mul(x[0], x[0]))),
            ("relin", |own, x, _| {
                own.call(x, |_, x| Ok(PlainVector { relinearized: true, ..x[0].clone() }))
            }),
            ("rotate", |own, x, args| {
                let steps = args.steps.unwrap_or_default();
                own.call(x, move |_, x| Ok(rotate(x[0], steps)))
            }),
            ("rotate_sum", |own, x, _| own.call(x, |own, x| Ok(own.sum(x[0])))),
            ("dot", |own, x, _| own.call(x, Self::dot)),
            ("dot_slots", |own, x, _| {
                own.call(x, |own, x| own.mul(x[0], x[1]).map(|product| own.sum(&product)))
            }),
            ("polynomial", |own, x, args: &Args| {
                let coefficients = args.coefficients.as_deref().unwrap_or_default();
                own.call(x, move |own, x| own.polynomial(x[0], coefficients))
            }),
            ("mod_switch", |own, x, _| own.call(x, |_, x| Ok(Self::switch(x[0].clone())))),
        ]
    }

    fn ciphertext_bytes(&self, ciphertext: &PlainVector) -> CiphertextBytes {
        let theory = 8 * ciphertext.values.len() as u64;
        CiphertextBytes { packed: theory + 16, seeded: None, theory }
    }

    fn level(&self, ciphertext: &PlainVector) -> Option<u32> {
        Some(ciphertext.level)
    }

    fn noise(&self, ciphertext: &PlainVector) -> Noise {
        Noise {
            measured_budget_bits: Some(ciphertext.budget_bits + 1.0),
            tracked_budget_bits: Some(ciphertext.budget_bits),
        }
    }
}

impl PlainSession {
    /// Binds an operation on vectors.
    #[expect(clippy::unnecessary_wraps, reason = "the form of a binding")]
    fn call<'a>(
        &'a self,
        inputs: &[&'a ItemOf<Self>],
        work: impl Fn(&Self, &[&PlainVector]) -> Result<PlainVector, Refusal> + Send + Sync + 'a,
    ) -> Result<Call<'a, Self>, Refusal> {
        let operands: Vec<&PlainVector> = inputs.iter().map(|item| vector(item)).collect();
        Ok(Box::new(move || work(self, &operands).map(Item::Ciphertext)))
    }

    fn fresh(&self, encoding: Encoding) -> PlainVector {
        PlainVector {
            values: vec![0; DEGREE],
            encoding,
            level: self.levels,
            budget_bits: FRESH_BITS,
            relinearized: true,
        }
    }

    fn budget_at(&self, level: u32) -> f64 {
        FRESH_BITS - 10.0 * f64::from(self.levels.saturating_sub(level))
    }

    fn zip(&self, a: &PlainVector, b: &PlainVector, f: impl Fn(u128, u128) -> u128) -> PlainVector {
        let pairs = a.values.iter().zip(&b.values);
        let values = pairs
            .map(|(&x, &y)| (f(u128::from(x), u128::from(y)) % u128::from(self.modulus)) as u64)
            .collect();
        let (level, budget_bits) = (a.level.min(b.level), a.budget_bits.min(b.budget_bits));
        PlainVector { values, level, budget_bits, ..a.clone() }
    }

    fn add(&self, a: &PlainVector, b: &PlainVector) -> PlainVector {
        self.zip(a, b, |x, y| x + y)
    }

    fn scale(&self, a: &PlainVector, factor: i64) -> PlainVector {
        let factor = u128::from(factor.rem_euclid(self.modulus as i64) as u64);
        self.zip(a, a, |x, _| x * factor)
    }

    fn mul(&self, a: &PlainVector, b: &PlainVector) -> Result<PlainVector, Refusal> {
        if !(a.relinearized && b.relinearized) {
            return Err(Refusal::new(Code::BadRequest, "relinearise the operands first"));
        }
        let left = a.budget_bits.min(b.budget_bits);
        if left < PRODUCT_BITS {
            let message = format!("a product needs {PRODUCT_BITS} bits and {left} are left");
            return Err(Refusal::new(Code::NoiseExhausted, message));
        }
        let product = match a.encoding {
            Encoding::Slots | Encoding::Complex | Encoding::Integer(_) => {
                self.zip(a, b, |x, y| x * y)
            }
            Encoding::Coefficients => self.convolve(a, b),
        };
        Ok(PlainVector { budget_bits: left - PRODUCT_BITS, ..product })
    }

    fn convolve(&self, a: &PlainVector, b: &PlainVector) -> PlainVector {
        let t = i128::from(self.modulus);
        let mut sums = vec![0_i128; DEGREE];
        for (i, &x) in a.values.iter().enumerate() {
            for (j, &y) in b.values.iter().enumerate() {
                let product = i128::from(x) * i128::from(y) % t;
                let wrapped = if i + j < DEGREE { product } else { t - product };
                sums[(i + j) % DEGREE] += wrapped;
            }
        }
        let values = sums.iter().map(|sum| sum.rem_euclid(t) as u64).collect();
        PlainVector { values, ..a.clone() }
    }

    fn switch(a: PlainVector) -> PlainVector {
        PlainVector { level: a.level.saturating_sub(1), ..a }
    }

    fn sum(&self, a: &PlainVector) -> PlainVector {
        let total: u128 = a.values.iter().map(|&v| u128::from(v)).sum();
        let total = (total % u128::from(self.modulus)) as u64;
        PlainVector { values: vec![total; DEGREE], ..a.clone() }
    }

    fn dot(&self, operands: &[&PlainVector]) -> Result<PlainVector, Refusal> {
        let (left, right) = operands.split_at(operands.len() / 2);
        let mut sum = self.mul(left[0], right[0])?;
        for (a, b) in left.iter().zip(right).skip(1) {
            sum = self.add(&sum, &self.mul(a, b)?);
        }
        Ok(sum)
    }

    fn polynomial(&self, x: &PlainVector, coefficients: &[i64]) -> Result<PlainVector, Refusal> {
        let constant = |c: i64| {
            let one = PlainVector { values: vec![1; DEGREE], ..self.fresh(Encoding::Slots) };
            self.scale(&one, c)
        };
        let Some((last, lower)) = coefficients.split_last() else {
            return Err(Refusal::new(Code::BadRequest, "the polynomial has no coefficients"));
        };
        let mut value = constant(*last);
        for coefficient in lower.iter().rev() {
            let product =
                PlainVector { budget_bits: x.budget_bits, ..self.zip(&value, x, |a, b| a * b) };
            value = self.add(&product, &constant(*coefficient));
        }
        Ok(value)
    }
}

fn vector(item: &Item<PlainVector, PlainVector>) -> &PlainVector {
    match item {
        Item::Ciphertext(vector) | Item::Plaintext(vector) => vector,
    }
}

fn rotate(a: &PlainVector, steps: i64) -> PlainVector {
    let row = DEGREE / 2;
    let by = steps.rem_euclid(row as i64) as usize;
    let mut values = a.values.clone();
    for half in values.chunks_mut(row) {
        half.rotate_left(by);
    }
    PlainVector { values, ..a.clone() }
}

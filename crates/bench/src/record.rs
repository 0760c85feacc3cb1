//! The records of a run: `results.jsonl` of schema `fathom.result/1`.
//!
//! The first line is a [`Context`], then one [`Case`] each. The shipped JSON Schema
//! (`schema/fathom.result.1.json`) is the normative text.

use fathom_security::{SecretDistribution, assess};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::drivers::protocol::{
    Bootstraps, Encoding, KeyKind, LibraryInfo, NoiseStep, ParamsInfo, TorusInfo, Variance,
};
use crate::machine::{Machine, Warning};
use crate::question::Division;
use crate::torus_security;

pub use crate::record_figures::{Bytes, Outliers, TimeNs};

/// What is said of block-binary keys wherever they appear.
pub const LESS_STUDIED: &str = "a less studied assumption";

/// What is said of torus sets that fail more often than with probability `2^-128` wherever they
/// appear: whoever learns of a failure learns of the key.
pub const IND_CPA_ONLY: &str = "IND-CPA only";

/// What a user of a torus set should know before choosing it; of a usual one nothing.
///
/// `failure` is the log2 of the probability that a ciphertext decrypts wrongly, if it is known.
pub fn caution(torus: Option<&TorusInfo>, failure: Option<f64>) -> Option<String> {
    let torus = torus?;
    let less_studied = torus.is_less_studied().then_some(LESS_STUDIED);
    let may_fail = failure.is_some_and(|log2| log2 > -128.0).then_some(IND_CPA_ONLY);
    let cautions: Vec<_> = less_studied.into_iter().chain(may_fail).collect();
    (!cautions.is_empty()).then(|| cautions.join("; "))
}

/// Name of the schema.
pub const SCHEMA: &str = "fathom.result/1";

/// The shipped JSON Schema of one line.
pub const JSON_SCHEMA: &str = include_str!("../schema/fathom.result.1.json");

/// What was true for the whole run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Context {
    /// `context`.
    pub kind: String,
    /// [`SCHEMA`].
    pub schema: String,
    /// Unique enough to tell runs apart.
    pub run_id: String,
    /// UTC, RFC 3339.
    pub started: String,
    /// Command line that reproduces the run.
    pub command: String,
    /// Seed of the clear inputs.
    pub seed: u64,
    /// The testbed.
    pub tool: Tool,
    /// Where it ran.
    pub machine: Machine,
    /// What makes its figures less safe.
    pub warnings: Vec<Warning>,
    /// Relative difference that two measurements of the same thing showed here; null if not taken.
    pub noise_floor_rel: Option<f64>,
}

/// The testbed itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// Version of this crate.
    pub version: String,
    /// `release` or `debug`.
    pub profile: String,
    /// Compiler and target.
    pub build: String,
}

impl Tool {
    /// This build.
    pub fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            profile: if cfg!(debug_assertions) { "debug" } else { "release" }.into(),
            build: env!("FATHOM_BUILD").into(),
        }
    }
}

/// One case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Case {
    /// `case`.
    pub kind: String,
    /// `<lib>/<scheme>/<params>/<op>?<lane>`.
    pub id: String,
    /// The library measured.
    pub lib: LibraryInfo,
    /// Scheme name.
    pub scheme: String,
    /// Operation name.
    pub op: String,
    /// What every library was asked alike: `<scheme>/<topic>/<op>?<lane>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// By what rule its parameters were chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<Division>,
    /// `latency`, or `batch` for several threads; null where nothing is timed.
    pub scenario: Option<String>,
    /// How the work was laid out.
    pub lane: Lane,
    /// What the values mean.
    pub semantics: Semantics,
    /// The parameters, null if the library never got so far.
    pub params: Option<ParamsInfo>,
    /// Their security, null without parameters.
    pub security: Option<Security>,
    /// What decrypting and comparing said.
    pub verify: Verify,
    /// Times, null if there are none.
    pub time_ns: Option<TimeNs>,
    /// Sizes.
    pub bytes: Bytes,
    /// Figures computed from the others.
    pub derived: Derived,
    /// `measured`.
    pub provenance: String,
}

impl Case {
    /// See [`caution`].
    pub fn caution(&self) -> Option<String> {
        let params = self.params.as_ref()?;
        caution(params.torus.as_ref(), params.p_fail_log2)
    }

    /// Whether its library was asked for a purpose, as peers are, and not for a preset.
    pub fn was_asked_by_purpose(&self) -> bool {
        let topic = self.question.as_deref().and_then(|question| question.split('/').nth(1));
        let params = self.id.split('/').nth(2);
        topic
            .zip(params)
            .is_some_and(|(topic, params)| topic.starts_with('d') && params.starts_with(topic))
    }
}

/// How the work was laid out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lane {
    /// `simd` for one value a slot, `coefficients` for one a coefficient, `scalar` for one value.
    pub pack: String,
    /// Values in a ciphertext.
    pub slots: usize,
    /// Threads at work, each on inputs of its own.
    pub threads: usize,
    /// Threads that one operation may use.
    #[serde(default = "one")]
    pub op_threads: usize,
    /// Key that encrypted the inputs: `pk` or `sk`.
    pub inputs: KeyKind,
}

/// What the values mean.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Semantics {
    /// `exact_mod_p`, `approximate`, `exact_` and a type of machine integers, or what the library
    /// says of its scheme.
    pub kind: String,
    /// The plaintext modulus, null if the library never got so far or `kind` says it.
    pub p: Option<u64>,
    /// `secret-key` where there is no public-key encryption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<String>,
    /// False where ciphertexts grow with the computation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compact: Option<bool>,
}

impl Semantics {
    /// What values of an encoding under these parameters mean.
    pub fn of(encoding: Encoding, params: Option<&ParamsInfo>) -> Self {
        if let Encoding::Integer(ty) = encoding {
            return Self { kind: format!("exact_{ty}"), p: None, keys: None, compact: None };
        }
        match params.and_then(|params| params.character.as_ref()) {
            Some(character) => Self {
                kind: character.semantics.clone(),
                p: None,
                keys: Some(character.keys.clone()),
                compact: Some(character.compact),
            },
            None if params.is_some_and(|params| params.scale_bits.is_some()) => {
                Self { kind: "approximate".into(), p: None, keys: None, compact: None }
            }
            None => Self {
                kind: "exact_mod_p".into(),
                p: params.map(|params| params.plain_modulus),
                keys: None,
                compact: None,
            },
        }
    }
}

/// Security of a parameter set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Security {
    /// Bits against a classical attacker; null where no estimator knows the assumption.
    pub classical: Option<f64>,
    /// Bits against a quantum attacker, or null.
    pub quantum: Option<f64>,
    /// Strongest of the levels 128, 192, 256 that is met; null below 128.
    pub level: Option<u32>,
    /// Cost model of the figures.
    pub model: String,
    /// Where the verdict comes from.
    pub source: String,
    /// How far it can be trusted.
    pub badge: String,
}

impl Security {
    /// Assesses parameters as the library states them, on the largest modulus it publishes.
    pub fn of(params: &ParamsInfo) -> Option<Self> {
        if let Some(character) = &params.character {
            return Some(Self {
                classical: None,
                quantum: None,
                level: None,
                model: "none".into(),
                source: format!("assumption: {}", character.assumption),
                badge: character.badge.clone(),
            });
        }
        if let Some(torus) = &params.torus {
            return torus_security::of(torus, params.n);
        }
        let secret = secret_distribution(&params.secret)?;
        let found = assess(params.n, params.log_qp, secret, params.sigma);
        Some(Self {
            classical: Some(round1(found.classical_bits)),
            quantum: Some(round1(found.quantum_bits)),
            level: found.level.map(fathom_security::Level::bits),
            model: found.model.into(),
            source: found.source.into(),
            badge: found.badge.to_string(),
        })
    }
}

/// Reads the protocol's name of a secret distribution.
pub fn secret_distribution(name: &str) -> Option<SecretDistribution> {
    match name {
        "ternary" => Some(SecretDistribution::Ternary),
        "gaussian" => Some(SecretDistribution::Gaussian),
        _ => {
            let weight = name.strip_prefix("sparse_ternary:")?.parse().ok()?;
            Some(SecretDistribution::SparseTernary { weight })
        }
    }
}

/// Outcome of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Every decrypted value was right.
    Ok,
    /// At least one was wrong.
    Wrong,
    /// The library refused because the noise could pass the limit.
    NoiseExhausted,
    /// The library does not have it.
    Unsupported,
    /// The driver crashed, hung, flooded or talked nonsense, or failed inside.
    Failed,
}

impl Status {
    /// The word in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Wrong => "wrong",
            Self::NoiseExhausted => "noise_exhausted",
            Self::Unsupported => "unsupported",
            Self::Failed => "failed",
        }
    }
}

/// What decrypting and comparing said.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verify {
    /// The outcome.
    pub status: Status,
    /// Whether it is the outcome that the case exists to see.
    pub expected: bool,
    /// Values compared.
    pub checked: u64,
    /// Values that were wrong.
    pub mismatches: u64,
    /// Why the outcome is not `ok`, or what is worth knowing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Products that succeeded before the library refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_reached: Option<usize>,
    /// Noise budget in bits.
    pub noise_budget_bits: NoiseStep,
    /// Bootstraps of one call, as the mean over all calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstraps: Option<Bootstraps>,
    /// Noise of the outputs beside what the library's model says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise_variance: Option<NoiseVariance>,
    /// Bits of precision of an approximate result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_bits: Option<f64>,
    /// `predicted`: log2 of the probability of a wrong result that the library allows itself;
    /// `observed`: wrong values and values compared. Null if the library does not say.
    pub p_fail_log2: Option<FailureProbability>,
}

/// A variance measured beside the one that was predicted, both relative to the modulus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoiseVariance {
    /// Noises measured.
    pub n: u64,
    /// log2 of the mean of their squares.
    pub measured_log2: f64,
    /// log2 of the mean variance of the model.
    pub model_log2: f64,
}

impl NoiseVariance {
    /// The variance on the scale of records.
    pub fn of(Variance { n, measured, model }: Variance) -> Self {
        let log2 = |value: f64| (value.max(f64::MIN_POSITIVE).log2() * 100.0).round() / 100.0;
        Self { n, measured_log2: log2(measured), model_log2: log2(model) }
    }
}

/// How likely a wrong value was said to be, and how many there were.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureProbability {
    /// log2 of the probability, from the library's parameters.
    pub predicted: f64,
    /// What was counted.
    pub observed: Observed,
}

/// Wrong values among those compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Wrong values.
    pub fail: u64,
    /// Values compared.
    pub n: u64,
}

/// Figures computed from measured ones.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Derived {
    /// Median divided by the values in a ciphertext.
    pub ns_per_slot: Option<f64>,
    /// Operations a second over all threads.
    pub ops_per_s: Option<f64>,
}

fn one() -> usize {
    1
}

/// One decimal, which is more than such figures can claim.
pub(crate) fn round1(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Reads the cases of a result file, and its context if it has one; unknown fields and kinds are
/// ignored.
///
/// # Errors
/// The number of the first line that is no JSON object or a malformed record, with the reason.
pub fn read(jsonl: &str) -> Result<(Option<Context>, Vec<Case>), String> {
    let (mut context, mut cases) = (None, Vec::new());
    for (number, line) in jsonl.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |e: serde_json::Error| format!("line {}: {e}", number + 1);
        let value: Value = serde_json::from_str(line).map_err(wrong)?;
        match value["kind"].as_str() {
            Some("context") => context = Some(serde_json::from_value(value).map_err(wrong)?),
            Some("case") => cases.push(serde_json::from_value(value).map_err(wrong)?),
            _ => {}
        }
    }
    Ok((context, cases))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::protocol::TorusKey;

    #[test]
    fn sets_that_need_it_come_with_a_caution() {
        let key = |secret: &str| TorusKey {
            dimension: 896,
            log_q: 32.0,
            secret: secret.to_owned(),
            deviation_log2: -20.0,
            ring_degree: None,
        };
        let torus = |secret| TorusInfo {
            family: String::new(),
            message_bits: 2,
            carry_bits: 2,
            lwe: key(secret),
            glwe: key("binary"),
        };
        let of = |secret, failure| caution(Some(&torus(secret)), failure);
        assert_eq!(of("binary", Some(-128.0)), None);
        assert_eq!(of("binary", Some(-127.9)).as_deref(), Some(IND_CPA_ONLY));
        assert_eq!(of("block_binary:4", None).as_deref(), Some(LESS_STUDIED));
        let both = "a less studied assumption; IND-CPA only";
        assert_eq!(of("block_binary:4", Some(-64.0)).as_deref(), Some(both));
        assert_eq!(caution(None, Some(-40.0)), None);
    }

    #[test]
    fn security_is_assessed_on_the_largest_published_modulus() {
        let params = ParamsInfo {
            name: "e1".into(),
            n: 4096,
            log_q: 60.0,
            log_qp: 106.0,
            plain_modulus: 65537,
            scale_bits: None,
            slots: 4096,
            levels: 1,
            secret: "ternary".into(),
            sigma: 3.19,
            depth: 1,
            p_fail_log2: None,
            explanation: None,
            character: None,
            torus: None,
        };
        assert_eq!(Security::of(&params).unwrap().level, Some(128));
        let weak = ParamsInfo { log_qp: 140.0, ..params.clone() };
        assert_eq!(Security::of(&weak).unwrap().level, None);
        let unknown = ParamsInfo { secret: "binary".into(), ..params };
        assert_eq!(Security::of(&unknown), None);
    }

    #[test]
    fn a_reader_skips_what_it_does_not_know_and_names_the_line_that_is_broken() {
        let (context, cases) = read("{\"kind\":\"weather\",\"sun\":true}\n\n").unwrap();
        assert!(context.is_none() && cases.is_empty());
        assert!(read("{}\n{\"kind\":\"case\"}").unwrap_err().starts_with("line 2"));
        assert!(read("{}\nnot json").unwrap_err().starts_with("line 2"));
    }
}

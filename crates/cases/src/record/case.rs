//! The records of a run: `results.jsonl` of schema `fathom.result/1`.
//!
//! The first line is a [`Context`]; every other line is a [`Case`]. The shipped JSON Schema
//! (`schema/fathom.result.1.json`) is the normative text.

use fathom_drivers::ops::SchemeKind;
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{
    Bootstraps, Code, Encoding, KeyKind, LibraryInfo, NoiseStep, ParamsInfo, Variance,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::application::Application;
use super::earlier;
use super::figures::{Bytes, TimeNs};
use super::refresh::Refresh;
use super::roofline::Roofline;
use super::security::{Security, caution};
use crate::machine::{Machine, Warning};
use crate::question::{self, Division};

/// Name of the schema.
pub const SCHEMA: &str = "fathom.result/1";

/// The shipped JSON Schema of one line.
pub const JSON_SCHEMA: &str = include_str!("../../schema/fathom.result.1.json");

/// Facts that hold for the whole run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Context {
    /// Always `context`.
    pub kind: String,
    /// The name of the schema, [`SCHEMA`].
    pub schema: String,
    /// Identifier that distinguishes runs.
    pub run_id: String,
    /// Start time, UTC, RFC 3339.
    pub started: String,
    /// Command line that reproduces the run.
    pub command: String,
    /// Seed of the clear inputs.
    pub seed: u64,
    /// Version and build of the testbed.
    pub tool: Tool,
    /// Properties of the machine.
    pub machine: Machine,
    /// Properties of the machine that make measurements less reliable.
    pub warnings: Vec<Warning>,
    /// Relative difference of two measurements of the same case; null if not measured.
    pub noise_floor_rel: Option<f64>,
}

/// Version and build of the testbed.
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
    /// Returns the data of this build.
    pub fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            profile: if cfg!(debug_assertions) { "debug" } else { "release" }.into(),
            build: fathom_drivers::BUILD.clone(),
        }
    }
}

/// The record of one case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Case {
    /// Always `case`.
    pub kind: String,
    /// Case id: `<lib>/<scheme>/<params>/<op>?<lane>`.
    pub id: String,
    /// The library measured.
    pub lib: LibraryInfo,
    /// True for the engine as users of another language reach it, which is never ranked; absent for
    /// all others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own: bool,
    /// True if the library encodes and decodes values within encryption, decryption and operations
    /// with clear vectors; absent for all others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub encodes: bool,
    /// Scheme name; `wide` was `exact` in earlier versions, which readers rename.
    pub scheme: String,
    /// Operation name.
    pub op: String,
    /// Question that every library was asked: `<scheme>/<topic>/<op>?<lane>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Rule by which the parameters were chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<Division>,
    /// `latency`, or `batch` for several threads; null if nothing is timed.
    pub scenario: Option<String>,
    /// Packing, slots, threads and input key.
    pub lane: Lane,
    /// Plaintext space.
    pub semantics: Semantics,
    /// Parameters; null if the library never reported them.
    pub params: Option<ParamsInfo>,
    /// Security of the parameters; null without parameters.
    pub security: Option<Security>,
    /// Result of the verification.
    pub verify: Verify,
    /// Times; null if there are none.
    pub time_ns: Option<TimeNs>,
    /// Sizes.
    pub bytes: Bytes,
    /// Figures computed from the others.
    pub derived: Derived,
    /// Always `measured`.
    pub provenance: String,
    /// The figures of a whole program; absent for single operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<Application>,
}

impl Case {
    /// Returns the caution about the parameters; see [`caution`].
    pub fn caution(&self) -> Option<String> {
        let params = self.params.as_ref()?;
        caution(params.torus.as_ref(), params.p_fail_log2)
    }

    /// Returns true if the timed call encodes or decodes values, which other libraries do before or
    /// after it.
    pub fn includes_encoding(&self) -> bool {
        let with_clear =
            ["encrypt_pk", "encrypt_sk", "decrypt", "add_plain", "mul_plain"].contains(&&*self.op);
        self.encodes && with_clear
    }

    /// Returns true if the case computes on clear data: kernels, plain arithmetic, signatures.
    pub fn is_clear(&self) -> bool {
        self.semantics.kind == "not encrypted"
    }

    /// Returns the purpose of the case, the same for all libraries; without a question, the topic
    /// of its parameter set.
    pub fn topic(&self) -> String {
        let params = self.params.as_ref().map_or("", |params| params.name.as_str());
        let asked = self.question.as_deref().and_then(question::topic_of);
        asked.map_or_else(|| question::topic(params), str::to_owned)
    }

    /// Returns true if a peer computed past its noise budget and returned wrong values without an
    /// error: a finding, not a failure, because it may not know its noise.
    pub fn is_past_budget(&self) -> bool {
        let question = self.question.as_deref().unwrap_or_default();
        self.verify.status == Status::Wrong && exceeds_budget(&self.op, question, &self.id)
    }
}

/// Returns true if a case lets a peer compute past its noise budget. A library is a peer if it was
/// asked for a purpose and not for a preset.
pub fn exceeds_budget(op: &str, question: &str, id: &str) -> bool {
    let by_purpose = question::topic_of(question)
        .zip(id.split('/').nth(2))
        .is_some_and(|(topic, params)| topic.starts_with('d') && params.starts_with(topic));
    op == "chain_past_budget" && by_purpose
}

/// Packing, slots, threads and input key of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lane {
    /// `simd` for one value per slot, `coefficients` for one per coefficient, `scalar` for one
    /// value.
    pub pack: String,
    /// Number of values in a ciphertext.
    pub slots: usize,
    /// Number of parallel operations, each thread with its own inputs.
    pub threads: usize,
    /// Number of threads that one operation may use.
    #[serde(default = "one")]
    pub op_threads: usize,
    /// Key that encrypted the inputs: `pk` or `sk`.
    pub inputs: KeyKind,
}

/// Plaintext space of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Semantics {
    /// `exact_mod_p`, `approximate`, `exact_` followed by a type of machine integers, or the
    /// library's own description of its scheme.
    pub kind: String,
    /// The plaintext modulus; null if unknown or implied by `kind`.
    pub p: Option<u64>,
    /// `secret-key` if there is no public-key encryption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<String>,
    /// False if ciphertexts grow with the computation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compact: Option<bool>,
}

impl Semantics {
    /// Returns the plaintext space in words: `exact mod 65537`.
    pub fn words(&self) -> String {
        let modulus = self.p.filter(|_| self.kind == "exact_mod_p");
        modulus.map_or_else(|| self.kind.replace('_', " "), |p| format!("exact mod {p}"))
    }

    /// Returns the plaintext space of an encoding under these parameters.
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
            None if params.map(ParamsInfo::kind) == Some(SchemeKind::Reals) => {
                Self { kind: "approximate".into(), p: None, keys: None, compact: None }
            }
            None if params.map(ParamsInfo::kind) == Some(SchemeKind::WideIntegers) => {
                Self { kind: "exact_integers".into(), p: None, keys: None, compact: None }
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

/// Outcome of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Every decrypted value was correct.
    Ok,
    /// At least one decrypted value was wrong.
    Wrong,
    /// The library refused because the noise could exceed the limit.
    NoiseExhausted,
    /// The library does not support the scheme, the parameters or the operation.
    Unsupported,
    /// The driver crashed, hung, sent too much or malformed output, or failed internally.
    Failed,
    /// The line of another version has no verdict that this one knows; never ranked.
    Unverified,
}

impl Status {
    /// Every status, best first.
    pub const ALL: [Self; 6] = [
        Self::Ok,
        Self::Wrong,
        Self::Failed,
        Self::NoiseExhausted,
        Self::Unsupported,
        Self::Unverified,
    ];

    /// Returns the word used in records and on pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Wrong => "wrong",
            Self::NoiseExhausted => "noise_exhausted",
            Self::Unsupported => "unsupported",
            Self::Failed => "failed",
            Self::Unverified => "unverified",
        }
    }
}

impl From<&Fault> for Status {
    fn from(fault: &Fault) -> Self {
        match fault {
            Fault::Refused(refusal) => match refusal.code {
                Code::NoiseExhausted => Self::NoiseExhausted,
                Code::Unsupported | Code::Insecure => Self::Unsupported,
                Code::BadRequest | Code::Internal => Self::Failed,
            },
            Fault::NotStarted(_)
            | Fault::Crashed { .. }
            | Fault::Hung { .. }
            | Fault::Flooded { .. }
            | Fault::Violation(_)
            | Fault::Nonsense { .. } => Self::Failed,
        }
    }
}

/// Result of the verification.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verify {
    /// The outcome.
    pub status: Status,
    /// True if the outcome is the one that the case is meant to show.
    pub expected: bool,
    /// Number of values compared.
    pub checked: u64,
    /// Number of wrong values.
    pub mismatches: u64,
    /// Reason why the outcome is not `ok`, or a remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Number of products that succeeded before the library refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_reached: Option<usize>,
    /// Noise budget in bits.
    pub noise_budget_bits: NoiseStep,
    /// Bootstraps of one call, as the mean over all calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstraps: Option<Bootstraps>,
    /// Noise variance of the outputs, measured and predicted by the library's model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise_variance: Option<NoiseVariance>,
    /// Bits of precision of an approximate result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_bits: Option<f64>,
    /// Largest error of an approximate result that counts as correct, relative to its largest value
    /// if that exceeds 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// `predicted`: log2 of the failure probability for which the library chose its parameters;
    /// `observed`: wrong values and values compared. Null if the library does not state one.
    pub p_fail_log2: Option<FailureProbability>,
}

/// A measured noise variance and its prediction, both relative to the modulus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoiseVariance {
    /// Number of noise values measured.
    pub n: u64,
    /// log2 of their mean square.
    pub measured_log2: f64,
    /// log2 of the mean variance of the model.
    pub model_log2: f64,
}

impl NoiseVariance {
    /// Converts a variance to the form used in records.
    pub fn of(Variance { n, measured, model }: Variance) -> Self {
        let log2 = |value: f64| (value.max(f64::MIN_POSITIVE).log2() * 100.0).round() / 100.0;
        Self { n, measured_log2: log2(measured), model_log2: log2(model) }
    }
}

/// Predicted failure probability and observed failures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureProbability {
    /// log2 of the predicted probability, from the library's parameters.
    pub predicted: f64,
    /// Number of observed failures.
    pub observed: Observed,
}

/// Number of wrong values among those compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Wrong values.
    pub fail: u64,
    /// Values compared.
    pub n: u64,
}

/// Figures computed from measured ones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Derived {
    /// Median divided by the number of values in a ciphertext.
    pub ns_per_slot: Option<f64>,
    /// Operations per second over all threads.
    pub ops_per_s: Option<f64>,
    /// Work of a kernel beside the limits of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roofline: Option<Roofline>,
    /// The record holds this for bootstrappings: levels, bits and errors that they leave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<Refresh>,
}

fn one() -> usize {
    1
}

/// Reads the cases of a result file, and its context if it has one; unknown fields and kinds are
/// ignored, and a scheme under its earlier name gets the present one.
///
/// # Errors
/// The number of the first line that is not a JSON object or is a malformed record, with the
/// reason.
pub fn read(jsonl: &str) -> Result<(Option<Context>, Vec<Case>), String> {
    let (mut context, mut cases) = (None, Vec::new());
    for (number, line) in jsonl.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |e: serde_json::Error| format!("line {}: {e}", number + 1);
        let value: Value = serde_json::from_str(&earlier::present(line)).map_err(wrong)?;
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
    use crate::record::{IND_CPA_ONLY, LESS_STUDIED, assess};
    use fathom_drivers::protocol::{TorusInfo, TorusKey};

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
            word_bits: None,
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
        assert_eq!(assess(&params).unwrap().level, Some(128));
        let weak = ParamsInfo { log_qp: 140.0, ..params.clone() };
        assert_eq!(assess(&weak).unwrap().level, None);
        let unknown = ParamsInfo { secret: "binary".into(), ..params };
        assert_eq!(assess(&unknown), None);
    }

    #[test]
    fn a_reader_skips_what_it_does_not_know_and_names_the_line_that_is_broken() {
        let (context, cases) = read("{\"kind\":\"weather\",\"sun\":true}\n\n").unwrap();
        assert!(context.is_none() && cases.is_empty());
        assert!(read("{}\n{\"kind\":\"case\"}").unwrap_err().starts_with("line 2"));
        assert!(read("{}\nnot json").unwrap_err().starts_with("line 2"));
    }
}

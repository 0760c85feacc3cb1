//! A driver for tests of the harness: a set of CKKS that can be bootstrapped, and one for tables,
//! in the clear.
//!
//! `bootstrap_fixture ERROR` adds `ERROR` to every slot of a bootstrapped message, and 64 times
//! `ERROR`, rounded, to every result of a table.

use std::io::{self, BufReader};

use fathom_bench::drivers::library::Library;
use fathom_bench::drivers::protocol::{
    Args, CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, LibraryInfo, Numbers, ParamsInfo,
    ParamsRequest, Prepare, PublishedKeys, Refusal, SchemeInfo,
};
use fathom_bench::drivers::served::{Served, serving};
use fathom_bench::drivers::server;
use fathom_bench::drivers::session::{Bind, Call, Item, ItemOf, Session};

const DEGREE: usize = 4096;
const SLOTS: usize = DEGREE / 2;
/// Levels that a bootstrapping leaves.
const LEVELS: u32 = 3;
const LOG_QP: f64 = 120.0;
/// Entries of a table.
const ENTRIES: u64 = 16;
/// The sets, each the only one of a scheme with one operation.
const SETS: [[&str; 3]; 2] = [["ckks", "small", "bootstrap"], ["ckks_table", "nibbles", "table"]];

fn main() -> io::Result<()> {
    let error = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0.0);
    server::serve(&Clear { error }, BufReader::new(io::stdin()), io::stdout())
}

/// The library; its session is itself.
#[derive(Clone, Copy)]
struct Clear {
    error: f64,
}

/// The parts of all slots, and the level.
#[derive(Clone)]
struct Message {
    parts: Vec<f64>,
    level: u32,
}

impl Library for Clear {
    fn info(&self) -> LibraryInfo {
        let text = |text: &str| text.to_owned();
        let (version, build, isa_used) = (text("1"), text("test"), text("none"));
        LibraryInfo { name: text("clear"), version, build, isa_used }
    }

    fn schemes(&self) -> Vec<SchemeInfo> {
        let info = SETS.map(|[scheme, set, op]| SchemeInfo {
            scheme: scheme.into(),
            params: vec![set.into()],
            ops: vec![op.into()],
        });
        info.into()
    }

    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
        let ParamsRequest::Preset { preset } = &request.params else {
            return Err(Refusal::unsupported("there are sets only"));
        };
        if !SETS.iter().any(|[scheme, set, _]| request.scheme == *scheme && preset == set) {
            return Err(Refusal::unsupported("there is one set of each scheme"));
        }
        let of_tables = request.scheme == SETS[1][0];
        let params = ParamsInfo {
            name: preset.clone(),
            n: DEGREE,
            log_q: 90.0,
            log_qp: LOG_QP,
            plain_modulus: if of_tables { ENTRIES } else { 0 },
            scale_bits: (!of_tables).then_some(20.0),
            word_bits: None,
            slots: if of_tables { DEGREE } else { SLOTS },
            levels: LEVELS,
            secret: "ternary".into(),
            sigma: 3.2,
            depth: LEVELS,
            p_fail_log2: None,
            explanation: None,
            character: None,
            torus: None,
        };
        Ok((serving(*self, request.threads), params))
    }
}

impl Session for Clear {
    type Ciphertext = Message;
    type Plaintext = Vec<f64>;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        Ok(())
    }

    fn key_bytes(&self) -> KeyBytes {
        KeyBytes { sk: 1, bootstrapping: 1000, ..KeyBytes::default() }
    }

    fn published_keys(&self) -> Vec<PublishedKeys> {
        let keys = |purpose: &str, secret: &str, log_q| PublishedKeys {
            purpose: purpose.into(),
            secret: secret.into(),
            log_q,
        };
        vec![keys("raised modulus", "ternary", LOG_QP), keys("keys of users", "ternary", 100.0)]
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<Vec<f64>, Refusal> {
        let parts = values.to_reals();
        let known = matches!(encoding, Encoding::Complex | Encoding::Coefficients);
        if known && parts.len() <= 2 * SLOTS {
            return Ok(parts);
        }
        Err(Refusal::new(Code::BadRequest, "complex slots and coefficients only"))
    }

    fn decode(&self, plaintext: &Vec<f64>, encoding: Encoding) -> Result<Numbers, Refusal> {
        if encoding == Encoding::Coefficients {
            return Ok(plaintext.iter().map(|x| *x as i64).collect::<Vec<_>>().into());
        }
        Ok(plaintext.clone().into())
    }

    fn encrypt(
        &self,
        plaintext: &Vec<f64>,
        _: KeyKind,
        level: Option<u32>,
    ) -> Result<Message, Refusal> {
        Ok(Message { parts: plaintext.clone(), level: level.unwrap_or(LEVELS) })
    }

    fn decrypt(&self, ciphertext: &Message) -> Result<Vec<f64>, Refusal> {
        Ok(ciphertext.parts.clone())
    }

    fn ciphertext_bytes(&self, _: &Message) -> CiphertextBytes {
        CiphertextBytes { packed: 1, seeded: None, theory: 1 }
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        vec![("bootstrap", bootstrap), ("table", table)]
    }

    fn level(&self, ciphertext: &Message) -> Option<u32> {
        Some(ciphertext.level)
    }
}

fn bootstrap<'a>(
    session: &'a Clear,
    inputs: &[&'a ItemOf<Clear>],
    _: &'a Args,
) -> Result<Call<'a, Clear>, Refusal> {
    let input = inputs[0].ciphertext()?;
    Ok(Box::new(move || {
        let parts = input.parts.iter().map(|part| part + session.error).collect();
        Ok(Item::Ciphertext(Message { parts, level: LEVELS }))
    }))
}

fn table<'a>(
    session: &'a Clear,
    inputs: &[&'a ItemOf<Clear>],
    args: &'a Args,
) -> Result<Call<'a, Clear>, Refusal> {
    let input = inputs[0].ciphertext()?;
    let entries = args.coefficients.as_deref().unwrap_or_default();
    if entries.len() as u64 != ENTRIES {
        return Err(Refusal::new(Code::BadRequest, "a table has 16 entries"));
    }
    let offset = (64.0 * session.error).round();
    Ok(Box::new(move || {
        let entry = |part: &f64| entries[*part as usize % entries.len()] as f64 + offset;
        Ok(Item::Ciphertext(Message { parts: input.parts.iter().map(entry).collect(), level: 0 }))
    }))
}

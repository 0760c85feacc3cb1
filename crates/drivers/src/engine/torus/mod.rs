//! The engine's torus scheme under test, through the public API of `fathom::tfhe` only.

mod blocks;
mod gates;
mod integers;
mod value;

use fathom::Error;
use fathom::tfhe::boolean::{Bit, Gates};
use fathom::tfhe::integer::Integers;
use fathom::tfhe::{Block, ClientKey, Evaluator, KeyFamily, Params, Policy};
use fathom::wire::{WireObject, WireValue};

use super::generators::Generators;
use crate::ops::Scheme;
use crate::ops::torus::{self as families, BlockOp, CarryMode, Gate, IntegerOp};
use crate::protocol::{
    Bootstraps, CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Numbers, ParamsInfo,
    ParamsRequest, Prepare, Refusal, SchemeInfo, TorusInfo, TorusKey, Variance,
};
use crate::refusal::refusal;
use crate::served::{Served, serving};
use crate::session::{Bind, Call, Item, ItemOf, Session, vector_names};

use blocks::Blocks;
use integers::Right;
use value::{Clear, Value};

/// A parameter set with its keys.
struct TorusSession {
    params: Params,
    /// Threads that generate the keys.
    pool: rayon::ThreadPool,
    /// Number of threads of the evaluator, divided among the lanes.
    threads: usize,
    /// The fastest policy on the threads of one lane.
    policy: Policy,
    generators: Generators,
    keys: Option<Keys>,
}

struct Keys {
    client: ClientKey,
    evaluator: Evaluator,
    /// Operations on blocks or, for sets without a carry, gates.
    small: Small,
    seeded_bytes: u64,
    expanded_bytes: u64,
}

/// The operations on small values.
enum Small {
    Blocks(Blocks),
    Gates(Gates),
}

type TorusItem = Item<Value, Clear>;

/// Returns the operations and presets of the scheme `tfhe`.
pub(super) fn scheme() -> SchemeInfo {
    let vectors = vector_names::<TorusSession>().into_iter();
    SchemeInfo {
        scheme: Scheme::Tfhe.name().into(),
        params: Params::presets().iter().map(|params| params.name().to_owned()).collect(),
        ops: vectors.chain(families::names()).collect(),
    }
}

/// Opens a session on a preset.
///
/// # Errors
/// `unsupported` for anything but a preset; `internal` if the threads cannot be started.
pub(super) fn open(request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
    let ParamsRequest::Preset { preset } = &request.params else {
        return Err(Refusal::unsupported("tfhe has presets only: its depth is not bounded"));
    };
    let unknown = || Refusal::unsupported(format!("the engine has no preset {preset} of tfhe"));
    let params = Params::preset(preset).map_err(|_| unknown())?;
    let threads = request.threads * request.op_threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Refusal::new(Code::Internal, e.to_string()))?;
    let info = describe(&params);
    let generators = Generators::new(request.seed);
    let policy = Policy::for_threads(request.op_threads);
    let session = TorusSession { params, pool, threads, policy, generators, keys: None };
    Ok((serving(session, request.threads), info))
}

impl TorusSession {
    fn keys(&self) -> Result<&Keys, Refusal> {
        self.keys.as_ref().ok_or_else(|| Refusal::new(Code::BadRequest, "`keygen` comes first"))
    }

    fn encrypted(&self, plaintext: &Clear) -> Result<Value, Refusal> {
        let client = &self.keys()?.client;
        self.generators.with(|rng| plaintext.encrypt(client, rng).map_err(refusal))
    }
}

impl Session for TorusSession {
    type Ciphertext = Value;
    type Plaintext = Clear;

    /// Generates all keys: the secret key, the evaluation key as it is sent, and its expansion.
    fn generate_keys(&mut self) -> Result<(), Refusal> {
        let (params, pool) = (&self.params, &self.pool);
        let made = self.generators.with(|rng| {
            let client = ClientKey::generate(params, rng);
            let pair = pool.install(|| client.evaluation_keys_in_both_forms(rng));
            let (seeded, expanded) = pair.map_err(refusal)?;
            Ok((client, seeded.byte_len() as u64, expanded))
        });
        let (client, seeded_bytes, expanded) = made?;
        let expanded_bytes = expanded.byte_len() as u64;
        let evaluator = Evaluator::new(expanded, self.threads).map_err(refusal)?;
        let evaluator = evaluator.with_policy(self.policy);
        let small = if params.spec().carry_bits == 0 {
            Gates::new(evaluator.clone()).map(Small::Gates)
        } else {
            Blocks::new(&evaluator).map(Small::Blocks)
        };
        let small = small.map_err(refusal)?;
        self.keys = Some(Keys { client, evaluator, small, seeded_bytes, expanded_bytes });
        Ok(())
    }

    fn key_bytes(&self) -> KeyBytes {
        self.keys.as_ref().map_or_else(KeyBytes::default, |keys| KeyBytes {
            sk: keys.client.byte_len() as u64,
            bootstrapping: keys.seeded_bytes,
            bootstrapping_memory: keys.expanded_bytes,
            ..KeyBytes::default()
        })
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<Clear, Refusal> {
        let one = |count: usize| {
            let message = format!("{count} values do not fit in one slot");
            if count > 1 { Err(Refusal::new(Code::BadRequest, message)) } else { Ok(()) }
        };
        match encoding {
            Encoding::Slots => {
                let values = values.integers()?;
                one(values.len())?;
                let value = values.first().copied().unwrap_or(0);
                Ok(Clear::Small(value.rem_euclid(1 << self.params.spec().message_bits) as u32))
            }
            Encoding::Integer(ty) => {
                let words = values.words(ty)?;
                one(words.len())?;
                Ok(Clear::Integer(ty, words.first().copied().unwrap_or_default()))
            }
            Encoding::Complex | Encoding::Coefficients => {
                Err(Refusal::unsupported("a torus ciphertext has one value and no coefficients"))
            }
        }
    }

    fn decode(&self, plaintext: &Clear, _encoding: Encoding) -> Result<Numbers, Refusal> {
        Ok(plaintext.values())
    }

    fn encrypt(
        &self,
        plaintext: &Clear,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<Value, Refusal> {
        if key == KeyKind::Pk || level.is_some() {
            return Err(Refusal::unsupported("inputs are encrypted under the secret key"));
        }
        self.encrypted(plaintext)
    }

    fn decrypt(&self, ciphertext: &Value) -> Result<Clear, Refusal> {
        ciphertext.decrypt(&self.keys()?.client).map_err(refusal)
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        vec![
            ("encrypt_sk", |own, x, _| {
                let plaintext = x[0].plaintext()?;
                Ok(Box::new(move || own.encrypted(plaintext).map(Item::Ciphertext)))
            }),
            ("decrypt", |own, x, _| {
                let ciphertext = x[0].ciphertext()?;
                Ok(Box::new(move || own.decrypt(ciphertext).map(Item::Plaintext)))
            }),
            ("add", |own, x, _| {
                let table = own.keys()?.blocks()?;
                on_blocks(x, |blocks| table.add(blocks))
            }),
        ]
    }

    fn gate<'a>(
        &'a self,
        gate: Gate,
        inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal> {
        let gates = self.keys()?.gates()?;
        let bit = |item: &&'a TorusItem| item.ciphertext().and_then(Value::bit);
        let bits: Vec<&Bit> = inputs.iter().map(bit).collect::<Result<_, _>>()?;
        let wrap = |bit| Item::Ciphertext(Value::Bit(bit));
        Ok(Box::new(move || gates::apply(gates, gate, &bits).map(wrap).map_err(refusal)))
    }

    fn block<'a>(
        &'a self,
        op: BlockOp,
        inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal> {
        let table = self.keys()?.blocks()?;
        on_blocks(inputs, move |blocks| table.apply(op, blocks))
    }

    fn integer<'a>(
        &'a self,
        op: IntegerOp,
        inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal> {
        if op.mode != CarryMode::Default {
            let message = "the engine tracks the ranges of blocks and has one mode of carries";
            return Err(Refusal::unsupported(message));
        }
        let integers = Integers::new(self.keys()?.evaluator.clone()).map_err(refusal)?;
        let left = inputs[0].ciphertext()?.integer()?;
        let right = match inputs.get(1) {
            None => None,
            Some(Item::Ciphertext(value)) => Some(Right::Encrypted(value.integer()?)),
            Some(Item::Plaintext(Clear::Integer(ty, value))) => Some(Right::Clear(*ty, *value)),
            Some(Item::Plaintext(Clear::Small(_) | Clear::Batch(_))) => {
                let message = "the right operand must be a clear integer";
                return Err(Refusal::new(Code::BadRequest, message));
            }
        };
        let call = move || integers::apply(&integers, op.kind, left, right).map(Value::from);
        Ok(Box::new(move || call().map(Item::Ciphertext).map_err(refusal)))
    }

    fn ciphertext_bytes(&self, ciphertext: &Value) -> CiphertextBytes {
        let blocks = ciphertext.blocks();
        let frame = |block: &&Block| block.to_bytes(&self.params).map_or(0, |b| b.len() as u64);
        // Theoretical size: half a torus word per coefficient of the mask, and the body.
        let theory = blocks.iter().map(|block| 4 * block.lwe().dimension() as u64 + 8).sum();
        CiphertextBytes { packed: blocks.iter().map(frame).sum(), seeded: None, theory }
    }

    fn variance(&self, ciphertext: &Value) -> Option<Variance> {
        let client = &self.keys.as_ref()?.client;
        let unit = self.params.noise().variances().blind_rotation;
        let of = |block: &Block| {
            let message = block.space().encode(client.decrypt(block).ok()?.into());
            let error = client.phase(block.lwe()).ok()?.wrapping_sub(message) as i64;
            let error = error as f64 * 0.5_f64.powi(64);
            let model = f64::from(block.noise_variance()) * unit;
            (model > 0.0).then_some(Variance { n: 1, measured: error * error, model })
        };
        ciphertext.blocks().into_iter().filter_map(of).reduce(Variance::join)
    }

    fn bootstraps(&self) -> Option<Bootstraps> {
        let counts = self.keys.as_ref()?.evaluator.counts();
        Some(Bootstraps { count: counts.bootstraps as f64, layers: counts.layers as f64 })
    }
}

impl Keys {
    fn blocks(&self) -> Result<&Blocks, Refusal> {
        match &self.small {
            Small::Blocks(blocks) => Ok(blocks),
            Small::Gates(_) => Err(Refusal::unsupported("this set is for gates on bits")),
        }
    }

    fn gates(&self) -> Result<&Gates, Refusal> {
        match &self.small {
            Small::Gates(gates) => Ok(gates),
            Small::Blocks(_) => Err(Refusal::unsupported("this set is for blocks, not for bits")),
        }
    }
}

/// Binds an operation on blocks.
fn on_blocks<'a>(
    inputs: &[&'a TorusItem],
    call: impl Fn(&[&'a Block]) -> Result<Value, Error> + Send + Sync + 'a,
) -> Result<Call<'a, TorusSession>, Refusal> {
    let block = |item: &&'a TorusItem| item.ciphertext().and_then(Value::block);
    let blocks: Vec<&Block> = inputs.iter().map(block).collect::<Result<_, _>>()?;
    Ok(Box::new(move || call(&blocks).map(Item::Ciphertext).map_err(refusal)))
}

fn describe(params: &Params) -> ParamsInfo {
    let spec = params.spec();
    let (family, secret) = match spec.family {
        KeyFamily::Uniform { .. } => ("U", "binary".to_owned()),
        KeyFamily::BlockBinary { length } => ("B", format!("block_binary:{length}")),
    };
    let glwe = TorusKey {
        dimension: params.big_dimension(),
        log_q: 64.0,
        secret: "binary".into(),
        deviation_log2: spec.glwe_deviation_log2,
        ring_degree: Some(spec.degree),
    };
    let lwe = TorusKey {
        dimension: spec.small_dimension,
        log_q: 32.0,
        secret,
        deviation_log2: spec.small_deviation_log2,
        // The ring degree of the packing key, which is at least that of the key-switching key.
        ring_degree: Some(spec.degree.min(spec.small_dimension.next_power_of_two())),
    };
    ParamsInfo {
        name: params.name().to_owned(),
        n: spec.degree,
        log_q: 64.0,
        log_qp: 64.0,
        plain_modulus: 1 << spec.message_bits,
        scale_bits: None,
        word_bits: None,
        slots: 1,
        levels: 0,
        secret: "binary".into(),
        sigma: (64.0 + spec.glwe_deviation_log2).exp2(),
        depth: 0,
        p_fail_log2: Some(spec.failure_log2),
        explanation: None,
        character: None,
        torus: Some(TorusInfo {
            family: family.into(),
            message_bits: spec.message_bits,
            carry_bits: spec.carry_bits,
            lwe,
            glwe,
        }),
    }
}

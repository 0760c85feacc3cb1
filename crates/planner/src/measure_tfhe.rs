//! Measures the unit costs of TFHE with the engine's public interface.

use fathom::wire::{Wire, WireObject, WireValue};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use fathom::tfhe::integer::{RadixInt, ValueType};
use fathom::tfhe::{
    Block, ClientKey, Evaluator, Job, Lut, Params, SeededEvaluationKeys, SeededList,
};
use fathom::{Error, SecretRng};

use crate::layer_curve::LayerCurve;
use crate::stats::lower_quartile;
use crate::tfhe_costs::TfheCosts;
use crate::timed::{now, timed};

/// Time for layers of bootstraps, and the numbers of rounds over all sizes.
const LAYER_TIME: Duration = Duration::from_secs(8);
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=15;
/// Number of layers in a row in each round, of at most one bootstrap a thread. After the layers of
/// other sizes, the threads that share a bootstrap sleep, and the first one may miss some of them.
const SMALL_IN_A_ROW: usize = 4;
/// Repetitions of what has to do with keys, and of what has to do with ciphertexts.
const KEY_REPEATS: usize = 3;
const REPEATS: usize = 7;
/// Number of blocks that are encrypted, sent and decrypted together.
const BLOCKS: usize = 64;

/// Measures all unit costs of a parameter set for a server that takes `process_bytes` of memory
/// without keys; `report` is told what is measured.
///
/// # Errors
/// Those of the random generator of the system and of the threads.
pub fn measure(
    params: &Params,
    threads: usize,
    process_bytes: u64,
    report: &mut dyn FnMut(&str),
) -> Result<TfheCosts, Error> {
    let name = params.name();
    let mut rng = SecretRng::from_os()?;
    let client = ClientKey::generate(params, &mut rng);
    report(&format!("unit costs of {name}: keys"));
    let (keys, keygen_ns) =
        timed(KEY_REPEATS, || Ok(client.seeded_evaluation_keys(&mut rng)?.to_bytes()))?;
    let ((evaluator, expanded), keys_ns) = timed(KEY_REPEATS, || {
        let keys = SeededEvaluationKeys::from_bytes(params, &keys)?.expand()?;
        let bytes = keys.byte_len();
        Ok((Evaluator::new(keys, threads)?, bytes))
    })?;
    report(&format!("unit costs of {name}: ciphertexts"));
    let most = 1 << params.spec().message_bits;
    let values: Vec<u32> = (0..BLOCKS as u32).map(|index| index % most).collect();
    let (upload, encrypt_ns) =
        timed(REPEATS, || Ok(client.encrypt_seeded(&values, &mut rng)?.to_bytes()))?;
    let (blocks, load_ns) =
        timed(REPEATS, || Ok(SeededList::from_bytes(params, &upload)?.expand()))?;
    let server = Server::new(evaluator, threads, blocks)?;
    let layers = layers(&server, report)?;
    let blocks = &server.blocks;
    let (answer, answer_ns) = timed(REPEATS, || {
        blocks.iter().map(|block| block.to_bytes(params)).collect::<Result<Vec<_>, _>>()
    })?;
    let (_, decrypt_ns) = timed(REPEATS, || {
        let open = |frame: &Vec<u8>| client.decrypt(&Block::from_bytes(params, frame)?);
        answer.iter().map(open).collect::<Result<Vec<_>, _>>()
    })?;
    let each = |total_ns: f64| total_ns / BLOCKS as f64;
    let result = ResultBytes::of(params, blocks);
    let list_bytes = |count: usize| -> Result<u64, Error> {
        let list = client.encrypt_seeded(&vec![0; count], &mut SecretRng::from_os()?)?;
        Ok(list.byte_len() as u64)
    };
    let (one, two) = (list_bytes(1)?, list_bytes(2)?);
    Ok(TfheCosts {
        params: name.to_owned(),
        measured: now(),
        layers,
        keygen_ns,
        keys_ns,
        encrypt_ns: each(encrypt_ns),
        load_ns: each(load_ns),
        answer_ns: each(answer_ns),
        decrypt_ns: each(decrypt_ns),
        key_bytes: keys.len() as u64,
        decoded_key_bytes: keys.len() as u64 * 64 / u64::from(params.body_bits()),
        expanded_key_bytes: expanded as u64,
        upload_bytes: 2 * one - two,
        upload_block_bytes: two - one,
        result_value_bytes: result.value,
        result_block_bytes: result.block,
        block_bytes: blocks[0].byte_len(params) as u64,
        process_bytes,
    })
}

/// Sizes of a result as it is sent.
struct ResultBytes {
    value: u64,
    block: u64,
}

/// Bytes that a message has before each of its parts: their length.
const PART_BYTES: u64 = 8;

impl ResultBytes {
    /// Reads both from integers of one and of two blocks; single blocks are all that other message
    /// spaces have.
    fn of(params: &Params, blocks: &[Block]) -> Self {
        let frame = blocks[0].byte_len(params) as u64;
        let length = |count: usize| -> Result<u64, Error> {
            let ty = ValueType::unsigned(2 * count)?;
            let value = RadixInt::from_blocks(ty, blocks[..count].to_vec())?;
            Ok(value.byte_len(params) as u64)
        };
        match (length(1), length(2)) {
            (Ok(one), Ok(two)) => Self { value: 2 * one - two + PART_BYTES, block: two - one },
            _ => Self { value: PART_BYTES, block: frame },
        }
    }
}

/// A server whose layers of bootstraps are timed.
#[derive(Debug)]
pub struct Server {
    evaluator: Evaluator,
    threads: usize,
    blocks: Vec<Block>,
    lut: Lut,
}

impl Server {
    /// Generates keys and encrypts inputs.
    ///
    /// # Errors
    /// Those of the random generator of the system and of the threads.
    pub fn start(params: &Params, threads: usize) -> Result<Self, Error> {
        let mut rng = SecretRng::from_os()?;
        let client = ClientKey::generate(params, &mut rng);
        let blocks = client.encrypt_seeded(&[1; BLOCKS], &mut rng)?.expand();
        Self::new(Evaluator::new(client.evaluation_keys(&mut rng)?, threads)?, threads, blocks)
    }

    fn new(evaluator: Evaluator, threads: usize, blocks: Vec<Block>) -> Result<Self, Error> {
        let modulus = evaluator.params().message_modulus();
        let space = evaluator.params().space();
        let lut = Lut::new(space, 0..=modulus - 1, |x| (x * x + 1) % modulus)?;
        let server = Self { evaluator, threads, blocks, lut };
        // The first call fills the buffers of all threads.
        server.layer_ns(2 * threads as u64)?;
        Ok(server)
    }

    /// Returns true if it has these parameters and threads.
    pub fn is_of(&self, params: &Params, threads: usize) -> bool {
        self.evaluator.params() == params && self.threads == threads
    }

    /// Computes a layer and returns its time in nanoseconds.
    pub(crate) fn layer_ns(&self, size: u64) -> Result<f64, Error> {
        let inputs = self.blocks.iter().cycle().take(size as usize);
        let jobs: Vec<_> = inputs.map(|input| Job { input, lut: &self.lut }).collect();
        let start = Instant::now();
        self.evaluator.bootstrap(&jobs)?;
        Ok(start.elapsed().as_nanos() as f64)
    }
}

/// Measures layers of all sizes in rounds, alternately upwards and downwards.
fn layers(server: &Server, report: &mut dyn FnMut(&str)) -> Result<LayerCurve, Error> {
    let (params, threads) = (server.evaluator.params(), server.threads);
    let mut sizes = LayerCurve::sizes(threads);
    let mut samples: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    let start = Instant::now();
    for round in 1..=*ROUNDS.end() {
        let (name, last) = (params.name(), ROUNDS.end());
        report(&format!("unit costs of {name}: layers on {threads} threads, round {round}/{last}"));
        for &size in &sizes {
            let in_a_row = if size <= threads as u64 { SMALL_IN_A_ROW } else { 1 };
            for _ in 0..in_a_row {
                samples.entry(size).or_default().push(server.layer_ns(size)?);
            }
        }
        sizes.reverse();
        let spent = start.elapsed();
        if round >= *ROUNDS.start() && spent + spent / round as u32 > LAYER_TIME {
            break;
        }
    }
    let points =
        samples.into_iter().filter_map(|(size, times)| Some((size, lower_quartile(&times)?)));
    Ok(LayerCurve::new(threads, points.collect()).expect("the clock advances during a bootstrap"))
}

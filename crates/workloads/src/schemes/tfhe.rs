//! Programs on encrypted integers of TFHE: everything but the circuit.

use fathom::wire::{Wire, WireObject, WireValue};
use std::collections::BTreeMap;

use fathom::SecretRng;
use fathom::tfhe::integer::{FheBool, Integers, RadixInt, Typed, ValueType};
use fathom::tfhe::{Block, ClientKey, Evaluator, Params, Policy, SeededEvaluationKeys, SeededList};

use crate::message::{join, split};
use crate::work::Excerpt;
use fathom_planner::BootstrapWork;

use crate::{Client, Data, Error, Implementation, Operations, Parameters, Server, Task, Work};

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Unsigned integers of an even number of bits.
    Integer(usize),
    /// Truth values.
    Truth,
    /// Small integers, one block each.
    Block,
}

/// A column of ciphertexts.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) count: usize,
}

impl Field {
    /// Describes a column.
    pub(crate) fn new(name: &'static str, kind: Kind, count: usize) -> Self {
        Self { name, kind, count }
    }
}

/// The ciphertexts of a column.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Integers(Vec<RadixInt>),
    Truths(Vec<FheBool>),
    Blocks(Vec<Block>),
}

/// Columns of ciphertexts by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encrypted(BTreeMap<&'static str, Values>);

impl Encrypted {
    /// Adds a column of integers.
    pub(crate) fn with_integers(self, name: &'static str, values: Vec<RadixInt>) -> Self {
        self.with(name, Values::Integers(values))
    }

    /// Adds a column of truth values.
    pub(crate) fn with_truths(self, name: &'static str, values: Vec<FheBool>) -> Self {
        self.with(name, Values::Truths(values))
    }

    /// Adds a column of small integers.
    pub(crate) fn with_blocks(self, name: &'static str, values: Vec<Block>) -> Self {
        self.with(name, Values::Blocks(values))
    }

    fn with(mut self, name: &'static str, values: Values) -> Self {
        self.0.insert(name, values);
        self
    }

    /// Returns a column of integers.
    pub(crate) fn integers(&self, name: &str) -> Result<&[RadixInt], Error> {
        match self.0.get(name) {
            Some(Values::Integers(values)) => Ok(values),
            _ => Err(Error::column(name, "is not a column of encrypted integers")),
        }
    }

    /// Returns a column of truth values.
    pub(crate) fn truths(&self, name: &str) -> Result<&[FheBool], Error> {
        match self.0.get(name) {
            Some(Values::Truths(values)) => Ok(values),
            _ => Err(Error::column(name, "is not a column of encrypted truth values")),
        }
    }

    /// Returns a column of small integers.
    pub(crate) fn blocks(&self, name: &str) -> Result<&[Block], Error> {
        match self.0.get(name) {
            Some(Values::Blocks(values)) => Ok(values),
            _ => Err(Error::column(name, "is not a column of encrypted blocks")),
        }
    }
}

/// A program on TFHE. The circuit is the same for ciphertexts and for simulated blocks.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    /// The algorithm in one sentence.
    pub(crate) method: &'static str,
    /// Name of the parameter set.
    pub(crate) params: &'static str,
    /// Refuses tasks that the circuit does not compute.
    pub(crate) supports: fn(&Task) -> Result<(), Error>,
    /// The columns that the client encrypts.
    pub(crate) inputs: fn(&Task) -> Result<Vec<Field>, Error>,
    /// The columns of the result.
    pub(crate) outputs: fn(&Task) -> Result<Vec<Field>, Error>,
    /// The circuit: on the clear columns of the server and the encrypted ones of the client.
    pub(crate) circuit: fn(&Integers, &Task, &Data, &Encrypted) -> Result<Encrypted, Error>,
    /// The part of the circuit that a simulation of a large task counts, with its number of
    /// repetitions; `None` if the whole circuit is to be simulated.
    pub(crate) excerpt: fn(&Task) -> Option<Excerpt>,
}

impl Implementation for Program {
    fn scheme(&self) -> &'static str {
        "tfhe"
    }

    fn method(&self) -> &'static str {
        self.method
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        (self.supports)(task)
    }

    fn parameters(&self, _: &Task) -> Result<Parameters, Error> {
        let params = Params::preset(self.params)?;
        let [small, big] = params.security_bits();
        Ok(Parameters {
            name: self.params.into(),
            security_bits: small.min(big),
            failure_log2: Some(params.spec().failure_log2),
        })
    }

    fn client(&self, task: &Task) -> Result<Box<dyn Client>, Error> {
        let params = Params::preset(self.params)?;
        let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
        let key = ClientKey::generate(&params, &mut rng);
        Ok(Box::new(TfheClient {
            key,
            rng,
            inputs: (self.inputs)(task)?,
            outputs: (self.outputs)(task)?,
        }))
    }

    fn server(&self, task: &Task, threads: usize) -> Result<Box<dyn Server>, Error> {
        Ok(Box::new(TfheServer {
            program: *self,
            params: Params::preset(self.params)?,
            task: task.clone(),
            threads,
            integers: None,
            inputs: None,
            outputs: None,
            bootstraps: (0, 0),
        }))
    }

    fn simulate(&self, task: &Task, threads: usize, public: &Data) -> Result<Work, Error> {
        self.supports(task)?;
        let params = Params::preset(self.params)?;
        let whole = || Excerpt { task: task.clone(), times: 1 };
        let Excerpt { task: part, times } = (self.excerpt)(task).unwrap_or_else(whole);
        let policy = Policy::for_threads(threads);
        let integers = Integers::new(Evaluator::simulated(&params).with_policy(policy))?;
        let fields = (self.inputs)(&part)?;
        let fresh = |_| Block::simulated(params.space(), 0, (0, params.message_modulus() - 1));
        let blocks = (0..blocks_of_all(&fields)).map(fresh).collect();
        (self.circuit)(&integers, &part, public, &read_columns(&fields, blocks)?)?;
        let layers = integers.evaluator().layer_sizes();
        let layers = layers.into_iter().map(|(bootstraps, layers)| (bootstraps, times * layers));
        let layers = layers.collect();
        let outputs = (self.outputs)(task)?;
        let operations = Operations::Bootstraps(BootstrapWork {
            params,
            layers,
            encrypted_blocks: blocks_of_all(&(self.inputs)(task)?) as u64,
            result_blocks: blocks_of_all(&outputs) as u64,
            result_values: outputs.iter().map(|field| field.count as u64).sum(),
        });
        Ok(Work { operations, repeats: times })
    }
}

struct TfheClient {
    key: ClientKey,
    rng: SecretRng,
    inputs: Vec<Field>,
    outputs: Vec<Field>,
}

impl Client for TfheClient {
    fn keys(&mut self) -> Result<Vec<u8>, Error> {
        Ok(self.key.seeded_evaluation_keys(&mut self.rng)?.to_bytes())
    }

    fn encrypt(&mut self, secret: &Data) -> Result<Vec<u8>, Error> {
        let mut digits = Vec::new();
        for field in &self.inputs {
            let values = secret.integers(field.name)?;
            if values.len() != field.count {
                let problem = format!("has {} values in place of {}", values.len(), field.count);
                return Err(Error::column(field.name, problem));
            }
            for value in values {
                push_digits(field, *value, &mut digits)?;
            }
        }
        Ok(self.key.encrypt_seeded(&digits, &mut self.rng)?.to_bytes())
    }

    fn decrypt(&mut self, answer: &[u8]) -> Result<Data, Error> {
        let frames = split(answer)?;
        let mut frames = frames.into_iter();
        let mut data = Data::new();
        for field in &self.outputs {
            let mut values = Vec::with_capacity(field.count);
            for _ in 0..field.count {
                let frame = frames.next();
                let frame = frame.ok_or_else(|| Error::Message("a result is missing".into()))?;
                values.push(self.open(field.kind, frame)?);
            }
            data = data.with_integers(field.name, values);
        }
        match frames.next() {
            None => Ok(data),
            Some(_) => Err(Error::Message("there are more results than expected".into())),
        }
    }
}

impl TfheClient {
    /// Decrypts one frame.
    fn open(&self, kind: Kind, frame: &[u8]) -> Result<u64, Error> {
        let params = self.key.params();
        Ok(match kind {
            Kind::Integer(_) => {
                let value = self.key.decrypt(&RadixInt::from_bytes(params, frame)?)?;
                let wide = || Error::Message("a result has more than 64 bits".into());
                value.to_string().parse().map_err(|_| wide())?
            }
            Kind::Truth => u64::from(self.key.decrypt(&FheBool::from_bytes(params, frame)?)?),
            Kind::Block => {
                let value = self.key.decrypt(&Block::from_bytes(params, frame)?)?;
                let negative = |_| Error::Message(format!("a block holds {value}"));
                u64::try_from(value).map_err(negative)?
            }
        })
    }
}

/// Appends the digits of a value: two bits each, the least significant first.
pub(super) fn push_digits(field: &Field, value: u64, digits: &mut Vec<u32>) -> Result<(), Error> {
    let bits = match field.kind {
        Kind::Integer(bits) => bits,
        Kind::Truth => 1,
        Kind::Block => 2,
    };
    if bits < 64 && value >> bits != 0 {
        return Err(Error::column(field.name, format!("holds {value}: more than {bits} bits")));
    }
    digits.extend((0..bits.div_ceil(2)).map(|index| (value >> (2 * index)) as u32 & 3));
    Ok(())
}

struct TfheServer {
    program: Program,
    params: Params,
    task: Task,
    threads: usize,
    integers: Option<Integers>,
    inputs: Option<(Data, Encrypted)>,
    outputs: Option<Encrypted>,
    bootstraps: (u64, u64),
}

impl Server for TfheServer {
    fn accept_keys(&mut self, keys: &[u8]) -> Result<(), Error> {
        let keys = SeededEvaluationKeys::from_bytes(&self.params, keys)?;
        self.integers = Some(Integers::with_keys(keys.expand()?, self.threads)?);
        Ok(())
    }

    fn load(&mut self, public: &Data, upload: &[u8]) -> Result<(), Error> {
        let list = SeededList::from_bytes(&self.params, upload)?;
        let inputs = read_columns(&(self.program.inputs)(&self.task)?, list.expand())?;
        self.inputs = Some((public.clone(), inputs));
        Ok(())
    }

    fn compute(&mut self) -> Result<(), Error> {
        let integers = self.integers.as_ref().ok_or(Error::Order("send the evaluation keys"))?;
        let (public, inputs) = self.inputs.as_ref().ok_or(Error::Order("load the inputs"))?;
        let before = integers.counts();
        let outputs = (self.program.circuit)(integers, &self.task, public, inputs)?;
        let after = integers.counts();
        self.bootstraps = (after.bootstraps - before.bootstraps, after.layers - before.layers);
        self.outputs = Some(outputs);
        Ok(())
    }

    fn answer(&self) -> Result<Vec<u8>, Error> {
        let outputs = self.outputs.as_ref().ok_or(Error::Order("compute"))?;
        let mut frames = Vec::new();
        for field in (self.program.outputs)(&self.task)? {
            let params = &self.params;
            match field.kind {
                Kind::Integer(_) => {
                    for value in outputs.integers(field.name)? {
                        frames.push(value.to_bytes(params)?);
                    }
                }
                Kind::Truth => {
                    for value in outputs.truths(field.name)? {
                        frames.push(value.to_bytes(params)?);
                    }
                }
                Kind::Block => {
                    for value in outputs.blocks(field.name)? {
                        frames.push(value.to_bytes(params)?);
                    }
                }
            }
        }
        Ok(join(&frames))
    }

    fn bootstraps(&self) -> Option<(u64, u64)> {
        Some(self.bootstraps)
    }
}

/// Cuts fresh blocks into the columns that they encrypt.
pub(super) fn read_columns(fields: &[Field], blocks: Vec<Block>) -> Result<Encrypted, Error> {
    let expected = blocks_of_all(fields);
    if blocks.len() != expected {
        let problem = format!("{} blocks in place of {expected}", blocks.len());
        return Err(Error::Message(problem));
    }
    let mut blocks = blocks.into_iter();
    let mut columns = Encrypted::default();
    for field in fields {
        let mut take = |count: usize| blocks.by_ref().take(count).collect::<Vec<_>>();
        columns = match field.kind {
            Kind::Integer(bits) => {
                let ty = ValueType::unsigned(bits)?;
                let values = (0..field.count).map(|_| RadixInt::from_blocks(ty, take(bits / 2)));
                columns.with_integers(field.name, values.collect::<Result<_, _>>()?)
            }
            Kind::Truth => {
                let values = (0..field.count).map(|_| FheBool::from_fresh(take(1)));
                columns.with_truths(field.name, values.collect::<Result<_, _>>()?)
            }
            Kind::Block => columns.with_blocks(field.name, take(field.count)),
        };
    }
    Ok(columns)
}

/// Returns the number of blocks of all columns.
fn blocks_of_all(fields: &[Field]) -> usize {
    fields.iter().map(|field| field.count * blocks_of(field.kind)).sum()
}

fn blocks_of(kind: Kind) -> usize {
    match kind {
        Kind::Integer(bits) => bits / 2,
        Kind::Truth | Kind::Block => 1,
    }
}

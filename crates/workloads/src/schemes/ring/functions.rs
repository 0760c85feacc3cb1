//! Functions that a program on CKKS applies while it bootstraps.

use fathom::SecretRng;
use fathom::ckks::{
    self, BootstrapSecret, BootstrappingKeys, Ckks, Prepared, SecretKey, SmoothFunction, Table,
};
use fathom::rlwe::{Ciphertext, Encryption, EvaluationKeys, Rotations};
use fathom::wire::{Wire, WireObject};
use fathom_planner::RingOperation;

use super::counted::Counted;
use super::kept::Kept;
use crate::Error;
use crate::message::{join, split};

/// A function of real slots, with the levels that it takes.
pub(crate) struct Function {
    kind: Kind,
    depth: u32,
}

enum Kind {
    Table(Table),
    Smooth(SmoothFunction),
}

impl Function {
    /// Takes a function of integers.
    pub(crate) fn table(table: Table) -> Self {
        let depth = table.bits().max(LEAST_DEPTH);
        Self { kind: Kind::Table(table), depth }
    }

    /// Takes a smooth function that was approximated with this number of levels.
    pub(crate) fn smooth(function: SmoothFunction, levels: usize) -> Self {
        Self { kind: Kind::Smooth(function), depth: (levels as u32).max(LEAST_DEPTH) }
    }

    fn prepared(&self, server: &ckks::Bootstrapper) -> Result<Prepared<1>, fathom::Error> {
        match &self.kind {
            Kind::Table(table) => server.prepare(std::array::from_ref(table)),
            Kind::Smooth(function) => server.prepare(std::array::from_ref(function)),
        }
    }
}

/// Levels that every function takes, without which no bootstrapping is.
const LEAST_DEPTH: u32 = 3;

/// The keys and the functions of a server, prepared.
struct Functions {
    server: ckks::Bootstrapper,
    prepared: Vec<Prepared<1>>,
}

/// Returns the evaluation keys and the bootstrapping keys of a client, as they are sent.
pub(crate) fn keys(
    secret: &SecretKey,
    rotations: &Rotations,
    rng: &mut SecretRng,
) -> Result<Vec<u8>, Error> {
    let evaluation = secret.evaluation_keys(rotations, rng)?.to_bytes();
    Ok(join(&[evaluation, secret.bootstrapping_keys(rng)?.to_bytes()]))
}

/// Reads what [`keys`] returned and prepares functions, for this number of threads.
pub(crate) fn read_keys(
    params: &ckks::Params,
    message: &[u8],
    functions: &[Function],
    threads: usize,
    kept: &Kept,
) -> Result<EvaluationKeys<Ckks>, Error> {
    let parts = split(message)?;
    let [evaluation, bootstrapping] = parts[..] else {
        return Err(Error::Message(format!("{} kinds of keys in place of 2", parts.len())));
    };
    let evaluation = EvaluationKeys::from_bytes(params, evaluation)?;
    let keys = BootstrappingKeys::from_bytes(params, bootstrapping)?;
    let server = ckks::Bootstrapper::new(keys).with_threads(threads)?;
    let prepared = functions.iter().map(|function| function.prepared(&server));
    let prepared = prepared.collect::<Result<_, _>>()?;
    kept.get_or_make(|| Ok(Functions { server, prepared }))?;
    Ok(evaluation)
}

impl Counted<Ckks> {
    /// Bootstraps a ciphertext of real slots and applies one of the functions that the server
    /// prepared, `all[index]`.
    pub(crate) fn apply(
        &self,
        a: &Ciphertext<Ckks>,
        all: &[Function],
        index: usize,
    ) -> Result<Ciphertext<Ckks>, Error> {
        let (evaluator, depth) = (self.evaluator(), all[index].depth);
        let params = evaluator.params();
        self.count(RingOperation::Bootstrap { depth }, params.last_level().get(), 1);
        if evaluator.is_simulated() {
            let level = params.top_level().get() - (depth - LEAST_DEPTH) as usize;
            return Ok(evaluator.simulated_encryption(Encryption::SecretKey, level)?);
        }
        let known = self.kept().get_or_make(|| Err(Error::Order("send the keys")))?;
        let Functions { server, prepared } = known;
        let [result] = server.apply(a, &prepared[index])?;
        Ok(result)
    }
}

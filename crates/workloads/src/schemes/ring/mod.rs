//! Programs on vectors of numbers in the slots of BFV and CKKS: everything but the circuit.

mod circuit;
mod client;
mod counted;
mod functions;
mod kept;
mod layout;
mod numbers;
mod server;
mod tally;

use fathom::rlwe::{Encryption, Evaluator, RowSwap};
use fathom::wire::WireObject;

pub(crate) use self::circuit::{Circuit, Counts};
use self::client::RingClient;
pub(crate) use self::counted::Counted;
pub(crate) use self::functions::{Function, keys, read_keys};
pub(crate) use self::kept::Kept;
pub use self::layout::Layout;
pub(crate) use self::numbers::{CkksShape, Numbers, bfv_params, ckks_params};
use self::server::{RingServer, lowest};
use fathom_planner::RingWork;

use crate::{Client, Data, Error, Implementation, Operations, Parameters, Server, Task, Work};

/// A circuit as an implementation on the scheme `S`.
pub(crate) struct Program<S, C> {
    circuit: C,
    scheme: std::marker::PhantomData<fn() -> S>,
}

impl<S: Numbers, C: Circuit<S>> Program<S, C> {
    /// Makes the implementation of a circuit.
    pub(crate) fn boxed(circuit: C) -> Box<dyn Implementation> {
        Box::new(Self { circuit, scheme: std::marker::PhantomData })
    }
}

impl<S: Numbers, C: Circuit<S>> Implementation for Program<S, C> {
    fn scheme(&self) -> &'static str {
        S::NAME
    }

    fn method(&self) -> &'static str {
        self.circuit.method()
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        self.circuit.supports(task)
    }

    fn parameters(&self, task: &Task) -> Result<Parameters, Error> {
        let params = self.circuit.params(task)?;
        let bits = params.log2_largest_modulus();
        Ok(Parameters {
            name: format!("{} at degree {}, {bits:.0} bits", S::NAME, params.degree()),
            security_bits: params.assessment().classical_bits,
            failure_log2: None,
        })
    }

    fn bootstrapping_key_bytes(&self, task: &Task) -> Result<u64, Error> {
        Ok(self.circuit.bootstrapping_key_bytes(&self.circuit.params(task)?)? as u64)
    }

    fn client(&self, task: &Task) -> Result<Box<dyn Client>, Error> {
        let params = self.circuit.params(task)?;
        Ok(Box::new(RingClient::new(self.circuit.clone(), task.clone(), &params)?))
    }

    fn server(&self, task: &Task, threads: usize) -> Result<Box<dyn Server>, Error> {
        let params = self.circuit.params(task)?;
        Ok(Box::new(RingServer::new(self.circuit.clone(), task.clone(), params, threads)?))
    }

    fn simulate(&self, task: &Task, threads: usize, public: &Data) -> Result<Work, Error> {
        self.supports(task)?;
        let params = self.circuit.params(task)?;
        let counts = self.circuit.counts(task, &params)?;
        let evaluator = Evaluator::<S>::simulated(&params)?;
        let top = evaluator.params().top_level();
        let sent = evaluator.simulated_encryption(Encryption::SecretKey, top)?.byte_len();
        // The server gives inputs the bound of the noisier kind of encryption.
        let fresh = || evaluator.simulated_encryption(Encryption::PublicKey, top);
        let inputs = (0..counts.inputs).map(|_| fresh()).collect::<Result<Vec<_>, _>>()?;
        let key_bytes = evaluator.keys().relinearization_key().map_or(0, |key| key.byte_len());
        let server = Counted::simulated(evaluator, threads);
        let before = server.evaluator().params().transform_count();
        let results = self.circuit.compute(&server, task, public, &inputs)?;
        let results = results.iter().map(|result| lowest(&server, result)).collect::<Vec<_>>();
        let transforms = server.evaluator().params().transform_count() - before;
        let rotations = self.circuit.rotations(task, &params)?;
        let keys = 1 + rotations.steps.len() + usize::from(rotations.row_swap == RowSwap::With);
        let operations = Operations::Ring(RingWork {
            params: S::ring_params(&params),
            counts: server.counts(),
            spans: server.spans(),
            joins: server.joins(),
            transforms,
            encrypted: counts.inputs as u64,
            results: results.len() as u64,
            keys: keys as u64,
            key_bytes: (keys * key_bytes) as u64,
            bootstrapping_key_bytes: self.circuit.bootstrapping_key_bytes(&params)? as u64,
            upload_bytes: (counts.inputs * sent) as u64,
            download_bytes: results.iter().map(|result| result.byte_len() as u64).sum(),
        });
        Ok(Work { operations, repeats: 1 })
    }
}

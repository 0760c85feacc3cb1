//! The server of every program.

use fathom_workloads::message::{join, split};
use fathom_workloads::{Data, Error, Server, Task};
use rayon::ThreadPool;
use tfhe::{CompressedServerKey, ServerKey, get_pbs_count, reset_pbs_count, set_server_key};

use super::columns::Encrypted;
use super::frames::read;
use super::program::Program;
use crate::lanes::{guarded, pool};

/// The role that computes.
pub(super) struct ProgramServer {
    program: Program,
    task: Task,
    /// Every thread has the server key once it is accepted.
    pool: ThreadPool,
    key: Option<ServerKey>,
    inputs: Option<(Data, Encrypted)>,
    outputs: Option<Encrypted>,
    bootstraps: u64,
}

impl ProgramServer {
    /// Makes a server without keys that computes on `threads` threads.
    pub(super) fn new(program: Program, task: Task, threads: usize) -> Result<Self, Error> {
        let pool = pool(threads).map_err(|refusal| Error::Message(refusal.to_string()))?;
        Ok(Self { program, task, pool, key: None, inputs: None, outputs: None, bootstraps: 0 })
    }

    fn key(&self) -> Result<&ServerKey, Error> {
        self.key.as_ref().ok_or(Error::Order("send the evaluation keys"))
    }
}

impl Server for ProgramServer {
    fn accept_keys(&mut self, keys: &[u8]) -> Result<(), Error> {
        let expand = || Ok(read::<CompressedServerKey>(keys)?.decompress());
        let key = self.pool.install(|| caught(expand))?;
        self.pool.broadcast(|_| set_server_key(key.clone()));
        self.key = Some(key);
        Ok(())
    }

    fn load(&mut self, public: &Data, upload: &[u8]) -> Result<(), Error> {
        let (key, fields) = (self.key()?, (self.program.inputs)(&self.task)?);
        let read = || Encrypted::expand(&fields, &split(upload)?, key);
        let inputs = self.pool.install(|| caught(read))?;
        self.inputs = Some((public.clone(), inputs));
        Ok(())
    }

    fn compute(&mut self) -> Result<(), Error> {
        let (public, inputs) = self.inputs.as_ref().ok_or(Error::Order("load the inputs"))?;
        reset_pbs_count();
        let run = || (self.program.circuit)(&self.task, public, inputs);
        let outputs = self.pool.install(|| caught(run))?;
        self.bootstraps = get_pbs_count();
        self.outputs = Some(outputs);
        Ok(())
    }

    fn answer(&self) -> Result<Vec<u8>, Error> {
        let outputs = self.outputs.as_ref().ok_or(Error::Order("compute"))?;
        Ok(join(&outputs.write(&(self.program.outputs)(&self.task)?)?))
    }

    /// Returns the count of tfhe-rs over all threads; its layers are unknown.
    fn bootstraps(&self) -> Option<(u64, u64)> {
        Some((self.bootstraps, 0))
    }
}

/// Converts a panic of tfhe-rs to an error.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    guarded(work).map_err(|refusal| Error::Message(refusal.to_string()))?
}

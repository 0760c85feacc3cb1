//! Both roles in one process, for tests and examples.

use fathom_planner::RingCounts;

use crate::{Client, Data, Error, Implementation, Inputs, Server, Task};

/// A client and a server that exchange the bytes they would send.
pub struct Roles {
    client: Box<dyn Client>,
    server: Box<dyn Server>,
}

impl Roles {
    /// Makes both roles and sends the evaluation keys to the server.
    ///
    /// # Errors
    /// [`Error::Unsupported`], and those of keys and threads.
    pub fn new(
        implementation: &dyn Implementation,
        task: &Task,
        threads: usize,
    ) -> Result<Self, Error> {
        implementation.supports(task)?;
        let mut client = implementation.client(task)?;
        let mut server = implementation.server(task, threads)?;
        server.accept_keys(&client.keys()?)?;
        Ok(Self { client, server })
    }

    /// Encrypts, computes and decrypts.
    ///
    /// # Errors
    /// Those of the roles.
    pub fn run(&mut self, inputs: &Inputs) -> Result<Data, Error> {
        let upload = self.client.encrypt(&inputs.secret)?;
        self.server.load(&inputs.public, &upload)?;
        self.server.compute()?;
        self.client.decrypt(&self.server.answer()?)
    }

    /// Returns the number of bootstraps of the last computation and of their layers.
    pub fn bootstraps(&self) -> Option<(u64, u64)> {
        self.server.bootstraps()
    }

    /// Returns the number of operations of the last computation by kind and level, for schemes on
    /// vectors in slots.
    pub fn ring_operations(&self) -> Option<&RingCounts> {
        self.server.ring_operations()
    }
}

impl std::fmt::Debug for Roles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Roles")
    }
}

//! Options of programs, as the command line states them.

use std::time::Duration;

use super::nine65::Config;
use crate::plan::suite::processors;

/// Options of the suites `nine65`, `h33` and `kernels`.
#[derive(Clone, Debug)]
pub struct Options {
    /// Configuration of `nine65`; every one if absent.
    pub config: Option<Config>,
    /// Operations of a chain of `nine65`; the length of the document if absent.
    pub max_depth: Option<usize>,
    /// First operand of the chain.
    pub a: u64,
    /// Second operand of the chain.
    pub b: u64,
    /// Parameter sets of a tier of `h33`; every set if empty.
    pub tier: Vec<String>,
    /// Users of a batch of `h33`; as many as fit if absent.
    pub batch_size: Option<usize>,
    /// Time for each program of throughput.
    pub duration: Option<Duration>,
    /// True to run the programs of throughput only.
    pub throughput: bool,
    /// Numbers of threads; one and all processors if empty.
    pub threads: Vec<usize>,
    /// True to leave out long programs.
    pub quick: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            config: None,
            max_depth: None,
            a: 8,
            b: 8,
            tier: Vec::new(),
            batch_size: None,
            duration: None,
            throughput: false,
            threads: Vec::new(),
            quick: false,
        }
    }
}

impl Options {
    /// Returns the numbers of threads: those asked for, else the powers of two up to the number of
    /// processors, and that number.
    pub(super) fn lanes(&self) -> Vec<usize> {
        if !self.threads.is_empty() {
            return self.threads.clone();
        }
        let all = processors();
        let powers = std::iter::successors(Some(1), |k| Some(2 * k)).take_while(|k| *k < all);
        powers.chain([all]).collect()
    }
}

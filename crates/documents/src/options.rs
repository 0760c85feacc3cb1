//! Options of programs, as the command line states them, and the configurations of document 004.

use std::time::Duration;

use fathom_cases::machine::processors;

/// Options of the suites `nine65`, `h33`, `kernels` and `bootstrap`.
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
    pub fn lanes(&self) -> Vec<usize> {
        if !self.threads.is_empty() {
            return self.threads.clone();
        }
        let all = processors();
        let powers = std::iter::successors(Some(1), |k| Some(2 * k)).take_while(|k| *k < all);
        powers.chain([all]).collect()
    }
}

/// A configuration. The aliases `standard_128` and `high_192` are read as `secure_128` and
/// `secure_192`, as in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Config {
    /// Degree 4096, 89 bits of modulus.
    Secure128,
    /// Degree 8192, 118 bits.
    Secure128Deep,
    /// Degree 16384, 145 bits.
    Secure192,
    /// Degree 16384, 175 bits.
    Secure256,
}

impl Config {
    /// The configurations that differ.
    pub const ALL: [Self; 4] =
        [Self::Secure128, Self::Secure128Deep, Self::Secure192, Self::Secure256];

    /// Names on the command line; the last two are aliases.
    pub const NAMES: [&'static str; 6] =
        ["secure_128", "secure_128_deep", "secure_192", "secure_256", "standard_128", "high_192"];

    /// Parses a name or an alias.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "secure_128" | "standard_128" => Some(Self::Secure128),
            "secure_128_deep" => Some(Self::Secure128Deep),
            "secure_192" | "high_192" => Some(Self::Secure192),
            "secure_256" => Some(Self::Secure256),
            _ => None,
        }
    }

    /// Returns whether there are refreshes of its security level.
    pub fn is_refreshed(self) -> bool {
        matches!(self, Self::Secure128 | Self::Secure128Deep)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Secure128 => "secure_128",
            Self::Secure128Deep => "secure_128_deep",
            Self::Secure192 => "secure_192",
            Self::Secure256 => "secure_256",
        }
    }

    /// Returns the parameter set with the document's degree and modulus.
    pub fn published(self) -> &'static str {
        match self {
            Self::Secure128 => "nine65-128",
            Self::Secure128Deep => "nine65-128-deep",
            Self::Secure192 => "nine65-192",
            Self::Secure256 => "nine65-256",
        }
    }

    /// Returns the parameter set of the same security whose modulus suffices for the chains of the
    /// document at their usual lengths.
    pub fn sized(self) -> &'static str {
        match self {
            Self::Secure128 | Self::Secure128Deep => "nine65-128-sized",
            Self::Secure192 => "nine65-192-sized",
            Self::Secure256 => "nine65-256-sized",
        }
    }
}

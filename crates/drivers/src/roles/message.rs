//! Messages of the roles: one line of JSON, then as many bytes as it announces.

use std::io::{BufRead, Error, ErrorKind, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use fathom_workloads::{Data, Task};

use crate::protocol::{LibraryInfo, Refusal};

/// Longest line of a message, in bytes.
const LINE_LIMIT: u64 = 64 << 20;

/// Most bytes that may follow a line.
pub const PAYLOAD_LIMIT: u64 = 16 << 30;

/// The role of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Holds the secret key, encrypts and decrypts.
    Client,
    /// Computes on ciphertexts.
    Server,
    /// Makes the inputs and compares the outputs with the specification.
    Verifier,
}

impl Role {
    /// Parses the name of a role.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "client" => Some(Self::Client),
            "server" => Some(Self::Server),
            "verifier" => Some(Self::Verifier),
            _ => None,
        }
    }
}

/// A step that a process is asked to take.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// Any role: name the library and the programs that it has.
    Hello,
    /// Any role: prepare a task. Keys are generated at the step `keys`.
    Open {
        /// The task to prepare.
        task: Task,
        /// Position of the implementation in the list of `hello`; the verifier needs none.
        #[serde(default)]
        implementation: usize,
        /// Number of threads of the server.
        #[serde(default = "one")]
        threads: usize,
    },
    /// Client: generate the keys and return those of the server.
    Keys,
    /// Client: encrypt the columns of the payload, which are JSON.
    Encrypt,
    /// Client: decrypt the payload, an answer of the server, and return columns as JSON.
    Decrypt,
    /// Server: expand the evaluation keys of the payload.
    AcceptKeys,
    /// Server: read the ciphertexts of the payload.
    Load {
        /// The columns that the server has in the clear.
        public: Data,
    },
    /// Server: compute the result.
    Compute,
    /// Server: return the result.
    Answer,
    /// Verifier: return the inputs of a seed as JSON.
    Inputs {
        /// The seed.
        seed: u64,
    },
    /// Verifier: compare the columns of the payload with the specification.
    Check,
    /// Any role: end.
    Bye,
}

fn one() -> usize {
    1
}

/// The line of a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Number that the reply repeats.
    pub id: u64,
    /// The step that is asked for.
    #[serde(flatten)]
    pub step: Step,
    /// Number of bytes that follow the line.
    #[serde(default)]
    pub payload_bytes: u64,
}

/// The line of a reply.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Reply {
    /// Number of the request.
    pub id: u64,
    /// The reason why the request was refused; absent if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Refusal>,
    /// Time of the step by the clock of the process, without the transfer of messages.
    pub wall_ns: u64,
    /// Processor time of the step over all threads; null if unknown.
    pub cpu_ns: Option<u64>,
    /// The results of the step besides the payload.
    #[serde(flatten)]
    pub fields: Fields,
    /// Number of bytes that follow the line.
    #[serde(default)]
    pub payload_bytes: u64,
}

/// The fields of the steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fields {
    /// `hello`: the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<LibraryInfo>,
    /// `hello`: the programs, in the order by which `open` refers to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Offered>,
    /// `open`: name of the parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
    /// `open`: security of the parameters in bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security_bits: Option<f64>,
    /// `open`: base-2 logarithm of the failure probability of one bootstrap, if it can fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_log2: Option<f64>,
    /// `compute`: number of bootstraps and of their sequential layers, for schemes that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstraps: Option<(u64, u64)>,
    /// `check`: the comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// A program that a library has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offered {
    /// Name of the workload.
    pub workload: String,
    /// Position in the list of the workload.
    pub implementation: usize,
    /// Scheme.
    pub scheme: String,
    /// The algorithm in one sentence.
    pub method: String,
}

/// The comparison of a result with the specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Number of values compared.
    pub checked: u64,
    /// The first difference; absent if the result is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

/// Writes a message.
///
/// # Errors
/// Those of the writer.
pub(super) fn write(
    output: &mut impl Write,
    line: &impl Serialize,
    payload: &[u8],
) -> std::io::Result<()> {
    serde_json::to_writer(&mut *output, line)?;
    output.write_all(b"\n")?;
    output.write_all(payload)?;
    output.flush()
}

/// Reads a message; `None` at the end of the input. The payload is not allocated before it arrives.
///
/// # Errors
/// Those of the reader; `InvalidData` for a line that is not a message, or that is longer or
/// announces more than the limits allow; `UnexpectedEof` if the input ends early.
pub(super) fn read<T: DeserializeOwned>(
    input: &mut impl BufRead,
    payload_bytes: impl Fn(&T) -> u64,
) -> std::io::Result<Option<(T, Vec<u8>)>> {
    let mut line = Vec::new();
    if input.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let message: T = serde_json::from_slice(&line)
        .map_err(|error| Error::new(ErrorKind::InvalidData, error.to_string()))?;
    let length = payload_bytes(&message);
    if length > PAYLOAD_LIMIT {
        let text = format!("{length} bytes are announced, at most {PAYLOAD_LIMIT} are read");
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    let mut payload = Vec::new();
    if input.by_ref().take(length).read_to_end(&mut payload)? as u64 != length {
        return Err(Error::new(ErrorKind::UnexpectedEof, "the payload is cut off"));
    }
    Ok(Some((message, payload)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(line: &str, payload: &[u8]) -> std::io::Result<Option<(Request, Vec<u8>)>> {
        let mut bytes = line.as_bytes().to_vec();
        bytes.extend(payload);
        read(&mut bytes.as_slice(), |request: &Request| request.payload_bytes)
    }

    #[test]
    fn messages_come_back_and_malformed_ones_are_refused() {
        let request = Request { id: 3, step: Step::AcceptKeys, payload_bytes: 4 };
        let mut bytes = Vec::new();
        write(&mut bytes, &request, b"keys").unwrap();
        let (read, payload) = message(&String::from_utf8(bytes).unwrap(), b"").unwrap().unwrap();
        assert_eq!((read.id, payload.as_slice()), (3, b"keys".as_slice()));

        assert!(message("", b"").unwrap().is_none());
        let refused = [
            ("not json\n", b"".as_slice(), ErrorKind::InvalidData),
            ("{\"id\":1,\"step\":\"dance\"}\n", b"", ErrorKind::InvalidData),
            (
                "{\"id\":1,\"step\":\"keys\",\"payload_bytes\":9}\n",
                b"abc",
                ErrorKind::UnexpectedEof,
            ),
            (
                "{\"id\":1,\"step\":\"keys\",\"payload_bytes\":99999999999999}\n",
                b"",
                ErrorKind::InvalidData,
            ),
        ];
        for (line, payload, kind) in refused {
            assert_eq!(message(line, payload).unwrap_err().kind(), kind, "{line}");
        }
    }
}

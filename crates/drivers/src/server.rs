//! The driver side of the protocol: serves any [`Library`] over two streams.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::library::Library;
use super::limits::LONGEST_LINE;
use super::protocol::{
    Code, Handle, Hello, OfCiphertext, PROTOCOL, Prepare, Prepared, Refusal, Request, Verb,
};
use super::served::Served;

/// Answers requests, one line each, until `bye` or the end of `input`.
///
/// # Errors
/// Errors of the two streams.
pub fn serve<L: Library>(
    library: &L,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut server = Server { library, sessions: HashMap::new(), next: 1 };
    let mut line = Vec::new();
    while next_line(&mut input, &mut line)? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (id, answer, last) = if line.len() > LONGEST_LINE {
            let message = format!("a request is longer than {LONGEST_LINE} bytes");
            (Value::Null, Err(bad_request(message)), false)
        } else {
            match serde_json::from_slice::<Request>(&line) {
                Ok(request) => {
                    let last = matches!(request.verb, Verb::Bye);
                    (json!(request.id), server.answer(request.verb), last)
                }
                Err(error) => (id_of(&line), Err(bad_request(error.to_string())), false),
            }
        };
        serde_json::to_writer(&mut output, &reply(&id, answer))?;
        output.write_all(b"\n")?;
        output.flush()?;
        if last {
            break;
        }
    }
    Ok(())
}

/// Reads a line and keeps at most one byte more than the longest allowed; returns false at the end
/// of the input.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', line)?;
    if line.len() > LONGEST_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

/// Returns the number of a malformed request; null if it has none.
fn id_of(line: &[u8]) -> Value {
    #[derive(serde::Deserialize)]
    struct Numbered {
        id: Option<u64>,
    }
    serde_json::from_slice::<Numbered>(line).map_or(Value::Null, |found| json!(found.id))
}

fn reply(id: &Value, answer: Result<Value, Refusal>) -> Value {
    match answer {
        Ok(mut fields) => {
            fields["id"] = id.clone();
            fields["ok"] = json!(true);
            fields
        }
        Err(refusal) => json!({ "id": id, "ok": false, "error": refusal }),
    }
}

fn bad_request(message: impl Into<String>) -> Refusal {
    Refusal::new(Code::BadRequest, message)
}

fn fields(reply: impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(reply).map_err(|e| Refusal::new(Code::Internal, e.to_string()))
}

struct Server<'a, L: Library> {
    library: &'a L,
    sessions: HashMap<u64, Box<dyn Served>>,
    next: u64,
}

impl<L: Library> Server<'_, L> {
    fn answer(&mut self, verb: Verb) -> Result<Value, Refusal> {
        match verb {
            Verb::Hello => {
                let (library, schemes) = (self.library.info(), self.library.schemes());
                fields(Hello { protocol: PROTOCOL.into(), library, schemes })
            }
            Verb::Prepare(request) => fields(self.prepare(&request)?),
            Verb::Keygen(request) => fields(self.open(request.session)?.keygen(&request)?),
            Verb::Encrypt(request) => {
                let ct = self.fresh();
                fields(self.open(request.session)?.encrypt(&request, ct)?)
            }
            Verb::Plaintext(request) => {
                let pt = self.fresh();
                fields(self.open(request.session)?.plaintext(&request, pt)?)
            }
            Verb::Run(request) => {
                let first = self.next;
                self.next += request.inputs.len() as u64;
                fields(self.open(request.session)?.run(&request, first)?)
            }
            Verb::Decrypt(request) => fields(self.open(request.session)?.decrypt(&request)?),
            Verb::Noise(OfCiphertext { session, ct }) => fields(self.open(session)?.noise(ct)?),
            Verb::Drop { handles } => self.drop_handles(&handles),
            Verb::Bye => Ok(json!({})),
        }
    }

    fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn open(&mut self, session: u64) -> Result<&mut Box<dyn Served>, Refusal> {
        let unknown = || bad_request(format!("there is no session {session}"));
        self.sessions.get_mut(&session).ok_or_else(unknown)
    }

    fn prepare(&mut self, request: &Prepare) -> Result<Prepared, Refusal> {
        if request.threads == 0 || request.op_threads == 0 {
            return Err(bad_request("`threads` and `op_threads` must be at least 1"));
        }
        if request.threads.saturating_mul(request.op_threads) > fathom::MAX_THREADS {
            return Err(bad_request(format!(
                "{} times {} threads were asked for, at most {} are started",
                request.threads,
                request.op_threads,
                fathom::MAX_THREADS
            )));
        }
        let (session, params) = self.library.open(request)?;
        let id = self.fresh();
        self.sessions.insert(id, session);
        Ok(Prepared { session: id, params })
    }

    fn drop_handles(&mut self, handles: &[Handle]) -> Result<Value, Refusal> {
        for handle in handles {
            let found = self.sessions.values_mut().any(|session| session.forget(*handle));
            if !found {
                return Err(bad_request(format!("there is no handle {handle}")));
            }
        }
        Ok(json!({}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::Plain;

    fn converse(requests: &[&str]) -> Vec<Value> {
        let mut replies = Vec::new();
        serve(&Plain, requests.join("\n").as_bytes(), &mut replies).unwrap();
        let text = String::from_utf8(replies).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_session_goes_from_parameters_to_values() {
        let replies = converse(&[
            r#"{"id":1,"verb":"prepare","scheme":"bfv","params":{"preset":"e1"}}"#,
            r#"{"id":2,"verb":"keygen","session":1,"rotations":[1],"reps":3}"#,
            r#"{"id":3,"verb":"encrypt","session":1,"values":[2,-3],"mode":"sk"}"#,
            r#"{"id":4,"verb":"run","session":1,"op":"square","inputs":[[2],[2]],"samples":2}"#,
            r#"{"id":5,"verb":"decrypt","session":1,"ct":3}"#,
            r#"{"id":6,"verb":"bye"}"#,
            r#"{"id":7,"verb":"hello"}"#,
        ]);
        assert_eq!(replies.len(), 6, "nothing is answered after bye");
        assert!(replies.iter().zip(1..).all(|(r, id)| r["ok"] == true && r["id"] == id));
        assert_eq!(replies[1]["rotate_samples_ns"].as_array().unwrap().len(), 3);
        assert_eq!(replies[3]["outputs"], json!([3, 4]));
        assert_eq!(replies[3]["samples_ns"].as_array().unwrap().len(), 2);
        assert_eq!(replies[4]["values"].as_array().unwrap()[..2], [4, 9]);
    }

    #[test]
    fn what_makes_no_sense_is_refused_and_the_next_request_answered() {
        let replies = converse(&[
            "not json",
            r#"{"id":"x","verb":"hello"}"#,
            r#"{"id":2,"verb":"dance"}"#,
            r#"{"id":3,"verb":"drop","handles":[9]}"#,
            r#"{"id":4,"verb":"prepare","scheme":"bfv","params":{"preset":"e1"},"threads":0}"#,
            r#"{"id":5,"verb":"prepare","scheme":"bfv","params":{"preset":"e1"},"threads":9999}"#,
            "",
            r#"{"id":6,"verb":"hello"}"#,
        ]);
        let codes: Vec<&Value> = replies[..6].iter().map(|r| &r["error"]["code"]).collect();
        assert!(codes.iter().all(|code| **code == "bad_request"), "{replies:?}");
        assert_eq!(replies[0]["id"], Value::Null);
        assert_eq!((&replies[6]["id"], &replies[6]["protocol"]), (&json!(6), &json!(PROTOCOL)));
    }

    #[test]
    fn new_keys_make_old_items_unknown() {
        let replies = converse(&[
            r#"{"id":1,"verb":"prepare","scheme":"bgv","params":{"preset":"e1"}}"#,
            r#"{"id":2,"verb":"encrypt","session":1,"values":[1],"mode":"pk"}"#,
            r#"{"id":3,"verb":"keygen","session":1}"#,
            r#"{"id":4,"verb":"encrypt","session":1,"values":[1],"mode":"pk"}"#,
            r#"{"id":5,"verb":"keygen","session":1}"#,
            r#"{"id":6,"verb":"decrypt","session":1,"ct":3}"#,
        ]);
        assert_eq!(replies[1]["ok"], false, "keys come first");
        assert_eq!((&replies[3]["ok"], &replies[3]["ct"]), (&json!(true), &json!(3)));
        assert_eq!(replies[5]["error"]["code"], "bad_request");
    }
}

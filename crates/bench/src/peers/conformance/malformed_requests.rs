//! Conformance test: malformed requests are refused with a reason, and the driver keeps running.

use std::time::Duration;

use fathom_drivers::client::Driver;
use fathom_drivers::process::Launch;
use fathom_drivers::protocol::{Code, Keygen, ParamsRequest, Refusal, SchemeInfo};
use serde_json::{Value, json};

use super::log::{Log, failed};

/// Longest wait for the driver to exit after `bye`.
const LEAVING: Duration = Duration::from_secs(10);

/// Sends all malformed requests, then `bye`.
pub(super) fn check(
    launch: &Launch,
    scheme: &SchemeInfo,
    request: Option<ParamsRequest>,
    log: &mut Log<'_>,
) {
    let (mut driver, session) = match open(launch, scheme, request) {
        Ok(opened) => opened,
        Err(reason) => return log.note("bad requests", Err(reason)),
    };
    for (name, line) in malformed_requests(&scheme.scheme, session) {
        let outcome = refused(&mut driver, &line);
        let dead = !driver.is_alive();
        log.note(format!("refuses {name}"), outcome);
        if dead {
            return log.note("keeps running after bad requests", Err("the driver exited".into()));
        }
    }
    log.note("keeps running after bad requests", Ok(String::new()));
    let ended = match failed(driver.leave(LEAVING)) {
        Ok(Some(status)) if status.success() => Ok(String::new()),
        Ok(Some(status)) => Err(format!("ended with {status}")),
        Ok(None) => Err(format!("still runs {} s after `bye`", LEAVING.as_secs())),
        Err(reason) => Err(reason),
    };
    log.note("bye", ended);
}

fn open(
    launch: &Launch,
    scheme: &SchemeInfo,
    request: Option<ParamsRequest>,
) -> Result<(Driver, u64), String> {
    let request = request.ok_or_else(|| format!("no parameters for {}", scheme.scheme))?;
    let mut driver = failed(Driver::start(launch))?;
    let session = failed(driver.prepare(&scheme.scheme, request, [1, 1], None))?.session;
    let keys = Keygen { session, rotations: Vec::new(), row_swap: 0, reps: 1 };
    failed(driver.keygen(keys))?;
    Ok((driver, session))
}

/// Returns requests that no driver can carry out, each with a name.
fn malformed_requests(scheme: &str, session: u64) -> Vec<(&'static str, String)> {
    let unknown = u64::from(u32::MAX);
    let prepare = |scheme: &str, preset: &str| {
        let params = json!({ "preset": preset });
        json!({ "verb": "prepare", "scheme": scheme, "params": params })
    };
    let encrypt = |values: Value| {
        let mode = "sk";
        json!({ "verb": "encrypt", "session": session, "values": values, "mode": mode })
    };
    let run = |op: &str, inputs: Value| {
        let verb = "run";
        json!({ "verb": verb, "session": session, "op": op, "inputs": inputs })
    };
    let decrypt = json!({ "verb": "decrypt", "session": session, "ct": unknown });
    let lines = [
        ("an unknown verb", json!({ "verb": "dance" })),
        ("an unknown scheme", prepare("rot13", "x")),
        ("unknown parameters", prepare(scheme, "no such preset")),
        ("an unknown session", json!({ "verb": "keygen", "session": unknown })),
        ("an unknown handle", decrypt),
        ("to drop an unknown handle", json!({ "verb": "drop", "handles": [unknown] })),
        ("an unknown operand", run("add", json!([[unknown, unknown]]))),
        ("an unknown operation", run("frobnicate", json!([[unknown]]))),
        ("an operation without inputs", run("add", json!([]))),
        ("too many values", encrypt(json!(vec![1; 1 << 18]))),
        ("values that are not numbers", encrypt(json!(["one"]))),
        ("a request without its fields", json!({ "verb": "run" })),
    ];
    let numbered = |(name, mut line): (&'static str, Value)| {
        line["id"] = json!(9);
        (name, line.to_string())
    };
    let lines = lines.into_iter().map(numbered);
    lines.chain([("a line that is not JSON", "{\"id\":9,".to_owned())]).collect()
}

/// Checks that the reply is a refusal of the protocol.
fn refused(driver: &mut Driver, line: &str) -> Result<String, String> {
    let reply = failed(driver.exchange(line))?;
    let reply: Value = serde_json::from_slice(&reply).map_err(|e| format!("no JSON: {e}"))?;
    if reply["ok"] != Value::Bool(false) {
        return Err("answered with success".into());
    }
    let refusal: Result<Refusal, _> = serde_json::from_value(reply["error"].clone());
    match refusal {
        Err(error) => Err(format!("the error code is not in the protocol: {error}")),
        Ok(refusal) if refusal.message.is_empty() => Err("refused without a message".into()),
        Ok(refusal) if refusal.code == Code::Internal => {
            Err(format!("refused with `internal`: {}", refusal.message))
        }
        Ok(refusal) => Ok(refusal.code.to_string()),
    }
}

//! A driver for tests of the harness: clear arithmetic, correct or misbehaving in one operation.
//!
//! `fixture_driver honest` answers correctly. `fixture_driver <behavior> <op>` answers correctly
//! until it is asked to run `<op>`: then it returns a wrong result (`lie`), stops answering
//! (`hang`), exits (`crash`), writes without end (`flood`), answers with a malformed reply
//! (`nonsense`), writes short lines without end (`chatter`), exits within a line (`break`), or
//! stops answering and leaves a child process that keeps its output open (`orphan`).
//!
//! `fixture_driver set (VERB POINTER JSON)...` answers correctly except in the given fields: in
//! every reply to that verb (for `run` only in replies to the product), the value at the JSON
//! pointer is replaced by the text, whether it is JSON or not, or by the contents of the file named
//! after `@`. `fixture_driver early` answers everything twice; `fixture_driver deaf` reads nothing
//! after `prepare`.

use std::io::{self, BufRead, BufReader, Write};

use fathom_bench::drivers::{plain::Plain, server};
use serde_json::Value;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let behavior = arguments.next().unwrap_or_else(|| "honest".into());
    let more: Vec<String> = arguments.collect();
    let trigger = more.first().cloned().unwrap_or_default();
    let (requests, mut to_server) = io::pipe()?;
    let (from_server, replies) = io::pipe()?;
    std::thread::spawn(move || server::serve(&Plain, BufReader::new(requests), replies));
    let mut from_server = BufReader::new(from_server);
    let mut lying = false;
    for request in io::stdin().lock().lines() {
        let request = request?;
        let asked: Value = serde_json::from_str(&request).unwrap_or_default();
        if asked["verb"] == "run" {
            let triggered = asked["op"] == trigger.as_str();
            lying = triggered && behavior == "lie";
            if triggered {
                misbehave(&behavior)?;
            }
        }
        writeln!(to_server, "{request}")?;
        let mut reply = String::new();
        from_server.read_line(&mut reply)?;
        if lying {
            reply = falsified(&reply)?;
        }
        if behavior == "set" && (asked["verb"] != "run" || asked["op"] == "mul") {
            reply = altered(&reply, &asked, &more)?;
        }
        print!("{reply}");
        if behavior == "early" {
            print!("{reply}");
        }
        io::stdout().flush()?;
        if behavior == "deaf" && asked["verb"] == "prepare" {
            std::thread::sleep(std::time::Duration::from_mins(10));
        }
        if asked["verb"] == "bye" {
            break;
        }
    }
    Ok(())
}

fn misbehave(behavior: &str) -> io::Result<()> {
    match behavior {
        "hang" => loop {
            std::thread::sleep(std::time::Duration::from_mins(1));
        },
        "crash" => {
            eprintln!("the fixture crashes as told");
            std::process::exit(7);
        }
        "flood" => loop {
            io::stdout().write_all(&[b'x'; 1 << 13])?;
        },
        "nonsense" => println!("what did you say?"),
        "chatter" => loop {
            io::stdout().write_all(b"{}\n")?;
        },
        "break" => {
            print!("{{\"id\":");
            io::stdout().flush()?;
            std::process::exit(0);
        }
        "orphan" => {
            std::process::Command::new("sleep").arg("97").spawn()?.wait()?;
        }
        _ => {}
    }
    Ok(())
}

/// Returns the reply with its first decrypted value increased by one.
fn falsified(reply: &str) -> io::Result<String> {
    let mut reply: Value = serde_json::from_str(reply)?;
    if let Some(first) = reply.pointer_mut("/values/0") {
        *first = (first.as_i64().unwrap_or(0) + 1).into();
    }
    Ok(format!("{reply}\n"))
}

/// Returns the reply with the values replaced that `changes` lists as triples of verb, pointer and
/// text.
fn altered(reply: &str, asked: &Value, changes: &[String]) -> io::Result<String> {
    let mut altered: Value = serde_json::from_str(reply)?;
    let mut texts = Vec::new();
    for change in changes.chunks_exact(3) {
        let [verb, pointer, text] = change else { continue };
        if asked["verb"] != verb.as_str() {
            continue;
        }
        let text = match text.strip_prefix('@') {
            Some(file) => std::fs::read_to_string(file)?,
            None => text.clone(),
        };
        if pointer.is_empty() {
            return Ok(format!("{text}\n"));
        }
        let mark = format!("@{}@", texts.len());
        let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", pointer));
        match altered.pointer_mut(parent) {
            Some(Value::Object(fields)) => drop(fields.insert(key.into(), mark.clone().into())),
            Some(Value::Array(list)) => list.push(mark.clone().into()),
            Some(_) | None => continue,
        }
        texts.push((format!("\"{mark}\""), text));
    }
    let mut altered = altered.to_string();
    for (mark, text) in texts {
        altered = altered.replace(&mark, &text);
    }
    Ok(altered + "\n")
}

//! A driver for tests of the harness: clear arithmetic, honest or misbehaving at one operation.
//!
//! `fixture_driver honest` answers as it should. `fixture_driver <mischief> <op>` does so too,
//! until it is asked to run `<op>`: then it tells a wrong result (`lie`), falls silent (`hang`),
//! ends (`crash`), writes without end (`flood`) or answers what is no reply (`nonsense`).

use std::io::{self, BufRead, BufReader, Write};

use fathom_bench::drivers::{plain::Plain, server};
use serde_json::Value;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mischief = arguments.next().unwrap_or_else(|| "honest".into());
    let trigger = arguments.next().unwrap_or_default();
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
            lying = triggered && mischief == "lie";
            if triggered {
                misbehave(&mischief)?;
            }
        }
        writeln!(to_server, "{request}")?;
        let mut reply = String::new();
        from_server.read_line(&mut reply)?;
        if lying {
            reply = falsified(&reply)?;
        }
        print!("{reply}");
        io::stdout().flush()?;
        if asked["verb"] == "bye" {
            break;
        }
    }
    Ok(())
}

fn misbehave(mischief: &str) -> io::Result<()> {
    match mischief {
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
        _ => {}
    }
    Ok(())
}

/// The reply with its first decrypted value increased by one.
fn falsified(reply: &str) -> io::Result<String> {
    let mut reply: Value = serde_json::from_str(reply)?;
    if let Some(first) = reply.pointer_mut("/values/0") {
        *first = (first.as_i64().unwrap_or(0) + 1).into();
    }
    Ok(format!("{reply}\n"))
}

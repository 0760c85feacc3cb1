//! Results cannot be lost: not by a second run into the same folder, a killed process, a full disk,
//! or a damaged file among good ones.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{command, fathom, fixture, folder, records};

/// Returns the command of a run on the fixture that ends soon, with its files in `out`.
fn bench(out: &Path, budget: &str) -> Command {
    let arguments = ["bench", "--allow-debug", "--peers", "none", "--budget", budget];
    let mut command = command(&arguments);
    command.args(["--driver", &fixture(), "--out", out.to_str().unwrap()]);
    command
}

fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the result file holds more than `count` lines.
fn wait_for_cases(folder: &Path, count: usize) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while Instant::now() < deadline {
        let text = std::fs::read(folder.join("results.jsonl")).unwrap_or_default();
        if String::from_utf8_lossy(&text).lines().count() > count {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no {count} cases within a minute");
}

/// Returns a folder with the results of a short run.
fn short_run(name: &str) -> PathBuf {
    let out = folder(name);
    let run = bench(&out, "1s").args(["--ops", "mul,add"]).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    out
}

#[test]
fn a_second_run_into_a_folder_is_refused_before_anything_runs() {
    let out = short_run("kept-again");
    let before = std::fs::read(out.join("results.jsonl")).unwrap();
    let began = Instant::now();
    let again = bench(&out, "120s").output().unwrap();
    let said = String::from_utf8(again.stderr).unwrap();
    assert_eq!(again.status.code(), Some(2), "{said}");
    assert!(said.contains("holds the results of an earlier run"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(20));
    assert_eq!(std::fs::read(out.join("results.jsonl")).unwrap(), before);
    // What another program left under one of these names is not overwritten either.
    let other = folder("kept-other");
    std::fs::write(other.join("all.csv"), "mine").unwrap();
    let run = bench(&other, "1s").output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(std::fs::read_dir(&other).unwrap().count(), 1, "nothing is left beside it");
    std::fs::rename(other.join("all.csv"), other.join("verified.csv")).unwrap();
    assert_eq!(bench(&other, "1s").output().unwrap().status.code(), Some(2));
    assert_eq!(std::fs::read_dir(&other).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn two_processes_into_one_folder_leave_one_whole_run() {
    let out = folder("kept-two");
    let runs: Vec<Child> =
        (0..2).map(|_| start(bench(&out, "2s").args(["--ops", "mul,add,decrypt"]))).collect();
    let ended: Vec<_> = runs.into_iter().map(|run| run.wait_with_output().unwrap()).collect();
    let mut codes: Vec<i32> = ended.iter().map(|run| run.status.code().unwrap()).collect();
    codes.sort_unstable();
    let said: String = ended.iter().map(|run| String::from_utf8_lossy(&run.stderr)).collect();
    assert_eq!(codes, [0, 2], "{said}");
    let kept = records(&out);
    assert_eq!(kept.iter().filter(|record| record["kind"] == "context").count(), 1);
    assert!(kept.len() > 8 && out.join("report.html").exists());
    // While a run writes, the refusal says so.
    let busy = folder("kept-busy");
    let mut first = start(&mut bench(&busy, "120s"));
    wait_for_cases(&busy, 1);
    let second = bench(&busy, "1s").output().unwrap();
    let said = String::from_utf8(second.stderr).unwrap();
    assert!(said.contains("is where another run is writing"), "{said}");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn two_runs_in_one_second_have_folders_of_their_own() {
    let home = folder("kept-second");
    let start = || {
        let mut run = command(&["bench", "--allow-debug", "--peers", "none", "--budget", "1s"]);
        run.args(["--ops", "add", "--driver", &fixture()]).current_dir(&home);
        run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let runs: Vec<Child> = (0..3).map(|_| start()).collect();
    for mut run in runs {
        assert_eq!(run.wait().unwrap().code(), Some(0));
    }
    let folders: Vec<PathBuf> =
        std::fs::read_dir(home.join("results")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(folders.len(), 3, "{folders:?}");
    assert!(folders.iter().all(|folder| records(folder).len() > 2));
    let history = command(&["history"]).current_dir(&home).output().unwrap();
    let text = String::from_utf8(history.stdout).unwrap();
    assert!(text.contains("in 3 runs"), "{text}");
}

#[test]
fn what_a_killed_run_measured_is_on_disk_and_the_next_commands_read_it() {
    let results = folder("kept-killed");
    let out = results.join("run");
    let mut run = start(&mut bench(&out, "120s"));
    wait_for_cases(&out, 4);
    run.kill().unwrap();
    run.wait().unwrap();
    let file = out.join("results.jsonl");
    let mut content = std::fs::read(&file).unwrap();
    let whole = String::from_utf8_lossy(&content).matches('\n').count() - 1;
    // The kill may hit in the middle of a line.
    content.extend(b"{\"kind\":\"case\",\"id\":\"plain/bfv/e1/m");
    std::fs::write(&file, content).unwrap();
    let page = results.join("page.html");
    let [out, results, page] = [&out, &results, &page].map(|path| path.to_str().unwrap());
    for arguments in [
        &["history", results][..],
        &["report", out, "-o", page],
        &["compare", out, out],
        &["export", out, "--format", "gbench"],
        &["check-claims", file.to_str().unwrap()],
    ] {
        let run = fathom(arguments);
        assert!(run.code <= 1, "{arguments:?}: {} {}", run.code, run.stderr);
        assert!(run.stderr.contains("a damaged line left out"), "{arguments:?}: {}", run.stderr);
        assert!(!run.stdout.is_empty(), "{arguments:?}");
    }
    let history = fathom(&["history", results]).stdout;
    assert!(history.contains("in 1 runs"), "{history}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(whole >= 4 && page.matches("\"kind\":\"case\"").count() >= whole);
}

#[test]
fn a_damaged_run_among_others_is_left_out_with_a_warning() {
    let good = short_run("kept-good/run");
    let results = good.parent().unwrap();
    let damaged = |name: &str, content: &[u8]| {
        let folder = results.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("results.jsonl"), content).unwrap();
        folder
    };
    let noise = damaged("noise", b"\xff\xfe\x00 no record\n");
    let page = damaged("page", b"<html>\n");
    damaged("zero", b"");
    std::fs::create_dir_all(results.join("empty")).unwrap();
    let headless = {
        let text = std::fs::read_to_string(good.join("results.jsonl")).unwrap();
        damaged("headless", text.split_once('\n').unwrap().1.as_bytes())
    };
    let out = results.join("page.html");
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let history = fathom(&["history", &text(results)]);
    assert_eq!(history.code, 0, "{}", history.stderr);
    for name in ["noise", "page", "headless"] {
        assert!(history.stderr.contains(name), "{name}: {}", history.stderr);
    }
    assert!(history.stdout.contains("in 1 runs"), "{}", history.stdout);
    let files = [&good, &noise, &page, &headless, &results.join("empty")].map(|path| text(path));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let report = fathom(&[&["report"], &files[..], &["-o", &text(&out)]].concat());
    assert_eq!(report.code, 0, "{}", report.stderr);
    assert_eq!(report.stderr.matches("left out").count(), 3, "{}", report.stderr);
    assert!(out.exists());
    // A name that nothing has is a mistake, and a comparison needs both sides.
    assert_eq!(fathom(&["report", files[0], "missing", "-o", &text(&out)]).code, 2);
    assert_eq!(fathom(&["compare", files[0], files[1]]).code, 2);
    // A damaged neighbour does not spoil the report of a new run.
    let run = command(&["report", files[0], "--history", &text(results), "-o", &text(&out)]);
    let run = { run }.output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn a_full_disk_never_leaves_half_a_report() {
    let out = short_run("kept-full");
    let page = out.join("page.html");
    let earlier = "<!doctype html><p>the earlier page";
    std::fs::write(&page, earlier).unwrap();
    // The shell's limit on the size of files simulates a full disk.
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$@\"";
    let run = command(&["report", out.to_str().unwrap(), "-o", page.to_str().unwrap()]);
    let mut limited = Command::new("sh");
    limited.args(["-c", script, "sh"]).arg(run.get_program()).args(run.get_args());
    let ended = limited.output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{said}");
    assert!(said.contains("page.html") && said.contains("too large"), "{said}");
    assert_eq!(std::fs::read_to_string(&page).unwrap(), earlier);
    let left: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.') || name.contains(".part"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_run_begins() {
    let out = folder("kept-output");
    let missing = out.join("missing/bench.json");
    let began = Instant::now();
    let mut run = command(&["bench", "nine65", "--allow-debug", "--peers", "none"]);
    run.args(["--out", out.join("run").to_str().unwrap(), "-o", missing.to_str().unwrap()]);
    let run = run.output().unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(said.contains("missing/bench.json"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(!out.join("run").exists(), "a run that did not begin leaves nothing");
    let report = fathom(&["report", "nothing", "-o", missing.to_str().unwrap()]);
    assert_eq!(report.code, 2);
}

#[test]
fn what_the_user_has_under_the_name_of_an_output_stays_as_it_is() {
    let out = folder("kept-own");
    let own = |name: &str| {
        std::fs::write(out.join(name), "{\"mine\": true}").unwrap();
        out.join(name)
    };
    let package = own("package.json");
    let arguments = ["bench", "nine65", "--allow-debug", "--peers", "none", "-o"];
    let run = fathom(&[&arguments[..], &[package.to_str().unwrap()]].concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("name another file"), "{}", run.stderr);
    let mut kept = vec![package];
    for name in ["tables.md", "outcomes.csv", "bench.json"] {
        kept.push(own(name));
        let arguments = ["reproduce", "004", "--quick", "--budget", "1s", "--allow-debug", "--out"];
        let run = fathom(&[&arguments[..], &[out.to_str().unwrap()]].concat());
        assert_eq!(run.code, 2, "{name}: {}", run.stderr);
        assert!(run.stderr.contains("stays as it is"), "{name}: {}", run.stderr);
        assert!(!out.join("results.jsonl").exists(), "{name}");
    }
    for path in kept {
        assert_eq!(std::fs::read_to_string(path).unwrap(), "{\"mine\": true}");
    }
}

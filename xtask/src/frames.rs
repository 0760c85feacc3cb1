//! The stack frames of compiled libraries, read from their disassembly.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Largest frame allowed, because threads have 2 MB of stack by default and calls nest.
const LIMIT: u64 = 64 << 10;

/// Number of instructions of a function in which its frame is allocated.
const PROLOGUE: usize = 60;

/// Checks the frames of Fathom's libraries in a folder of build outputs.
///
/// Skipped with a message if there is no `objdump` or the code is not for x86-64.
pub(crate) fn check(folder: &Path) -> bool {
    if std::env::consts::ARCH != "x86_64" {
        println!("frames: SKIPPED: only x86-64 is read");
        return true;
    }
    if Command::new("objdump").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("frames: SKIPPED: there is no objdump");
        return true;
    }
    let libraries = libraries(folder);
    let (mut read, mut ok) = (0, true);
    for library in &libraries {
        let Some(frames) = functions(library) else {
            println!("frames: {} cannot be read", library.display());
            return false;
        };
        // What only exports others has no function.
        let Some((name, bytes)) = frames.into_iter().max_by_key(|(_, bytes)| *bytes) else {
            continue;
        };
        println!("frames: {}: {bytes} bytes in {name}", library.display());
        read += 1;
        ok &= bytes <= LIMIT;
    }
    ok &= read > 0;
    if !ok {
        println!("frames: FAILED: no library in {}, or above {LIMIT} bytes", folder.display());
    }
    ok
}

/// Returns the compiled libraries of Fathom's crates.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libfathom") && path.extension().is_some_and(|end| end == "rlib")
    });
    paths.sort();
    paths
}

/// Returns the functions of a library with their frames, unless it cannot be read.
fn functions(library: &Path) -> Option<Vec<(String, u64)>> {
    let mut command = Command::new("objdump");
    command.args(["--disassemble", "--no-show-raw-insn"]).arg(library);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let lines = BufReader::new(child.stdout.take()?).lines().map_while(Result::ok);
    let frames = frames(lines);
    child.wait().ok()?.success().then_some(frames)
}

/// Returns every function of a disassembly with the bytes that it subtracts from the stack pointer.
///
/// Large frames are allocated page by page, so that a guard page is hit: by several subtractions,
/// or in a loop down to an address in `r11`.
fn frames(lines: impl Iterator<Item = String>) -> Vec<(String, u64)> {
    let mut frames: Vec<(String, u64)> = Vec::new();
    let (mut seen, mut in_loop) = (0, false);
    for line in lines {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            frames.push((name.to_owned(), 0));
            (seen, in_loop) = (0, false);
            continue;
        }
        seen += 1;
        let Some((_, bytes)) = frames.last_mut().filter(|_| seen <= PROLOGUE) else { continue };
        if let Some(taken) = number_between(&line, "lea", "-0x", "(%rsp),%r11") {
            *bytes += taken;
            in_loop = true;
        } else if let Some(taken) = number_between(&line, "sub", "$0x", ",%rsp") {
            // The subtraction inside the loop is part of the loop's total.
            *bytes += if in_loop { 0 } else { taken };
            in_loop = false;
        }
    }
    frames
}

/// Returns the hexadecimal number of an instruction between two texts.
fn number_between(line: &str, instruction: &str, before: &str, after: &str) -> Option<u64> {
    let (_, operands) = line.split_once(instruction)?;
    let (digits, _) = operands.trim_start().strip_prefix(before)?.split_once(after)?;
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b1_frames_are_read_in_each_of_their_forms() {
        let text = "\
0000000000000000 <small>:
   0:	sub    $0x18,%rsp
   4:	ret
0000000000000010 <pages>:
  10:	push   %rbp
  11:	sub    $0x1000,%rsp
  18:	movq   $0x0,(%rsp)
  20:	sub    $0x1000,%rsp
  28:	sub    $0x20,%rsp
0000000000000030 <looped>:
  30:	lea    -0x12000(%rsp),%r11
  38:	sub    $0x1000,%rsp
  40:	movq   $0x0,(%rsp)
  48:	cmp    %r11,%rsp
  50:	sub    $0x340,%rsp
0000000000000060 <none>:
  60:	ret";
        let found = frames(text.lines().map(str::to_owned));
        let expected = [("small", 0x18), ("pages", 0x2020), ("looped", 0x1_2340), ("none", 0)];
        assert_eq!(found, expected.map(|(name, bytes)| (name.to_owned(), bytes)));
    }
}

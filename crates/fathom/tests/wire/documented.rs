//! The sizes that documents state are those of encoded objects.

use crate::wire::sample::Sample;
use fathom::bgv::{Bgv, Preset};
use fathom::wire::{VERSION, WireObject};
use std::fs;
use std::path::Path;

fn document(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

/// Returns the last cell of the row of a table whose first cell begins with `name`, as a number.
fn size(text: &str, name: &str) -> usize {
    let row = text.lines().find(|line| line.starts_with(&format!("| {name}"))).unwrap();
    let cell = row.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap();
    cell.replace(' ', "").parse().unwrap()
}

#[test]
fn the_page_states_the_version_and_the_lengths_of_the_frame() {
    let text = document("docs/wire-format.md");
    assert!(text.starts_with(&format!("# Wire format, version {VERSION}\n")));
    let at = |field: &str| {
        let row = text.lines().find(|line| line.contains(&format!("| {field} |"))).unwrap();
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        (cells[1].parse::<usize>().ok(), cells[2].parse::<usize>().unwrap())
    };
    let fields = ["magic", "version", "type", "flags", "metadata length", "scheme"];
    let fields = fields.into_iter().chain(["params id", "key id", "payload length"]);
    let header = fields.fold(0, |next, field| {
        let (offset, bytes) = at(field);
        assert_eq!(offset, Some(next), "{field}");
        next + bytes
    });
    assert!(text.contains(&format!("The header is {header} bytes long")));
    let plaintext = Sample::<Bgv>::new(Preset::E1.spec()).plaintext;
    let frame = header + at("checksum").1;
    assert_eq!(plaintext.byte_len(), frame + 4096 * 17 / 8);
}

#[test]
fn the_sizes_of_e1_in_the_documents_are_those_of_its_objects() {
    let text = document("docs/wire-format.md");
    let (_, text) = text.split_once("\n## Sizes\n").unwrap();
    let s = Sample::<Bgv>::new(Preset::E1.spec());
    let e = s.evaluator();
    let lowest = e.mod_switch_to(&s.ciphertext, 0).unwrap();
    let frame = s.public.byte_len() - size(text, "switching key");
    for (name, bytes) in [
        ("fresh ciphertext", s.ciphertext.byte_len()),
        ("ciphertext at the top level", e.neg(&s.ciphertext).unwrap().byte_len()),
        ("ciphertext at level 0", lowest.byte_len()),
        ("plaintext", s.plaintext.byte_len()),
        ("public key", s.public.byte_len()),
        ("secret key", s.secret.secret_byte_len()),
    ] {
        assert_eq!(size(text, name), bytes, "{name}");
    }
    assert_eq!(frame, 72 + 16, "a public key is a frame around a switching key of one digit");
}

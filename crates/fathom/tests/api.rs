//! docs/api.md is what the sources say: a table of every public verb by scheme.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "of the grammar of Rust, a few forms matter here"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{FnArg, ImplItem, Item, ReturnType, Type, Visibility};

/// The schemes, in the order of the columns.
const SCHEMES: [&str; 13] = [
    "BFV",
    "BGV",
    "CKKS",
    "wide integers",
    "wide vectors",
    "TFHE integers",
    "TFHE byte strings",
    "TFHE short integers",
    "TFHE gates",
    "TFHE blocks",
    "FHEW",
    "HFHE",
    "HFHE with edges",
];

/// The description of each column in the legend.
const COLUMNS: [&str; 13] = [
    "`fathom::bfv::Evaluator`, integers modulo `t` in slots, automatic levels",
    "`fathom::bgv::Evaluator`, integers modulo `t` in slots, explicit levels",
    "`fathom::ckks::Evaluator`, real and complex numbers in slots",
    "`fathom::wide::Evaluator`, one wide integer per ciphertext",
    "`fathom::wide::VectorEvaluator`, thousands of machine integers per ciphertext",
    "`fathom::tfhe::integer::Integers`, integers of 2 to 256 bits",
    "`fathom::tfhe::integer::ByteStrings`, strings of bytes",
    "`fathom::tfhe::shortint::ShortInts`, integers of 1 to 4 bits",
    "`fathom::tfhe::boolean::Gates`, bits",
    "`fathom::tfhe::Block`, small integers, and `fathom::tfhe::Evaluator`, their bootstraps",
    "`fathom_fhew::FhewEvaluationKeys`, bits under keys of FHEW",
    "`fathom_hfhe::Ciphertext`, integers modulo `2^127 - 1`",
    "`fathom_hfhe::compat::LayeredCiphertext`, the same in the form of the reference",
];

/// The crates of the schemes, and the place of their sources in [`PARTIES`].
const CRATES: [(&str, &str); 4] =
    [("rings", ""), ("torus", ""), ("fhew", "fhew"), ("hfhe", "hfhe")];

/// The type that computes on the types of a folder, and the schemes that it serves. The longest
/// folder counts.
const PARTIES: [(&str, &str, &[usize]); 15] = [
    ("rlwe", "Evaluator", &[0, 1, 2, 3]),
    ("rlwe/modular", "Evaluator", &[0, 1]),
    ("bfv", "Evaluator", &[0]),
    ("ckks", "Evaluator", &[2]),
    ("wide", "Evaluator", &[3]),
    ("wide/vector", "VectorEvaluator", &[4]),
    ("tfhe/integer", "Integers", &[5]),
    ("tfhe/integer/bytes", "ByteStrings", &[6]),
    ("tfhe/shortint", "ShortInts", &[7]),
    ("tfhe/boolean", "Gates", &[8]),
    ("tfhe", "Block", &[9]),
    ("tfhe", "Evaluator", &[9]),
    ("fhew", "FhewEvaluationKeys", &[10]),
    ("hfhe", "Ciphertext", &[11]),
    ("hfhe", "LayeredCiphertext", &[12]),
];

/// Bounds of blocks of methods that not every scheme meets, and the schemes that do.
const BOUNDS: [(&str, &[usize]); 3] =
    [("Slotted", &[0, 1, 2]), ("Mapped", &[0, 1, 2]), ("TwoRows", &[0, 1])];

/// Methods that look like verbs and compute nothing themselves, each with the reason.
const NO_VERBS: [(&str, &str); 9] = [
    ("bind", "prepares a value for operators"),
    ("scope", "runs a closure in which operators apply to values"),
    ("compute", "runs an expression of operators"),
    ("call", "takes the operation as an argument; the verbs of short integers are its forms"),
    ("unchecked", "as `call`, for operands that need no refresh"),
    ("simulated_encryption", "makes an operand of a simulated evaluator"),
    ("simulated_encryption_like", "makes an operand of a simulated evaluator"),
    ("simulated_encryption_of_width", "makes an operand of a simulated evaluator"),
    ("simulated_encryption_within", "makes an operand of a simulated evaluator"),
];

/// Words that mean the same as a verb of the library, which are not to appear beside it.
const SYNONYMS: [(&str, &[&str]); 43] = [
    ("abs", &["absolute", "magnitude"]),
    ("add", &["addition", "plus"]),
    ("and", &["bitand", "conjunction"]),
    ("argmax", &["index_of_max"]),
    ("argmin", &["index_of_min"]),
    ("cast", &["convert"]),
    ("checked_div_rem", &["div_rem_checked"]),
    ("concat", &["append", "join"]),
    ("conjugate", &["conj"]),
    ("contains", &["includes", "has"]),
    ("div", &["divide", "quotient"]),
    ("div_rem", &["divmod", "div_mod"]),
    ("dot", &["inner_product", "scalar_product"]),
    ("eq", &["equal", "equals", "is_equal"]),
    ("find", &["index_of", "position", "search", "first_index_of"]),
    ("ge", &["greater_or_equal", "at_least"]),
    ("gt", &["greater", "greater_than"]),
    ("le", &["less_or_equal", "at_most"]),
    ("lookup", &["get", "index", "table_lookup"]),
    ("lt", &["less", "less_than", "lesser"]),
    ("max", &["maximum", "larger"]),
    ("min", &["minimum", "smaller"]),
    ("mul", &["mult", "multiply", "times"]),
    ("ne", &["not_equal", "differs"]),
    ("neg", &["negate", "negation", "opposite"]),
    ("not", &["invert", "complement", "bitnot"]),
    ("or", &["bitor", "disjunction"]),
    ("pow", &["power", "exponentiate"]),
    ("reciprocal", &["inverse", "inv"]),
    ("relinearize", &["relin", "relinearise"]),
    ("rem", &["modulo", "remainder"]),
    ("swap_rows", &["rotate_columns", "row_swap"]),
    ("rotate", &["rotate_rows", "rotate_slots", "shift_slots"]),
    ("select", &["if_then_else", "mux", "cmux", "choose"]),
    ("shl", &["shift_left", "left_shift"]),
    ("shr", &["shift_right", "right_shift"]),
    ("sort", &["sorted", "order"]),
    ("sqrt", &["square_root", "root"]),
    ("square", &["squared", "sqr"]),
    ("sub", &["subtract", "minus", "difference"]),
    ("sum", &["add_all", "add_many", "total"]),
    ("transform", &["apply_map", "linear_transform", "matvec"]),
    ("xor", &["bitxor", "exclusive_or"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            all.push(path);
        }
    }
    all
}

/// Returns the name of a type without its path and parameters.
fn name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|segment| segment.ident.to_string())
}

/// Returns whether a method is a verb: it takes operands beside the party, or computes another
/// ciphertext from the one that it is called on.
fn is_verb(party: &str, method: &syn::ImplItemFn) -> bool {
    let Visibility::Public(_) = method.vis else { return false };
    // Configuration of an evaluator.
    if method.sig.ident.to_string().starts_with("with_") {
        return false;
    }
    let inputs = &method.sig.inputs;
    let receiver = matches!(inputs.first(), Some(FnArg::Receiver(_)));
    let returns = match &method.sig.output {
        ReturnType::Type(_, ty) => quote::ToTokens::to_token_stream(ty).to_string(),
        ReturnType::Default => String::new(),
    };
    let value = ["Ciphertext", "LayeredCiphertext", "Block"].contains(&party);
    if value {
        // Operands may come in a list without a receiver.
        let tokens = quote::ToTokens::to_token_stream(inputs).to_string();
        (receiver || tokens.contains("Self"))
            && (returns.contains("Self") || returns.contains(party))
    } else {
        receiver && inputs.len() > 1
    }
}

/// Returns the lower-case words outside of quotation marks: names, in the call of a macro that
/// defines methods.
fn names(tokens: &str) -> Vec<String> {
    let outside = tokens.split('"').step_by(2);
    let words = outside.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let lower = words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    lower.map(str::to_owned).collect()
}

/// Returns the name of the bound on the type parameter of a block, if there is one.
fn bound(generics: &syn::Generics) -> Option<String> {
    let bounds = generics.type_params().flat_map(|parameter| &parameter.bounds);
    let names = bounds.filter_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => bound.path.segments.last(),
        _ => None,
    });
    names.map(|segment| segment.ident.to_string()).next()
}

/// A method that computes, its party, and the bound on the schemes that have it.
struct Verb {
    party: String,
    bound: Option<String>,
    name: String,
}

/// Returns the verbs that a file adds.
fn verbs(path: &Path) -> Vec<Verb> {
    let file = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
    let mut found = Vec::new();
    let mut macro_party = None;
    for item in &file.items {
        match item {
            Item::Impl(block) if block.trait_.is_none() => {
                let Some(party) = name(&block.self_ty) else { continue };
                let bound = bound(&block.generics);
                let verb = |name| Verb { party: party.clone(), bound: bound.clone(), name };
                for item in &block.items {
                    match item {
                        ImplItem::Fn(method) if is_verb(&party, method) => {
                            found.push(verb(method.sig.ident.to_string()));
                        }
                        // A macro that defines methods of the block.
                        ImplItem::Macro(item) => {
                            let names = names(&item.mac.tokens.to_string());
                            found.extend(names.into_iter().map(verb));
                        }
                        _ => {}
                    }
                }
            }
            // A macro that defines methods of one party: its lower-case words are their names.
            Item::Macro(item) => {
                let text = item.mac.tokens.to_string();
                if item.ident.is_some() {
                    macro_party = text.contains("pub fn $").then(|| {
                        let after = text.split("impl ").nth(1).unwrap_or_default();
                        after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_owned()
                    });
                } else if let Some(party) = &macro_party {
                    let verb = |name| Verb { party: party.clone(), bound: None, name };
                    found.extend(names(&text).into_iter().map(verb));
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the schemes of every verb.
fn table() -> BTreeMap<String, BTreeSet<usize>> {
    let mut table: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let of_crate = |(name, place): (&str, &'static str)| {
        let source = root().join("crates").join(name).join("src");
        let placed = |path: PathBuf| {
            let folder = path.parent().unwrap().strip_prefix(&source).unwrap();
            (Path::new(place).join(folder), path)
        };
        sources(&source).into_iter().map(placed).collect::<Vec<_>>()
    };
    for (folder, path) in CRATES.into_iter().flat_map(of_crate) {
        for Verb { party, bound, name } in verbs(&path) {
            if NO_VERBS.iter().any(|(other, _)| *other == name) {
                continue;
            }
            let row = PARTIES
                .iter()
                .filter(|(place, owner, _)| *owner == party && folder.starts_with(place))
                .max_by_key(|(place, ..)| place.len());
            let bound = BOUNDS.iter().find(|(own, _)| Some(*own) == bound.as_deref());
            if let Some((_, _, schemes)) = row {
                let meets = |scheme: &&usize| bound.is_none_or(|(_, all)| all.contains(scheme));
                table.entry(name).or_default().extend(schemes.iter().filter(meets));
            }
        }
    }
    table
}

fn document(table: &BTreeMap<String, BTreeSet<usize>>) -> String {
    let mut out = String::from(
        "# Verbs by scheme\n\nThe methods that compute on ciphertexts; `x` marks the schemes that \
         have a method. The same operation has the same\nname in every scheme. The documentation \
         of each method on docs.rs states its arguments, noise and errors.\n\nThe test \
         crates/fathom/tests/api.rs makes this table from the sources and fails if it is \
         stale;\n`FATHOM_WRITE_API=1 cargo test -p fathom --all-features --test fathom_tests api` \
         writes it again.\n\n",
    );
    let short: [&str; SCHEMES.len()] = [
        "BFV",
        "BGV",
        "CKKS",
        "Wide",
        "Vectors",
        "Integers",
        "Strings",
        "ShortInts",
        "Gates",
        "Blocks",
        "FHEW",
        "HFHE",
        "Edges",
    ];
    writeln!(out, "| verb | {} |", short.join(" | ")).unwrap();
    writeln!(out, "|---|{}", ":-:|".repeat(SCHEMES.len())).unwrap();
    for (verb, schemes) in table {
        let marks = (0..SCHEMES.len()).map(|k| if schemes.contains(&k) { "x" } else { "" });
        writeln!(out, "| `{verb}` | {} |", marks.collect::<Vec<_>>().join(" | ")).unwrap();
    }
    out.push_str("\nThe columns:\n\n");
    for (short, long) in short.iter().zip(COLUMNS) {
        writeln!(out, "- {short}: {long}").unwrap();
    }
    out
}

#[test]
fn the_table_of_verbs_is_that_of_the_sources() {
    let (path, expected) = (root().join("docs/api.md"), document(&table()));
    if std::env::var_os("FATHOM_WRITE_API").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let hint =
        "run `FATHOM_WRITE_API=1 cargo test -p fathom --all-features --test fathom_tests api`";
    assert!(found == expected, "{hint}");
}

#[test]
fn every_scheme_is_in_the_table_and_has_the_common_verbs() {
    let table = table();
    for verb in ["add", "sub", "neg", "mul"] {
        for (k, scheme) in SCHEMES.iter().enumerate() {
            // Products of small integers are named by the half that is kept.
            let small = ["TFHE short integers", "TFHE blocks"];
            // Products of ciphertexts with edges are computed without them.
            let no_product = small.contains(scheme) || *scheme == "HFHE with edges";
            // Bits and strings have neither sums nor products.
            let none = ["TFHE gates", "TFHE byte strings", "FHEW"].contains(scheme);
            let lacks = none || verb == "mul" && no_product;
            assert!(lacks || table[verb].contains(&k), "{scheme} has no {verb}");
        }
    }
}

#[test]
fn one_act_has_one_name() {
    let table = table();
    for (verb, others) in SYNONYMS {
        assert!(table.contains_key(verb), "no scheme has {verb}");
        for other in others {
            assert!(!table.contains_key(*other), "{other} means {verb}");
        }
    }
}

/// A method that is left out of the table is there, so that the list names nothing of the past.
#[test]
fn methods_that_are_left_out_exist() {
    let wings = ["crates/rings/src", "crates/torus/src"].map(|wing| sources(&root().join(wing)));
    let files = wings.concat();
    let methods: BTreeSet<String> =
        files.iter().flat_map(|path| verbs(path)).map(|verb| verb.name).collect();
    for (method, reason) in NO_VERBS {
        assert!(methods.contains(method), "there is no {method}, which {reason}");
    }
}

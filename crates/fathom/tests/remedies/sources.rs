//! The remedies that the sources state, and those that the cases exercise.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Item, ItemEnum, Lit, LitStr};

/// Remedies that are exercised where their scheme is tested: the variant or the text, the file, and
/// the test, which calls what the remedy says.
const ELSEWHERE: [(&str, &str, &str); 34] = [
    (
        "BootstrapError::NotByItself",
        "bootstrap/src/sparse_tests.rs",
        "evaluators_do_not_make_means_by_themselves",
    ),
    (
        "refresh the operands of the operation before it",
        "bootstrap/src/refresh/tests.rs",
        "operands_that_a_refresh_cannot_take_are_refused_and_the_remedy_works",
    ),
    (
        "refresh them before",
        "bootstrap/src/refresh/tests.rs",
        "tables_that_cannot_be_applied_are_refused_and_remedies_work",
    ),
    (
        "BootstrapError::NoSet",
        "bootstrap/src/tests.rs",
        "parameters_without_a_set_and_keys_of_others_are_refused",
    ),
    (
        "BootstrapError::NoKeys",
        "bootstrap/src/tests.rs",
        "an_evaluator_bootstraps_by_itself_where_its_policy_says_so",
    ),
    (
        "BootstrapError::Magnitude",
        "bootstrap/src/tests.rs",
        "slots_beyond_the_magnitude_are_refused_and_both_remedies_work",
    ),
    (
        "BootstrapError::Tolerance",
        "bootstrap/src/function_tests.rs",
        "cleaned_tables_take_larger_errors_and_are_exact",
    ),
    (
        "BootstrapError::Budget",
        "bootstrap/src/refresh/tests.rs",
        "operands_that_a_refresh_cannot_take_are_refused_and_the_remedy_works",
    ),
    (
        "BootstrapError::Levels",
        "bootstrap/src/function_tests.rs",
        "functions_beyond_the_levels_and_of_different_arguments_are_refused",
    ),
    (
        "BootstrapError::Argument",
        "bootstrap/src/function_tests.rs",
        "slots_beyond_the_argument_are_refused_and_remedies_work",
    ),
    (
        "give the integers as digits of eight bits",
        "bootstrap/src/digit_tests.rs",
        "numbers_that_are_no_digits_are_refused",
    ),
    (
        "take digits of smaller errors: fresh ones, or results of tables",
        "bootstrap/src/digit_tests.rs",
        "digits_with_large_errors_are_refused",
    ),
    (
        "BootstrapError::Precision",
        "bootstrap/src/function_tests.rs",
        "values_that_results_could_not_tell_apart_are_refused",
    ),
    (
        "BootstrapError::Domains",
        "bootstrap/src/function_tests.rs",
        "functions_beyond_the_levels_and_of_different_arguments_are_refused",
    ),
    (
        "BootstrapError::Slots",
        "bootstrap/src/sparse_tests.rs",
        "functions_prepared_for_other_slots_are_refused",
    ),
    (
        "BootstrapError::Scale",
        "bootstrap/src/function_tests.rs",
        "operands_at_another_scale_than_that_of_their_level_are_refused",
    ),
    (
        "ask the sender for an encryption",
        "fathom/tests/wire/hostile.rs",
        "hostile_contents_are_refused",
    ),
    (
        "DomainError::Magnitude",
        "rings/tests/ckks/domain.rs",
        "comparisons_refuse_differences_beyond_one_until_rescaled",
    ),
    (
        "DomainError::Padding",
        "rings/tests/ckks/domain.rs",
        "exponentials_refuse_zeros_in_slots_without_a_value_until_these_are_given_one",
    ),
    (
        "DomainError::Complex",
        "rings/tests/ckks/domain.rs",
        "functions_of_real_numbers_refuse_complex_ones_until_their_real_part_is_taken",
    ),
    (
        "DomainError::NotABound",
        "rings/tests/ckks/domain.rs",
        "bounds_that_are_none_are_refused_everywhere",
    ),
    (
        "DomainError::NotFinite",
        "rings/tests/ckks/domain.rs",
        "numbers_that_are_not_finite_are_refused_everywhere",
    ),
    (
        "DomainError::FalsePromise",
        "rings/tests/ckks/promises.rs",
        "a_promise_that_is_known_to_be_false_is_refused",
    ),
    (
        "DomainError::BrokenPromise",
        "rings/tests/ckks/promises.rs",
        "decryption_refuses_a_slot_beyond_a_promise",
    ),
    (
        "ScaleError::OutOfReach",
        "rings/tests/ckks/scales.rs",
        "scales_too_far_apart_are_refused_and_a_rescaled_operand_is_not",
    ),
    (
        "ScaleError::BelowOne",
        "rings/tests/ckks/scales.rs",
        "rescaling_below_a_scale_of_one_is_refused_and_a_switch_is_not",
    ),
    (
        "ScaleError::TooLarge",
        "rings/tests/ckks/zeros.rs",
        "scales_of_zeros_beyond_the_modulus_travel_up_to_the_largest",
    ),
    ("FloodError::NotSimulated", "rings/src/ckks/flood/tests.rs", "only_a_simulation_is_a_plan"),
    (
        "FloodError::WorstCase",
        "rings/tests/ckks/planning.rs",
        "decryptions_are_flooded_where_bounds_have_a_failure_probability",
    ),
    (
        "FloodError::NotAsPlanned",
        "rings/src/ckks/flood/tests.rs",
        "a_forged_header_does_not_lower_the_noise",
    ),
    (
        "share fewer decryptions, or take parameters of a larger scale",
        "rings/src/ckks/flood/tests.rs",
        "noise_beyond_the_message_or_the_modulus_is_refused",
    ),
    (
        "WideError::Overflow",
        "rings/src/wide/tests.rs",
        "results_that_could_wrap_are_refused_with_their_width",
    ),
    (
        "WideError::BeyondWidth",
        "rings/src/wide/tests.rs",
        "a_planned_circuit_of_narrow_integers_is_computed",
    ),
    (
        "WideError::BeyondPlan",
        "rings/src/wide/vector/sum_tests.rs",
        "inputs_beyond_the_plan_are_refused",
    ),
];

/// Returns the folder of all crates.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A remedy: the variant and the text. The variant is empty for the text of a field.
type Remedy = (String, String);

/// The folders of the library's sources: its base and both wings.
const LIBRARY: [&str; 4] = ["base/src", "rings/src", "bootstrap/src", "torus/src"];

/// Returns the sources in folders of `crates`.
fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| crates().join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push((path.clone(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    found
}

/// Returns the enums of the library that derive an error.
pub(crate) fn error_enums() -> Vec<ItemEnum> {
    let texts = sources(&LIBRARY).into_iter().map(|(_, text)| text);
    let texts =
        texts.filter(|text| text.contains("thiserror::Error)]\n#[non_exhaustive]\npub enum"));
    let items = texts.flat_map(|text| syn::parse_file(&text).unwrap().items);
    let enums = items.filter_map(|item| match item {
        Item::Enum(item) => Some(item),
        _ => None,
    });
    enums.filter(|item| !messages(item).is_empty()).collect()
}

/// Returns the variants of an enum with their formats; transparent ones have none.
fn messages(item: &ItemEnum) -> Vec<(String, String)> {
    let format = |attribute: &syn::Attribute| {
        if !attribute.path().is_ident("error") {
            return None;
        }
        let tokens = attribute.meta.require_list().unwrap().tokens.clone();
        match syn::parse2::<Lit>(tokens.into_iter().take(1).collect()) {
            Ok(Lit::Str(text)) => Some(text.value()),
            _ => None,
        }
    };
    let variants = item.variants.iter();
    let all = variants.filter_map(|variant| {
        Some((variant.ident.to_string(), variant.attrs.iter().find_map(format)?))
    });
    all.collect()
}

/// Returns the string literals that follow any of these words.
fn literals_after(text: &str, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for word in words {
        for (at, _) in text.match_indices(word) {
            let rest = text[at + word.len()..].trim_start();
            if let Some(literal) = leading_literal(rest) {
                found.push(literal);
            }
        }
    }
    found
}

/// Returns the string literal that a text begins with.
fn leading_literal(text: &str) -> Option<String> {
    let body = text.strip_prefix('"')?;
    let mut escaped = false;
    let end = body.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    Some(syn::parse_str::<LitStr>(&text[..end + 2]).unwrap().value())
}

/// Returns the remedies that errors state.
fn stated() -> BTreeSet<Remedy> {
    let mut remedies = BTreeSet::new();
    for item in error_enums() {
        for (variant, format) in messages(&item) {
            let Some((_, remedy)) = format.split_once("; ") else { continue };
            if remedy != "{remedy}" {
                remedies.insert((format!("{}::{variant}", item.ident), remedy.to_owned()));
            }
        }
    }
    for (path, text) in sources(&LIBRARY) {
        if path.ends_with("tests.rs") {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap();
        for remedy in literals_after(code, &["remedy: ", "remedy = "]) {
            remedies.insert((String::new(), remedy));
        }
    }
    remedies
}

/// Returns the variants and remedies that the cases name.
fn exercised() -> BTreeSet<Remedy> {
    let mut remedies = BTreeSet::new();
    for (_, text) in sources(&["fathom/tests/remedies"]) {
        for (at, call) in text.match_indices("remedied(") {
            let arguments = &text[at + call.len()..];
            let Some(variant_at) = arguments.find('"') else { continue };
            let variant = leading_literal(&arguments[variant_at..]).unwrap();
            let after =
                arguments[variant_at + variant.len() + 2..].trim_start_matches([',', ' ', '\n']);
            // The remedy is the next literal, or a variable that the lines before bind to one.
            let bound = || literals_after(&text[..at], &["let remedy ="]).pop();
            let Some(remedy) = leading_literal(after).or_else(bound) else { continue };
            remedies.insert((String::new(), remedy.clone()));
            remedies.insert((variant, remedy));
        }
    }
    for (wanted, file, test) in ELSEWHERE {
        let path = crates().join(file);
        let found = fs::read_to_string(path).is_ok_and(|text| text.contains(test));
        assert!(found, "{file} has no {test}");
        let is_wanted = |(variant, text): &Remedy| variant == wanted || text == wanted;
        remedies.extend(stated().into_iter().filter(is_wanted));
    }
    remedies
}

#[test]
fn every_remedy_that_an_error_states_is_exercised() {
    let (stated, exercised) = (stated(), exercised());
    assert!(stated.len() > 30, "the sources were read: {stated:?}");
    let missing: Vec<_> = stated.difference(&exercised).collect();
    assert!(missing.is_empty(), "no case exercises {missing:#?}");
}

#[test]
fn a_remedy_without_a_case_would_be_found() {
    let item: ItemEnum = syn::parse_str(
        "enum E { #[error(\"it is {x}; \\\n      do {y}\")] A { x: u8 }, \
         #[error(transparent)] B(X) }",
    )
    .unwrap();
    assert_eq!(messages(&item), [("A".to_owned(), "it is {x}; do {y}".to_owned())]);
    let text = "remedy: \"take \\\"a\\\"\" remedy = \\\n  other remedy: field remedy = \"b\"";
    assert_eq!(literals_after(text, &["remedy: ", "remedy = "]), ["take \"a\"", "b"]);
    assert!(!exercised().contains(&("E::A".to_owned(), "do {y}".to_owned())));
}

//! The page of the documentation that lists the verbs.

use crate::{RotationKeys, Schemes, Takes, Verb, verbs};

const HEAD: &str = "\
# Verbs of the ring schemes

The rows of `crates/verbs/src/table.rs`, in the order in which reports rank them. Operations of
[the driver protocol](driver-protocol.md) have a name in the first column, which is that of the
request `run`; the method is that of `Evaluator`. The tests of `crates/rings/tests/verbs` call every
row on random messages, and compare the result with its clear form, and the bound on its noise or
error with the measured one. [Verbs by scheme](api.md) lists all methods, of all schemes.

`FATHOM_WRITE_VERBS=1 cargo test -p fathom-verbs` writes this page.

| `op` | operands | result | method | schemes | rotation keys of the case |
|---|---|---|---|---|---|
";

/// Returns the page `docs/ring-verbs.md`.
pub fn page() -> String {
    let rows = verbs().map(|verb| {
        let op = verb.driver.map_or(String::new(), |name| format!("`{name}`"));
        let meaning = verb.meaning_with(clear_arguments(verb));
        let (operands, schemes) = (operands(verb.takes), schemes(verb.schemes));
        let (name, keys) = (verb.name, keys(verb.keys));
        format!("| {op} | {operands} | {meaning} | `{name}` | {schemes} | {keys} |\n")
    });
    HEAD.to_owned() + &rows.collect::<String>()
}

/// Returns the words that stand for the clear arguments of a request.
fn clear_arguments(verb: &Verb) -> &'static str {
    match verb.takes {
        Takes::Steps => "`args.steps`",
        Takes::Numbers | Takes::Coefficients => "`args.coefficients`",
        Takes::One
        | Takes::Pair
        | Takes::Product
        | Takes::Unscaled
        | Takes::Message
        | Takes::Factor
        | Takes::Number
        | Takes::Level => "a number",
    }
}

fn operands(takes: Takes) -> &'static str {
    match takes {
        Takes::Pair => "ct, ct",
        Takes::Message | Takes::Factor => "ct, pt",
        Takes::Product => "a product without relinearisation",
        Takes::Unscaled => "a product at its own scale",
        Takes::One
        | Takes::Number
        | Takes::Numbers
        | Takes::Steps
        | Takes::Coefficients
        | Takes::Level => "ct",
    }
}

fn schemes(schemes: Schemes) -> &'static str {
    match schemes {
        Schemes::Ring => "BFV, BGV, CKKS, wide",
        Schemes::Slots => "BFV, BGV, CKKS",
        Schemes::Exact => "BFV, BGV",
        Schemes::Reals => "CKKS",
    }
}

fn keys(keys: RotationKeys) -> String {
    match keys {
        RotationKeys::None => String::new(),
        RotationKeys::Steps(steps) => {
            let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
            format!("steps {}", steps.join(", "))
        }
        RotationKeys::Swap => "swap of the rows".into(),
        RotationKeys::Powers => "powers of two, swap of the rows".into(),
        RotationKeys::Strides(_) => "strides".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;

    #[test]
    fn the_page_is_that_of_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ring-verbs.md");
        if std::env::var_os("FATHOM_WRITE_VERBS").is_some() {
            fs::write(path, page()).expect("the page is written");
        }
        let found = fs::read_to_string(path).unwrap_or_default();
        assert!(found == page(), "run `FATHOM_WRITE_VERBS=1 cargo test -p fathom-verbs`");
    }

    #[test]
    fn names_and_operations_are_distinct() {
        let names: BTreeSet<_> = verbs().map(|verb| verb.name).collect();
        assert_eq!(names.len(), verbs().count());
        let drivers: Vec<_> = verbs().filter_map(|verb| verb.driver).collect();
        assert_eq!(drivers.iter().collect::<BTreeSet<_>>().len(), drivers.len());
    }

    /// A verb that takes clear numbers states those of its case, and no other verb has any.
    #[test]
    fn verbs_state_the_numbers_that_they_take() {
        for verb in verbs() {
            let wanted = match verb.takes {
                Takes::Number | Takes::Steps => verb.numbers.len() == 1,
                Takes::Numbers | Takes::Coefficients => verb.numbers.len() > 1,
                Takes::One
                | Takes::Pair
                | Takes::Product
                | Takes::Unscaled
                | Takes::Message
                | Takes::Factor
                | Takes::Level => verb.numbers.is_empty(),
            };
            let said = verb.meaning.contains("{numbers}");
            assert!(wanted && said != verb.numbers.is_empty(), "{}", verb.name);
        }
    }

    /// docs/api.md has every verb of the table, for its schemes.
    #[test]
    fn the_schemes_are_those_of_the_sources() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md");
        let api = fs::read_to_string(path).expect("docs/api.md can be read");
        for verb in verbs() {
            let row = format!("| `{}` |", verb.name);
            let marks = api.lines().find_map(|line| line.strip_prefix(&row));
            let marks = marks.unwrap_or_else(|| unreachable!("{} is in docs/api.md", verb.name));
            let has: Vec<bool> = marks.split('|').take(4).map(|mark| mark.contains('x')).collect();
            let wanted = match verb.schemes {
                Schemes::Ring => [true; 4],
                Schemes::Slots => [true, true, true, has[3]],
                Schemes::Exact => [true, true, false, false],
                Schemes::Reals => [false, false, true, false],
            };
            assert_eq!(has, wanted, "{}", verb.name);
        }
    }
}

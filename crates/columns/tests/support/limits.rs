//! Every layout at the limits of its ranges: what key generation accepts, a round trip accepts.

#![allow(clippy::wildcard_enum_match_arm, reason = "every other variant fails the test")]

use crate::support::schema;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use fathom_columns::{
    Answer, EncryptedResult, Encryptor, Error, EvaluationKeys, Query, Server, TableKey, Value,
};
use std::sync::Arc;

const USES: [&[&str]; 4] = [&[], &["variance"], &["filter"], &["variance", "filter"]];

/// The types with their ends, spans of one at both ends, and the widest spans of squares and bits.
fn ranges() -> Vec<(&'static str, [i64; 2])> {
    let whole = [
        ("int8", [-128, 127]),
        ("int16", [-32_768, 32_767]),
        ("int32", [i64::from(i32::MIN), i64::from(i32::MAX)]),
        ("int64", [i64::MIN, i64::MAX]),
        ("uint8", [0, 255]),
        ("uint16", [0, 65_535]),
        ("uint32", [0, i64::from(u32::MAX)]),
    ];
    let narrow = whole.iter().flat_map(|&(name, [low, high])| {
        [(name, [low, low + 1]), (name, [high - 1, high]), (name, [low, low + 65_536.min(high)])]
    });
    let narrow: Vec<_> = narrow.filter(|(_, [low, high])| low < high).collect();
    let most = [("int64", [i64::MIN, i64::MIN + i64::from(u32::MAX)])];
    whole.into_iter().chain(narrow).chain(most).collect()
}

fn column(name: &str, (kind, [low, high]): (&str, [i64; 2]), uses: &[&str]) -> String {
    format!(
        "[[encrypted]]\nname = '{name}'\ntype = '{kind}'\nrange = [{low}, {high}]\n\
         uses = {uses:?}\nnulls = true\n"
    )
}

/// The values of a column at its limits.
fn values([low, high]: [i64; 2]) -> Vec<Option<i64>> {
    vec![Some(low), Some(high), None, Some(high), Some(low.midpoint(high)), Some(high)]
}

/// Keys, tables and results travel as bytes, as between the parties.
struct Travelled {
    key: TableKey,
    server: Server,
    blocks: RecordBatch,
}

impl Travelled {
    fn new(text: &str, columns: &[(&str, Vec<Option<i64>>)]) -> Option<Travelled> {
        let described = schema(text);
        described.check().ok()?;
        let key = TableKey::generate(&described).unwrap();
        let key = TableKey::from_secret_bytes(&key.to_secret_bytes()).unwrap();
        let columns = columns.iter().map(|(name, values)| {
            (*name, Arc::new(values.iter().copied().collect::<Int64Array>()) as ArrayRef)
        });
        let table = RecordBatch::try_from_iter(columns).unwrap();
        let blocks = Encryptor::new(&key, &table).unwrap().blocks(0..1).unwrap();
        let mut server = Server::open(&blocks.schema()).unwrap();
        if let Some(keys) = key.evaluation_keys().unwrap() {
            let keys = EvaluationKeys::from_bytes(&keys.to_bytes()).unwrap();
            server = server.with_evaluation_keys(&keys).unwrap();
        }
        Some(Travelled { key, server, blocks })
    }

    fn ask(&self, query: &str) -> Answer {
        let query: Query = serde_json::from_str(query).unwrap();
        let started = self.server.start(&query);
        let mut computation = started.unwrap_or_else(|error| panic!("{query:?}: {error}"));
        computation.push(&self.blocks).unwrap();
        let sent = computation.finish().unwrap().to_bytes();
        self.key.decrypt(&EncryptedResult::from_bytes(&sent).unwrap()).unwrap()
    }
}

fn sum(values: &[Option<i64>]) -> i128 {
    values.iter().flatten().copied().map(i128::from).sum()
}

/// Returns the variance of values, from exact integers.
fn variance(values: &[Option<i64>]) -> f64 {
    let values: Vec<i128> = values.iter().flatten().copied().map(i128::from).collect();
    let n = values.len() as i128;
    let middle = values[0];
    let squares: i128 = values.iter().map(|value| (value - middle).pow(2)).sum();
    let deviations: i128 = values.iter().map(|value| value - middle).sum();
    (n * squares - deviations * deviations) as f64 / n as f64 / n as f64
}

fn check_variance(found: &Value, values: &[Option<i64>]) {
    let Value::Real(found) = *found else { panic!("{found:?} is no variance") };
    let exact = variance(values);
    assert!((found - exact).abs() <= exact * 1e-14, "{found} is not {exact}");
}

#[test]
fn every_layout_of_sums_is_read_at_the_limits_of_its_range() {
    let mut accepted = 0;
    for (kind, range) in ranges() {
        for uses in USES {
            let text = column("a", (kind, range), uses) + "[[clear]]\nname = 'c'\ntype = 'int64'\n";
            let (own, clear) = (values(range), [1, 1, 1, 0, 0, 1].map(Some).to_vec());
            let Some(table) = Travelled::new(&text, &[("a", own.clone()), ("c", clear)]) else {
                assert!(uses.contains(&"variance"), "{text}");
                continue;
            };
            accepted += 1;
            let all = table.ask(r#"{"aggregates": ["count", {"count_of": "a"}, {"sum": "a"}]}"#);
            let expected = [Value::Count(6), Value::Count(5), Value::Sum(sum(&own))];
            assert_eq!(all.rows[0].values, expected, "{text}");
            if uses.contains(&"variance") {
                let found = table.ask(r#"{"aggregates": [{"var_pop": "a"}]}"#);
                check_variance(&found.rows[0].values[0], &own);
            }
            if uses.contains(&"filter") {
                let found = table.ask(
                    r#"{"aggregates": [{"sum": "a"}], "filter":
                        {"compare": {"column": "c", "relation": "equal", "literal": 1}}}"#,
                );
                let selected = [own[0], own[1], own[2], own[5]];
                assert_eq!(found.rows[0].values, [Value::Sum(sum(&selected))], "{text}");
            }
        }
    }
    assert!(accepted > 80, "{accepted}");
}

/// Every name is legal, also those that columns of an encrypted table have.
#[test]
fn names_of_any_form_are_columns_of_their_own() {
    let (encrypted, clear) = (
        ["Amount__c", "a", "rows", "a_"],
        ["a__valid", "a__values_0", "rows__checksums", "x", "x__clear", "rows__groups", "__"],
    );
    let hidden = encrypted.map(|name| column(name, ("int16", [0, 1000]), &["filter"]));
    let shown = clear.map(|name| format!("[[clear]]\nname = '{name}'\ntype = 'int64'\n"));
    let text = hidden.concat() + &shown.concat();
    let names = encrypted.iter().chain(&clear);
    let columns: Vec<_> = (1..)
        .zip(names)
        .map(|(first, name)| (*name, vec![Some(first), Some(first + 100), Some(first)]))
        .collect();
    let table = Travelled::new(&text, &columns).unwrap();
    for (name, values) in &columns[..4] {
        for (by, own) in &columns[4..] {
            let query = format!(
                r#"{{"aggregates": [{{"sum": "{name}"}}], "group_by": "{by}", "filter":
                {{"compare": {{"column": "{by}", "relation": "less", "literal": {}}}}}}}"#,
                own[1].unwrap()
            );
            let answer = table.ask(&query);
            assert_eq!(answer.rows.len(), 1);
            let expected = sum(&[values[0], values[2]]);
            assert_eq!(answer.rows[0].values, [Value::Sum(expected)], "{name} by {by}");
        }
    }
    // A clear column of the name of the counts of rows.
    let text =
        column("a", ("int16", [0, 9]), &["filter"]) + "[[clear]]\nname = 'rows'\ntype = 'int64'\n";
    let columns = [("a", vec![Some(1), Some(2)]), ("rows", vec![Some(7), Some(8)])];
    let found = Travelled::new(&text, &columns).unwrap().ask(
        r#"{"aggregates": [{"sum": "a"}], "filter":
            {"compare": {"column": "rows", "relation": "equal", "literal": 8}}}"#,
    );
    assert_eq!(found.rows[0].values, [Value::Sum(2)]);
}

/// Metadata that no reader would accept are refused before the table is encrypted.
#[test]
fn groups_with_too_long_names_are_refused_before_encryption() {
    let text = column("a", ("uint8", [0, 255]), &[])
        + "[[clear]]\nname = 'g'\ntype = 'text'\ngroup_by = true\n";
    let key = TableKey::generate(&schema(&text)).unwrap();
    let encrypted = |length: usize| {
        let labels = (0..1000).map(|row| Some(format!("{row:0length$}")));
        let table = RecordBatch::try_from_iter([
            ("a", Arc::new((0..1000).map(|_| Some(1)).collect::<Int64Array>()) as ArrayRef),
            ("g", Arc::new(labels.collect::<StringArray>()) as ArrayRef),
        ]);
        Encryptor::new(&key, &table.unwrap()).map(|encryptor| encryptor.arrow_schema())
    };
    Server::open(&encrypted(4000).unwrap()).unwrap();
    let refused = encrypted(4300).unwrap_err();
    assert!(matches!(refused, Error::Unsupported { .. }), "{refused}");
    assert!(refused.to_string().contains("leave `group_by` out"), "{refused}");
}

/// The depth of a comparison follows from the bits of the range: of one bit, two, and most.
#[test]
fn every_layout_of_comparisons_is_read_at_the_limits_of_its_range() {
    let most = i64::MIN + i64::from(u32::MAX);
    let whole = [i64::MIN, i64::MAX];
    let cases: [(&str, [i64; 2], &[&str], &str); 8] = [
        ("uint8", [0, 1], &["compare"], ""),
        ("int64", [i64::MAX - 1, i64::MAX], &["compare", "variance"], ""),
        ("uint8", [0, 1], &["compare", "filter", "variance", "select"], "select"),
        ("uint8", [0, 1], &["compare"], "compare"),
        ("int8", [-1, 1], &["compare"], ""),
        ("int8", [-128, -125], &["compare", "variance"], "compare"),
        ("int16", [-32_768, 32_767], &["compare"], "select"),
        ("int64", [i64::MIN, most], &["compare"], ""),
    ];
    for (kind, range, uses, second) in cases {
        let mut text = column("a", (kind, range), uses);
        let own = values(range);
        let clear = [1, 1, 1, 0, 0, 1].map(Some).to_vec();
        let mut columns = vec![("a", own.clone()), ("c", clear)];
        if !second.is_empty() {
            let (other, limits) =
                if second == "compare" { ("uint8", [0, 1]) } else { ("int64", whole) };
            text += &column("b", (other, limits), &[second]);
            columns.push(("b", values(limits)));
        }
        text += "[[clear]]\nname = 'c'\ntype = 'int64'\n";
        let table = Travelled::new(&text, &columns).unwrap();
        let high = range[1];
        let compare = |column: &str, relation: &str, literal: i64| {
            format!(
                "{{\"compare\": {{\"column\": \"{column}\", \"relation\": \"{relation}\", \
                 \"literal\": {literal}}}}}"
            )
        };
        let ask = |aggregates: &str, filter: &str| {
            let query = format!("{{\"aggregates\": {aggregates}, \"filter\": {filter}}}");
            table.ask(&query).rows.remove(0).values
        };
        let counted = r#"["count", {"sum": "a"}]"#;
        let equal = ask(counted, &compare("a", "equal", high));
        let three = Value::Sum(3 * i128::from(high));
        assert_eq!(equal, [Value::Count(3), three], "{text}");
        let greatest = [own[1], own[5]];
        let within = format!(
            "{{\"all\": [{}, {}]}}",
            compare("a", "greater_or_equal", high),
            compare("c", "equal", 1)
        );
        let found = ask(counted, &within);
        assert_eq!(found, [Value::Count(2), Value::Sum(sum(&greatest))], "{text}");
        if uses.contains(&"variance") {
            let found = ask(r#"[{"var_pop": "a"}]"#, &compare("a", "greater_or_equal", range[0]));
            check_variance(&found[0], &own);
        }
        if second == "select" {
            let found = ask(r#"[{"sum": "b"}]"#, &compare("a", "equal", high));
            let expected = values(whole);
            let selected = [expected[1], expected[3], expected[5]];
            assert_eq!(found, [Value::Sum(sum(&selected))], "{text}");
        }
    }
}

/// Returns the predicates that docs/columns.md promises: on one column, and on two.
fn promised(bits: [u32; 2]) -> [Vec<String>; 2] {
    let compare = |column: &str, relation: &str, literal: u64| {
        let parts = format!("\"column\": \"{column}\", \"relation\": \"{relation}\"");
        format!("{{\"compare\": {{{parts}, \"literal\": {literal}}}}}")
    };
    let list = |column: &str, bits: u32| {
        let top = (1u64 << bits) - 1;
        let literals = [top / 5, top / 3, top / 2, top - top / 7];
        format!("{{\"in\": {{\"column\": \"{column}\", \"literals\": {literals:?}}}}}")
    };
    let joint = |kind: &str, parts: &[&String]| {
        let parts: Vec<_> = parts.iter().map(|part| part.as_str()).collect();
        format!("{{\"{kind}\": [{}]}}", parts.join(", "))
    };
    let [a, b] = bits.map(|bits| 1u64 << (bits - 1));
    let clear = compare("c", "less", 3);
    let own = [
        compare("a", "less", a),
        compare("a", "equal", a),
        compare("a", "not_equal", 0),
        list("a", bits[0]),
    ];
    let other = [compare("b", "less", b), compare("b", "not_equal", b), list("b", bits[1])];
    let pairs = ["less", "equal", "greater_or_equal"].map(|relation| {
        format!(
            "{{\"compare_columns\": {{\"left\": \"a\", \"relation\": \"{relation}\", \
             \"right\": \"b\"}}}}"
        )
    });
    let mut one = vec![clear.clone()];
    let mut two = Vec::new();
    for kind in ["all", "any"] {
        one.extend(own.iter().map(|part| joint(kind, &[part, &clear])));
        two.extend(pairs.iter().map(|pair| joint(kind, &[pair, &clear])));
        for own in &own {
            two.extend(other.iter().map(|other| joint(kind, &[own, other, &clear])));
            let either = other.iter().map(|other| joint(kind, &[own, other]));
            two.extend(either.map(|either| joint("all", &[&either, &clear])));
        }
    }
    [one, two]
}

/// Every width has room for what docs/columns.md promises, beside conditions on clear columns.
#[test]
fn promised_predicates_fit_the_noise_at_every_width() {
    let widths = [[1, 0], [2, 0], [3, 0], [4, 0], [8, 0], [16, 0], [32, 0]];
    let pairs =
        [[1, 1], [2, 1], [2, 2], [3, 3], [4, 2], [4, 4], [8, 4], [8, 8], [16, 16], [32, 32]];
    let mut short = Vec::new();
    for bits in widths.into_iter().chain(pairs) {
        let range = |bits: u32| ("int64", [0, (1i64 << bits) - 1]);
        let mut text = column("a", range(bits[0]), &["compare", "variance"])
            + "[[clear]]\nname = 'c'\ntype = 'int64'\n";
        let [mut asked, two] = promised([bits[0], bits[1].max(1)]);
        if bits[1] > 0 {
            text += &column("b", range(bits[1]), &["compare"]);
            asked.extend(two);
        }
        let key = TableKey::generate(&schema(&text)).unwrap();
        let table = key.schema().names().map(|name| {
            (name.to_owned(), Arc::new(Int64Array::from(Vec::<i64>::new())) as ArrayRef)
        });
        let table = RecordBatch::try_from_iter(table).unwrap();
        let server = Server::open(&Encryptor::new(&key, &table).unwrap().arrow_schema()).unwrap();
        for filter in asked {
            let text =
                format!("{{\"aggregates\": [{{\"var_pop\": \"a\"}}], \"filter\": {filter}}}");
            match server.start(&serde_json::from_str(&text).unwrap()).err().unwrap() {
                // The noise is checked first.
                Error::MissingEvaluationKeys { .. } => {}
                refused => short.push(format!("{bits:?} {filter}: {refused}")),
            }
        }
    }
    assert!(short.is_empty(), "{}", short.join("\n"));
}

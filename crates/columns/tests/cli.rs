//! The command `fathom-columns` as users call it: the server has a folder without keys.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::path::{Path, PathBuf};

use crate::support::command::{Run, folder, run};

const SCHEMA: &str = "
    [[encrypted]]
    name = 'salary'
    type = 'int32'
    range = [0, 500000]
    uses = ['variance', 'filter']
    nulls = true
    [[encrypted]]
    name = 'age'
    type = 'uint8'
    [[clear]]
    name = 'dept'
    type = 'text'
    [[clear]]
    name = 'year'
    type = 'int64'
";
const TABLE: &str = "\
salary,age,dept,year
4000,30,ops,2009
5000,31,eng,2012
7000,32,eng,2020
,33,\"a, \"\"b\"\"\",2021
";

/// The folders of the owner and of the server.
struct Parties {
    owner: PathBuf,
    server: PathBuf,
}

impl Parties {
    /// Encrypts a table and moves the file to the server.
    fn with_table(name: &str) -> Parties {
        let owner = folder(&format!("{name}-owner"));
        let server = folder(&format!("{name}-server"));
        std::fs::write(owner.join("schema.toml"), SCHEMA).unwrap();
        std::fs::write(owner.join("staff.csv"), TABLE).unwrap();
        let parties = Parties { owner, server };
        let [schema, key, csv] = ["schema.toml", "key", "staff.csv"].map(|n| parties.own(n));
        well(&["keygen", "--schema", &schema, "--out", &key]);
        let table = parties.served("staff.parquet");
        well(&["encrypt", &csv, "--key", &key, "--out", &table]);
        parties
    }

    fn own(&self, name: &str) -> String {
        text(&self.owner.join(name))
    }

    fn served(&self, name: &str) -> String {
        text(&self.server.join(name))
    }

    /// Queries on the server, and decrypts the result.
    fn ask(&self, arguments: &[&str]) -> String {
        let result = self.served("result");
        let table = self.served("staff.parquet");
        well(&[&["query", &table, "--out", &result], arguments].concat());
        well(&["decrypt", &result, "--key", &self.own("key")]).stdout
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn well(arguments: &[&str]) -> Run {
    let run = run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    run
}

#[test]
fn answers_are_those_of_the_clear_table() {
    let parties = Parties::with_table("columns-answers");
    let sums = parties.ask(&["--count", "--sum", "age", "--mean", "salary"]);
    assert_eq!(sums, "count(*),sum(age),mean(salary)\n4,126,5333.333333333333\n");
    let groups = parties.ask(&["--sum", "salary", "--by", "dept", "--where", "year >= 2010"]);
    assert_eq!(groups, "dept,sum(salary)\n\"a, \"\"b\"\"\",\neng,12000\n");
    let predicate = r#"{"any": [
        {"compare": {"column": "dept", "relation": "equal", "literal": "ops"}},
        {"in": {"column": "year", "literals": [2012]}}
    ]}"#;
    let variance = parties.ask(&["--var-samp", "salary", "--predicate", predicate]);
    assert_eq!(variance, "var_samp(salary)\n500000\n");
    // Whatever the query was, the server had no key.
    let files = std::fs::read_dir(&parties.server).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["result", "staff.parquet"]);
}

#[test]
fn a_result_has_the_same_bytes_for_every_number_of_threads() {
    let parties = Parties::with_table("columns-threads");
    let table = parties.served("staff.parquet");
    let bytes = ["1", "2", "3"].map(|threads| {
        let out = parties.served(threads);
        let arguments = ["--sum", "salary", "--by", "dept", "--threads", threads];
        well(&[&["query", &table, "--out", &out], arguments.as_slice()].concat());
        std::fs::read(out).unwrap()
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

/// Encrypted values are compared with the evaluation keys, and without them refused.
#[test]
fn encrypted_conditions_select_rows() {
    let owner = folder("columns-compare-owner");
    let server = folder("columns-compare-server");
    let own = |name: &str| text(&owner.join(name));
    let served = |name: &str| text(&server.join(name));
    let schema = "
        [[encrypted]]
        name = 'salary'
        type = 'int32'
        range = [0, 15]
        uses = ['compare']
        nulls = true
        [[encrypted]]
        name = 'bonus'
        type = 'int32'
        range = [0, 7]
        uses = ['compare']
        [[clear]]
        name = 'dept'
        type = 'text'
    ";
    std::fs::write(owner.join("schema.toml"), schema).unwrap();
    std::fs::write(owner.join("t.csv"), "salary,bonus,dept\n4,1,a\n9,7,b\n,2,a\n3,5,a\n").unwrap();
    let [schema, key, eval] = [own("schema.toml"), own("key"), served("eval")];
    let keygen = ["keygen", "--schema", &schema, "--out", &key];
    let refused = run(&keygen);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--eval"), "{}", refused.stderr);
    assert!(!owner.join("key").exists());
    well(&[keygen.as_slice(), &["--eval", &eval]].concat());
    let (table, result) = (served("t.parquet"), served("result"));
    well(&["encrypt", &own("t.csv"), "--key", &key, "--out", &table]);
    let query = ["query", &table, "--out", &result, "--count", "--sum", "salary"];
    let ask = |conditions: &[&str]| {
        well(&[query.as_slice(), &["--eval", &eval], conditions].concat());
        well(&["decrypt", &result, "--key", &key]).stdout
    };
    let head = "count(*),sum(salary)\n";
    assert_eq!(ask(&["--where", "salary > 3"]), format!("{head}2,13\n"));
    assert_eq!(ask(&["--where", "salary <= 4", "--where", "dept = 'a'"]), format!("{head}2,7\n"));
    assert_eq!(ask(&["--where", "bonus > salary"]), format!("{head}1,3\n"));
    let refused = run(&[query.as_slice(), &["--where", "salary > 3"]].concat());
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--eval FILE"), "{}", refused.stderr);
}

#[test]
fn errors_name_the_remedy() {
    let parties = Parties::with_table("columns-errors");
    let [key, schema, csv] = ["key", "schema.toml", "staff.csv"].map(|name| parties.own(name));
    let table = parties.served("staff.parquet");
    let out = parties.served("result");
    let query = |arguments: &[&str]| {
        let out: &[&str] = if arguments.contains(&"--out") { &[] } else { &["--out", &out] };
        run(&[&["query", &table], out, arguments].concat())
    };
    let cases = [
        (query(&[]), "--sum"),
        (query(&["--sum", "nothing"]), "salary, age, dept, year"),
        (query(&["--sum", "age", "--where", "year < 2010"]), "`filter`"),
        (query(&["--var-pop", "age"]), "`variance`"),
        (query(&["--sum", "salary", "--where", "salary > 10"]), "keep the column clear"),
        (query(&["--sum", "salary", "--where", "year"]), "year >= 2010"),
        (query(&["--count", "--where", "year = 9007199254740993.0"]), "would be rounded"),
        (query(&["--count", "--where", "year >= 2010.00000000000000000001"]), "would be rounded"),
        (query(&["--count", "--where", "year >= 1e-400"]), "would be rounded"),
        (query(&["--count", &table]), "name each file once"),
        (query(&["--count", "--out", &table]), "another one with --out"),
        (run(&["encrypt", &csv, "--key", &key, "--out", &key]), "another one with --out"),
        (query(&["--count", "--where", "dept = 'eng' or dept = 'ops'"]), "no condition"),
        (query(&["--count", "--where", "dept != 'eng' and dept = 'ops'"]), "no condition"),
        (run(&["keygen", "--schema", &schema, "--out", &key]), "never overwritten"),
        (run(&["query", &key, "--count", "--out", &out]), "key"),
        (run(&["decrypt", &table, "--key", &key]), "malformed"),
    ];
    for (run, remedy) in cases {
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(remedy), "{remedy} is not in: {}", run.stderr);
    }
    for exact in ["2010.0", "+02010.", "2.01e3", "201000E-2", "-0.0", "0.1", "9007199254740994.0"] {
        let run = query(&["--count", "--where", &format!("year >= {exact}")]);
        assert_eq!(run.code, 0, "{exact}: {}", run.stderr);
    }
}

/// Keys, clear tables and tables that are not read stay; earlier files of the same kind do not.
#[test]
fn an_output_replaces_only_files_of_its_kind() {
    let parties = Parties::with_table("columns-outputs");
    let [key, csv] = ["key", "staff.csv"].map(|name| parties.own(name));
    let [table, result] = ["staff.parquet", "result"].map(|name| parties.served(name));
    let other = parties.own("other.parquet");
    well(&["encrypt", &csv, "--key", &key, "--out", &other]);
    well(&["encrypt", &csv, "--key", &key, "--out", &other]);
    let query = |out: &str| run(&["query", &table, "--count", "--out", out]);
    let encrypt = |out: &str| run(&["encrypt", &csv, "--key", &key, "--out", out]);
    assert_eq!(query(&result).code, 0);
    let second_key = parties.own("second");
    let schema = parties.own("schema.toml");
    well(&["keygen", "--schema", &schema, "--out", &second_key]);
    let refused = [
        (query(&key), &key),
        (query(&other), &other),
        (query(&csv), &csv),
        (encrypt(&second_key), &second_key),
        (encrypt(&result), &result),
        (encrypt(&schema), &schema),
    ];
    for (run, path) in &refused {
        assert_eq!(run.code, 2, "{path}: {}", run.stderr);
        assert!(run.stderr.contains("name another file"), "{path}: {}", run.stderr);
    }
    // Each file is what it was, and the earlier result is replaced.
    assert_eq!(query(&result).code, 0);
    let answer = well(&["decrypt", &result, "--key", &key]).stdout;
    assert_eq!(answer, "count(*)\n4\n");
    assert_eq!(std::fs::read_to_string(&csv).unwrap(), TABLE);
    assert_eq!(std::fs::read_to_string(&schema).unwrap(), SCHEMA);
    well(&["query", &other, "--count", "--out", &result]);
    assert!(run(&["decrypt", &result, "--key", &second_key]).code != 0);
}

/// The limit on the size of files ends a process, or fails its write if it ignores the signal.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_encryption_keeps_the_old_table() {
    let parties = Parties::with_table("columns-full");
    let [key, csv] = ["key", "staff.csv"].map(|name| parties.own(name));
    let table = parties.served("staff.parquet");
    let old = std::fs::read(&table).unwrap();
    let program = env!("CARGO_BIN_EXE_fathom-columns");
    for before in ["trap '' XFSZ", ":"] {
        let script = format!("{before}; ulimit -f 20; exec \"$@\"");
        let status = std::process::Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(program)
            .args(["encrypt", &csv, "--key", &key, "--out", &table])
            .stderr(std::process::Stdio::null())
            .status();
        assert!(!status.unwrap().success(), "{before}");
        assert!(std::fs::read(&table).unwrap() == old, "{before}");
        if before != ":" {
            assert_eq!(std::fs::read_dir(&parties.server).unwrap().count(), 1);
        }
    }
    assert_eq!(parties.ask(&["--count"]), "count(*)\n4\n");
}

/// The owner reads a table back, and nobody else.
#[test]
fn rows_are_read_back_by_the_owner() {
    let parties = Parties::with_table("columns-rows");
    let [key, schema, second] = ["key", "schema.toml", "second"].map(|name| parties.own(name));
    let table = parties.served("staff.parquet");
    let rows = well(&["decrypt", &table, "--key", &key, "--rows"]).stdout;
    assert_eq!(rows, TABLE);
    well(&["keygen", "--schema", &schema, "--out", &second]);
    let refused = run(&["decrypt", &table, "--key", &second, "--rows"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
    assert!(refused.stderr.contains("a table belongs to key"), "{}", refused.stderr);
}

/// A query of one condition is that of the same condition in other front ends.
#[test]
fn one_condition_is_a_query_without_a_conjunction() {
    let parties = Parties::with_table("columns-condition");
    let queries = [
        ["--where", "year >= 2010"],
        [
            "--predicate",
            r#"{"compare": {"column": "year", "relation": "greater_or_equal", "literal": 2010}}"#,
        ],
    ];
    let bytes = queries.map(|condition| {
        parties.ask(&[&["--sum", "salary"], condition.as_slice()].concat());
        std::fs::read(parties.served("result")).unwrap()
    });
    assert!(bytes[0] == bytes[1]);
}

#[test]
fn bad_cells_are_named_without_their_text() {
    let parties = Parties::with_table("columns-cells");
    let key = parties.own("key");
    let refused = |table: &str| {
        let path = parties.own("bad.csv");
        std::fs::write(&path, table).unwrap();
        let run = run(&["encrypt", &path, "--key", &key, "--out", &parties.own("x")]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        run.stderr
    };
    let text = refused("salary,age,dept,year\n1,1,a,1\nsecret,2,b,2\n");
    assert!(text.contains("line 3") && text.contains("an integer"), "{text}");
    assert!(!text.contains("secret"), "{text}");
    assert!(refused("salary,age,dept,year\n1,300,a,1\n").contains("0 to 255"));
    assert!(refused("salary,age,dept,year\n1,,a,1\n").contains("nulls = true"));
    assert!(refused("salary,dept,year\n1,a,1\n").contains("\"age\" is missing"));
}

/// Groups of several columns, combinations, and the order of the answer.
#[test]
fn groups_are_selected_and_sorted_at_decryption() {
    let parties = Parties::with_table("columns-groups");
    let [table, result] = ["staff.parquet", "result"].map(|name| parties.served(name));
    let asked = ["--count", "--sum-of", "2 * salary - 1", "--by", "dept", "--by", "year"];
    well(&[&["query", &table, "--out", &result], asked.as_slice()].concat());
    let key = parties.own("key");
    let decrypt =
        |arguments: &[&str]| run(&[&["decrypt", &result, "--key", &key], arguments].concat());
    let head = "dept,year,count(*),sum(2 * salary - 1)\n";
    let all = decrypt(&["--order-by", "sum(2 * salary - 1) desc", "--order-by", "dept"]);
    let rows = "eng,2020,1,13999\neng,2012,1,9999\nops,2009,1,7999\n\"a, \"\"b\"\"\",2021,1,\n";
    assert_eq!(all.stdout, format!("{head}{rows}"), "{}", all.stderr);
    let some = decrypt(&["--having", "sum(2 * salary - 1) > 8000", "--having", "year < 2020"]);
    assert_eq!(some.stdout, format!("{head}eng,2012,1,9999\n"), "{}", some.stderr);
    let json: serde_json::Value =
        serde_json::from_str(&decrypt(&["--format", "json"]).stdout).unwrap();
    assert_eq!(json["group_by"], serde_json::json!(["dept", "year"]));
    let id = json["tables"][0].as_str().unwrap();
    assert!(id.len() == 32 && some.stderr.contains(id), "{}", some.stderr);
    let refused = decrypt(&["--order-by", "salary"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("dept, year, count(*)"), "{}", refused.stderr);
    for bad in ["salary * age", "3", "salary +", "a b"] {
        let query = ["query", &table, "--out", &result, "--sum-of", bad];
        let refused = run(&query);
        assert_eq!(refused.code, 2, "{bad}");
        assert!(refused.stderr.contains("is no combination"), "{bad}: {}", refused.stderr);
    }
}

/// A table under another key has the same rows, and the old key no longer reads it.
#[test]
fn a_table_moves_to_another_key() {
    let parties = Parties::with_table("columns-rekey");
    let [old, new, schema, csv] =
        ["key", "new", "schema.toml", "staff.csv"].map(|name| parties.own(name));
    let [table, moved] = ["staff.parquet", "moved.parquet"].map(|name| parties.served(name));
    well(&["keygen", "--schema", &schema, "--out", &new]);
    let rekey = |key: &str, new: &str, out: &str| {
        run(&["rekey", &table, "--key", key, "--new-key", new, "--out", out])
    };
    let done = rekey(&old, &new, &moved);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let rows = well(&["decrypt", &moved, "--key", &new, "--rows"]).stdout;
    assert_eq!(rows, TABLE);
    let result = parties.served("result");
    well(&["query", &moved, "--sum", "salary", "--by", "dept", "--out", &result]);
    let answer = well(&["decrypt", &result, "--key", &new]).stdout;
    assert_eq!(answer, "dept,sum(salary)\n\"a, \"\"b\"\"\",\neng,12000\nops,4000\n");
    assert_ne!(run(&["decrypt", &moved, "--key", &old, "--rows"]).code, 0);
    // What it reads is not overwritten, nor is a clear table, and both keys have to fit.
    let other = parties.own("other");
    std::fs::write(parties.own("other.toml"), SCHEMA.replace("500000", "400000")).unwrap();
    well(&["keygen", "--schema", &parties.own("other.toml"), "--out", &other]);
    let cases = [
        (rekey(&old, &new, &table), "another one with --out"),
        (rekey(&old, &new, &old), "another one with --out"),
        (rekey(&old, &new, &csv), "name another file"),
        (rekey(&new, &old, &moved), "a table belongs to key"),
        (rekey(&old, &other, &moved), "schema is not that of the old one"),
    ];
    for (run, words) in cases {
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
    }
    assert_eq!(well(&["decrypt", &moved, "--key", &new, "--rows"]).stdout, TABLE);
}

/// Dates and decimal numbers go in and out as text.
#[test]
fn typed_columns_are_read_from_text_and_written_as_text() {
    let owner = folder("columns-typed-owner");
    let own = |name: &str| text(&owner.join(name));
    let schema = "
        [[encrypted]]
        name = 'day'
        type = 'date'
        nulls = true
        [[encrypted]]
        name = 'price'
        type = 'decimal(7,2)'
        range = [0, '1000.50']
    ";
    std::fs::write(owner.join("schema.toml"), schema).unwrap();
    let table = "day,price\n2020-02-29,0.05\n,1000.50\n2021-02-28,7.00\n";
    std::fs::write(owner.join("t.csv"), table).unwrap();
    let [key, out, result] = [own("key"), own("t.parquet"), own("result")];
    well(&["keygen", "--schema", &own("schema.toml"), "--out", &key]);
    well(&["encrypt", &own("t.csv"), "--key", &key, "--out", &out]);
    assert_eq!(well(&["decrypt", &out, "--key", &key, "--rows"]).stdout, table);
    well(&["query", &out, "--sum", "price", "--mean", "day", "--out", &result]);
    let answer = well(&["decrypt", &result, "--key", &key]).stdout;
    assert_eq!(answer, "sum(price),mean(day)\n1007.55,2020-08-29 12:00:00\n");
    for (cell, words) in [("2020-02-30,1", "a date such as"), ("2020-02-01,0.001", "2 digits")] {
        std::fs::write(owner.join("bad.csv"), format!("day,price\n{cell}\n")).unwrap();
        let refused = run(&["encrypt", &own("bad.csv"), "--key", &key, "--out", &out]);
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains(words), "{words}: {}", refused.stderr);
    }
}

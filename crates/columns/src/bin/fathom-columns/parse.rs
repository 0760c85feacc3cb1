//! Conditions, combinations and sort keys as text.

use std::collections::BTreeMap;

use fathom_columns::{Combination, Comparison, Direction, Literal, Predicate, SortKey};

use crate::terminal::Failure;

/// Reads conditions that must all hold, if there are any.
pub(crate) fn all_of(option: &str, texts: &[String]) -> Result<Option<Predicate>, Failure> {
    let all = texts.iter().map(|text| condition(option, text));
    let mut all = all.collect::<Result<Vec<_>, _>>()?;
    // The query of one condition is that of the same condition in SQL.
    Ok(if all.len() > 1 { Some(Predicate::All(all)) } else { all.pop() })
}

/// Reads `COLUMN`, `COLUMN asc` or `COLUMN desc`.
pub(crate) fn sort_key(text: &str) -> SortKey {
    let ends = [(" desc", Direction::Descending), (" asc", Direction::Ascending)];
    let found = ends.into_iter().find_map(|(end, direction)| {
        let at = text.len().checked_sub(end.len())?;
        let is_end = text.get(at..).is_some_and(|own| own.eq_ignore_ascii_case(end));
        is_end.then(|| (&text[..at], direction))
    });
    let (column, direction) = found.unwrap_or((text, Direction::Ascending));
    SortKey { column: column.trim().to_owned(), direction }
}

/// Reads a sum of columns, products of a column and an integer, and integers.
pub(crate) fn combination(text: &str) -> Result<Combination, Failure> {
    let refuse = || {
        Failure::usage(format!("{text:?} is no combination; write one such as `price - 2 * paid`"))
    };
    let (mut factors, mut constant) = (BTreeMap::<String, i64>::new(), 0i64);
    let spaced = text.replace('-', " + - ").replace('*', " * ");
    for (number, term) in spaced.split('+').map(str::trim).enumerate() {
        // Nothing is before the sign of the first term.
        if term.is_empty() && number == 0 && text.trim_start().starts_with(['+', '-']) {
            continue;
        }
        let (sign, term) = term.strip_prefix('-').map_or((1, term), |rest| (-1, rest.trim()));
        let parts: Vec<&str> = term.split('*').map(str::trim).collect();
        let number = |text: &str| text.parse::<i64>().ok().map(|number| sign * number);
        let (column, factor) = match parts.as_slice() {
            [one] => match number(one) {
                Some(own) => {
                    constant = constant.checked_add(own).ok_or_else(refuse)?;
                    continue;
                }
                None => (*one, sign),
            },
            [a, b] => match (number(a), number(b)) {
                (Some(factor), None) => (*b, factor),
                (None, Some(factor)) => (*a, factor),
                (_, _) => return Err(refuse()),
            },
            _ => return Err(refuse()),
        };
        if column.is_empty() || column.contains(char::is_whitespace) {
            return Err(refuse());
        }
        let own = factors.entry(column.to_owned()).or_default();
        *own = own.checked_add(factor).ok_or_else(refuse)?;
    }
    if factors.is_empty() { Err(refuse()) } else { Ok(Combination { factors, constant }) }
}

/// Reads `COLUMN OPERATOR CONSTANT`, where the constant is a number, `true`, `false` or text in
/// single quotes, or `COLUMN OPERATOR COLUMN`.
fn condition(option: &str, text: &str) -> Result<Predicate, Failure> {
    const OPERATORS: [(&str, Comparison); 6] = [
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("!=", Comparison::NotEqual),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];
    let refuse = || {
        Failure::usage(format!(
            "{option} {text:?} is no condition; write one such as `year >= 2010` or `dept = 'eng'`"
        ))
    };
    let at = text.find(['<', '>', '!', '=']).ok_or_else(refuse)?;
    let (column, rest) = text.split_at(at);
    let mut operators = OPERATORS.iter();
    let found = operators.find_map(|(sign, relation)| Some((rest.strip_prefix(sign)?, relation)));
    let (constant, relation) = found.ok_or_else(refuse)?;
    let (column, constant) = (column.trim(), constant.trim());
    if let Some(literal) = literal(constant)? {
        return Ok(Predicate::compare(column, *relation, literal));
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '.';
    if constant.is_empty() || !constant.chars().all(is_name) {
        return Err(refuse());
    }
    let (left, right) = (column.to_owned(), constant.to_owned());
    Ok(Predicate::CompareColumns { left, relation: *relation, right })
}

fn literal(text: &str) -> Result<Option<Literal>, Failure> {
    if let Some(quoted) = text.strip_prefix('\'') {
        // A quote within would be the end of the constant, and the rest another condition.
        let text = quoted.strip_suffix('\'').filter(|text| !text.contains('\''));
        return Ok(text.map(|text| Literal::Text(text.to_owned())));
    }
    if let Ok(truth) = text.parse() {
        return Ok(Some(Literal::Bool(truth)));
    }
    if let Ok(integer) = text.parse() {
        return Ok(Some(Literal::Int(integer)));
    }
    let Ok(number) = text.parse::<f64>() else { return Ok(None) };
    // An integer is printed with all of its digits, and a fraction with those that it needs.
    let printed = if number.fract() == 0.0 { format!("{number:.0}") } else { number.to_string() };
    if digits(text) != digits(&printed) {
        return Err(Failure::usage(format!("the constant {text} would be rounded to {number}")));
    }
    Ok(Some(Literal::Float(number)))
}

/// Splits a decimal number into its digits without outer zeros and the power of ten of the last.
fn digits(number: &str) -> Option<(String, i64)> {
    let (number, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = format!("{}{fraction}", whole.trim_start_matches(['+', '-']));
    let all = all.trim_start_matches('0');
    let kept = all.trim_end_matches('0');
    if kept.is_empty() {
        return Some((String::new(), 0));
    }
    let places =
        i64::try_from(all.len() - kept.len()).ok()? - i64::try_from(fraction.len()).ok()?;
    Some((kept.to_owned(), power.parse::<i64>().ok()?.checked_add(places)?))
}

//! Numbers formatted for people, and text escaped for `<script>` elements.

use serde_json::Value;

/// Formats a time with three significant digits: `62.4 µs`.
pub(crate) fn time(ns: f64) -> String {
    let (scale, unit) = time_unit(ns);
    format!("{} {unit}", significant(ns / scale))
}

/// Formats a time as [`time`] does up to ten minutes, longer ones in minutes, hours or days:
/// `4.33 days`.
pub(crate) fn long_time(ns: f64) -> String {
    let minutes = ns / 60e9;
    match minutes {
        minutes if minutes < 10.0 => time(ns),
        minutes if minutes < 120.0 => format!("{} minutes", significant(minutes)),
        minutes if minutes < 4320.0 => format!("{} hours", significant(minutes / 60.0)),
        minutes => format!("{} days", significant(minutes / 1440.0)),
    }
}

/// Formats an interval of times in one unit: `61.9–63.0 µs`.
pub(crate) fn time_interval(low: f64, high: f64) -> String {
    let (scale, unit) = time_unit(high);
    format!("{}–{} {unit}", significant(low / scale), significant(high / scale))
}

fn time_unit(ns: f64) -> (f64, &'static str) {
    // The thresholds are the values that rounding to three digits would carry into the next unit.
    match ns {
        ns if ns < 999.5 => (1.0, "ns"),
        ns if ns < 999.5e3 => (1e3, "µs"),
        ns if ns < 999.5e6 => (1e6, "ms"),
        _ => (1e9, "s"),
    }
}

/// Formats a size with three significant digits in binary units: `43.5 KiB`.
pub(crate) fn bytes(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 1023.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = if unit == 0 { format!("{value:.0}") } else { significant(value) };
    format!("{digits} {}", UNITS[unit])
}

/// Formats a rate per second: `16.0 k/s`.
pub(crate) fn rate(per_second: f64) -> String {
    let (scale, unit) = match per_second {
        rate if rate < 999.5 => (1.0, ""),
        rate if rate < 999.5e3 => (1e3, "k"),
        rate if rate < 999.5e6 => (1e6, "M"),
        _ => (1e9, "G"),
    };
    format!("{} {unit}/s", significant(per_second / scale))
}

/// Formats bits with one decimal and a true minus sign.
pub(crate) fn bits(bits: f64) -> String {
    format!("{bits:.1}").replace('-', "−")
}

/// Formats a number with three significant digits, without an exponent.
pub(crate) fn significant(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        size if size >= 0.9995 || size == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Formats a fraction as a percentage with two digits: `0.031` is `3.1 %`.
pub(crate) fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value >= 9.95 { format!("{value:.0} %") } else { format!("{value:.1} %") }
}

/// Formats a JSON scalar without quotes, and any other value as JSON.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Escapes JSON for `<script type="application/json">`: no tag can begin in it.
pub(crate) fn script_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Escapes result lines for a `<script>`. JSON reads `\/` as `/`, so the lines keep their meaning;
/// lines without a tag are not changed.
pub(crate) fn script_lines(jsonl: &str) -> String {
    jsonl.replace("</", "<\\/").replace("<!--", "\\u003c!--").replace("<script", "\\u003cscript")
}

/// Escapes JavaScript for a `<script>`: no closing tag, no source-map comment.
pub(crate) fn script_code(code: &str) -> String {
    let lines: Vec<&str> =
        code.lines().filter(|line| !line.starts_with("//# sourceMappingURL=")).collect();
    lines.join("\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_never_show_a_thousand_of_the_smaller_unit() {
        assert_eq!(time(999.4), "999 ns");
        assert_eq!(time(999.6), "1.00 µs");
        assert_eq!(time(62_400.0), "62.4 µs");
        assert_eq!(time(0.65e6), "650 µs");
        assert_eq!(time(1.2e10), "12.0 s");
        assert_eq!(time_interval(61_900.0, 63_000.0), "61.9–63.0 µs");
    }

    #[test]
    fn long_times_are_in_units_of_people() {
        let shown = [59.0, 900.0, 10_800.0, 373_907.0].map(|seconds| long_time(seconds * 1e9));
        assert_eq!(shown, ["59.0 s", "15.0 minutes", "3.00 hours", "4.33 days"]);
    }

    #[test]
    fn sizes_are_binary_and_small_ones_are_whole_bytes() {
        assert_eq!(bytes(43.0), "43 B");
        assert_eq!(bytes(57_344.0), "56.0 KiB");
        assert_eq!(bytes(1_048_575.0), "1.00 MiB");
    }

    #[test]
    fn embedded_text_cannot_leave_its_script() {
        let hostile = "{\"a\":\"</script><script>alert(1)</script><!--\"}\n";
        for text in [script_lines(hostile), script_json(&serde_json::json!({ "a": hostile }))] {
            assert!(!text.contains("</script") && !text.contains("<!--"), "{text}");
        }
        let read: Value = serde_json::from_str(&script_lines(hostile)).unwrap();
        assert_eq!(read["a"], "</script><script>alert(1)</script><!--");
    }

    #[test]
    fn bundled_code_loses_its_source_map_and_closing_tags() {
        let code = script_code("a('</script>');\n//# sourceMappingURL=a.js.map\n");
        assert_eq!(code, "a('<\\/script>');");
    }
}

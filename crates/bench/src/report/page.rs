//! Renders the page: the template, the style sheet, the scripts and the embedded data.

use askama::Template;
use serde_json::{Value, json};

use super::catalog::{Catalog, Entry, distinct};
use super::chart::Section;
use super::error::ReportError;
use super::format;
use super::sections::{self, Method, Race, Verdict};

const STYLE: &str = include_str!("../../assets/report.css");
const SCRIPT: &str = include_str!("../../assets/report.js");
/// The chart libraries, in the order in which they must load.
const LIBRARIES: [&str; 3] = [
    include_str!("../../assets/vendor/vega.min.js"),
    include_str!("../../assets/vendor/vega-lite.min.js"),
    include_str!("../../assets/vendor/vega-embed.min.js"),
];

/// Licence notices of the chart libraries.
const NOTICES: [(&str, &str); 4] = [
    ("Vega", include_str!("../../assets/vendor/LICENSE-vega")),
    ("Vega-Lite", include_str!("../../assets/vendor/LICENSE-vega-lite")),
    ("Vega-Embed", include_str!("../../assets/vendor/LICENSE-vega-embed")),
    ("Packages inside them", include_str!("../../assets/vendor/LICENSE-bundled")),
];

/// The fields of the template.
#[derive(Template)]
#[template(path = "report.html", config = "assets/askama.toml")]
struct Page {
    title: String,
    style: &'static str,
    verdict: Verdict,
    race: Race,
    facets: Vec<Facet>,
    sections: Vec<Section>,
    method: Method,
    /// One object per case, in order: the values of its facets, and its line in `raw`.
    cases: String,
    raw: String,
    scripts: Vec<String>,
    notices: [(&'static str, &'static str); 4],
}

/// A group of filters.
struct Facet {
    /// Name in the URL and in `cases`.
    name: &'static str,
    title: &'static str,
    options: Vec<FacetOption>,
}

struct FacetOption {
    value: String,
    count: usize,
}

/// A property of cases that the page can filter by.
struct Property {
    /// Name in the URL and in the data of a case.
    name: &'static str,
    title: &'static str,
    value: fn(&Entry) -> String,
}

impl Property {
    const fn new(name: &'static str, title: &'static str, value: fn(&Entry) -> String) -> Self {
        Self { name, title, value }
    }
}

const PROPERTIES: [Property; 6] = [
    Property::new("lib", "Library", |entry| entry.lib.clone()),
    Property::new("scheme", "Scheme", |entry| entry.case.scheme.clone()),
    Property::new("params", "Parameters", |entry| entry.params.clone()),
    Property::new("security", "Security", security_band),
    Property::new("threads", "Threads", |entry| entry.threads().to_string()),
    Property::new("op", "Operation", |entry| entry.case.op.clone()),
];

pub(super) fn render(catalog: &Catalog, jsonl: &str) -> Result<String, ReportError> {
    let scripts = LIBRARIES.iter().chain([&SCRIPT]).map(|code| format::script_code(code));
    let page = Page {
        title: title(catalog),
        style: STYLE,
        verdict: Verdict::new(catalog),
        race: Race::new(catalog),
        facets: PROPERTIES.iter().filter_map(|property| facet(catalog, property)).collect(),
        sections: sections::all(catalog),
        method: Method::new(catalog),
        cases: format::script_json(&cases(catalog)),
        raw: format::script_lines(jsonl),
        scripts: scripts.collect(),
        notices: NOTICES,
    };
    Ok(page.render()?)
}

fn title(catalog: &Catalog) -> String {
    let schemes = distinct(catalog.entries.iter().map(|entry| entry.case.scheme.clone()));
    format!("Fathom report: {}", schemes.join(", "))
}

/// Returns the filters by a property; `None` if there are fewer than two values.
fn facet(catalog: &Catalog, property: &Property) -> Option<Facet> {
    let &Property { name, title, value } = property;
    let values: Vec<String> = catalog.entries.iter().map(value).collect();
    let count = |wanted: &String| values.iter().filter(|value| *value == wanted).count();
    let options: Vec<FacetOption> = distinct(values.iter().cloned())
        .into_iter()
        .map(|value| FacetOption { count: count(&value), value })
        .collect();
    (options.len() > 1).then_some(Facet { name, title, options })
}

fn security_band(entry: &Entry) -> String {
    let band = match entry.security_bits() {
        None => "not stated",
        Some(bits) if bits < 128.0 => "below 128",
        Some(bits) if bits < 192.0 => "128 to 191",
        Some(bits) if bits < 256.0 => "192 to 255",
        Some(_) => "256 and more",
    };
    band.to_owned()
}

fn cases(catalog: &Catalog) -> Value {
    let case = |entry: &Entry| {
        let facets = PROPERTIES
            .iter()
            .map(|&Property { name, value, .. }| (name.to_owned(), value(entry).into()));
        let mut object: serde_json::Map<String, Value> = facets.collect();
        object.insert("id".into(), entry.case.id.clone().into());
        object.insert("run".into(), entry.run.into());
        object.insert("line".into(), json!(entry.line));
        Value::Object(object)
    };
    catalog.entries.iter().map(case).collect()
}

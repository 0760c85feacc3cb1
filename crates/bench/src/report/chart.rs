//! Building blocks of the charts: Vega-Lite fragments, tooltips, legends and figures.
//!
//! A spec carries its rows inline under the name `rows`. Every row has `c`, the number of its
//! case or the list of them, so that the page can filter a chart by dropping rows. Colours are
//! written as `var(--name)`, which the style sheet defines for the light and the dark theme.

use serde_json::{Map, Value, json};

use super::catalog::{COLORS, Catalog, Entry, Series, distinct};
use super::format;
use super::table::Table;

/// A section of the page.
#[derive(Default)]
pub(crate) struct Section {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// True if the section is shown without unfolding it.
    pub(crate) open: bool,
    pub(crate) lead: String,
    /// The legend entries common to all figures; see [`Section::share_legend`].
    pub(crate) legend: Vec<Key>,
    pub(crate) figures: Vec<Figure>,
    pub(crate) table: Option<Table>,
    /// Facts shown beside the figures.
    pub(crate) notes: Vec<String>,
    /// Findings that need attention, shown as highlighted notes.
    pub(crate) warnings: Vec<String>,
}

/// A chart with its legend, and the same numbers as a table.
pub(crate) struct Figure {
    pub(crate) id: String,
    pub(crate) title: String,
    /// The question that must be chosen for the figure to show; empty for figures of all questions.
    pub(crate) question: String,
    pub(crate) legend: Vec<Key>,
    pub(crate) spec: Value,
    pub(crate) table: Table,
}

impl Section {
    /// Describes what unfolding the section shows: `3 charts, 46 rows`.
    pub(crate) fn extent(&self) -> String {
        let charts = self.figures.iter().filter(|figure| figure.question.is_empty()).count();
        let rows = self.table.as_ref().map_or(0, |table| table.rows.len());
        let counted = |number: usize, one: &str, many: &str| match number {
            0 => None,
            1 => Some(format!("1 {one}")),
            number => Some(format!("{number} {many}")),
        };
        let parts = [counted(charts, "chart", "charts"), counted(rows, "row", "rows")];
        let warned = counted(self.warnings.len(), "finding", "findings");
        parts.into_iter().chain([warned]).flatten().collect::<Vec<_>>().join(", ")
    }

    /// Moves the legend entries that all figures share to the head of the section.
    pub(crate) fn share_legend(&mut self) {
        let [first, _, ..] = self.figures.as_slice() else { return };
        // Of the figures of questions, one is seen at a time.
        if !first.question.is_empty() {
            return;
        }
        let everywhere = |key: &&Key| self.figures.iter().all(|figure| figure.legend.contains(key));
        self.legend = first.legend.iter().filter(everywhere).cloned().collect();
        for figure in &mut self.figures {
            figure.legend.retain(|key| !self.legend.contains(key));
        }
    }
}

impl Figure {
    /// Returns true if the chart has one row for each item and therefore takes the full width.
    pub(crate) fn has_rows(&self) -> bool {
        self.spec["height"].is_object()
    }

    /// Returns the spec as text that may stand inside a `<script>`.
    pub(crate) fn script(&self) -> String {
        format::script_json(&self.spec)
    }
}

/// An entry of a legend: a mark as an SVG path in the box `[-1, 1]^2`, and its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub(crate) label: String,
    pub(crate) path: &'static str,
    pub(crate) class: String,
}

/// Shapes of parameter sets, as SVG paths in the box `[-1, 1]^2`.
pub(crate) const SHAPES: [&str; COLORS] = [
    "M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0Z",
    "M-0.85,-0.85H0.85V0.85H-0.85Z",
    "M0,-1.15L1,0.75H-1Z",
    "M0,-1.2L1.05,0L0,1.2L-1.05,0Z",
    "M0,1.15L1,-0.75H-1Z",
    "M-0.38,-1.1H0.38V-0.38H1.1V0.38H0.38V1.1H-0.38V0.38H-1.1V-0.38H-0.38Z",
    "M-0.55,-1H0.55L1.1,0L0.55,1H-0.55L-1.1,0Z",
    "M-1.15,0L0.75,1V-1Z",
];

const LINE: &str = "M-1.6,0H1.6";

/// Vega expression for the labels of a time axis in nanoseconds.
const TIME_LABEL: &str = "datum.value === 0 ? '0' \
    : datum.value >= 1e9 ? format(datum.value / 1e9, '~g') + ' s' \
    : datum.value >= 1e6 ? format(datum.value / 1e6, '~g') + ' ms' \
    : datum.value >= 1e3 ? format(datum.value / 1e3, '~g') + ' µs' \
    : format(datum.value, '~g') + ' ns'";

/// Vega expression for the labels of a size axis in bytes.
const BYTES_LABEL: &str = "datum.value === 0 ? '0' \
    : datum.value >= 1073741824 ? format(datum.value / 1073741824, '~r') + ' GiB' \
    : datum.value >= 1048576 ? format(datum.value / 1048576, '~r') + ' MiB' \
    : datum.value >= 1024 ? format(datum.value / 1024, '~r') + ' KiB' \
    : format(datum.value, '~r') + ' B'";

/// Returns the row of a case: the fields for filters, colours and the tooltip.
pub(crate) fn row(case: usize, entry: &Entry) -> Map<String, Value> {
    let verify = &entry.case.verify;
    let mut row = Map::new();
    let mut set = |name: &str, value: Value| row.insert(name.to_owned(), value);
    set("c", case.into());
    set("series", entry.series.clone().into());
    set("scheme", entry.case.scheme.clone().into());
    set("params", entry.params.clone().into());
    set("shape", entry.shape.clone().into());
    set("case", entry.case.id.clone().into());
    set("verified", format!("{} ({} checked)", verify.status.word(), verify.checked).into());
    set("wrong", (verify.status.word() == "wrong").into());
    set("hollow", entry.is_unranked_time().into());
    if let Some(median) = entry.median() {
        let n = entry.samples();
        set("time", median.into());
        set("median", format::time(median).into());
        set("n", if n == 1 { json!("1, single shot") } else { n.into() });
    }
    if let Some([low, high]) = entry.interval() {
        set("low", low.into());
        set("high", high.into());
        set("ci", format::time_interval(low, high).into());
    }
    if let Some(after) = verify.noise_budget_bits.after {
        set("noise", format!("{} bits", format::bits(after)).into());
    }
    if let Some(bits) = entry.security_bits() {
        set("secure", format!("{} bits", format::bits(bits)).into());
    }
    set("lane", entry.lane().into());
    set("provenance", entry.case.provenance.clone().into());
    row
}

/// Returns the tooltip of a mark; `extra` fields come first.
pub(crate) fn tooltip(extra: &[(&str, &str)]) -> Value {
    const COMMON: [(&str, &str); 10] = [
        ("case", "case"),
        ("median", "median"),
        ("ci", "95 % interval"),
        ("n", "samples"),
        ("verified", "verified"),
        ("noise", "noise left"),
        ("params", "parameters"),
        ("secure", "security"),
        ("lane", "lane"),
        ("provenance", "provenance"),
    ];
    let field = |(field, title): &(&str, &str)| json!({ "field": field, "title": title });
    extra.iter().chain(COMMON.iter()).map(field).collect()
}

/// Returns a whole spec from the rows, the layers and the height (a number, or a step per row).
pub(crate) fn spec(rows: &[Map<String, Value>], height: &Value, layers: &Value) -> Value {
    json!({
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "height": height,
        "data": { "name": "rows", "values": rows },
        "layer": layers,
    })
}

/// Returns a quantitative time channel on `field`, in nanoseconds.
pub(crate) fn time(field: &str, scale: &Value) -> Value {
    let axis = json!({ "labelExpr": TIME_LABEL, "title": null, "tickCount": 6 });
    json!({ "field": field, "type": "quantitative", "scale": scale, "axis": axis })
}

/// Returns a quantitative size channel on `field`, in bytes.
pub(crate) fn size(field: &str, scale: &Value) -> Value {
    let axis = json!({ "labelExpr": BYTES_LABEL, "title": null, "tickCount": 6 });
    json!({ "field": field, "type": "quantitative", "scale": scale, "axis": axis })
}

/// Returns a quantitative channel that starts at zero, with the title of its axis.
pub(crate) fn from_zero(field: &str, title: &str) -> Value {
    let axis = json!({ "title": title, "tickCount": 6 });
    json!({ "field": field, "type": "quantitative", "axis": axis, "scale": { "zero": true } })
}

/// Returns a nominal channel with a row for each item of `order` and a line between rows.
pub(crate) fn items(field: &str, order: &[impl serde::Serialize]) -> Value {
    let axis = json!({ "title": null, "grid": true, "tickBand": "extent" });
    json!({ "field": field, "type": "nominal", "sort": order, "axis": axis })
}

/// Returns a logarithmic scale. Base 2 suits sizes. The page chooses the ticks that fit.
pub(crate) fn log_scale(base: u32) -> Value {
    json!({ "type": "log", "base": base, "nice": false })
}

/// Returns a linear scale from zero, or a logarithmic one if the values span more than a factor of
/// 30.
pub(crate) fn fitting_scale(values: impl Iterator<Item = f64>, base: u32) -> Value {
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    for value in values.filter(|value| *value > 0.0) {
        low = low.min(value);
        high = high.max(value);
    }
    if high > 30.0 * low { log_scale(base) } else { json!({ "zero": true, "nice": true }) }
}

/// Returns the colour channel of `series`, without a legend; wrong results are always red.
pub(crate) fn color(catalog: &Catalog) -> Value {
    let domain: Vec<&str> = catalog.series.iter().map(|series| series.label.as_str()).collect();
    let range: Vec<String> =
        catalog.series.iter().map(|series| format!("var(--s{})", series.color)).collect();
    json!({
        "condition": { "test": "datum.wrong", "value": "var(--bad)" },
        "field": "series", "type": "nominal", "legend": null,
        "scale": { "domain": domain, "range": range },
    })
}

/// Returns the shape channel of the parameter set, without a legend.
pub(crate) fn shape(catalog: &Catalog) -> Value {
    let range: Vec<&str> =
        catalog.shapes.iter().map(|label| SHAPES[catalog.shape(label)]).collect();
    json!({
        "field": "shape", "type": "nominal", "legend": null,
        "scale": { "domain": catalog.shapes, "range": range },
    })
}

/// Returns the layer of dots: hollow if not ranked, with a shape for each parameter set.
pub(crate) fn dots(catalog: &Catalog, mut encoding: Value, extra: &[(&str, &str)]) -> Value {
    encoding["fill"] = color(catalog);
    encoding["stroke"] = color(catalog);
    if catalog.has_shapes() {
        encoding["shape"] = shape(catalog);
    }
    encoding["fillOpacity"] =
        json!({ "condition": { "test": "datum.hollow", "value": 0 }, "value": 0.9 });
    encoding["tooltip"] = tooltip(extra);
    json!({
        "mark": { "type": "point", "filled": true, "size": 38, "strokeWidth": 1.4, "opacity": 1 },
        "encoding": encoding,
    })
}

/// Returns a straight line at one value of channel `x` or `y`, drawn once for any number of rows.
pub(crate) fn rule(channel: &str, at: f64, mark: &Value) -> Value {
    let mut rule = json!({ "data": { "values": [{}] }, "mark": mark, "encoding": {} });
    rule["mark"]["type"] = "rule".into();
    rule["encoding"][channel] = json!({ "datum": at });
    rule
}

/// Returns the layer of confidence intervals, drawn behind the dots.
pub(crate) fn whiskers(catalog: &Catalog, mut encoding: Value) -> Value {
    encoding["color"] = color(catalog);
    json!({
        "transform": [{ "filter": "isValid(datum.low)" }],
        "mark": { "type": "rule", "strokeWidth": 1.6, "opacity": 0.75 },
        "encoding": encoding,
    })
}

/// Returns the legend entries for the colours and shapes of the given entries, and for hollow dots
/// if a time is not ranked.
pub(crate) fn legend<'a>(
    catalog: &Catalog,
    entries: impl IntoIterator<Item = &'a Entry> + Clone,
) -> Vec<Key> {
    let unranked = entries.clone().into_iter().any(Entry::is_unranked_time);
    let mut keys = marks(catalog, entries);
    if unranked {
        keys.push(key("not ranked", SHAPES[0], "hollow"));
    }
    keys
}

/// Returns the legend entries for the colours and shapes of the given entries.
pub(crate) fn marks<'a>(
    catalog: &Catalog,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Vec<Key> {
    let entries: Vec<&Entry> = entries.into_iter().collect();
    let series = distinct(entries.iter().map(|entry| entry.series.as_str()));
    let shapes = distinct(entries.iter().map(|entry| entry.shape.as_str()));
    let known = |Series { label, .. }: &&Series| series.contains(&label.as_str());
    let mut keys: Vec<Key> = catalog.series.iter().filter(known).map(series_key).collect();
    if shapes.len() > 1 && catalog.has_shapes() {
        let shown = catalog.shapes.iter().filter(|label| shapes.contains(&label.as_str()));
        keys.extend(shown.map(|label| Key {
            label: label.clone(),
            path: SHAPES[catalog.shape(label)],
            class: "ink".into(),
        }));
    }
    keys
}

fn series_key(series: &Series) -> Key {
    Key { label: series.label.clone(), path: SHAPES[0], class: format!("s{}", series.color) }
}

/// Returns a legend entry with the given mark.
pub(crate) fn key(label: &str, path: &'static str, class: &str) -> Key {
    Key { label: label.to_owned(), path, class: class.to_owned() }
}

/// Returns a legend entry for a kind of line.
pub(crate) fn line_key(label: &str, class: &str) -> Key {
    key(label, LINE, class)
}

/// Sets the line to which each row belongs: a parameter set of a series if every such line has two
/// points or more, else the whole series.
pub(crate) fn join_lines(rows: &mut [Map<String, Value>]) {
    let name = |row: &Map<String, Value>, fine: bool| {
        let part = |field: &str| row.get(field).map(format::plain).unwrap_or_default();
        let set = if fine { part("params") } else { String::new() };
        [part("series"), part("scheme"), set].join(" ")
    };
    let fine: Vec<String> = rows.iter().map(|row| name(row, true)).collect();
    let by_set = distinct(fine.iter()).len() * 2 <= fine.len();
    for row in rows {
        let line = name(row, by_set);
        row.insert("line".into(), line.into());
    }
}

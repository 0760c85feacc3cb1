//! Sizes: the bytes of ciphertexts and keys of each parameter set.

use fathom_cases::record::Bytes;
use serde_json::{Map, Value, json};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, SHAPES, Section};
use crate::report::format;
use crate::report::table::{Cell, Table};

/// Height of one parameter set, in pixels.
const BAND_PX: u32 = 26;

/// A function that returns one of the sizes of a case.
type SizeOf = fn(&Bytes) -> Option<u64>;

/// Keys of a parameter set: the name shown and the field of a case; the position is the colour.
const KEYS: [(&str, SizeOf); 4] = [
    ("public", |bytes| bytes.pk),
    ("relinearization", |bytes| bytes.relin),
    ("rotation", |bytes| bytes.galois),
    ("bootstrapping", |bytes| bytes.bootstrapping),
];

/// The sizes of one parameter set, gathered from all its cases.
struct Profile<'a> {
    cases: Vec<usize>,
    entry: &'a Entry,
    label: String,
    keys: [Option<f64>; 4],
    packed: Option<f64>,
    seeded: Option<f64>,
    theory: Option<f64>,
    peak_rss: Option<f64>,
}

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let profiles = profiles(catalog);
    let figures: Vec<Figure> =
        [ciphertexts(catalog, &profiles), keys(&profiles)].into_iter().flatten().collect();
    if figures.is_empty() {
        return None;
    }
    Some(Section {
        id: "sizes",
        title: "Sizes",
        lead: "Lengths of serialised objects. The tick is the theoretical size of a fresh \
               ciphertext, 2·n·log q bits, or for a scheme that is not compact the bytes that \
               decryption reads; a seeded ciphertext consists of half of it and a seed."
            .into(),
        figures,
        table: Some(table(&profiles)),
        warnings: disagreements(&profiles),
        ..Section::default()
    })
}

fn profiles(catalog: &Catalog) -> Vec<Profile<'_>> {
    let indexed: Vec<(usize, &Entry)> = catalog.entries.iter().enumerate().collect();
    let set = |entry: &Entry| (entry.lib.clone(), entry.case.scheme.clone(), entry.params.clone());
    let sets = distinct(indexed.iter().map(|(_, entry)| set(entry)));
    let profile = |wanted: &(String, String, String)| {
        let of_set: Vec<_> = indexed.iter().filter(|(_, entry)| set(entry) == *wanted).collect();
        let (_, entry) = **of_set.first()?;
        let largest = |field: SizeOf| {
            // A key of zero bytes was never generated.
            let sizes = of_set.iter().filter_map(|(_, e)| field(&e.case.bytes));
            sizes.max().filter(|size| *size > 0).map(|size| size as f64)
        };
        Some(Profile {
            cases: of_set.iter().map(|(case, _)| *case).collect(),
            entry,
            label: catalog.full_name(entry),
            keys: KEYS.map(|(_, field)| largest(field)),
            packed: largest(|bytes| bytes.ct_in),
            seeded: largest(|bytes| bytes.ct_seeded),
            theory: largest(|bytes| bytes.ct_theory),
            peak_rss: largest(|bytes| bytes.peak_rss),
        })
    };
    sets.iter().filter_map(profile).collect()
}

impl Profile<'_> {
    fn forms(&self) -> [(&'static str, Option<f64>); 2] {
        [("packed", self.packed), ("seeded", self.seeded)]
    }

    fn row(&self) -> Map<String, Value> {
        let mut row = Map::new();
        row.insert("c".into(), json!(self.cases));
        row.insert("set".into(), self.label.clone().into());
        row.insert("series".into(), self.entry.series.clone().into());
        row
    }
}

fn ciphertexts(catalog: &Catalog, profiles: &[Profile]) -> Option<Figure> {
    let mut table = Table::new("Ciphertext sizes", &["parameter set", "form", "size#", "theory#"]);
    let mut rows = Vec::new();
    for profile in profiles {
        for (form, size) in profile.forms() {
            let Some(size) = size else { continue };
            let mut row = profile.row();
            row.insert("form".into(), form.into());
            row.insert("bytes".into(), json!(size));
            row.insert("size".into(), format::bytes(size).into());
            row.extend(profile.theory.map(|theory| ("theory".to_owned(), json!(theory))));
            row.extend(profile.theory.map(|t| ("theory_text".to_owned(), format::bytes(t).into())));
            rows.push(row);
            let cells = [Cell::text(&profile.label), Cell::text(form)].into_iter();
            let sizes = [Some(size), profile.theory].map(Cell::bytes);
            table.push_summary(&profile.cases, cells.chain(sizes).collect());
        }
    }
    if rows.is_empty() {
        return None;
    }
    let scale = chart::log_scale(2);
    let mut dots = json!({ "y": set_axis(profiles), "x": chart::size("bytes", &scale) });
    let ticks = json!({ "y": set_axis(profiles), "x": chart::size("theory", &scale) });
    dots["fill"] = chart::color(catalog);
    dots["stroke"] = chart::color(catalog);
    dots["shape"] = json!({
        "field": "form", "type": "nominal", "legend": null,
        "scale": { "domain": ["packed", "seeded"], "range": SHAPES[..2] },
    });
    dots["tooltip"] = json!([
        { "field": "set", "title": "parameter set" },
        { "field": "form", "title": "form" },
        { "field": "size", "title": "measured" },
        { "field": "theory_text", "title": "theory" },
    ]);
    let tick = json!({ "type": "tick", "color": "var(--ink)", "thickness": 1.5, "size": 17 });
    let point = json!({ "type": "point", "filled": true, "size": 42, "opacity": 0.9 });
    let layers = json!([{ "mark": tick, "encoding": ticks }, { "mark": point, "encoding": dots }]);
    let mut legend: Vec<_> = ["packed", "seeded"]
        .iter()
        .zip(SHAPES)
        .filter(|(form, _)| rows.iter().any(|row| row["form"] == **form))
        .map(|(form, path)| chart::key(form, path, "ink"))
        .collect();
    legend.push(chart::key("theory", "M0,-1.5V1.5", "solid"));
    Some(Figure {
        id: "chart-sizes-ciphertext".into(),
        question: String::new(),
        title: "A fresh ciphertext".into(),
        legend,
        spec: chart::spec(&rows, &json!({ "step": BAND_PX }), &layers),
        table,
    })
}

fn keys(profiles: &[Profile]) -> Option<Figure> {
    let mut table = Table::new("Key sizes", &["parameter set", "key", "size#"]);
    let mut rows = Vec::new();
    for profile in profiles {
        for ((key, _), size) in KEYS.iter().zip(profile.keys) {
            let Some(size) = size else { continue };
            let mut row = profile.row();
            row.insert("key".into(), (*key).into());
            row.insert("total".into(), profile.keys.iter().flatten().sum::<f64>().into());
            row.insert("bytes".into(), json!(size));
            row.insert("size".into(), format::bytes(size).into());
            rows.push(row);
            let cells = vec![Cell::text(&profile.label), Cell::text(*key), Cell::bytes(Some(size))];
            table.push_summary(&profile.cases, cells);
        }
    }
    let present: Vec<usize> =
        (0..KEYS.len()).filter(|key| profiles.iter().any(|p| p.keys[*key].is_some())).collect();
    if present.is_empty() {
        return None;
    }
    let names: Vec<&str> = present.iter().map(|key| KEYS[*key].0).collect();
    let colors: Vec<String> = present.iter().map(|key| format!("var(--k{key})")).collect();
    let order = "indexof(['public', 'relinearization', 'rotation', 'bootstrapping'], datum.key)";
    let encoding = json!({
        "y": set_axis(profiles),
        "x": chart::size("bytes", &json!({ "zero": true })),
        "color": {
            "field": "key", "type": "nominal", "legend": null,
            "scale": { "domain": names, "range": colors },
        },
        "order": { "field": "order", "type": "quantitative" },
        "tooltip": [
            { "field": "set", "title": "parameter set" },
            { "field": "key", "title": "key" },
            { "field": "size", "title": "size" },
        ],
    });
    let layers = json!([{
        "transform": [{ "calculate": order, "as": "order" }],
        "mark": { "type": "bar", "height": { "band": 0.62 } },
        "encoding": encoding,
    }]);
    let legend =
        present.iter().map(|key| chart::key(KEYS[*key].0, SHAPES[1], &format!("k{key}"))).collect();
    Some(Figure {
        id: "chart-sizes-keys".into(),
        question: String::new(),
        title: "Evaluation and public keys".into(),
        legend,
        spec: chart::spec(&rows, &json!({ "step": BAND_PX }), &layers),
        table,
    })
}

fn set_axis(profiles: &[Profile]) -> Value {
    let order = distinct(profiles.iter().map(|profile| profile.label.as_str()));
    let axis = json!({ "title": null, "grid": false });
    json!({ "field": "set", "type": "nominal", "sort": order, "axis": axis })
}

fn table(profiles: &[Profile]) -> Table {
    let columns = [
        "parameter set",
        "ct packed#",
        "ct seeded#",
        "ct theory#",
        "public key#",
        "relinearization#",
        "rotation#",
        "bootstrapping#",
        "peak memory#",
    ];
    let mut table = Table::new("Sizes", &columns);
    for profile in profiles {
        let forms = profile.forms().map(|(_, size)| size);
        let sizes = forms.into_iter().chain([profile.theory]).chain(profile.keys);
        let sizes = sizes.chain([profile.peak_rss]).map(Cell::bytes);
        let cells: Vec<Cell> = [Cell::text(&profile.label)].into_iter().chain(sizes).collect();
        if cells.iter().any(|cell| !cell.value.is_empty()) {
            table.push_summary(&profile.cases, cells);
        }
    }
    table
}

/// Returns a sentence for each measured size that differs by more than 5 % from theory, for schemes
/// whose size is a formula in the parameters.
fn disagreements(profiles: &[Profile]) -> Vec<String> {
    let far = |profile: &&Profile| {
        if !profile.entry.character().is_empty() {
            return false;
        }
        let pair = profile.packed.zip(profile.theory);
        pair.is_some_and(|(packed, theory)| (packed / theory - 1.0).abs() > 0.05)
    };
    let words = |profile: &Profile| {
        let size = |size: Option<f64>| size.map(format::bytes).unwrap_or_default();
        format!(
            "{}: a packed ciphertext takes {}, but {} in theory.",
            profile.label,
            size(profile.packed),
            size(profile.theory)
        )
    };
    profiles.iter().filter(far).map(words).collect()
}

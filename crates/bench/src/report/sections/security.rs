//! Security: one row per parameter set, with the cost model of the bits.

use fathom_cases::record::Security;
use fathom_drivers::ops::Scheme;

use crate::report::catalog::{Catalog, Entry, RANKED_SECURITY_BITS, distinct};
use crate::report::chart::Section;
use crate::report::format;
use crate::report::table::{Cell, Table};

/// The statement that accompanies HFHE in every comparison with other schemes.
const HFHE: &str = "HFHE: PVAC is an experimental secret-key, non-compact homomorphic encoding. In \
    the implemented variant chosen-plaintext confidentiality rests on SHA-256/AES-256 (mode \
    compat) or BLAKE3 (mode native) being PRFs; its LPN/hypergraph components are not \
    load-bearing. It offers no public-key encryption, no circuit privacy, no integrity and no \
    chosen-ciphertext security; earlier upstream versions were broken. Do not compare its \
    security label with RLWE schemes. Its cases are shown and never ranked.";

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let set = |entry: &Entry| (entry.lib.clone(), entry.case.scheme.clone(), entry.params.clone());
    let sets = distinct(catalog.entries.iter().map(set));
    let columns = [
        "library",
        "scheme",
        "parameters",
        "semantics",
        "badge",
        "classical#",
        "quantum#",
        "rests on",
        "n#",
        "log2 q#",
        "log2 qp#",
        "secret",
        "error σ#",
    ];
    let mut table = Table::new("Security", &columns);
    for wanted in sets {
        let of_set = |(_, entry): &(usize, &Entry)| {
            set(entry) == wanted && entry.security().is_some_and(|found| !found.badge.is_empty())
        };
        let found: Vec<_> = catalog.entries.iter().enumerate().filter(of_set).collect();
        let cases: Vec<usize> = found.iter().map(|(case, _)| *case).collect();
        if let Some((_, entry)) = found.first()
            && let Some(security) = entry.security()
        {
            let meanings = distinct(found.iter().map(|(_, entry)| entry.semantics()));
            let semantics = if meanings.len() > 2 { "several".into() } else { meanings.join(", ") };
            table.push_summary(&cases, cells(entry, security, semantics));
        }
    }
    let mut notes = table.take_constants(&[("rests on", "Cost model")]);
    let stated = catalog.entries.iter().filter_map(Entry::security);
    for source in distinct(stated.filter(|found| has_model(found)).map(|found| &found.source)) {
        notes.push(format!("Source of the costs: {source}."));
    }
    if catalog.entries.iter().any(|entry| Scheme::parse(&entry.case.scheme) == Some(Scheme::Hfhe)) {
        notes.push(HFHE.into());
    }
    (!table.rows.is_empty()).then(|| Section {
        id: "security",
        title: "Security",
        lead: "The cost in bits of the best known attack on each parameter set, for the largest \
               modulus published under the key (log2 qp), in the cost model that the row \
               names. Cases below 128 bits are never ranked."
            .into(),
        table: Some(table),
        notes,
        ..Section::default()
    })
}

fn cells(entry: &Entry, security: &Security, semantics: String) -> Vec<Cell> {
    let logarithm = |of| Cell::number(entry.number(of), |bits| format!("{bits:.1}"));
    let secret = entry.case.params.as_ref().map_or("", |params| &params.secret);
    let weak = security.classical.is_some_and(|bits| bits < RANKED_SECURITY_BITS);
    let basis = if has_model(security) { &security.model } else { &security.source };
    vec![
        Cell::text(&entry.lib),
        Cell::text(&entry.case.scheme),
        Cell::text(&entry.params),
        Cell::text(semantics),
        Cell { class: "badge", ..Cell::text(&security.badge) },
        Cell {
            class: if weak { "number weak" } else { "number" },
            ..Cell::bits(security.classical)
        },
        Cell::bits(security.quantum),
        Cell::text(basis),
        Cell::number(entry.number(|params| params.n as f64), |n| format!("{n:.0}")),
        logarithm(|params| params.log_q),
        logarithm(|params| params.log_qp),
        Cell::text(secret),
        Cell::number(entry.number(|params| params.sigma), format::significant),
    ]
}

/// Returns true if the security is a number that follows from a cost model, not an assumption.
fn has_model(security: &Security) -> bool {
    security.classical.is_some() && !security.source.is_empty()
}

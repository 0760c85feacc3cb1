//! Results: what a server sends, and what the client reads from it.

use crate::clear::Label;
use crate::container;
use crate::layout::{Family, TERMS};
use crate::{Error, Query};
use fathom::prelude::*;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The start of every result.
#[cfg(feature = "files")]
pub(crate) const MAGIC_START: &[u8] = b"FTHMCRS";
const MAGIC: [u8; 8] = *b"FTHMCRS1";
/// Earlier clients would take interleaved sums for others.
const FOLDED_MAGIC: [u8; 8] = *b"FTHMCRS2";
pub(crate) const WHAT: &str = "a result of columns";

/// The encrypted result of a query.
#[derive(Clone, Debug)]
pub struct EncryptedResult {
    pub(crate) header: Header,
    /// One sum after the other, part by part.
    pub(crate) totals: Vec<Total>,
    /// The evaluator that interleaves the sums of groups when they are sent, if there is one.
    pub(crate) folding: Option<bfv::Evaluator>,
}

/// A ciphertext of a result.
#[derive(Clone, Debug)]
pub(crate) enum Total {
    /// The sum as it was computed, at its full level.
    Computed(bfv::Ciphertext),
    /// The bytes that were sent, at the lowest level that holds the sum.
    Sent(Vec<u8>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) query: Query,
    /// The checksum of the schema.
    pub(crate) schema: String,
    /// Identifiers of the tables.
    pub(crate) tables: Vec<String>,
    /// Identifiers of the keys of the tables.
    pub(crate) keys: BTreeMap<Family, String>,
    /// The parameters in hexadecimal; none in results of servers that did not state them, whose
    /// sums are not added to others.
    #[serde(default)]
    pub(crate) params: BTreeMap<Family, String>,
    /// The parameters of each sum of a part.
    #[serde(default)]
    pub(crate) families: Vec<Family>,
    pub(crate) parts: Vec<Part>,
}

/// A sum of up to 256 blocks: a ciphertext for each limb that the query reads, and for the numbers
/// of rows that encrypted values select.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// Blocks of the tables that it is the sum of, at most.
    #[serde(default = "most_blocks")]
    pub(crate) blocks: usize,
    pub(crate) spans: Vec<Span>,
    /// The groups of an interleaved sum, which has no spans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) folded: Option<Folded>,
}

/// A sum that does not state its blocks may have all for which there is room.
fn most_blocks() -> usize {
    TERMS
}

/// The slots of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub(crate) label: Label,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) counts: Counts,
}

/// The groups of an interleaved sum, by columns: labels, numbers of rows, and for each column that
/// the query reads the numbers of values, none where these are the numbers of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Folded {
    /// The number of interleaved sums, rounded up to a power of two.
    pub(crate) parts: usize,
    pub(crate) labels: Vec<Label>,
    pub(crate) rows: Vec<u64>,
    pub(crate) values: Vec<Vec<u64>>,
}

/// Numbers of rows of a group. Where encrypted values select, they count all rows, and the numbers
/// of the selected ones are encrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) rows: u64,
    /// Values that are there, for each column that the query reads.
    pub(crate) values: Vec<u64>,
    /// Rows by the residues of their places, while a server computes; empty where not known.
    #[serde(skip)]
    pub(crate) spread: Vec<u32>,
}

impl Counts {
    /// Sets the number of rows that encrypted values select, which is that of the values of columns
    /// without missing ones.
    pub(crate) fn select(&mut self, rows: u64) {
        self.rows = rows;
        self.values.fill(rows);
    }

    pub(crate) fn add(&mut self, other: &Counts) {
        self.rows = self.rows.saturating_add(other.rows);
        let pairs = self.values.iter_mut().zip(&other.values);
        pairs.for_each(|(a, b)| *a = a.saturating_add(*b));
        if self.spread.len() != other.spread.len() {
            self.spread.clear();
        }
        let pairs = self.spread.iter_mut().zip(&other.spread);
        pairs.for_each(|(a, b)| *a = a.saturating_add(*b));
    }
}

impl Total {
    /// Reads the ciphertext.
    pub(crate) fn ciphertext(&self, params: &bfv::Params) -> Result<bfv::Ciphertext, Error> {
        Ok(match self {
            Total::Computed(sum) => sum.clone(),
            Total::Sent(frame) => bfv::Ciphertext::from_bytes(params, frame)?,
        })
    }

    /// Encodes the ciphertext at the lowest level that holds it, where it has the fewest bytes.
    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Total::Computed(sum) => {
                let evaluator = bfv::Evaluator::without_keys(sum.params());
                let lowest = evaluator.mod_switch_to(sum, Level::ZERO);
                lowest.as_ref().unwrap_or(sum).to_bytes()
            }
            Total::Sent(frame) => frame.clone(),
        }
    }
}

impl EncryptedResult {
    /// Encodes the result for the client. If the server has the evaluation keys of its table, sums
    /// of many groups take one ciphertext together.
    pub fn to_bytes(&self) -> Vec<u8> {
        let folded = self.folded();
        let own = folded.as_ref().unwrap_or(self);
        let frames: Vec<Vec<u8>> = own.totals.par_iter().map(Total::to_bytes).collect();
        let blobs: Vec<&[u8]> = frames.iter().map(Vec::as_slice).collect();
        let is_folded = own.header.parts.iter().any(|part| part.folded.is_some());
        let magic = if is_folded { FOLDED_MAGIC } else { MAGIC };
        container::seal(magic, &own.header, &blobs).to_vec()
    }

    /// Reads what [`EncryptedResult::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Malformed`].
    pub fn from_bytes(bytes: &[u8]) -> Result<EncryptedResult, Error> {
        let magic = if bytes.starts_with(&FOLDED_MAGIC) { FOLDED_MAGIC } else { MAGIC };
        let (header, blobs): (Header, _) = container::open(magic, WHAT, bytes)?;
        let totals = blobs.into_iter().map(|blob| Total::Sent(blob.to_vec())).collect();
        Ok(EncryptedResult { header, totals, folding: None })
    }

    /// Encodes every sum.
    pub(crate) fn sent(self) -> EncryptedResult {
        let totals = self.totals.par_iter().map(|total| Total::Sent(total.to_bytes())).collect();
        EncryptedResult { totals, folding: None, ..self }
    }

    /// Returns the query.
    pub fn query(&self) -> &Query {
        &self.header.query
    }
}

/// Refuses an object of other keys.
pub(crate) fn check_keys(
    what: &'static str,
    own: &BTreeMap<Family, String>,
    found: &BTreeMap<Family, String>,
) -> Result<(), Error> {
    if own == found {
        return Ok(());
    }
    let text = |keys: &BTreeMap<Family, String>| {
        keys.values().map(|key| key.chars().take(16).collect()).collect::<Vec<String>>().join(", ")
    };
    Err(Error::OtherKey { what, found: text(found), expected: text(own) })
}

/// Refuses a result of a table with another schema, whose sums would be taken for others.
pub(crate) fn check_schema(own: &str, found: &Header) -> Result<(), Error> {
    if own == found.schema {
        return Ok(());
    }
    Err(Error::malformed(WHAT, "it is the result of a table with another schema"))
}

/// Refuses a table that occurs twice.
pub(crate) fn check_tables(header: &Header) -> Result<(), Error> {
    let distinct: BTreeSet<_> = header.tables.iter().collect();
    if distinct.len() == header.tables.len() {
        return Ok(());
    }
    let reason = "the same table occurs twice, so that its rows would count twice; name each file \
                  once";
    Err(Error::malformed(WHAT, reason))
}

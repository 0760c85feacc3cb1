//! Partial sums: what one of several machines computes of a query.
//!
//! The reduction tree of a table is fixed ([`Computation`]): leaves of 16 blocks, added from the
//! left to the sum of 256. A partial sum is that of one leaf, or of the first leaves of such a sum.
//! Whoever joins partial sums in their order goes on with the tree where they end, so that the
//! result has the bytes of an undivided computation.

use crate::clear::Label;
use crate::container;
use crate::fold::is_spread;
use crate::layout::{Family, TERMS};
use crate::query::Grouping;
use crate::result::Counts;
use crate::server::{Computation, Groups, LEAF, Server, Sums};
use crate::{Error, Query};
use fathom::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const MAGIC: [u8; 8] = *b"FTHMCPS1";
const WHAT: &str = "a partial sum of columns";

#[derive(Serialize, Deserialize)]
struct Header {
    query: Query,
    /// The identifier of the table.
    table: String,
    keys: BTreeMap<Family, String>,
    first: usize,
    blocks: usize,
    groups: Vec<(Label, Vec<Counts>)>,
    /// For each of these counts, the rows by the residues of their places, where they are known.
    #[serde(default)]
    spreads: Vec<Vec<u32>>,
    /// The encryptions that each ciphertext is the sum of, as far as they are known: noise bounds
    /// of sums depend on them.
    sources: Vec<Option<Vec<u64>>>,
}

impl Server {
    /// Starts a query at a block, the first of a partial sum: a multiple of
    /// [`Server::LEAF_BLOCKS`].
    ///
    /// # Errors
    /// As [`Server::start`]; [`Error::Malformed`] for a block where no leaf starts.
    pub fn start_at(&self, query: &Query, first: usize) -> Result<Computation<'_>, Error> {
        if !first.is_multiple_of(LEAF) {
            let reason = format!("it starts at block {first}, not at a multiple of {LEAF}");
            return Err(Error::malformed(WHAT, reason));
        }
        let mut computation = self.start(query)?;
        computation.blocks = first;
        Ok(computation)
    }

    /// Blocks of a leaf of the reduction tree, and of most partial sums.
    pub const LEAF_BLOCKS: usize = LEAF;

    /// Blocks of a part of a result, and of the longest partial sum, which starts at a multiple of
    /// them.
    pub const PART_BLOCKS: usize = TERMS;

    /// Returns the identifier of the table, which answers name.
    pub fn table(&self) -> &str {
        &self.info.table
    }

    /// Returns the number of blocks of the table.
    pub fn block_count(&self) -> usize {
        self.info.blocks
    }

    /// Returns the identifiers of the keys of the table.
    pub(crate) fn keys(&self) -> BTreeMap<Family, String> {
        self.info.families.iter().map(|(family, part)| (*family, part.key.clone())).collect()
    }
}

impl Computation<'_> {
    /// Ends a computation that [`Server::start_at`] started, and encodes its partial sum.
    ///
    /// # Errors
    /// [`Error::Malformed`] for more blocks than a partial sum has from this block on, or if a
    /// batch was refused; those of [`Computation::finish`].
    pub fn finish_partial(mut self, first: usize) -> Result<Vec<u8>, Error> {
        self.check_whole()?;
        let blocks = self.blocks.saturating_sub(first);
        let limit = if first.is_multiple_of(TERMS) { TERMS } else { LEAF };
        if blocks > limit {
            let reason =
                format!("from block {first} on it has {limit} blocks at most, not {blocks}");
            return Err(Error::malformed(WHAT, reason));
        }
        self.end_leaf()?;
        self.end_chunk();
        let groups = self.parts.pop().unwrap_or_default();
        let totals = || groups.values().flat_map(|sums| &sums.totals);
        let frames: Vec<Vec<u8>> = totals().map(WireObject::to_bytes).collect();
        let sources = totals().map(|total| total.sources().map(<[u64]>::to_vec)).collect();
        let spreads = groups.values().flat_map(|sums| &sums.counts);
        let spreads = spreads.map(|counts| counts.spread.clone()).collect();
        let header = Header {
            query: self.plan.query.clone(),
            table: self.server.info.table.clone(),
            keys: self.server.keys(),
            first,
            blocks,
            groups: groups.into_iter().map(|(label, sums)| (label, sums.counts)).collect(),
            spreads,
            sources,
        };
        let blobs: Vec<&[u8]> = frames.iter().map(Vec::as_slice).collect();
        Ok(container::seal(MAGIC, &header, &blobs).to_vec())
    }

    /// Adds a partial sum of the blocks that follow. Its noise bounds are believed: take partial
    /// sums from machines that you trust with the result.
    ///
    /// # Errors
    /// [`Error::Malformed`] for bytes that are damaged, belong to another query, or do not follow;
    /// [`Error::OtherKey`]; those of [`Computation::push`].
    pub fn push_partial(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.check_whole()?;
        self.failed = true;
        let (header, blobs): (Header, _) = container::open(MAGIC, WHAT, bytes)?;
        self.check_partial(&header, blobs.len())?;
        let mut blobs = blobs.into_iter().zip(header.sources);
        let mut groups = Groups::new();
        let mut spreads = header.spreads.into_iter();
        for (label, mut counts) in header.groups {
            for own in &mut counts {
                own.spread = spreads.next().unwrap_or_default();
            }
            let totals = self.families.iter().zip(&mut blobs).map(|(family, (blob, sources))| {
                let params = self.server.evaluators[family].params();
                let total = bfv::Ciphertext::from_bytes(params, blob)?;
                Ok::<_, Error>(match sources {
                    None => total,
                    Some(sources) => total.with_sources(&sources),
                })
            });
            let totals = totals.collect::<Result<_, _>>()?;
            groups.insert(label, Sums { counts, totals });
        }
        self.leaf = groups;
        self.blocks += header.blocks;
        self.end_leaf()?;
        if self.blocks.is_multiple_of(TERMS) {
            self.end_chunk();
        }
        self.failed = false;
        Ok(())
    }

    /// Returns how many counts the sums of a label have: one for each group of the declared key,
    /// if rows are grouped by it.
    pub(crate) fn counts_per_group(&self) -> usize {
        match self.plan.grouping {
            Grouping::Declared => self.server.info.buckets.len(),
            Grouping::None | Grouping::Masked => 1,
        }
    }

    fn check_partial(&self, header: &Header, blobs: usize) -> Result<(), Error> {
        let refuse = |reason: String| Err(Error::malformed(WHAT, reason));
        if header.query != self.plan.query {
            return refuse("it belongs to another query".to_owned());
        }
        crate::result::check_keys(WHAT, &self.server.keys(), &header.keys)?;
        if header.table != self.server.info.table {
            return refuse("it belongs to another table".to_owned());
        }
        if header.first != self.blocks || !header.first.is_multiple_of(LEAF) {
            let (found, wanted) = (header.first, self.blocks);
            return refuse(format!("it starts at block {found}, and block {wanted} follows"));
        }
        let limit = if header.first.is_multiple_of(TERMS) { TERMS } else { LEAF };
        let ordered = header.groups.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let counts = self.counts_per_group();
        let counted = header.groups.iter().all(|(_, own)| {
            own.len() == counts
                && own.iter().all(|counts| counts.values.len() == self.plan.reads.len())
        });
        let complete = header.groups.len().checked_mul(self.families.len()) == Some(blobs)
            && header.sources.len() == blobs;
        let spreads = header.groups.len() * counts;
        let spread = [0, spreads].contains(&header.spreads.len())
            && header.spreads.iter().all(|own| is_spread(own));
        if header.blocks > limit || !ordered || !spread || !counted || !complete {
            return refuse("its groups or blocks are not possible".to_owned());
        }
        Ok(())
    }
}

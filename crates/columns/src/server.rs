//! The server: aggregates over encrypted tables, without any key. Cells are checked before any of
//! a batch is added; sums follow a fixed tree, see [`Computation`].

use crate::block::Block;
use crate::checksum::Checked;
use crate::clear::Label;
use crate::layout::{Family, TERMS};
use crate::query::{Grouping, QueryPlan, Term};
use crate::result::{Counts, EncryptedResult, Header, Part, Span, Total};
use crate::selected;
use crate::table::{
    CHECKSUMS_COLUMN, GROUPS_COLUMN, ROWS_COLUMN, TableInfo, clear_column, limb_column,
    valid_column,
};
use crate::{Error, EvaluationKeys, Query, Schema};
use arrow_array::RecordBatch;
use arrow_schema::Schema as ArrowSchema;
use fathom::prelude::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Blocks that are added up in a row before their sum joins the others: the leaves of the fixed
/// reduction tree. Threads share the leaves.
pub(crate) const LEAF: usize = 16;
/// The most groups of a query: each has ciphertexts of its own in the result, and in memory in each
/// leaf that is being added up.
const MOST_GROUPS: usize = 1024;

/// Computes on one encrypted table. It is made from the Arrow schema of the table and holds no
/// secret key. Sums and products with masks need no key of any kind; comparisons of encrypted
/// values need the evaluation keys of the table.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) info: TableInfo,
    pub(crate) evaluators: BTreeMap<Family, bfv::Evaluator>,
}

impl Server {
    /// Reads what a table says about itself.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a schema that is none of an encrypted table; [`Error::Fathom`] for
    /// parameters that are none.
    pub fn open(arrow: &ArrowSchema) -> Result<Server, Error> {
        let info = TableInfo::read(arrow)?;
        let mut evaluators = BTreeMap::new();
        for (family, part) in &info.families {
            let params = part.params(*family, &info.schema)?;
            evaluators.insert(*family, bfv::Evaluator::without_keys(&params));
        }
        Ok(Server { info, evaluators })
    }

    /// Gives the server the evaluation keys of its table, for predicates on encrypted columns, and
    /// for results with many groups, which then take few ciphertexts.
    ///
    /// # Errors
    /// [`Error::OtherKey`] for keys of another table.
    pub fn with_evaluation_keys(mut self, keys: &EvaluationKeys) -> Result<Server, Error> {
        self.evaluators.extend(keys.evaluators(&self.info.families)?);
        Ok(self)
    }

    /// Returns the schema of the table.
    pub fn schema(&self) -> &Schema {
        &self.info.schema
    }

    fn plan(&self, query: &Query) -> Result<QueryPlan, Error> {
        QueryPlan::new(query, &self.info.schema)
    }

    /// Returns the columns of the encrypted table that a query reads, so that a reader can leave
    /// out the others.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn columns(&self, query: &Query) -> Result<BTreeSet<String>, Error> {
        let plan = self.plan(query)?;
        let mut needed = BTreeSet::from([ROWS_COLUMN, CHECKSUMS_COLUMN].map(String::from));
        let mut encrypted_nulls = Vec::new();
        if let Some(filter) = &query.filter {
            for name in filter.columns() {
                match self.info.schema.find_encrypted(name) {
                    Some(column) if column.nulls => encrypted_nulls.push(name),
                    Some(_) => {}
                    None => drop(needed.insert(clear_column(name))),
                }
            }
        }
        if plan.grouping == Grouping::Masked {
            needed.extend(query.group_by.iter().map(|name| clear_column(name)));
        }
        let counts_groups = plan.grouping == Grouping::Declared;
        let nullable = plan.reads.iter().any(|read| read.nulls);
        if let Some(key) = self.info.schema.declared_key() {
            // Without missing values, the sizes of the groups count their rows; masks select some.
            let counts_all = !plan.is_masked() || plan.selecting.is_some();
            if counts_groups && !nullable && counts_all {
                needed.insert(GROUPS_COLUMN.to_owned());
            }
            if plan.is_masked() || (counts_groups && nullable) {
                needed.insert(clear_column(&key.name));
            }
        }
        for read in &plan.reads {
            encrypted_nulls.extend(read.nulls.then_some(read.column.as_str()));
            needed.extend(read.limbs.iter().map(|&(part, i)| limb_column(&read.column, part, i)));
        }
        needed.extend(encrypted_nulls.into_iter().map(valid_column));
        for name in plan.selecting.iter().flat_map(|selecting| &selecting.columns) {
            needed.extend(selected::bit_columns(&self.info.schema, name)?);
        }
        Ok(needed)
    }

    /// Starts a query.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`], [`Error::Unsupported`]; [`Error::MissingUse`], which names the use
    /// that would serve and its price; [`Error::MissingEvaluationKeys`] for comparisons of
    /// encrypted values, and [`Error::Depth`] for more of them in a row than there is room for.
    pub fn start(&self, query: &Query) -> Result<Computation<'_>, Error> {
        let plan = self.plan(query)?;
        if let Some(selecting) = &plan.selecting {
            let evaluator = &self.evaluators[&Family::Compare];
            selected::check(evaluator, &self.info.schema, selecting, &plan.terms)?;
        }
        let families = plan.terms.iter().map(|term| plan.family(*term)).collect();
        let name = |term: &Term| match *term {
            Term::Limb(number, part, i) => Some(limb_column(&plan.reads[number].column, part, i)),
            Term::Rows | Term::Count(_) => None,
        };
        let names = plan.terms.iter().filter_map(name).collect();
        let needed = self.columns(query)?;
        Ok(Computation {
            server: self,
            checked: Checked::new(self.info.checksums(), self.info.checked_names(), &needed),
            plan,
            families,
            names,
            blocks: 0,
            failed: false,
            leaf: BTreeMap::new(),
            chunk: BTreeMap::new(),
            parts: Vec::new(),
        })
    }
}

/// Sums of some blocks for one group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    /// The counts of each group of the declared key, if rows are grouped by it; one otherwise.
    pub(crate) counts: Vec<Counts>,
    /// The ciphertext of each sum of the query.
    pub(crate) totals: Vec<bfv::Ciphertext>,
}

/// The sums of all groups, by label; without masks for groups, the only label is null.
pub(crate) type Groups = BTreeMap<Label, Sums>;

/// A running query. Blocks are pushed in the order of the table, in batches of any size: the result
/// has the same bytes for all sizes and every number of threads.
///
/// The reduction tree is fixed by the numbers of the blocks: a leaf is the sum of 16 of them from
/// the left, a part of the result that of 16 leaves. Threads share whole leaves, so that neither
/// they nor batches, which may end within a leaf, change the order of sums; noise bounds follow the
/// order. 256 blocks are as many as the plaintext modulus holds without wrapping around.
pub struct Computation<'a> {
    pub(crate) server: &'a Server,
    pub(crate) plan: QueryPlan,
    /// The checksums of the cells that the query reads.
    checked: Checked,
    /// The family of each sum.
    pub(crate) families: Vec<Family>,
    /// The column of each limb.
    names: Vec<String>,
    pub(crate) blocks: usize,
    /// Set while a batch is added, and for good once that failed: a part of the sums is gone.
    pub(crate) failed: bool,
    pub(crate) leaf: Groups,
    pub(crate) chunk: Groups,
    pub(crate) parts: Vec<Groups>,
}

impl Computation<'_> {
    /// Adds blocks, on the threads of the current rayon pool, after a check of all of their cells
    /// that the query reads. After an error the computation is of no use any more: neither further
    /// blocks nor its end are accepted.
    ///
    /// # Errors
    /// [`Error::Misplaced`] for a cell that is damaged or belongs to another place, before any
    /// block of the batch is added; [`Error::Malformed`] for a block that is none;
    /// [`Error::Groups`] for more groups than a result can hold; [`Error::Fathom`] for a ciphertext
    /// that is none, or of another key.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        self.check_whole()?;
        // Set before the sums are taken apart, and cleared when all are back: an error in between
        // leaves it set, because a part of the sums is gone.
        self.failed = true;
        let first = self.blocks;
        let end = first + batch.num_rows();
        // Batches are cut where leaves end. The first piece goes on with the leaf that the batch
        // before has begun, and all pieces are independent of each other.
        let mut cuts = vec![first];
        cuts.extend((first + 1..end).filter(|block| block % LEAF == 0));
        cuts.push(end);
        let begun = std::mem::take(&mut self.leaf);
        let runs =
            cuts.windows(2).zip(std::iter::once(begun).chain(std::iter::repeat_with(Groups::new)));
        let runs: Vec<_> =
            runs.map(|(cut, begun)| (cut[0] - first..cut[1] - first, begun)).collect();
        let this = &*self;
        let blocks = this.checked_blocks(batch)?;
        let leaves: Vec<Groups> = runs
            .into_par_iter()
            .map(|(range, begun)| this.leaf_sums(&blocks[range], begun))
            .collect::<Result<_, _>>()?;
        for (leaf, cut) in leaves.into_iter().zip(cuts.windows(2)) {
            self.leaf = leaf;
            self.blocks = cut[1];
            if self.blocks.is_multiple_of(LEAF) {
                self.end_leaf()?;
            }
            if self.blocks.is_multiple_of(TERMS) {
                self.end_chunk();
            }
        }
        self.failed = false;
        Ok(())
    }

    /// Refuses a computation that lost blocks in an error.
    pub(crate) fn check_whole(&self) -> Result<(), Error> {
        if !self.failed {
            return Ok(());
        }
        let reason = "an earlier batch was refused and is missing; start the query again";
        Err(Error::malformed("the computation", reason))
    }

    /// Returns the number of blocks so far.
    pub fn block_count(&self) -> usize {
        self.blocks
    }

    /// Ends the query.
    ///
    /// # Errors
    /// [`Error::Malformed`] if a batch was refused, or unless every block of the table was added;
    /// [`Error::Groups`]; [`Error::Fathom`] if ciphertexts of the table belong to different keys.
    pub fn finish(mut self) -> Result<EncryptedResult, Error> {
        self.check_whole()?;
        let (added, whole) = (self.blocks, self.server.info.blocks);
        if added != whole {
            let reason = format!("{added} blocks were added of {whole} that the table has");
            return Err(Error::malformed("the computation", reason));
        }
        self.end_leaf()?;
        self.end_chunk();
        let parts = std::mem::take(&mut self.parts);
        let mut described = Vec::new();
        let mut all = Vec::new();
        for (number, groups) in parts.into_iter().enumerate() {
            let blocks = TERMS.min(self.blocks - number * TERMS);
            for (label, sums) in groups {
                let spans = self.spans(&label, sums.counts);
                described.push(Part { blocks, spans, folded: None });
                all.extend(sums.totals.into_iter().map(Total::Computed));
            }
        }
        let info = &self.server.info;
        let params = info.families.iter().map(|(family, part)| (*family, part.params.clone()));
        let header = Header {
            query: self.plan.query.clone(),
            schema: info.schema.digest(),
            tables: vec![info.table.clone()],
            keys: self.server.keys(),
            params: params.collect(),
            families: self.families.clone(),
            parts: described,
        };
        let folding = self.server.evaluators.get(&Family::Masks);
        let folding = folding.filter(|_| self.plan.grouping == Grouping::Masked);
        let folding = folding.filter(|own| own.keys().key_id().is_some()).cloned();
        Ok(EncryptedResult { header, totals: all, folding })
    }

    /// Returns the slots of each group in a sum.
    fn spans(&self, label: &Label, counts: Vec<Counts>) -> Vec<Span> {
        if self.plan.grouping == Grouping::Declared {
            let buckets = &self.server.info.buckets;
            return buckets
                .iter()
                .zip(counts)
                .map(|(bucket, counts)| Span {
                    label: bucket.label.clone(),
                    start: bucket.start,
                    end: bucket.end,
                    counts,
                })
                .collect();
        }
        let rows = self.server.info.schema.block_rows();
        let whole = |counts| Span { label: label.clone(), start: 0, end: rows, counts };
        counts.into_iter().map(whole).collect()
    }

    pub(crate) fn end_leaf(&mut self) -> Result<(), Error> {
        for (label, sums) in std::mem::take(&mut self.leaf) {
            let chunk = std::mem::take(self.chunk.entry(label.clone()).or_default());
            self.chunk.insert(label, self.joined(chunk, sums)?);
        }
        self.check_groups(self.chunk.len())
    }

    pub(crate) fn check_groups(&self, count: usize) -> Result<(), Error> {
        if count <= MOST_GROUPS {
            return Ok(());
        }
        Err(Error::Groups {
            column: self.plan.query.group_by.join(", "),
            count,
            operation: "a grouping",
            limit: MOST_GROUPS,
            remedy: "select fewer rows, or group by a column with fewer values",
        })
    }

    pub(crate) fn end_chunk(&mut self) {
        let chunk = std::mem::take(&mut self.chunk);
        if !chunk.is_empty() {
            self.parts.push(chunk);
        }
    }

    /// Adds sums to those before them.
    fn joined(&self, mut before: Sums, sums: Sums) -> Result<Sums, Error> {
        if before.counts.is_empty() {
            return Ok(sums);
        }
        before.counts.iter_mut().zip(&sums.counts).for_each(|(a, b)| a.add(b));
        self.add_totals(&mut before.totals, &sums.totals)?;
        Ok(before)
    }

    fn add_totals(
        &self,
        totals: &mut Vec<bfv::Ciphertext>,
        terms: &[bfv::Ciphertext],
    ) -> Result<(), Error> {
        if totals.is_empty() {
            totals.extend_from_slice(terms);
            return Ok(());
        }
        for ((total, term), family) in totals.iter_mut().zip(terms).zip(&self.families) {
            *total = self.server.evaluators[family].add(total, term)?;
        }
        Ok(())
    }

    /// Reads the blocks of a batch and checks their cells; the first fault is the error.
    fn checked_blocks<'b>(&'b self, batch: &'b RecordBatch) -> Result<Vec<Block<'b>>, Error> {
        let block = |index| {
            Block::new(&self.server.info, batch, [index, self.blocks + index], &self.checked)
        };
        let read: Vec<_> = (0..batch.num_rows()).into_par_iter().map(block).collect();
        read.into_iter().collect()
    }

    /// Adds blocks to the sums of a leaf, from the left.
    fn leaf_sums(&self, blocks: &[Block<'_>], mut groups: Groups) -> Result<Groups, Error> {
        for block in blocks.iter().filter(|block| block.rows() > 0) {
            if self.plan.selecting.is_some() {
                let terms = self.selected(block)?;
                self.add_to_group(&mut groups, Label::Null, self.counts(block)?, &terms)?;
            } else if self.plan.is_masked() {
                self.add_masked(block, &mut groups)?;
            } else {
                let terms = self.ciphertexts(block)?;
                self.add_to_group(&mut groups, Label::Null, self.counts(block)?, &terms)?;
            }
        }
        Ok(groups)
    }

    pub(crate) fn add_to_group(
        &self,
        groups: &mut Groups,
        label: Label,
        counts: Vec<Counts>,
        terms: &[bfv::Ciphertext],
    ) -> Result<(), Error> {
        let sums = groups.entry(label).or_default();
        if sums.counts.is_empty() {
            sums.counts = counts;
        } else {
            sums.counts.iter_mut().zip(&counts).for_each(|(a, b)| a.add(b));
        }
        self.add_totals(&mut sums.totals, terms)
    }

    /// Reads the ciphertexts of a block.
    pub(crate) fn ciphertexts(&self, block: &Block<'_>) -> Result<Vec<bfv::Ciphertext>, Error> {
        let read = |(name, family): (&String, &Family)| {
            block.ciphertext(name, self.server.evaluators[family].params())
        };
        self.names.iter().zip(&self.families).map(read).collect()
    }

    /// Computes the sums of the rows of a block that encrypted values select.
    fn selected(&self, block: &Block<'_>) -> Result<Vec<bfv::Ciphertext>, Error> {
        let evaluator = &self.server.evaluators[&Family::Compare];
        let plan = &self.plan;
        let selecting = plan.selecting.as_ref();
        let selecting =
            selecting.ok_or_else(|| Error::malformed("the query", "nothing selects"))?;
        let rows = selected::SelectedRows::compute(evaluator, block, selecting)?;
        rows.terms(&plan.terms, &plan.reads)
    }

    /// Counts all rows of a block.
    fn counts(&self, block: &Block<'_>) -> Result<Vec<Counts>, Error> {
        if !self.plan.reads.iter().any(|read| read.nulls) {
            let count = |rows| Counts {
                rows,
                values: vec![rows; self.plan.reads.len()],
                ..Counts::default()
            };
            return Ok(match self.plan.grouping {
                Grouping::Declared => block.group_rows()?.into_iter().map(count).collect(),
                Grouping::None | Grouping::Masked => vec![count(block.rows() as u64)],
            });
        }
        let groups = match self.plan.grouping {
            Grouping::Declared => block.places()?.0,
            Grouping::None | Grouping::Masked => vec![0; block.rows()],
        };
        self.counted(block, &groups, 0..block.rows())
    }

    /// Counts the selected rows of a block for each group of the declared key, or in all.
    pub(crate) fn counted(
        &self,
        block: &Block<'_>,
        groups: &[u32],
        selected: impl Iterator<Item = usize>,
    ) -> Result<Vec<Counts>, Error> {
        let group_count = self.counts_per_group();
        let declared = self.plan.grouping == Grouping::Declared;
        let reads = self.plan.reads.len();
        let none = Counts { values: vec![0; reads], ..Counts::default() };
        let mut counts = vec![none; group_count];
        let valid: Vec<_> = self
            .plan
            .reads
            .iter()
            .map(|read| block.valid(&read.column))
            .collect::<Result<_, _>>()?;
        for row in selected {
            let own = &mut counts[if declared { groups[row] as usize } else { 0 }];
            own.rows += 1;
            for (count, valid) in own.values.iter_mut().zip(&valid) {
                *count += u64::from(valid.as_ref().is_none_or(|valid| valid.value(row)));
            }
        }
        Ok(counts)
    }
}

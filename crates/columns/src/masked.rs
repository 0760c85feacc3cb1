//! Sums of the rows of a block that clear conditions select, by groups of clear columns: a product
//! with a mask for each group.

use crate::Error;
use crate::block::Block;
use crate::clear::Label;
use crate::fold::spread;
use crate::layout::Family;
use crate::query::Grouping;
use crate::server::{Computation, Groups};

impl Computation<'_> {
    /// Adds the selected rows of a block to the sums of their groups.
    pub(crate) fn add_masked(&self, block: &Block<'_>, groups: &mut Groups) -> Result<(), Error> {
        let selected: Vec<bool> = match &self.plan.query.filter {
            None => vec![true; block.rows()],
            Some(filter) => filter.evaluate(block)?.into_iter().map(|x| x == Some(true)).collect(),
        };
        let (buckets, slots) = block.places()?;
        let (labels, numbers) = match self.plan.grouping {
            Grouping::Masked => block.labels(&self.plan.query.group_by)?,
            Grouping::None | Grouping::Declared => (vec![Label::Null], vec![0; block.rows()]),
        };
        let mut members = vec![Vec::new(); labels.len()];
        for (row, &number) in numbers.iter().enumerate().filter(|&(row, _)| selected[row]) {
            members[number as usize].push(row);
        }
        let own = labels.iter().zip(&members).filter(|(_, rows)| !rows.is_empty());
        let new = own.filter(|(label, _)| !groups.contains_key(label)).count();
        self.check_groups(groups.len() + new)?;
        let ciphertexts = self.ciphertexts(block)?;
        let evaluator = &self.server.evaluators.get(&Family::Masks);
        for (label, rows) in labels.into_iter().zip(members).filter(|(_, rows)| !rows.is_empty()) {
            let mut mask = vec![0u64; self.server.info.schema.block_rows()];
            for &row in &rows {
                mask[slots[row] as usize] = 1;
            }
            let terms = match evaluator {
                Some(evaluator) if !ciphertexts.is_empty() => {
                    let mask = evaluator.params().encode(&mask)?.to_multiplicand();
                    let masked = |term| evaluator.mul_plain(term, &mask);
                    ciphertexts.iter().map(masked).collect::<Result<_, _>>()?
                }
                _ => Vec::new(),
            };
            let mut counts = self.counted(block, &buckets, rows.iter().copied())?;
            if let ([own], Grouping::Masked) = (counts.as_mut_slice(), self.plan.grouping) {
                let slots = rows.iter().map(|&row| usize::from(slots[row]));
                own.spread = spread(slots, self.server.info.schema.block_rows());
            }
            self.add_to_group(groups, label, counts, &terms)?;
        }
        Ok(())
    }
}

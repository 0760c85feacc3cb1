//! Tables whose cells come from other places: other columns, blocks and tables.

use crate::support::Numbers;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_select::interleave::interleave;
use fathom_columns::{Query, Server};

/// The place of a cell: the table, the column and the block.
pub(crate) type Place = [usize; 3];

/// Tables of one layout, and a table of which every cell is one of theirs.
pub(crate) struct Grid<'a> {
    pub(crate) tables: &'a [RecordBatch],
    /// The places that the cells of each block come from.
    pub(crate) blocks: Vec<Vec<Place>>,
}

impl<'a> Grid<'a> {
    /// Makes the first table as it is.
    pub(crate) fn new(tables: &'a [RecordBatch]) -> Grid<'a> {
        let columns = tables[0].num_columns();
        let block = |block| (0..columns).map(|column| [0, column, block]).collect();
        Grid { tables, blocks: (0..tables[0].num_rows()).map(block).collect() }
    }

    fn cell(&self, [table, column, block]: Place) -> ArrayRef {
        self.tables[table].column(column).slice(block, 1)
    }

    /// Returns whether two places hold cells of one type.
    fn has_type_of(&self, a: Place, b: Place) -> bool {
        self.cell(a).data_type() == self.cell(b).data_type()
    }

    pub(crate) fn batch(&self) -> RecordBatch {
        let columns = (0..self.tables[0].num_columns()).map(|column| {
            let cells: Vec<ArrayRef> =
                self.blocks.iter().map(|block| self.cell(block[column])).collect();
            let cells: Vec<&dyn Array> = cells.iter().map(AsRef::as_ref).collect();
            let picked: Vec<_> = (0..cells.len()).map(|cell| (cell, 0)).collect();
            interleave(&cells, &picked).unwrap()
        });
        RecordBatch::try_new(self.tables[0].schema(), columns.collect()).unwrap()
    }

    /// Returns whether the cells that a query reads are those of a table, each at its place.
    pub(crate) fn is_whole(&self, table: usize, query: &Query) -> bool {
        let own = &self.tables[table];
        let read = Server::open(&own.schema()).unwrap().columns(query).unwrap();
        let columns =
            || (0..own.num_columns()).filter(|c| read.contains(own.schema().field(*c).name()));
        self.blocks.len() == own.num_rows()
            && (0..own.num_rows()).all(|block| {
                columns().all(|column| {
                    *self.cell(self.blocks[block][column]) == *self.cell([table, column, block])
                })
            })
    }
}

/// Moves cells of a grid: between columns, blocks and tables, and whole blocks.
pub(crate) fn mutate(grid: &mut Grid<'_>, numbers: &mut Numbers) {
    let mut below = |limit: usize| (numbers.next() >> 11) as usize % limit;
    let (columns, tables) = (grid.tables[0].num_columns(), grid.tables.len());
    let blocks = grid.blocks.len();
    let (block, column) = (below(blocks), below(columns));
    match below(8) {
        // Two cells change places.
        0 | 1 => {
            let (other_block, other) = (below(blocks), below(columns));
            let (a, b) = (grid.blocks[block][column], grid.blocks[other_block][other]);
            if grid.has_type_of(a, b) {
                grid.blocks[block][column] = b;
                grid.blocks[other_block][other] = a;
            }
        }
        // Two columns change places in all blocks.
        2 => {
            let other = below(columns);
            if grid.has_type_of([0, column, 0], [0, other, 0]) {
                grid.blocks.iter_mut().for_each(|block| block.swap(column, other));
            }
        }
        // The cell at this place of another table, with and without its checksums.
        3 => grid.blocks[block][column] = [below(tables), column, block.min(2)],
        4 => {
            let table = below(tables);
            for column in [column, 1] {
                grid.blocks[block][column] = [table, column, block.min(2)];
            }
        }
        // The blocks of a column, or of all, in another order.
        5 => {
            let other = below(blocks);
            let own = grid.blocks[block][column];
            grid.blocks[block][column] = grid.blocks[other][column];
            grid.blocks[other][column] = own;
        }
        6 => grid.blocks.swap(block, (block + 1) % blocks),
        // A block is missing, or there twice.
        _ if below(2) == 0 && blocks > 1 => drop(grid.blocks.remove(block)),
        _ => grid.blocks.insert(block, grid.blocks[block].clone()),
    }
}

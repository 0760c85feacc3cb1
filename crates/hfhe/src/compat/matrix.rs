//! The public matrix: 16384 sparse columns of 8192 bits, and its digest.

use super::hash::bounded;
use super::{COLUMN_WEIGHT, COLUMNS, DECOY_BITS, DECOY_WORDS};
use crate::workers::Workers;
use fathom_kernels::{BitKernel, BitTable, CounterMessage, Row};
use sha2::{Digest, Sha256};

/// Number of columns that are made at a time, which is that of the widest kernel.
const AT_ONCE: usize = 16;

/// Number of digests per column that are prepared. The 192 numbers of a column and four repetitions
/// take 49.
const PREPARED: u64 = 56;

const LABEL: &str = "pvac.dom.h_gen";

/// The matrix whose columns make up decoys. Anybody can derive it from the public tag of a key;
/// only its digest is an input of the masks.
pub(crate) struct Matrix {
    columns: BitTable,
    digest: [u8; 32],
}

impl Matrix {
    /// Derives the matrix for this tag. It takes 16 MiB, and 5 MiB more if the kernel packs
    /// columns.
    pub(crate) fn derive(kernel: &'static dyn BitKernel, tag: u64, workers: &Workers) -> Matrix {
        let maker = ColumnMaker::new(kernel, tag);
        let mut words = Row::zeroed(COLUMNS * DECOY_WORDS);
        workers.for_each_chunk(&mut words, AT_ONCE * DECOY_WORDS, |i, columns| {
            maker.fill((AT_ONCE * i) as u64, columns.as_chunks_mut().0);
        });
        let digest = digest(&words);
        Matrix { columns: kernel.table(words, DECOY_WORDS), digest }
    }

    /// Returns all columns, each as a row.
    pub(crate) fn columns(&self) -> &BitTable {
        &self.columns
    }

    /// Returns the digest that is an input of the masks.
    pub(crate) fn digest(&self) -> &[u8; 32] {
        &self.digest
    }
}

type Column = [u64; DECOY_WORDS];

/// Makes columns side by side. The numbers `4k` to `4k + 3` of all columns are digests of messages
/// that differ only in the number of the column.
struct ColumnMaker {
    kernel: &'static dyn BitKernel,
    tag: u64,
    messages: Vec<CounterMessage>,
}

impl ColumnMaker {
    fn new(kernel: &'static dyn BitKernel, tag: u64) -> ColumnMaker {
        let messages = (0..PREPARED).map(|k| message(tag, k)).collect();
        ColumnMaker { kernel, tag, messages }
    }

    fn fill(&self, first: u64, columns: &mut [Column]) {
        let mut weights = [0; AT_ONCE];
        let weights = &mut weights[..columns.len()];
        let mut digests = [[0; 4]; AT_ONCE];
        let digests = &mut digests[..columns.len()];
        for k in 0.. {
            if weights.iter().all(|&weight| weight == COLUMN_WEIGHT) {
                return;
            }
            match self.messages.get(k as usize) {
                Some(message) => self.kernel.sha256_counters(message, first, digests),
                None => self.kernel.sha256_counters(&message(self.tag, k), first, digests),
            }
            for ((column, weight), digest) in columns.iter_mut().zip(&mut *weights).zip(&*digests) {
                for &word in digest {
                    set_bit(column, weight, word);
                }
            }
        }
    }
}

/// Sets the bit with the drawn number, if the column needs more bits and does not have this one.
fn set_bit(column: &mut Column, weight: &mut usize, word: u64) {
    let Some(bit) = bounded(word, DECOY_BITS as u64) else { return };
    let (place, mask) = (&mut column[bit as usize / 64], 1 << (bit % 64));
    if *place & mask == 0 && *weight < COLUMN_WEIGHT {
        *place |= mask;
        *weight += 1;
    }
}

/// Returns the message for digest `k` of a column. The number of the column is in its middle.
fn message(tag: u64, k: u64) -> CounterMessage {
    let dimensions = [DECOY_BITS, COLUMNS, COLUMN_WEIGHT].map(|n| n as u64);
    let mut message = LABEL.as_bytes().to_vec();
    message.extend(dimensions.iter().flat_map(|word| word.to_le_bytes()));
    let offset = message.len();
    message.extend([0, tag, k].iter().flat_map(|word| word.to_le_bytes()));
    CounterMessage::new(&message, offset)
}

fn digest(words: &[u64]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix("H|v2");
    for dimension in [DECOY_BITS, COLUMNS, COLUMN_WEIGHT] {
        hash.update((dimension as u64).to_le_bytes());
    }
    let mut bytes = [0; 8 * DECOY_WORDS];
    for column in words.chunks(DECOY_WORDS) {
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(column) {
            *bytes = word.to_le_bytes();
        }
        hash.update(bytes);
    }
    hash.finalize().into()
}

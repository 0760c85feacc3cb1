//! Lists that a server has compressed.

use super::compact_list::{check_count, read_type, write_type};
use super::{Content, Mark, open_values, seal_torus};
use crate::Error;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{CompressedList, Origin, PackingShape, Params, Run};
use crate::wire::WireError;
use crate::wire::frame::{OVERHEAD, transparent};
use crate::wire::kind::Kind;
use crate::wire::pack::{pack, packed_len, unpack};
use crate::wire::reader::{Reader, at_most};

/// The greatest number of blocks of a list on the wire.
const MOST: usize = 1 << 20;

/// Length of the count and the width of a run.
const RUN_BYTES: usize = 5;

/// Returns the number of ciphertexts of these runs, which is that of the groups of blocks that
/// share one.
fn groups(params: &Params, shape: &PackingShape, runs: &[Run]) -> usize {
    let groups = |run: &Run| (run.count as usize).div_ceil(shape.slots(params, run.bits));
    runs.iter().map(groups).sum()
}

/// Returns the length of the type, the number of runs, the runs, the masks, and a word for each
/// group, padded to a multiple of 64 words.
fn payload_len(params: &Params, shape: &PackingShape, runs: usize, groups: usize) -> usize {
    let bits = params.compressed_bits();
    let masks = groups.div_ceil(shape.degree) * packed_len(shape.mask_len(), bits);
    ValueType::WIRE_BYTES
        + 4
        + RUN_BYTES * runs
        + masks
        + packed_len(groups.next_multiple_of(64), bits)
}

impl CompressedList {
    /// Encodes the list as a frame. A list of clear blocks is marked as such.
    ///
    /// # Errors
    /// [`WireError::Range`] if it has more than `2^20` blocks; [`Error::Simulated`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let params = self.params();
        at_most("blocks", self.len() as u64, MOST as u64)?;
        let mark = match self.origin() {
            Origin::Encrypted(owner) => Mark::of(owner.key()),
            Origin::Clear => Mark::CLEAR,
            Origin::Simulated => return Err(Error::Simulated { operation: "encoding" }),
        };
        let bits = params.compressed_bits();
        let wide = |words: &[u32]| words.iter().map(|&word| word.into()).collect::<Vec<u64>>();
        let length = self.byte_len() - OVERHEAD;
        Ok(seal_torus(Kind::CompressedList, params, mark, length, |out| {
            out.extend(write_type(self.value_type()));
            out.extend((self.runs().len() as u32).to_le_bytes());
            for run in self.runs() {
                out.extend(run.count.to_le_bytes());
                out.push(run.bits as u8);
            }
            pack(&wide(self.masks()), bits, out);
            let mut bodies = wide(self.bodies());
            bodies.resize(self.bodies().len().next_multiple_of(64), 0);
            pack(&bodies, bits, out);
        }))
    }

    /// Reads a list of these parameters. The widths of its blocks are claims of the sender;
    /// [`Evaluator::decompress`](crate::tfhe::Evaluator::decompress) enforces them.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`Error::Transparent`] if all masks are
    /// zero and the frame is not marked as clear; [`Error::Spec`] if the parameters do not
    /// provide for lists.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        let shape = PackingShape::new(params)?;
        let (frame, content) = open_values(bytes, Kind::CompressedList, params)?;
        let mut payload = frame.payload;
        let value_type = read_type(payload.array()?)?;
        let runs = read_runs(params, &mut payload)?;
        let groups = groups(params, &shape, &runs);
        frame.expect(&params.id(), payload_len(params, &shape, runs.len(), groups))?;
        check_count(value_type, runs.iter().map(|run| run.count as usize).sum())?;
        let masks = groups.div_ceil(shape.degree) * shape.mask_len();
        let masks = read_words(params, &mut payload, masks)?;
        let mut bodies = read_words(params, &mut payload, groups.next_multiple_of(64))?;
        payload.finish()?;
        let origin = match (content, masks.iter().all(|&word| word == 0)) {
            (Content::Clear, true) => Origin::Clear,
            (Content::Computed(owner), false) => Origin::Encrypted(owner),
            (Content::Computed(_), true) => return Err(transparent()),
            (Content::Clear, false) | (Content::Fresh(_), _) => {
                return Err(WireError::Malformed { field: "flags" }.into());
            }
        };
        if bodies.split_off(groups).iter().any(|&word| word != 0) {
            return Err(WireError::Malformed { field: "filling" }.into());
        }
        let list = CompressedList::from_parts(params, origin, shape, runs, [masks, bodies]);
        Ok(list.typed(value_type))
    }

    /// Returns the length of [`CompressedList::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        let (runs, groups) = (self.runs().len(), self.bodies().len());
        OVERHEAD + payload_len(self.params(), self.shape(), runs, groups)
    }
}

/// Reads the runs. Each has at least one block and a valid width, which differs from that of its
/// neighbours.
fn read_runs(params: &Params, payload: &mut Reader<'_>) -> Result<Vec<Run>, Error> {
    let runs = payload.u32()?;
    at_most("runs", runs.into(), (payload.len() / RUN_BYTES) as u64)?;
    let most = params.space().bits() - 1;
    let (mut read, mut blocks) = (Vec::<Run>::with_capacity(runs as usize), 0);
    for _ in 0..runs {
        let (count, bits) = (payload.u32()?, payload.u8()?.into());
        blocks = at_most("blocks", blocks + u64::from(count), MOST as u64)?;
        at_most("bits", u64::from(bits), most.into())?;
        if count == 0 || bits == 0 || read.last().is_some_and(|last| last.bits == bits) {
            return Err(WireError::Malformed { field: "run" }.into());
        }
        read.push(Run { count, bits });
    }
    Ok(read)
}

fn read_words(params: &Params, payload: &mut Reader<'_>, count: usize) -> Result<Vec<u32>, Error> {
    let bits = params.compressed_bits();
    let mut row = vec![0; count];
    // Every bit pattern of this width is valid.
    let _within = unpack(payload.take(packed_len(count, bits))?, bits, u64::MAX >> 1, &mut row);
    Ok(row.iter().map(|&word| word as u32).collect())
}

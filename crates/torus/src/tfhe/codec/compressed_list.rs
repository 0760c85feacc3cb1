//! Lists that a server has compressed.

use super::fresh_lists::{check_count, read_type, write_type};
use super::{Content, SCHEME, content, of_clear, of_key};
use crate::Error;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{CompactList, CompressedList, Origin, PackingShape, Params, Run};
use crate::wire::frame::{Frame, transparent};
use crate::wire::pack::{pack, packed_len, unpack};
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};

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

/// The widths of the blocks are claims of the sender, which
/// [`Evaluator::decompress`](crate::tfhe::Evaluator::decompress) enforces. Parameters that do not
/// provide for lists are refused with [`Error::Spec`].
impl Wire for CompressedList {
    type Context = Params;
    const KIND: Kind = Kind::CompressedList;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        let shape = PackingShape::new(params)?;
        let content = content(frame, params)?;
        let whole = *frame;
        let payload = &mut frame.payload;
        let value_type = read_type(payload.array()?)?;
        let runs = read_runs(params, payload)?;
        let groups = groups(params, &shape, &runs);
        whole.expect(&params.id(), payload_len(params, &shape, runs.len(), groups))?;
        check_count(value_type, runs.iter().map(|run| run.count as usize).sum())?;
        let masks = groups.div_ceil(shape.degree) * shape.mask_len();
        let masks = read_words(params, payload, masks)?;
        let mut bodies = read_words(params, payload, groups.next_multiple_of(64))?;
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
}

impl WireObject for CompressedList {
    fn header(&self) -> Header {
        match self.origin() {
            Origin::Encrypted(owner) => of_key(self.params(), owner.key()),
            Origin::Clear => of_clear(self.params()),
            // No reader takes an object without a key for an encrypted one.
            Origin::Simulated => Header::of_params(self.params().id()),
        }
    }

    fn payload_len(&self) -> usize {
        let (runs, groups) = (self.runs().len(), self.bodies().len());
        payload_len(self.params(), self.shape(), runs, groups)
    }

    fn write(&self, out: &mut Vec<u8>) {
        let bits = self.params().compressed_bits();
        let wide = |words: &[u32]| words.iter().map(|&word| word.into()).collect::<Vec<u64>>();
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
    }

    fn has_no_content(&self) -> bool {
        matches!(self.origin(), Origin::Simulated)
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
        blocks = at_most("blocks", blocks + u64::from(count), CompactList::MOST as u64)?;
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

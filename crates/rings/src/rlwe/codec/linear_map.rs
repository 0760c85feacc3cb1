//! Linear maps: the shape of the matrix, what is known of it, and its diagonals.
//!
//! A server writes the maps of its model once and reads them when it starts, which takes no
//! encoding and no transforms.

use super::MetaCodec;
use super::claims::is_bound;
use super::poly::{poly_len, read_poly, write_poly};
use crate::Error;
use crate::rlwe::{
    Bounds, Diagonal, Gain, Giant, Level, LinearMap, MapGain, MapMeta, MapShape, Norms, Params,
    Slotted,
};
use crate::wire::frame::Frame;
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use fathom_ring::{Eval, Limbs, Poly};

/// Set in the flags of a map whose diagonals are for one level.
const ONE_LEVEL: u8 = 1;
/// Set in the flags of a map whose slots are values at roots of `X^N + 1`, with bounds on them.
const BOUNDS: u8 = 2;

/// Length of the dimensions, the flags, the level and the number of giant steps.
const HEAD_BYTES: usize = 4 * 4 + 1 + 4 + 4;
/// Length of a giant step and of its number of diagonals, and of a baby step.
const GIANT_BYTES: usize = 2 * 4;
const BABY_BYTES: usize = 4;

/// The form holds the matrix, which is not encrypted. The bounds on its entries are claims of the
/// writer: wrong ones make the noise bounds of products wrong. Read the maps that you wrote
/// yourself.
impl<S: Slotted + MetaCodec> Wire for LinearMap<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::LinearMap;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.keyless()?.belongs(params.id())?;
        S::check_slots(params)?;
        let payload = &mut frame.payload;
        let dimensions = [payload.u32()?, payload.u32()?, payload.u32()?, payload.u32()?];
        if params.context().is_simulated() || dimensions == [0; 4] {
            return Err(Error::Simulated { operation: "decoding" });
        }
        let shape = read_shape(params, dimensions)?;
        let wanted = if S::SLOTS_ARE_ROOTS { BOUNDS } else { 0 };
        let flags = at_most("flags of a map", payload.u8()?.into(), (ONE_LEVEL | BOUNDS).into())?;
        if flags as u8 & BOUNDS != wanted {
            return Err(WireError::Malformed { field: "flags of a map" }.into());
        }
        let top = params.top_level();
        let level = Level::new(at_most("level", payload.u32()?.into(), top.get() as u64)? as usize);
        let one_level = flags as u8 & ONE_LEVEL != 0;
        if !one_level && level != top {
            return Err(WireError::Malformed { field: "level" }.into());
        }
        let meta_len = S::write_meta(S::fresh_meta(params, top)).len();
        let meta = S::read_meta(params, level, payload.take(meta_len)?)?;
        let facts = S::read_facts(payload.take(S::FACTS_BYTES)?)?;
        let gain = if S::SLOTS_ARE_ROOTS { Some(read_gain(payload)?) } else { None };
        let meta = MapMeta { meta, facts, level: one_level.then_some(level), gain };
        let giants = read_giants::<S>(payload, params, shape, level)?;
        Ok(LinearMap::from_giants(params, shape, meta, giants))
    }
}

impl<S: Slotted + MetaCodec> WireObject for LinearMap<S> {
    fn header(&self) -> Header {
        Header::of_params(*self.params.id())
    }

    fn has_no_content(&self) -> bool {
        self.params.context().is_simulated()
    }

    fn write(&self, out: &mut Vec<u8>) {
        let MapShape { operand, result, rows, columns } = self.shape;
        let word = |out: &mut Vec<u8>, word: usize| out.extend((word as u32).to_le_bytes());
        for size in [operand, result, rows, columns] {
            word(out, size);
        }
        let flag = |set, flag| if set { flag } else { 0 };
        out.push(flag(self.level.is_some(), ONE_LEVEL) | flag(self.gain.is_some(), BOUNDS));
        word(out, self.level.unwrap_or(self.params.top_level()).get());
        out.extend(S::write_meta(self.meta));
        out.extend(S::write_facts(self.facts));
        let gain = self.gain.map(gain_numbers);
        out.extend(gain.into_iter().flatten().flat_map(f64::to_le_bytes));
        word(out, self.giants.len());
        for giant in &self.giants {
            word(out, giant.step);
            word(out, giant.diagonals.len());
            for diagonal in &giant.diagonals {
                word(out, diagonal.baby_step);
                out.extend(diagonal_numbers(diagonal).into_iter().flat_map(f64::to_le_bytes));
                write_poly(&diagonal.values, out);
            }
        }
    }

    fn payload_len(&self) -> usize {
        let limbs = diagonal_limbs(&self.params, self.level.unwrap_or(self.params.top_level()));
        let numbers = if S::SLOTS_ARE_ROOTS { 3 + 2 * 3 } else { 3 };
        let diagonal = BABY_BYTES + 8 * numbers + poly_len(self.params.context(), limbs);
        let count: usize = self.giants.iter().map(|giant| giant.diagonals.len()).sum();
        let meta = S::write_meta(self.meta).len() + S::FACTS_BYTES;
        let gain = self.gain.map_or(0, |gain| 8 * gain_numbers(gain).len());
        HEAD_BYTES + meta + gain + self.giants.len() * GIANT_BYTES + count * diagonal
    }
}

/// Returns the limbs of a diagonal that is prepared for this level.
fn diagonal_limbs<S: Slotted>(params: &Params<S>, level: Level) -> Limbs {
    level.limbs().extended(params.context().special_count())
}

fn read_shape<S: Slotted>(
    params: &Params<S>,
    [operand, result, rows, columns]: [u32; 4],
) -> Result<MapShape, WireError> {
    let slots = params.degree() as u64 / 2;
    for size in [operand, result] {
        at_most("size of a layout", size.into(), slots)?;
        if !size.is_power_of_two() {
            return Err(WireError::Malformed { field: "size of a layout" });
        }
    }
    at_most("rows", rows.into(), result.into())?;
    at_most("columns", columns.into(), operand.into())?;
    if rows == 0 || columns == 0 {
        return Err(WireError::Malformed { field: "dimensions of a matrix" });
    }
    let [operand, result, rows, columns] = [operand, result, rows, columns].map(|n| n as usize);
    Ok(MapShape { operand, result, rows, columns })
}

fn read_giants<S: Slotted>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
    shape: MapShape,
    level: Level,
) -> Result<Vec<Giant>, WireError> {
    let count = shape.operand.min(shape.result) as u64;
    let ring = &params.context().ring;
    let limbs = diagonal_limbs(params, level);
    let giants = at_most("number of giant steps", payload.u32()?.into(), count)?;
    let (mut all, mut next) = (Vec::new(), 0);
    for _ in 0..giants {
        let step = at_most("giant step", payload.u32()?.into(), count - 1)?;
        let own = at_most("number of diagonals", payload.u32()?.into(), count - step)?;
        if step < next || own == 0 {
            return Err(WireError::Malformed { field: "giant step" });
        }
        let (mut diagonals, mut least) = (Vec::new(), 0);
        for _ in 0..own {
            let baby_step = at_most("baby step", payload.u32()?.into(), count - 1 - step)?;
            if baby_step < least {
                return Err(WireError::Malformed { field: "baby step" });
            }
            let numbers = read_numbers::<9>(payload, if S::SLOTS_ARE_ROOTS { 9 } else { 3 })?;
            let values = read_poly(payload, ring, limbs)?;
            diagonals.push(diagonal_of::<S>(baby_step as usize, values, numbers));
            least = baby_step + 1;
        }
        all.push(Giant { step: step as usize, diagonals });
        next = step + 1;
    }
    Ok(all)
}

/// Returns the numbers of a diagonal in the order of the format: the norms, and for inexact values
/// those of the exact multiplicand and of the difference.
fn diagonal_numbers(diagonal: &Diagonal) -> Vec<f64> {
    let Norms { absolute, euclidean, root } = diagonal.norms;
    let rests = diagonal.inexact.iter().flatten();
    let rests = rests.flat_map(|rest| [rest.coefficient, rest.euclidean, rest.root]);
    [absolute, euclidean, root].into_iter().chain(rests).collect()
}

fn diagonal_of<S: Slotted>(
    baby_step: usize,
    values: Poly<Eval>,
    [absolute, euclidean, root, numbers @ ..]: [f64; 9],
) -> Diagonal {
    let [a, b, c, d, e, f] = numbers;
    let rest = |[coefficient, euclidean, root]: [f64; 3]| Bounds { coefficient, euclidean, root };
    let inexact = S::SLOTS_ARE_ROOTS.then(|| [rest([a, b, c]), rest([d, e, f])]);
    Diagonal { baby_step, values, norms: Norms { absolute, euclidean, root }, inexact }
}

fn gain_numbers(MapGain { exact, parts, row_error }: MapGain) -> [f64; 7] {
    let [a, b] = [exact, parts].map(|gain| [gain.largest, gain.row, gain.euclidean]);
    [a[0], a[1], a[2], b[0], b[1], b[2], row_error]
}

fn read_gain(payload: &mut Reader<'_>) -> Result<MapGain, WireError> {
    let [a, b, c, d, e, f, row_error] = read_numbers::<7>(payload, 7)?;
    let gain = |[largest, row, euclidean]: [f64; 3]| Gain { largest, row, euclidean };
    Ok(MapGain { exact: gain([a, b, c]), parts: gain([d, e, f]), row_error })
}

/// Reads `count` of up to `N` bounds; the others are zero.
fn read_numbers<const N: usize>(
    payload: &mut Reader<'_>,
    count: usize,
) -> Result<[f64; N], WireError> {
    let mut numbers = [0.0; N];
    for number in numbers.iter_mut().take(count) {
        *number = payload.f64()?;
        if !is_bound(*number) {
            return Err(WireError::Malformed { field: "bounds of a map" });
        }
    }
    Ok(numbers)
}

//! Values that travel: encryptions, frames, and lists of encryptions and of results, between
//! parties that belong together or do not.

use crate::tfhe_mixed::Mixed;
use crate::tfhe_mixed::integers::Integer;
use crate::tfhe_mixed::value::{Kind, Value, reduced};
use crate::tfhe_mixed::world::{Fresh, World};
use fathom::tfhe::integer::{FheInt8, FheInt16, FheUint8, FheUint32, Integers, ValueType};
use fathom::tfhe::{CompactList, CompressedList};
use fathom::wire::{Wire, WireError, WireObject};
use fathom::{Error, SecretRng};
use fathom_circuits::{Formula, Run, Step};

/// The name of a step that writes a value and reads it.
pub(crate) const FRAME: &str = "frame";
/// The name of a step that encrypts under a public key, and reads the list with other parameters.
pub(crate) const COMPACT: &str = "compact_list";
/// The name of a step that compresses results in one world and decompresses them in another.
pub(crate) const COMPRESSED: &str = "compressed_list";

/// Makes a fresh value in a world.
pub(crate) fn encrypt(run: &mut Run<'_, Mixed>, by: usize) {
    let world = &run.scheme.worlds[by];
    let kinds: Vec<&str> = Value::KINDS.iter().copied().filter(|kind| world.has(kind)).collect();
    let kind = run.dice.pick(&kinds);
    let number = world.number(kind, &mut run.dice);
    let seed = run.dice.word();
    let fresh = if run.dice.once_in(12) { Fresh::Clear } else { Fresh::Encrypted { seed } };
    let formula = Formula::new(
        format!("{number}, {fresh:?}"),
        move |world: &World, _: &[&Value]| world.fresh(kind, number, fresh),
        move |_: &[&i64]| number,
    );
    run.take(Step { by, group: kind, ..Step::new("encrypt", formula, Vec::new()) });
}

/// Sends a value, or a list, to a world.
pub(crate) fn step(run: &mut Run<'_, Mixed>, by: usize) {
    match run.dice.below(7) {
        0 | 1 => list(run, by),
        2 => compact(run, by),
        _ => frame(run, by),
    }
}

/// Encodes a value with the parameters of its world or of the reader, and reads it as its type or
/// as another.
fn frame(run: &mut Run<'_, Mixed>, by: usize) {
    let place = Mixed::pick(run, by);
    let home = run.value(place).world;
    let writer = if run.dice.once_in(10) { by } else { home };
    let kind = run.value(place).value.kind();
    let asked = if run.dice.once_in(4) { run.dice.pick(Value::KINDS) } else { kind };
    let params = run.scheme.worlds[writer].params.clone();
    let formula = Formula::new(
        format!("as {asked}"),
        move |reader: &World, x: &[&Value]| {
            let bytes = x[0].to_bytes(&params)?;
            let read = Value::from_bytes(asked, &reader.params, &bytes)?;
            assert_eq!(read.to_bytes(&reader.params)?, bytes, "the frame is another");
            Ok(read)
        },
        |x: &[&i64]| *x[0],
    );
    let guest = Some(writer);
    run.take(Step { by, guest, group: asked, ..Step::new(FRAME, formula, vec![place]) });
}

/// Encrypts an integer under the public key of a world, sends the list to a reader with the
/// parameters of any world, and asks for its integers as their type and as another.
fn compact(run: &mut Run<'_, Mixed>, by: usize) {
    if run.scheme.worlds[by].public.is_none() {
        return;
    }
    let reader = run.dice.below(run.scheme.worlds.len());
    let number = reduced::<FheInt8>(run.dice.word() as i64);
    let (seed, params) = (run.dice.word(), run.scheme.worlds[reader].params.clone());
    let formula = Formula::of_many(
        number.to_string(),
        move |world: &World, _: &[&Value]| {
            let public = world.public.as_ref().expect("the world has a public key");
            let mut rng = SecretRng::insecure_from_seed(seed);
            let list = public.encrypt_list::<FheInt8>([number], &mut rng)?;
            let read = CompactList::from_bytes(&params, &list.to_bytes())?;
            let wrong = read.values::<FheUint8>();
            assert!(matches!(wrong, Err(Error::TypeMismatch { .. })), "{wrong:?}");
            Ok(read.values::<FheInt8>()?.into_iter().map(FheInt8::wrapped).collect())
        },
        move |_: &[&i64]| vec![number],
    );
    let guest = Some(reader);
    run.take(Step { by, guest, group: FheInt8::NAME, ..Step::new(COMPACT, formula, Vec::new()) });
}

/// Compresses integers and decompresses them as their type or as another, in this world or in
/// another.
fn list(run: &mut Run<'_, Mixed>, by: usize) {
    let place = Mixed::pick(run, by);
    let reader = run.dice.below(run.scheme.worlds.len());
    let kind = run.value(place).value.kind();
    let formula = match kind {
        FheUint8::NAME => listed::<FheUint8>(run, reader),
        FheInt8::NAME => listed::<FheInt8>(run, reader),
        FheInt16::NAME => listed::<FheInt16>(run, reader),
        FheUint32::NAME => listed::<FheUint32>(run, reader),
        _ => return,
    };
    let guest = Some(reader);
    run.take(Step { by, guest, group: kind, ..Step::new(COMPRESSED, formula, vec![place]) });
}

fn listed<T: Integer>(run: &Run<'_, Mixed>, reader: usize) -> Formula<Mixed> {
    let reader = run.scheme.worlds[reader].evaluator.clone();
    Formula::of_many(
        "",
        move |server: &World, x: &[&Value]| {
            let x = T::of(x[0])?;
            let integers = server.integers()?;
            let list = integers.compress_list(&[x.clone(), x.clone()])?;
            assert_eq!(list.value_type(), Some(ValueType::of::<T>()));
            let list = sent(server, list);
            let wrong = match T::BITS {
                16 => integers.decompress_list::<FheUint8>(&list).map(drop),
                _ => integers.decompress_list::<FheInt16>(&list).map(drop),
            };
            assert!(matches!(wrong, Err(Error::TypeMismatch { .. })), "{wrong:?}");
            let words = Integers::new(reader.clone())?.decompress_list::<T>(&list)?;
            Ok(words.into_iter().map(T::wrapped).collect())
        },
        |x: &[&i64]| vec![*x[0]; 2],
    )
}

/// Returns the list after encoding and decoding; a simulated list is returned unchanged.
fn sent(server: &World, list: CompressedList) -> CompressedList {
    match CompressedList::from_bytes(&server.params, &list.to_bytes()) {
        Ok(read) => {
            assert_eq!(read, list);
            read
        }
        Err(error) => {
            let has_no_key = matches!(error, Error::Wire(WireError::Malformed { field: "key id" }));
            assert!(has_no_key && server.client.is_none(), "{error}");
            list
        }
    }
}

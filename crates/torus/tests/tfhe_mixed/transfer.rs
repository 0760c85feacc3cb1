//! Frames, lists and decryption, in the world of a value or in another.

use crate::tfhe_mixed::Game;
use crate::tfhe_mixed::operate::{Pooled, name, reduced};
use crate::tfhe_mixed::world::{Item, Value, World};
use fathom::Error;
use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{FheBool, FheInt8, FheInt16, FheUint8, FheUint32, Integers, ValueType};
use fathom::tfhe::shortint::ShortInt;
use fathom::tfhe::{Block, CompactList, CompressedList, Params};
use fathom::wire::{Wire, WireError, WireObject, WireValue};

pub(crate) fn step(game: &mut Game, world: usize) {
    let item = game.pick(world);
    match game.numbers.below(9) {
        0 | 1 => decrypt(game, world, &item),
        2 | 3 => list(game, world, &item),
        4 => compact(game, world, &item),
        _ => frame(game, world, &item),
    }
}

/// Decrypts with the key of any world.
fn decrypt(game: &mut Game, world: usize, item: &Item) {
    let own = game.worlds[world].takes(&game.worlds[item.world], &item.value);
    let Some(client) = &game.worlds[world].client else { return };
    for block in item.value.blocks() {
        match client.decrypt(block) {
            Ok(_) => assert!(own || block.is_clear(), "{block:?} in {}", game.worlds[world].name),
            Err(error) => {
                let refused =
                    matches!(name(&error), "ParamsMismatch" | "KeyMismatch" | "Simulated");
                assert!(refused && !own, "{error}: {block:?}");
                game.outcomes.count(format!("refused: {}", name(&error)));
                return;
            }
        }
    }
    if own {
        assert_eq!(game.worlds[world].read(&item.value), item.clear);
        game.outcomes.count("right: decrypt");
    }
}

fn to_bytes(value: &Value, params: &Params) -> Result<Vec<u8>, Error> {
    match value {
        Value::Short(x) => x.to_bytes(params),
        Value::Bit(x) => x.to_bytes(params),
        Value::Bool(x) => x.to_bytes(params),
        Value::U8(x) => x.to_bytes(params),
        Value::I8(x) => x.to_bytes(params),
        Value::I16(x) => x.to_bytes(params),
        Value::U32(x) => x.to_bytes(params),
    }
}

/// Reads the bytes as a type of the pool.
fn from_bytes(kind: u64, params: &Params, bytes: &[u8]) -> Result<Value, Error> {
    match kind {
        0 => ShortInt::from_bytes(params, bytes).map(Value::Short),
        1 => Bit::from_bytes(params, bytes).map(Value::Bit),
        2 => FheBool::from_bytes(params, bytes).map(Value::Bool),
        3 => FheUint8::from_bytes(params, bytes).map(Value::U8),
        4 => FheInt8::from_bytes(params, bytes).map(Value::I8),
        5 => FheInt16::from_bytes(params, bytes).map(Value::I16),
        _ => FheUint32::from_bytes(params, bytes).map(Value::U32),
    }
}

fn kind(value: &Value) -> u64 {
    match value {
        Value::Short(_) => 0,
        Value::Bit(_) => 1,
        Value::Bool(_) => 2,
        Value::U8(_) => 3,
        Value::I8(_) => 4,
        Value::I16(_) => 5,
        Value::U32(_) => 6,
    }
}

/// Encodes an item with the parameters of its world or of another, and reads it as its type or as
/// another.
fn frame(game: &mut Game, world: usize, item: &Item) {
    let writer = &game.worlds[if game.numbers.below(10) == 0 { world } else { item.world }];
    let written = to_bytes(&item.value, &writer.params);
    let simulated = item.value.blocks().iter().any(|b| b.key_id().is_none() && !b.is_clear());
    let right = game.worlds[item.world].params.id() == writer.params.id();
    let bytes = match written {
        Ok(bytes) => {
            assert!(!simulated && (right || item.value.blocks().iter().all(Block::is_clear)));
            bytes
        }
        Err(error) => {
            assert!(simulated || !right, "{error}: {item:?}");
            game.outcomes.count("refused: writing");
            return;
        }
    };
    let asked = if game.numbers.below(4) == 0 { game.numbers.below(7) } else { kind(&item.value) };
    let reader = &game.worlds[world];
    match from_bytes(asked, &reader.params, &bytes) {
        Ok(value) => {
            assert_eq!(asked, kind(&item.value));
            assert_eq!(reader.params.id(), writer.params.id());
            assert_eq!(to_bytes(&value, &reader.params).unwrap(), bytes);
            game.outcomes.count("right: frame");
            let home = if right { item.world } else { world };
            if game.worlds[home].client.is_some() {
                let item = Item { value, clear: item.clear, world: home };
                game.keep(item, "read back");
            }
        }
        Err(error) => {
            let expected = asked != kind(&item.value) || reader.params.id() != writer.params.id();
            assert!(expected, "{error}");
            game.outcomes.count("refused: reading");
        }
    }
}

/// Encrypts the value of an item under the public key of a world, sends the list to a reader with
/// the parameters of any world, and asks for its integers as their type and as another.
fn compact(game: &mut Game, world: usize, item: &Item) {
    let reader = game.numbers.below(game.worlds.len() as u64) as usize;
    let value = reduced::<FheInt8>(item.clear);
    let Some((public, rng)) = game.worlds[world].public_key() else { return };
    let list = match public.encrypt_list::<FheInt8>([value], rng) {
        Ok(list) => list,
        Err(error) => {
            assert!(matches!(error, Error::ParamsMismatch { .. }), "{error}");
            assert!(!game.worlds[world].has_integers());
            return game.outcomes.count("refused: compact list");
        }
    };
    let [own, other] = [world, reader].map(|index| &game.worlds[index].params);
    match CompactList::from_bytes(other, &list.to_bytes()) {
        Ok(read) => {
            assert_eq!(own.id(), other.id());
            let wrong = read.values::<FheUint8>();
            assert!(matches!(wrong, Err(Error::TypeMismatch { .. })), "{wrong:?}");
            let integers = read.values::<FheInt8>().unwrap();
            for integer in integers {
                let item = Item { value: Value::I8(integer), clear: value, world };
                game.keep(item, "compact list");
            }
        }
        Err(error) => {
            assert!(own.id() != other.id(), "{error}");
            game.outcomes.count("refused: compact list");
        }
    }
}

/// Compresses integers and decompresses them as their type or as another, in this world or in
/// another.
fn list(game: &mut Game, world: usize, item: &Item) {
    match &item.value {
        Value::U8(x) => listed::<FheUint8>(game, world, item, x),
        Value::I8(x) => listed::<FheInt8>(game, world, item, x),
        Value::I16(x) => listed::<FheInt16>(game, world, item, x),
        Value::U32(x) => listed::<FheUint32>(game, world, item, x),
        Value::Short(_) | Value::Bit(_) | Value::Bool(_) => {}
    }
}

fn listed<T: Pooled>(game: &mut Game, world: usize, item: &Item, x: &T) {
    let server = &game.worlds[world];
    let own = server.takes(&game.worlds[item.world], &item.value);
    let pair = [x.clone(), x.clone()];
    let (integers, list) = match of_pair(server, &pair) {
        Ok(compressed) => compressed,
        Err(error) => return refused(game, &error, !own),
    };
    assert!(own, "{item:?} in {}", server.name);
    assert_eq!(list.value_type(), Some(ValueType::of::<T>()));
    let list = sent(server, list);
    let wrong = match T::BITS {
        16 => integers.decompress_list::<FheUint8>(&list).map(drop),
        _ => integers.decompress_list::<FheInt16>(&list).map(drop),
    };
    assert!(matches!(wrong, Err(Error::TypeMismatch { .. })));
    let other = game.numbers.below(game.worlds.len() as u64) as usize;
    let reader = &game.worlds[other];
    match reader.integers().and_then(|integers| integers.decompress_list::<T>(&list)) {
        Ok(words) => {
            assert_eq!(reader.params.id(), game.worlds[world].params.id());
            for word in words {
                let clear = reduced::<T>(item.clear);
                game.keep(Item { value: T::wrapped(word), clear, world: other }, "list");
            }
        }
        Err(error) => refused(game, &error, other != world),
    }
}

/// Returns the operations of a world and the list that they make of a pair.
fn of_pair<T: Pooled>(server: &World, pair: &[T]) -> Result<(Integers, CompressedList), Error> {
    let integers = server.integers()?;
    let list = integers.compress_list(pair)?;
    Ok((integers, list))
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

fn refused(game: &mut Game, error: &Error, expected: bool) {
    let known = matches!(name(error), "ParamsMismatch" | "KeyMismatch" | "Simulated")
        || matches!(error, Error::Spec { .. });
    assert!(known && expected, "{error}");
    game.outcomes.count(format!("refused: {}", name(error)));
}

//! A parameter set of tfhe-rs with its keys.

use crate::integers::Right;
use crate::lanes::{Lanes, guarded, pool};
use crate::presets::Set;
use crate::value::{Clear, ClientKey, Encrypted, Value, byte_len};
use crate::{blocks, gates, integers, memory};
use fathom_drivers::ops::torus::{BlockOp, Gate, IntegerOp};
use fathom_drivers::protocol::{
    CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Numbers, Prepare, Refusal,
};
use fathom_drivers::session::{self, Bind, Item, ItemOf, Session};
use rayon::ThreadPool;
use std::sync::OnceLock;
use tfhe::shortint::parameters::ClassicPBSParameters;
use tfhe::{boolean, integer, shortint};

/// Largest number of threads accepted.
const MOST_THREADS: usize = 1024;

/// A parameter set with its keys.
pub(crate) struct TfheSession {
    set: Set,
    /// Threads that generate the keys.
    pool: ThreadPool,
    /// Threads of the operations on integers.
    lanes: Lanes,
    keys: Option<Keys>,
    key_bytes: OnceLock<KeyBytes>,
}

enum Keys {
    Gates(boolean::client_key::ClientKey, boolean::server_key::ServerKey),
    Blocks(integer::ClientKey, integer::ServerKey),
}

type Call<'a> = session::Call<'a, TfheSession>;

impl TfheSession {
    /// Opens a session without keys.
    pub(crate) fn open(set: Set, request: &Prepare) -> Result<Self, Refusal> {
        let threads = request.threads.saturating_mul(request.op_threads);
        if threads > MOST_THREADS {
            let message = format!("{threads} threads are over the limit of {MOST_THREADS}");
            return Err(Refusal::unsupported(message));
        }
        memory::check(set.key_memory())?;
        let lanes = Lanes::new(request.threads, request.op_threads)?;
        let key_bytes = OnceLock::new();
        Ok(Self { set, pool: pool(threads)?, lanes, keys: None, key_bytes })
    }

    fn keys(&self) -> Result<&Keys, Refusal> {
        self.keys.as_ref().ok_or_else(|| Refusal::new(Code::BadRequest, "`keygen` comes first"))
    }

    fn client(&self) -> Result<ClientKey<'_>, Refusal> {
        Ok(match self.keys()? {
            Keys::Gates(client, _) => ClientKey::Gates(client),
            Keys::Blocks(client, _) => ClientKey::Blocks(client),
        })
    }

    fn block_key(&self) -> Result<&shortint::ServerKey, Refusal> {
        match self.keys()? {
            Keys::Blocks(_, key) => Ok(key.as_ref()),
            Keys::Gates(..) => Err(Refusal::unsupported("this set is for gates on bits")),
        }
    }

    fn encrypted(&self, clear: &Clear) -> Result<Encrypted, Refusal> {
        let client = self.client()?;
        guarded(|| client.encrypt(clear).map(Encrypted::fresh))?
    }

    /// Binds an operation on blocks. An operation with one result runs on the calling thread,
    /// because a bootstrap uses only one; an operation with several results uses the threads of an
    /// operation.
    fn on_blocks<'a>(
        &'a self,
        inputs: &[&'a ItemOf<Self>],
        results: usize,
        call: blocks::Call<'a>,
    ) -> Result<Call<'a>, Refusal> {
        let block = |item: &&'a ItemOf<Self>| item.ciphertext().and_then(|x| x.value.block());
        let operands = inputs.iter().map(block).collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(move || {
            let work = || call(&operands);
            let value = if results > 1 { self.lanes.run(work)? } else { guarded(work)? };
            Ok(Item::Ciphertext(Encrypted::result(value)))
        }))
    }

    fn on_bits<'a>(
        &'a self,
        inputs: &[&'a ItemOf<Self>],
        call: gates::Call,
    ) -> Result<Call<'a>, Refusal> {
        let Keys::Gates(_, key) = self.keys()? else {
            return Err(Refusal::unsupported("this set is for blocks, not for bits"));
        };
        let bit = |item: &&'a ItemOf<Self>| item.ciphertext().and_then(|x| x.value.bit());
        let operands = inputs.iter().map(bit).collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(move || {
            let bit = guarded(|| call(key, &operands))?;
            Ok(Item::Ciphertext(Encrypted::result(Value::Bit(bit))))
        }))
    }

    fn on_integers<'a>(
        &'a self,
        inputs: &[&'a ItemOf<Self>],
        op: IntegerOp,
    ) -> Result<Call<'a>, Refusal> {
        let Keys::Blocks(_, key) = self.keys()? else {
            return Err(Refusal::unsupported("this set is for gates on bits"));
        };
        let right = match inputs.get(1) {
            None => Right::Nothing,
            Some(Item::Ciphertext(right)) if !op.scalar => Right::Encrypted(right),
            Some(Item::Plaintext(right)) if op.scalar => Right::Clear(right),
            Some(_) => {
                let kind = if op.scalar { "clear" } else { "encrypted" };
                let message = format!("the operation wants {kind} operands on the right");
                return Err(Refusal::new(Code::BadRequest, message));
            }
        };
        let call = integers::bind(op, inputs[0].ciphertext()?, right)?;
        Ok(Box::new(move || {
            let value = self.lanes.run(|| call(key))??;
            Ok(Item::Ciphertext(Encrypted::result(value)))
        }))
    }
}

impl Session for TfheSession {
    type Ciphertext = Encrypted;
    type Plaintext = Clear;

    /// Generates both keys, ready for use, with `gen_keys` of tfhe-rs, that is without a seeded
    /// form.
    fn generate_keys(&mut self) -> Result<(), Refusal> {
        let set = self.set;
        let keys = self.pool.install(|| guarded(|| generate(set)))?;
        self.keys = Some(keys);
        Ok(())
    }

    /// Returns the key sizes, which are computed once because they depend only on the parameters:
    /// the size of the key as it is sent needs another key, with seeded masks.
    fn key_bytes(&self) -> KeyBytes {
        let Some(keys) = &self.keys else { return KeyBytes::default() };
        let measure = || guarded(|| self.pool.install(|| sizes(keys))).unwrap_or_default();
        *self.key_bytes.get_or_init(measure)
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<Clear, Refusal> {
        let one = |count: usize| {
            let message = format!("{count} values do not fit in one slot");
            if count > 1 { Err(Refusal::new(Code::BadRequest, message)) } else { Ok(()) }
        };
        match encoding {
            Encoding::Integer(ty) => {
                let words = values.words(ty)?;
                one(words.len())?;
                Ok(Clear::Integer(ty, words.first().copied().unwrap_or_default()))
            }
            Encoding::Slots => {
                let values = values.integers()?;
                one(values.len())?;
                let value = values.first().copied().unwrap_or(0).cast_unsigned();
                Ok(Clear::Small(value % self.set.message_modulus()))
            }
            Encoding::Complex | Encoding::Coefficients => {
                let message = "a torus ciphertext has one value and no coefficients";
                Err(Refusal::unsupported(message))
            }
        }
    }

    fn decode(&self, plaintext: &Clear, _encoding: Encoding) -> Result<Numbers, Refusal> {
        Ok(plaintext.values())
    }

    fn encrypt(
        &self,
        plaintext: &Clear,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<Encrypted, Refusal> {
        if key == KeyKind::Pk || level.is_some() {
            return Err(Refusal::unsupported("inputs are encrypted under the secret key"));
        }
        self.encrypted(plaintext)
    }

    fn decrypt(&self, ciphertext: &Encrypted) -> Result<Clear, Refusal> {
        let client = self.client()?;
        guarded(|| client.decrypt(&ciphertext.value))?
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        vec![
            ("encrypt_sk", |own, x, _| {
                let clear = x[0].plaintext()?;
                Ok(Box::new(move || own.encrypted(clear).map(Item::Ciphertext)))
            }),
            ("decrypt", |own, x, _| {
                let ciphertext = x[0].ciphertext()?;
                Ok(Box::new(move || own.decrypt(ciphertext).map(Item::Plaintext)))
            }),
            ("add", |own, x, _| own.on_blocks(x, 1, blocks::sum(own.block_key()?))),
        ]
    }

    fn gate<'a>(&'a self, gate: Gate, inputs: &[&'a ItemOf<Self>]) -> Result<Call<'a>, Refusal> {
        self.on_bits(inputs, gates::find(gate)?)
    }

    fn block<'a>(&'a self, op: BlockOp, inputs: &[&'a ItemOf<Self>]) -> Result<Call<'a>, Refusal> {
        self.on_blocks(inputs, op.results(), blocks::find(self.block_key()?, op))
    }

    fn integer<'a>(
        &'a self,
        op: IntegerOp,
        inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a>, Refusal> {
        self.on_integers(inputs, op)
    }

    fn ciphertext_bytes(&self, ciphertext: &Encrypted) -> CiphertextBytes {
        let measure = |client: ClientKey<'_>| guarded(|| client.bytes(ciphertext)).ok();
        self.client().ok().and_then(measure).unwrap_or_default()
    }
}

fn generate(set: Set) -> Keys {
    match set {
        Set::Gates(set) => {
            let client = boolean::client_key::ClientKey::new(&set);
            let server = boolean::server_key::ServerKey::new(&client);
            Keys::Gates(client, server)
        }
        Set::Blocks(set) => {
            let client = integer::ClientKey::new::<ClassicPBSParameters>(set);
            let server = integer::ServerKey::new_radix_server_key(&client);
            Keys::Blocks(client, server)
        }
    }
}

fn sizes(keys: &Keys) -> KeyBytes {
    let (sk, bootstrapping, bootstrapping_memory) = match keys {
        Keys::Gates(client, server) => {
            let sent = boolean::server_key::CompressedServerKey::new(client);
            (byte_len(client), byte_len(&sent), byte_len(server))
        }
        Keys::Blocks(client, server) => {
            let sent = integer::CompressedServerKey::new_radix_compressed_server_key(client);
            (byte_len(client), byte_len(&sent), byte_len(server))
        }
    };
    KeyBytes { sk, bootstrapping, bootstrapping_memory, ..KeyBytes::default() }
}

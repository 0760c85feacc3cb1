//! The files of a run, below `io/<instance>/`.

use std::fs;
use std::io;
use std::path::PathBuf;

/// The folders of one instance.
pub struct Files {
    instance: String,
}

impl Files {
    /// The folders of the instance that the command line names first.
    ///
    /// # Errors
    /// Without an argument.
    pub fn of_arguments() -> Result<(Files, String), String> {
        let instance = std::env::args().nth(1).ok_or("usage: <stage> <instance>")?;
        Ok((Files { instance: instance.clone() }, instance))
    }

    /// A data set: `lhs` or `rhs`.
    pub fn input(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("datasets/{}/{name}.txt", self.instance))
    }

    /// The parameters, which are public.
    pub fn parameters(&self) -> PathBuf {
        self.io("public_keys/parameters.bin")
    }

    /// The secret key, which stays with the client.
    pub fn secret_key(&self) -> PathBuf {
        self.io("private_keys/secret.bin")
    }

    /// Encrypted operands.
    pub fn upload(&self, name: &str) -> PathBuf {
        self.io(&format!("ciphertexts_upload/{name}.bin"))
    }

    /// Encrypted results.
    pub fn download(&self) -> PathBuf {
        self.io("ciphertexts_download/products.bin")
    }

    /// Decrypted results.
    pub fn output(&self) -> PathBuf {
        self.io("cleartext_output/out.txt")
    }

    /// Creates the folder of a file.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn make_room(path: &std::path::Path) -> io::Result<()> {
        path.parent().map_or(Ok(()), fs::create_dir_all)
    }

    fn io(&self, path: &str) -> PathBuf {
        PathBuf::from(format!("io/{}/{path}", self.instance))
    }
}

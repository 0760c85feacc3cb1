//! The files of a run, below `io/<instance>/`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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

    /// Creates a file and its folder. An existing file is replaced, not overwritten, so that no
    /// pages of it have to be given back first.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn create(&self, path: &Path) -> io::Result<File> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        File::create_new(path)
    }

    /// Creates a file with this content.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn write(&self, path: &Path, content: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
        Ok(self.create(path)?.write_all(content)?)
    }

    fn io(&self, path: &str) -> PathBuf {
        PathBuf::from(format!("io/{}/{path}", self.instance))
    }
}

"""Runs the sides of an example: each in a folder of its own, and the server in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import fathom as fhe

#: A key that has a secret form.
Key = fhe.SecretKey | fhe.tfhe.Key | fhe.columns.TableKey


def run(
    script: str,
    prepare: Callable[[Path, Path], None],
    compute: Callable[[Path], None],
    finish: Callable[[Path, Path], None],
) -> None:
    """Runs an example, or with the argument `compute` only its server, in the present folder.

    Args:
        script: The file of the example.
        prepare: Writes the secret key into the first folder, and what the server gets into the second.
        compute: The server, which has the second folder alone.
        finish: Reads the results from the second folder with the secret key in the first.
    """
    if sys.argv[1:] == ["compute"]:
        compute(Path.cwd())
        return
    with TemporaryDirectory() as folder:
        own, server = Path(folder, "own"), Path(folder, "server")
        own.mkdir(mode=0o700)
        server.mkdir()
        prepare(own, server)
        subprocess.run([sys.executable, os.path.abspath(script), "compute"], cwd=server, check=True)
        finish(own, server)


def keep(key: Key, own: Path) -> None:
    """Writes a secret key to a file that only its owner can read."""
    with open(own / "secret.key", "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(key.to_secret_bytes())

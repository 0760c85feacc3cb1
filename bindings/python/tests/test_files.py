"""Files are replaced whole, or stay as they were."""

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import fathom as fhe
from fathom import _stored, columns


@pytest.fixture(scope="module")
def key() -> columns.TableKey:
    return columns.keygen(columns.Schema(salary=columns.Encrypted("uint8")))


def table(key: columns.TableKey, rows: int) -> columns.Table:
    return key.encrypt(pa.table({"salary": pa.array([1] * rows, pa.uint8())}))


def test_readers_of_a_table_that_is_written_again_see_whole_tables(key: columns.TableKey, tmp_path: Path) -> None:
    path = tmp_path / "staff.parquet"
    encrypted = table(key, 100)
    encrypted.write_parquet(path)
    done = threading.Event()

    def write() -> None:
        for _ in range(40):
            encrypted.write_parquet(path)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    reads = 0
    while not done.is_set():
        assert parquet.read_table(path).num_rows == 1
        reads += 1
    writer.join()
    assert reads > 3 and os.listdir(tmp_path) == ["staff.parquet"]


def test_a_write_that_is_interrupted_leaves_the_old_table(
    key: columns.TableKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "staff.parquet"
    table(key, 3).write_parquet(path)
    before = path.read_bytes()

    def interrupted(rows: Any, beside: str, **options: Any) -> None:
        Path(beside).write_bytes(b"half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(parquet, "write_table", interrupted)
        with pytest.raises(KeyboardInterrupt):
            table(key, 4).write_parquet(path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["staff.parquet"]


def test_secret_keys_are_not_replaced(key: columns.TableKey, integers: fhe.SecretKey, tmp_path: Path) -> None:
    secrets = [
        key.to_secret_bytes(),
        integers.to_secret_bytes(),
        fhe.wide.keygen().to_secret_bytes(),
        fhe.tfhe.keygen().to_secret_bytes(),
    ]
    for number, secret in enumerate(secrets):
        path = tmp_path / f"{number}.key"
        path.write_bytes(secret)
        for write in (table(key, 3).write_parquet, integers.server.save, integers.public_key().save):
            with pytest.raises(fhe.ResourceError, match="secret key"):
                write(path)
        assert path.read_bytes() == secret


def test_permissions_and_links_stay(integers: fhe.SecretKey, tmp_path: Path) -> None:
    path, link = tmp_path / "server.keys", tmp_path / "link"
    link.symlink_to(path)
    path.write_bytes(b"old")
    path.chmod(0o640)
    integers.server.save(link)
    assert link.is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert fhe.Server.open(path).key_id == integers.id
    before = os.umask(0o027)
    try:
        integers.server.save(tmp_path / "new.keys")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.keys").stat().st_mode) == 0o640


def test_a_folder_that_is_not_there_is_refused(integers: fhe.SecretKey, tmp_path: Path) -> None:
    with pytest.raises(fhe.ResourceError, match="No such file"):
        integers.server.save(tmp_path / "none" / "server.keys")


def test_a_file_is_written_in_the_folder_of_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _stored.replace_file("plain", lambda beside: Path(beside).write_bytes(b"x"))
    assert (tmp_path / "plain").read_bytes() == b"x"

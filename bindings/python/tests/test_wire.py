"""Bytes, pickles and servers: what is sent is read again, and what is damaged is refused."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fathom as fhe

damage = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_vectors_are_read_again(integers: fhe.SecretKey) -> None:
    for values in ([1, 2, 3], [7], 5):
        x = integers.encrypt(values, bits=3)
        again = integers.load(x.to_bytes())
        assert integers.decrypt(again) == values and again.range == (-7, 7)
        assert again.to_bytes() == x.to_bytes()


def test_long_vectors_are_read_again(sums: fhe.SecretKey) -> None:
    x = sums.encrypt([1, 2, 3] * 3000)
    again = sums.load(x.to_bytes())
    assert again.ciphertexts == x.ciphertexts > 1 and sums.decrypt(again.sum()) == 18_000


def test_fresh_vectors_keep_their_bound_on_a_server(integers: fhe.SecretKey, reals: fhe.SecretKey) -> None:
    for encrypting in (integers, integers.public_key()):
        x = encrypting.encrypt([1, 2, 3])
        assert integers.server.load(x.to_bytes()).noise_left_bits == pytest.approx(x.noise_left_bits)
    own, public = reals.encrypt([1.0]), reals.public_key().encrypt([1.0])
    assert own.error_bound < public.error_bound
    # A server assumes the magnitude of the parameters, and coefficients rounded in the worst way.
    read, read_public = (reals.server.load(x.to_bytes()) for x in (own, public))
    assert own.error_bound < read.error_bound < read_public.error_bound


def test_results_are_read_by_their_owner(integers: fhe.SecretKey) -> None:
    x = integers.encrypt([1, 2, 3])
    assert integers.decrypt(integers.load((x @ x).to_bytes())) == 14


def test_keys_are_read_again(reals: fhe.SecretKey) -> None:
    key = fhe.SecretKey.from_secret_bytes(reals.to_secret_bytes())
    assert key.id == reals.id and key.params == reals.params
    assert abs(key.decrypt(reals.encrypt(0.5)) - 0.5) < 1e-4
    assert fhe.Params.from_bytes(reals.params.to_bytes()) == reals.params


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_objects_are_pickled(integers: fhe.SecretKey, protocol: int) -> None:
    x = integers.encrypt([1, 2, 3])
    params, server, vector = pickle.loads(pickle.dumps((integers.params, integers.server, x * x), protocol))
    assert params == integers.params and vector.params == params
    with server:
        assert integers.decrypt(vector.sum()) == 14
    public = pickle.loads(pickle.dumps(integers.public_key(), protocol))
    assert public.key_id == integers.id


def test_keys_of_servers_are_kept_in_files(tmp_path: Path, integers: fhe.SecretKey) -> None:
    wide, typed = fhe.wide.keygen(), fhe.tfhe.keygen()
    for key, value, result in ((integers, [1, 2], [1, 4]), (wide, 7, 49), (typed, True, True)):
        server: Any = key.server
        server.save(tmp_path / "server")
        again = type(server).open(tmp_path / "server")
        assert again.key_id == key.id and again.nbytes == server.nbytes > 1000
        assert (tmp_path / "server").stat().st_size > again.nbytes
        x = again.load(key.encrypt(value).to_bytes())
        assert key.decrypt(key.load((x & x if value is True else x * x).to_bytes())) == result
        assert key.id in repr(again) and "<table>" in again._repr_html_()
    assert fhe.tfhe.Server.open(tmp_path / "server", threads=1).key_id == typed.id
    for public in (integers.public_key(), wide.public_key()):
        public.save(tmp_path / "public")
        assert type(public).open(tmp_path / "public").key_id == public.key_id
    with pytest.raises(fhe.ResourceError):
        fhe.wide.Server.open(tmp_path / "none")


def test_pickle_5_sends_frames_out_of_band(integers: fhe.SecretKey) -> None:
    buffers: list[pickle.PickleBuffer] = []
    x = integers.encrypt([1, 2, 3])
    stream = pickle.dumps(x, 5, buffer_callback=buffers.append)
    assert len(stream) < 2000 and sum(len(buffer.raw()) for buffer in buffers) == len(x.to_bytes())
    assert integers.decrypt(pickle.loads(stream, buffers=buffers)) == [1, 2, 3]


@damage
@given(at=st.integers(0, 10**9), flip=st.integers(1, 255))
def test_a_changed_byte_is_noticed(integers: fhe.SecretKey, at: int, flip: int) -> None:
    data = bytearray(integers.encrypt([1, 2, 3]).to_bytes())
    # The header is short, the frame long: both are to be hit.
    data[at % (400 if at % 2 else len(data))] ^= flip
    with pytest.raises(fhe.FathomError):
        integers.load(data)


@damage
@given(cut=st.integers(0, 10**9))
def test_cut_bytes_are_noticed(integers: fhe.SecretKey, cut: int) -> None:
    data = integers.encrypt([1, 2, 3]).to_bytes()
    with pytest.raises(fhe.WireError):
        integers.load(data[: cut % len(data)])


@pytest.mark.parametrize(
    "change",
    [
        {"length": 0},
        {"length": True},
        {"length": 10**9},
        {"clean": 1},
        {"range": [0, 10**9]},
        {"range": [3, -3]},
        {"range": "all"},
    ],
)
def test_false_metadata_is_refused(integers: fhe.SecretKey, change: dict[str, Any]) -> None:
    from fathom import _frames

    meta, frames = _frames.unpack(integers.encrypt([1, 2]).to_bytes(), "vector")
    forged = _frames.pack("vector", meta | change, [bytes(frame) for frame in frames])
    with pytest.raises(fhe.WireError):
        integers.load(forged)


def test_a_false_range_is_noticed_at_decryption(integers: fhe.SecretKey) -> None:
    from fathom import _frames

    meta, frames = _frames.unpack(integers.encrypt([100]).to_bytes(), "vector")
    forged = _frames.pack("vector", meta | {"range": [0, 3]}, [bytes(frame) for frame in frames])
    with pytest.raises(fhe.RangeError) as caught:
        integers.decrypt(integers.load(forged))
    assert caught.value.code == "decrypted_outside_range" and "100" not in str(caught.value)


def test_saved_servers_are_opened(integers: fhe.SecretKey, tmp_path: Path) -> None:
    integers.server.save(tmp_path / "server")
    server = fhe.Server.open(tmp_path / "server")
    x = server.load(integers.encrypt([3, 4]).to_bytes())
    assert integers.decrypt(x @ x) == 25 and server.key_id == integers.id


SERVER = """
import sys
from pathlib import Path
import fathom as fhe
server = fhe.Server.open("server")
x = server.load(Path("x").read_bytes())
Path("result").write_bytes((x @ x).to_bytes())
"""


def test_a_server_without_a_secret_computes_in_a_process_of_its_own(integers: fhe.SecretKey, tmp_path: Path) -> None:
    integers.server.save(tmp_path / "server")
    (tmp_path / "x").write_bytes(integers.encrypt([1, 2, 3]).to_bytes())
    subprocess.run([sys.executable, "-c", SERVER], cwd=tmp_path, check=True)
    assert integers.decrypt(integers.load((tmp_path / "result").read_bytes())) == 14


def test_a_vector_does_not_keep_the_secret_alive() -> None:
    key = fhe.keygen(int, bits=3)
    x = key.encrypt([1, 2])
    del key
    with pytest.raises(fhe.NoServerError):
        x * x


def test_the_last_server_entered_computes(integers: fhe.SecretKey) -> None:
    x = fhe.Vector.from_bytes(integers.params, integers.encrypt([1, 2]).to_bytes())
    with integers.make_server(sums="none"), integers.server:
        assert integers.decrypt(x.sum()) == 3
    with integers.server, integers.make_server(sums="none"), pytest.raises(fhe.MissingKeyError):
        x.sum()
    with pytest.raises(fhe.NoServerError):
        x.sum()

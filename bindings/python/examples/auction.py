"""A sealed auction in which the winner pays the second highest bid, and the server learns no bid and no winner.

The notary has the key and encrypts each bid as it comes in. The server compares what it cannot read.
"""

from pathlib import Path
from typing import Any

import parties

import fathom as fhe

#: Bidders and their bids, in the order in which they came in.
BIDS = {"Ada": 30_250, "Blaise": 41_100, "Carl": 12_000, "Emmy": 44_900, "Leonhard": 38_800}


def outcome(bids: fhe.tfhe.Array) -> dict[str, Any]:
    """Computes the place of the winner, and the second highest bid."""
    place, _ = bids.argmax()
    return {"winner": place, "price": bids.sorted()[-2]}


def prepare(own: Path, server: Path) -> None:
    """Makes the keys and encrypts the bids as the notary."""
    key = fhe.tfhe.keygen()
    parties.keep(key, own)
    key.server.save(server / "server.keys")
    for number, bid in enumerate(BIDS.values()):
        (server / f"bid {number}").write_bytes(key.encrypt(bid, "u16").to_bytes())


def compute(folder: Path) -> None:
    """Decides the auction as the server."""
    server = fhe.tfhe.Server.open(folder / "server.keys")
    bids = [server.load(path.read_bytes()) for path in sorted(folder.glob("bid *"))]
    for name, result in outcome(fhe.tfhe.array(bids)).items():
        (folder / name).write_bytes(result.to_bytes())


def finish(own: Path, server: Path) -> None:
    """Reads the outcome as the notary."""
    key = fhe.tfhe.Key.from_secret_bytes((own / "secret.key").read_bytes())
    place, price = (key.decrypt(key.load((server / name).read_bytes())) for name in ("winner", "price"))
    winner = list(BIDS)[place]
    print(f"{winner} wins and pays {price}")
    assert winner == max(BIDS, key=lambda name: BIDS[name]) and price == sorted(BIDS.values())[-2]


if __name__ == "__main__":
    parties.run(__file__, prepare, compute, finish)

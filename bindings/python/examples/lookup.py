"""A private lookup: the server has a table, the client a place, and the server does not learn which.

The client encrypts a vector with a one at the place and zeros elsewhere. Its inner product with the table is the entry.
"""

from pathlib import Path
from typing import Any

import parties

import fathom as fhe

#: The number of entries, and the largest one that the server may have, are public.
ENTRIES = 4000
LIMIT = 1_000_000
#: The place that the client asks for.
PLACE = 1234


def entry(query: Any, table: list[int]) -> Any:
    """Computes the entry at an encrypted place."""
    return query @ table


def table() -> list[int]:
    """Returns the server's table."""
    return [number * number * 7919 % LIMIT for number in range(ENTRIES)]


def prepare(own: Path, server: Path) -> None:
    """Makes the keys and the query as the client, who has no table: a plan takes one of the largest entries."""
    largest = [LIMIT - 1] * ENTRIES
    plan = fhe.plan(lambda query: entry(query, largest), fhe.Integers(ENTRIES, low=0, high=1))
    key = plan.keygen()
    parties.keep(key, own)
    key.server.save(server / "server.keys")
    query = plan.encrypt(key, [int(place == PLACE) for place in range(ENTRIES)])
    (server / "query").write_bytes(query.to_bytes())


def compute(folder: Path) -> None:
    """Looks an entry up as the server."""
    server = fhe.Server.open(folder / "server.keys")
    query = server.load((folder / "query").read_bytes())
    (folder / "answer").write_bytes(entry(query, table()).to_bytes())


def finish(own: Path, server: Path) -> None:
    """Reads the entry as the client."""
    key = fhe.SecretKey.from_secret_bytes((own / "secret.key").read_bytes())
    found = key.decrypt(key.load((server / "answer").read_bytes()))
    print(f"entry {PLACE} of {ENTRIES} is {found}")
    assert found == table()[PLACE]


if __name__ == "__main__":
    parties.run(__file__, prepare, compute, finish)

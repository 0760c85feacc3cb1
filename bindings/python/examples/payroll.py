"""Payroll statistics over the files of two companies, of which an auditor learns the totals and nobody a salary.

The auditor makes the keys. Each company encrypts its own file with the public key. The server adds up what it cannot
read.
"""

import csv
import math
import random
from pathlib import Path
from typing import Any

import parties

import fathom as fhe

#: Companies and their numbers of employees, which are public.
STAFF = {"north": 400, "south": 250}
#: Salaries in hundreds are stated to be below this.
LIMIT = 4096


def statistics(north: Any, south: Any) -> dict[str, Any]:
    """Computes the sum of all salaries, and that of their squares."""
    return {"total": north.sum() + south.sum(), "squares": north @ north + south @ south}


def salaries(folder: Path) -> list[int]:
    """Reads the column of a company's file."""
    with open(folder / "payroll.csv", newline="") as file:
        return [int(row["salary"]) // 100 for row in csv.DictReader(file)]


def write_file(folder: Path, count: int) -> None:
    """Writes a company's file, which stands for a real one."""
    folder.mkdir()
    draw = random.Random(folder.name)
    with open(folder / "payroll.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["name", "salary"])
        rows.writerows([f"employee {number}", 100 * int(draw.gauss(600, 150))] for number in range(count))


def prepare(own: Path, server: Path) -> None:
    """Makes the keys as the auditor, and sends the encrypted columns as the companies."""
    inputs = [fhe.Integers(count, low=0, high=LIMIT - 1) for count in STAFF.values()]
    key = fhe.plan(statistics, *inputs, encryption="public").keygen()
    parties.keep(key, own)
    key.public_key().save(own / "public.key")
    key.server.save(server / "server.keys")
    for name, count in STAFF.items():
        company = own.parent / name
        write_file(company, count)
        public = fhe.PublicKey.open(own / "public.key")
        column = public.encrypt(salaries(company), range=(0, LIMIT - 1))
        (server / name).write_bytes(column.to_bytes())


def compute(folder: Path) -> None:
    """Adds up encrypted salaries as the server."""
    server = fhe.Server.open(folder / "server.keys")
    for name, result in statistics(*(server.load((folder / name).read_bytes()) for name in STAFF)).items():
        (folder / name).write_bytes(result.to_bytes())


def finish(own: Path, server: Path) -> None:
    """Reads the totals as the auditor."""
    key = fhe.SecretKey.from_secret_bytes((own / "secret.key").read_bytes())
    total, squares = (key.decrypt(key.load((server / name).read_bytes())) for name in ("total", "squares"))
    count = sum(STAFF.values())
    mean, deviation = total / count, math.sqrt(squares / count - (total / count) ** 2)
    print(f"{count} salaries, mean {100 * mean:.2f}, standard deviation {100 * deviation:.2f}")
    clear = [salary for name in STAFF for salary in salaries(own.parent / name)]
    assert (total, squares) == (sum(clear), sum(salary**2 for salary in clear))


if __name__ == "__main__":
    parties.run(__file__, prepare, compute, finish)

"""Queries on files: here, or divided among machines.

The reduction tree is fixed by the numbers of the blocks, so that a divided computation returns the bytes of an
undivided one, whoever computes which part, and how often.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ._parquet import LARGE, batches, block_bytes, count_blocks, metadata_of_file, read_blocks
from ._query import Query
from ._server import Server, join

Files = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

#: The blocks of a task, largest first: a part of a result, a row group, a leaf of the tree.
_STEPS = (Server.PART_BLOCKS, 64, Server.LEAF_BLOCKS)
#: The bytes of a task, unless those of a leaf are more.
_TASK_BYTES = Server.PART_BLOCKS * LARGE


def paths_of(files: Files) -> list[str]:
    """Returns paths of one file or several."""
    if isinstance(files, (str, os.PathLike)):
        return [os.fspath(files)]
    return [os.fspath(path) for path in files]


def run(query: Any, files: Files, *, keys: Any = None) -> bytes:
    """Answers a query on encrypted Parquet files of one key, and returns the bytes for the owner of the key.

    It computes on the threads of this process, reads only the columns that the query needs, and holds a row group of
    each. The bytes are those of `fathom-columns query`. Conditions on encrypted values need the `keys` that
    `TableKey.evaluation_keys` makes.

    Raises:
        KindError: pyarrow is not installed.
        QueryError: A table does not serve the query.
        WireError: A file holds no encrypted table, or is damaged.
    """
    asked = Query.of(query)
    results = []
    for path in paths_of(files):
        server = Server.of_file(path, keys=keys)
        results.append(server.query(asked, batches(path, server.columns(asked))))
    return join(results)


class Task(NamedTuple):
    """Blocks of a file that are added up together."""

    #: The number of the file.
    file: int
    #: The first block.
    first: int
    #: The number of blocks.
    blocks: int


class Job:
    """A query on files that is divided into tasks, for any engine that calls functions on other machines.

        job = Job(query, files, workers=8)
        parts = [job.compute(task) for task in job.tasks]  # anywhere, in any order
        result = job.merge(parts)  # the bytes of `run`

    A job is pickled without its state: send it once to every machine, which needs the files under the same paths.

    Attributes:
        query: The query.
        files: The paths of the files.
        tasks: What is to be computed.
    """

    __slots__ = ("_keys", "_metadata", "_servers", "files", "query", "tasks")

    def __init__(
        self, query: Any, files: Files, *, keys: Any = None, workers: int = 1, step: int | None = None
    ) -> None:
        """Divides a query.

        Args:
            query: The query, in any form.
            files: The paths of encrypted Parquet files.
            keys: The keys of `TableKey.evaluation_keys`, for conditions on encrypted values.
            workers: For how many workers there should be several tasks each, if the files are large enough.
            step: The blocks of a task, by default chosen for the workers.

        Raises:
            KindError: pyarrow is not installed.
            WireError: A file holds no encrypted table.
        """
        self.query = Query.of(query)
        self.files = paths_of(files)
        self._metadata = [metadata_of_file(path) for path in self.files]
        self._keys = None if keys is None else bytes(keys)
        self._servers: dict[int, Server] = {}
        # Refused before anything is sent.
        read = [self._server(file).columns(self.query) for file in range(len(self.files))]
        counts = [count_blocks(path) for path in self.files]
        if step is None:
            largest = max(map(block_bytes, self.files, read), default=0)
            step = _step(counts, largest, workers)
        self.tasks = [
            Task(file, first, min(step, count - first))
            for file, count in enumerate(counts)
            for first in range(0, count, step)
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.query, self.files, self._metadata, self._keys, self.tasks)

    def _server(self, file: int) -> Server:
        if file not in self._servers:
            self._servers[file] = Server(self._metadata[file], keys=self._keys)
        return self._servers[file]

    @property
    def blocks(self) -> int:
        """The number of blocks in all."""
        return sum(task.blocks for task in self.tasks)

    def compute(self, task: Task) -> list[bytes]:
        """Reads the blocks of a task and returns their partial sums: a pure function.

        Raises:
            WireError: A block is damaged.
        """
        task = Task(*task)
        server = self._server(task.file)
        table = read_blocks(self.files[task.file], server.columns(self.query), task.first, task.blocks)
        return [
            server.partial(self.query, table.slice(first - task.first, count), first)
            for first, count in _pieces(task.first, task.blocks)
        ]

    def merge(self, parts: Sequence[Sequence[Any]]) -> bytes:
        """Joins the partial sums of all tasks, in the order of the tasks, to the result.

        Raises:
            WireError: Parts are missing or damaged.
        """
        own: list[list[Any]] = [[] for _ in self.files]
        for task, part in zip(self.tasks, parts, strict=True):
            own[task.file].extend(part)
        return join([self._server(file).merge(self.query, partials) for file, partials in enumerate(own)])


def _step(counts: Sequence[int], largest: int, workers: int) -> int:
    """Returns the blocks of a task for files of some blocks, the largest of which has as many bytes."""
    for step in _STEPS:
        if step * largest <= _TASK_BYTES and sum(-(-count // step) for count in counts) >= 4 * workers:
            return step
    return Server.LEAF_BLOCKS


def _again(query: Query, files: list[str], metadata: list[str], keys: bytes | None, tasks: list[Task]) -> Job:
    """Returns the job that was pickled."""
    job = object.__new__(Job)
    job.query, job.files, job._metadata, job._keys, job.tasks = query, files, metadata, keys, tasks
    job._servers = {}
    return job


def _pieces(first: int, count: int) -> list[tuple[int, int]]:
    """Returns the first blocks and lengths of the partial sums of some blocks."""
    if first % Server.PART_BLOCKS == 0:
        return [(first, count)]
    leaf = Server.LEAF_BLOCKS
    return [(start, min(leaf, first + count - start)) for start in range(first, first + count, leaf)]

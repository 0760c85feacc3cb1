"""Serves a `Library` over two streams, one JSON object per line."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict
from time import perf_counter_ns
from typing import Any, TextIO

from .fields import Fields
from .refusal import Refusal, bad_request
from .session import Ciphertext, Item, Library, Plaintext, Session, ciphertexts
from .stopwatch import Plan, measure

PROTOCOL = "fathom.driver/2"


def main(library: Library) -> None:
    """Serves on the standard streams; output of the library goes to the error stream."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    requests = os.fdopen(sys.stdin.fileno(), "r", encoding="utf-8", errors="replace")
    serve(library, requests, replies)


def serve(library: Library, requests: Iterable[str], replies: TextIO) -> None:
    """Answers requests until `bye` or the end of `requests`."""
    server = _Server(library)
    for line in requests:
        if not line.strip():
            continue
        reply, last = _answer(server, line)
        replies.write(reply + "\n")
        replies.flush()
        if last:
            break


def _answer(server: _Server, line: str) -> tuple[str, bool]:
    """Returns the reply to one line, and whether it is the last one."""
    identity = None
    try:
        request = _parse(line)
        identity = request.raw("id", None)
        request.integer("id")
        verb = request.text("verb")
        reply = {"id": identity, "ok": True} | server.answer(verb, request)
        return json.dumps(reply, allow_nan=False), verb == "bye"
    except Refusal as refusal:
        error = refusal
    except Exception as fault:  # the driver outlives every fault of its library
        error = Refusal("internal", f"{type(fault).__name__}: {fault}")
    return json.dumps({"id": identity, "ok": False, "error": error.as_json()}), False


def _parse(line: str) -> Fields:
    try:
        return Fields(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise bad_request(f"not a line of JSON: {error}") from None


class _Server:
    """The sessions, and the counter of handles, which are never reused."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.sessions: dict[int, _Open] = {}
        self.issued = 0

    def answer(self, verb: str, request: Fields) -> dict[str, Any]:
        """Returns the fields of the reply to `verb`."""
        match verb:
            case "hello":
                library, schemes = self.library.info(), self.library.schemes()
                return {"protocol": PROTOCOL, "library": library, "schemes": schemes}
            case "prepare":
                return self.prepare(request)
            case "drop":
                return self.drop(request.integers("handles"))
            case "bye":
                return {}
            case "keygen" | "encrypt" | "plaintext" | "run" | "decrypt" | "noise":
                return getattr(self.opened(request.integer("session")), verb)(request)
            case _:
                raise bad_request(f"there is no verb `{verb}`")

    def fresh(self) -> int:
        """Returns an unused handle."""
        self.issued += 1
        return self.issued

    def opened(self, session: int) -> _Open:
        """Returns a session by its number."""
        if session not in self.sessions:
            raise bad_request(f"there is no session {session}")
        return self.sessions[session]

    def prepare(self, request: Fields) -> dict[str, Any]:
        """Opens a session."""
        for name in ("threads", "op_threads"):
            request.integer(name, 1, least=1)
        session, params = self.library.open(request)
        handle = self.fresh()
        self.sessions[handle] = _Open(self, session)
        return {"session": handle, "params": params}

    def drop(self, handles: list[int]) -> dict[str, Any]:
        """Drops items; if one of them is unknown, none is dropped."""
        for handle in handles:
            if not any(handle in opened.items for opened in self.sessions.values()):
                raise bad_request(f"there is no handle {handle}")
        for opened in self.sessions.values():
            for handle in handles:
                opened.items.pop(handle, None)
        return {}


class _Open:
    """A session with its items."""

    def __init__(self, server: _Server, session: Session[Any, Any]) -> None:
        self.server = server
        self.session = session
        self.items: dict[int, Item[Any, Any]] = {}
        self.has_keys = False

    def keep(self, item: Item[Any, Any]) -> int:
        """Stores a new item and returns its handle."""
        handle = self.server.fresh()
        self.items[handle] = item
        return handle

    def item(self, handle: int) -> Item[Any, Any]:
        """Returns the item of a handle."""
        if handle not in self.items:
            raise bad_request(f"there is no handle {handle}")
        return self.items[handle]

    def require_keys(self) -> None:
        """Refuses operations that need a key before `keygen`."""
        if not self.has_keys:
            raise bad_request("the session has no keys yet; ask for `keygen` first")

    def keygen(self, request: Fields) -> dict[str, Any]:
        """Generates fresh keys a number of times and keeps the last ones."""
        steps = request.integers("rotations", [])
        row_swap = request.flag("row_swap")
        reps = request.integer("reps", 1, least=1)
        samples: list[int] = []
        rotation_samples: list[int] = []
        for _ in range(reps):
            start = perf_counter_ns()
            self.session.generate_keys()
            samples.append(perf_counter_ns() - start)
            self.has_keys = True
            self.items.clear()
            if steps or row_swap:
                start = perf_counter_ns()
                self.session.generate_rotation_keys(steps, row_swap)
                rotation_samples.append(perf_counter_ns() - start)
        return {
            "samples_ns": samples,
            "rotate_samples_ns": rotation_samples,
            "bytes": asdict(self.session.key_bytes()),
        }

    def encrypt(self, request: Fields) -> dict[str, Any]:
        """Encrypts a vector."""
        self.require_keys()
        mode = request.text("mode")
        if mode not in ("pk", "sk"):
            raise bad_request("`mode` must be `pk` or `sk`")
        level = request.integer("level", None)
        values, encoding = request.numbers("values"), request.text("encoding", "slots")
        encoded = self.session.encode(values, encoding, level)
        try:
            ciphertext = self.session.encrypt(encoded, mode, level)
        except self.session.faults as fault:
            raise self.session.refusal(fault) from None
        return {
            "ct": self.keep(Ciphertext(ciphertext)),
            "bytes": self.session.ciphertext_bytes(ciphertext, mode),
            "noise_budget_bits": self.session.noise(ciphertext).tracked_budget_bits,
        }

    def plaintext(self, request: Fields) -> dict[str, Any]:
        """Encodes a vector."""
        values, encoding = request.numbers("values"), request.text("encoding", "slots")
        return {"pt": self.keep(Plaintext(self.session.encode(values, encoding, None)))}

    def decrypt(self, request: Fields) -> dict[str, Any]:
        """Decrypts a ciphertext and decodes, or decodes a plaintext."""
        self.require_keys()
        item = self.item(request.integer("ct"))
        plain = self.session.decrypt(item.body) if isinstance(item, Ciphertext) else item.body
        values = self.session.decode(plain, request.text("encoding", "slots"))
        if not all(map(math.isfinite, values)):
            raise Refusal("internal", "the library decoded values that are not finite")
        return {"values": values}

    def noise(self, request: Fields) -> dict[str, Any]:
        """Returns the noise budgets of a ciphertext."""
        self.require_keys()
        [ciphertext] = ciphertexts([self.item(request.integer("ct"))])
        return self.session.noise(ciphertext).as_json()

    def run(self, request: Fields) -> dict[str, Any]:
        """Times one operation."""
        self.require_keys()
        operation = self.session.operation(request.text("op"), request.object("args", {}))
        sets = []
        for handles in request.input_sets("inputs"):
            self.session.check_operands(operation.name, len(handles))
            sets.append([self.item(handle) for handle in handles])
        if not sets:
            raise bad_request("`run` needs at least one input set")
        plan = Plan(
            warmup=request.integer("warmup", 0),
            iterations=request.integer("iterations", 1, least=1),
            samples=request.integer("samples", 1, least=1),
            budget_ns=request.integer("budget_ns", math.inf),
        )
        bound = [self.session.bind(operation, items) for items in sets]
        try:
            outcome = measure([one.call for one in bound], plan)
        except self.session.faults as fault:
            raise self.session.refusal(fault) from None
        results = [
            one.result(last) if called else None
            for one, last, called in zip(bound, outcome.last, outcome.called, strict=True)
        ]
        first = next(result for result in results if result is not None)
        return {
            "samples_ns": outcome.samples_ns,
            "iterations": plan.iterations,
            "cpu_ns": outcome.cpu_ns,
            "involuntary_switches": outcome.involuntary_switches,
            "outputs": [None if result is None else self.keep(result) for result in results],
        } | self.describe(sets[0], first)

    def describe(self, inputs: list[Item[Any, Any]], output: Item[Any, Any]) -> dict[str, Any]:
        """Returns size, level and noise of a result."""
        encrypted = [item.body for item in inputs if isinstance(item, Ciphertext)]
        budgets = [self.session.noise(body).measured_budget_bits for body in encrypted]
        known = [budget for budget in budgets if budget is not None]
        noise: dict[str, float | None] = {"before": min(known, default=None)}
        size, level = 0, None
        if isinstance(output, Ciphertext):
            after = self.session.noise(output.body)
            noise["after"] = after.measured_budget_bits
            noise["predicted_after"] = after.tracked_budget_bits
            size = self.session.ciphertext_bytes(output.body)["packed"]
            level = self.session.level(output.body)
        return {"bytes_out": size, "level": level, "noise_budget_bits": noise}

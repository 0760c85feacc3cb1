"""Talks to a driver as the testbed does and checks every result against clear arithmetic.

    python3 peers/python_driver/selftest.py PROGRAM [ARGUMENT]...

Nothing is timed. Ends with 1 if a result is wrong or a request is not answered as it should be.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

Vector = list[Any]

POLYNOMIAL = [7, 5, 2, 3]
CKKS_TOLERANCE = 1e-3


class Driver:
    """A running driver."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.requests = 0

    def line(self, text: str) -> dict[str, Any]:
        """The reply to one line."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"the driver ended at: {text[:200]}")
        return json.loads(answer)

    def ask(self, verb: str, **fields: Any) -> dict[str, Any]:
        """The reply to a request."""
        self.requests += 1
        reply = self.line(json.dumps({"id": self.requests, "verb": verb, **fields}))
        assert reply["id"] == self.requests, reply
        return reply

    def demand(self, verb: str, **fields: Any) -> dict[str, Any]:
        """The reply to a request that must succeed."""
        reply = self.ask(verb, **fields)
        if not reply["ok"]:
            sys.exit(f"{verb} {str(fields)[:200]}: {reply['error']}")
        return reply


class Clear:
    """Arithmetic on clear vectors: modulo t in two rows, or real in one."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.modulus: int | None = params.get("plain_modulus")
        self.slots: int = params["slots"]
        self.rows = 2 if self.modulus else 1

    def vector(self) -> Vector:
        """A random vector."""
        if self.modulus:
            return [random.randrange(self.modulus) for _ in range(self.slots)]
        return [random.uniform(-1, 1) for _ in range(self.slots)]

    def reduce(self, values: Vector) -> Vector:
        """Values modulo t, where there is a t."""
        return [value % self.modulus for value in values] if self.modulus else values

    def agree(self, found: Vector, wanted: Vector) -> bool:
        """Whether a result is right."""
        if len(found) != len(wanted):
            return False
        if self.modulus:
            return self.reduce(found) == self.reduce(wanted)
        return all(abs(a - b) <= CKKS_TOLERANCE for a, b in zip(found, wanted, strict=True))

    def rotated(self, x: Vector, steps: int) -> Vector:
        """Rows turned to the left."""
        row = self.slots // self.rows
        rows = [x[start : start + row] for start in range(0, self.slots, row)]
        return [value for r in rows for value in r[steps % row :] + r[: steps % row]]


def times(x: Vector, y: Vector) -> Vector:
    """The product slot by slot."""
    return [a * b for a, b in zip(x, y, strict=True)]


def plus(x: Vector, y: Vector) -> Vector:
    """The sum slot by slot."""
    return [a + b for a, b in zip(x, y, strict=True)]


def total(x: Vector) -> Vector:
    """The sum of all slots, in every slot."""
    return [sum(x)] * len(x)


def value_at(x: Any) -> Any:
    """The polynomial of the test."""
    return sum(c * x**i for i, c in enumerate(POLYNOMIAL))


class Check:
    """One session and what was found wrong in it."""

    def __init__(self, driver: Driver, scheme: str, ops: list[str], params: dict[str, Any]) -> None:
        self.driver, self.ops = driver, ops
        prepared = driver.demand("prepare", scheme=scheme, params=params)
        self.session, self.params = prepared["session"], prepared["params"]
        self.clear = Clear(self.params)
        self.label = self.params["name"]
        steps = [1 << i for i in range((self.clear.slots // self.clear.rows - 1).bit_length())]
        keys = driver.demand(
            "keygen", session=self.session, rotations=[*steps, -3], row_swap=1, reps=2
        )
        self.failures: list[str] = []
        self.expect("keygen takes a sample a repetition", len(keys["samples_ns"]) == 2)
        print(f"{self.label}: keys {keys['bytes']}")

    def expect(self, what: str, holds: bool) -> None:
        """Notes a failure."""
        if not holds:
            self.failures.append(f"{self.label}: {what}")

    def encrypt(self, values: Vector, **more: Any) -> int:
        """The handle of a fresh ciphertext."""
        fields = {"session": self.session, "values": values, "mode": "pk"} | more
        return self.driver.demand("encrypt", **fields)["ct"]

    def decrypt(self, handle: int, **more: Any) -> Vector:
        """The values of a ciphertext."""
        return self.driver.demand("decrypt", session=self.session, ct=handle, **more)["values"]

    def run(self, op: str, inputs: list[list[int]], **more: Any) -> dict[str, Any]:
        """The reply to a run that must succeed."""
        return self.driver.demand("run", session=self.session, op=op, inputs=inputs, **more)

    def operation(
        self, op: str, arity: int, model: Callable[..., Vector], plain: int = 0, **more: Any
    ) -> None:
        """Runs an operation on three input sets and checks all outputs."""
        if op not in self.ops:
            print(f"{self.label}: {op} is not offered")
            return
        vectors = [[self.clear.vector() for _ in range(arity)] for _ in range(3)]
        sets = []
        for one in vectors:
            handles = [self.encrypt(x) for x in one[: arity - plain]]
            for x in one[arity - plain :]:
                reply = self.driver.demand("plaintext", session=self.session, values=x)
                handles.append(reply["pt"])
            sets.append(handles)
        asked = {"session": self.session, "op": op, "inputs": sets} | more
        reply = self.driver.ask("run", **asked, warmup=1, iterations=2, samples=2)
        if reply.get("error", {}).get("code") == "noise_exhausted":
            print(f"{self.label}: {op} is refused, {reply['error']['message']}")
            return
        if not reply["ok"]:
            sys.exit(f"run {str(asked)[:200]}: {reply['error']}")
        for one, output in zip(vectors, reply["outputs"], strict=True):
            right = self.clear.agree(self.decrypt(output), self.clear.reduce(model(*one)))
            self.expect(f"{op} gives wrong values", right)
        self.driver.demand("drop", handles=[h for s in sets for h in s] + reply["outputs"])

    def all_operations(self) -> None:
        """Every operation that the driver offers."""
        self.operation("encrypt_pk", 1, lambda x: x, plain=1)
        self.operation("encrypt_sk", 1, lambda x: x, plain=1)
        self.operation("decrypt", 1, lambda x: x)
        self.operation("add", 2, plus)
        self.operation("sub", 2, lambda x, y: [a - b for a, b in zip(x, y, strict=True)])
        self.operation("neg", 1, lambda x: [-a for a in x])
        self.operation("add_plain", 2, plus, plain=1)
        self.operation("mul", 2, times)
        self.operation("mul_plain", 2, times, plain=1)
        self.operation("mul_no_relin", 2, times)
        self.operation("mul_switch", 2, times)
        self.operation("square", 1, lambda x: times(x, x))
        self.operation("mod_switch", 1, lambda x: x)
        for steps in (1, -3):
            rotated = lambda x, steps=steps: self.clear.rotated(x, steps)  # noqa: E731
            self.operation("rotate", 1, rotated, args={"steps": steps})
        self.operation("rotate_sum", 1, total)
        self.operation("dot_slots", 2, lambda x, y: total(times(x, y)))
        self.operation("dot", 8, dot)
        self.relinearised()
        if self.params["depth"] >= 2:
            polynomial = lambda x: [value_at(v) for v in x]  # noqa: E731
            args = {"coefficients": POLYNOMIAL}
            self.operation("polynomial", 1, polynomial, args=args)
        if self.clear.modulus:
            self.coefficients()
        self.chain()

    def relinearised(self) -> None:
        """The relinearisation of a product."""
        if not {"mul_no_relin", "relin"} <= set(self.ops):
            return
        x, y = self.clear.vector(), self.clear.vector()
        [product] = self.run("mul_no_relin", [[self.encrypt(x), self.encrypt(y)]])["outputs"]
        [output] = self.run("relin", [[product]])["outputs"]
        self.expect("relin", self.clear.agree(self.decrypt(output), times(x, y)))

    def coefficients(self) -> None:
        """A negacyclic product of vectors in coefficients: (1 + 2X)(3 - X^(n-1))."""
        n = self.params["n"]
        one = {"session": self.session, "values": [1], "encoding": "coefficients"}
        if self.driver.ask("plaintext", **one).get("error", {}).get("code") == "unsupported":
            print(f"{self.label}: there is no encoding in coefficients")
            return
        left = self.encrypt([1, 2], encoding="coefficients")
        right = self.encrypt([3] + [0] * (n - 2) + [-1], encoding="coefficients")
        [output] = self.run("mul", [[left, right]])["outputs"]
        wanted = [5, 6] + [0] * (n - 3) + [-1]
        found = self.decrypt(output, encoding="coefficients")
        self.expect("product of coefficients", self.clear.agree(found, wanted))

    def chain(self) -> None:
        """The depth that was promised: products with fresh factors at the chain's level."""
        product = self.clear.vector()
        handle, level = self.encrypt(product, mode="sk" if "encrypt_sk" in self.ops else "pk"), None
        for step in range(self.params["depth"]):
            factor = self.clear.vector()
            reply = self.run("mul_switch", [[handle, self.encrypt(factor, level=level)]])
            [handle], level = reply["outputs"], reply["level"]
            product = self.clear.reduce(times(product, factor))
            right = self.clear.agree(self.decrypt(handle), product)
            self.expect(f"product {step + 1} of a chain", right)
            print(f"{self.label}: product {step + 1}: level {level}, {reply['noise_budget_bits']}")
        self.past_the_depth(handle, level)

    def past_the_depth(self, handle: int, level: int | None) -> None:
        """A product more may be wrong or refused; the driver must live."""
        factor = self.encrypt(self.clear.vector(), level=level)
        self.driver.ask("run", session=self.session, op="mul_switch", inputs=[[handle, factor]])
        self.driver.demand("hello")

    def refusals(self) -> None:
        """Requests that make no sense for a session with keys."""
        ciphertext = self.encrypt([1])
        session = self.session
        run = {"verb": "run", "session": session, "op": "add", "inputs": [[ciphertext] * 2]}
        few = {"verb": "encrypt", "session": session, "mode": "pk"}
        too_many = [1] * (2 * self.params["n"])
        nonsense: list[tuple[str, dict[str, Any]]] = [
            ("bad_request", run | {"inputs": [[ciphertext]]}),
            ("bad_request", run | {"inputs": []}),
            ("bad_request", run | {"inputs": [[ciphertext, 999999]]}),
            ("bad_request", run | {"inputs": "all"}),
            ("bad_request", run | {"iterations": 0}),
            ("bad_request", run | {"samples": -1}),
            ("bad_request", run | {"session": 999999}),
            ("bad_request", run | {"op": "mul_plain"}),
            ("bad_request", run | {"op": "encrypt_pk", "inputs": [[ciphertext]]}),
            ("unsupported", run | {"op": "frobnicate"}),
            ("bad_request", few | {"values": too_many}),
            ("bad_request", few | {"values": ["x"]}),
            ("bad_request", few | {"values": [1], "mode": "xx"}),
            ("unsupported", few | {"values": [1], "level": 99}),
            ("unsupported", few | {"values": [1], "encoding": "u64"}),
            ("bad_request", {"verb": "drop", "handles": [999999]}),
            ("bad_request", {"verb": "decrypt", "session": session, "ct": -1}),
        ]
        if "rotate" in self.ops:
            no_steps = run | {"op": "rotate", "inputs": [[ciphertext]]}
            nonsense.append(("bad_request", no_steps))
        for code, request in nonsense:
            verb = request.pop("verb")
            reply = self.driver.ask(verb, **request)
            found = reply.get("error", {}).get("code")
            self.expect(f"{verb} {str(request)[:90]}: {found}, not {code}", found == code)
        self.expect("a refused request changes nothing", self.decrypt(ciphertext)[0] != 0)


def dot(*vectors: Vector) -> Vector:
    """The sum of the products of the first half with the second."""
    half = len(vectors) // 2
    result = times(vectors[0], vectors[half])
    for x, y in zip(vectors[1:half], vectors[half + 1 :], strict=True):
        result = plus(result, times(x, y))
    return result


def lines_that_are_no_requests(driver: Driver) -> list[str]:
    """What a driver must refuse as `bad_request` before anything else."""
    lines = [
        "not json",
        "[]",
        "3",
        '{"id":"x","verb":"hello"}',
        '{"id":1}',
        "[" * 10000,
        '{"id":1,"verb":"dance"}',
        '{"id":1,"verb":"keygen","session":7}',
        '{"id":1,"verb":"prepare","scheme":"bfv","params":[]}',
    ]
    replies = [(line, driver.line(line)) for line in lines]
    wrong = [
        line for line, reply in replies if reply["ok"] or reply["error"]["code"] != "bad_request"
    ]
    return [f"not refused: {line[:60]}" for line in wrong]


def sessions(scheme: str) -> list[dict[str, Any]]:
    """Parameters to try in a scheme."""
    common = {"security": 128} | ({} if scheme == "ckks" else {"plain_modulus": 65537})
    return [common | {"depth": 1}, common | {"depth": 3}, common | {"depth": 2, "defaults": True}]


def main(command: list[str]) -> None:
    """Checks the driver that `command` starts."""
    driver = Driver(command)
    hello = driver.demand("hello")
    assert hello["protocol"] == "fathom.driver/2", hello
    print(hello["library"])
    failures = lines_that_are_no_requests(driver)
    for offered in hello["schemes"]:
        scheme = offered["scheme"]
        for params in sessions(scheme):
            check = Check(driver, scheme, offered["ops"], params)
            check.all_operations()
            check.refusals()
            failures += check.failures
    for params in ({"depth": 60, "n": 4096}, {"depth": 1, "n": 12}, {"depth": 1, "security": 512}):
        asked = {"plain_modulus": 65537, "security": 128} | params
        for offered in hello["schemes"]:
            reply = driver.ask("prepare", scheme=offered["scheme"], params=asked)
            code = reply.get("error", {}).get("code")
            if code not in ("unsupported", "insecure"):
                failures.append(f"prepare {asked}: {code}")
    driver.demand("bye")
    if driver.process.wait(timeout=60) != 0:
        failures.append("the driver ended with an error")
    print(*failures, sep="\n")
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1:])

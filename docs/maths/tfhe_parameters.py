#!/usr/bin/env python3
"""Runs the lattice estimator on the keys of tfhe-parameters.toml and renews the tables.

    python3 docs/maths/tfhe_parameters.py ESTIMATOR [--attacks usvp,bdd,...] [--keys TEXT]
    python3 docs/maths/tfhe_parameters.py

ESTIMATOR is a checkout of github.com/malb/lattice-estimator. With it the script needs SageMath, or
the wheels passagemath-modules and passagemath-symbolics from PyPI, scipy and Python 3.11 or newer.
It adds what is missing to tfhe-estimates.csv, line by line, so it may be stopped at any time and
started again; delete a line to have it computed anew. The hybrid attacks take minutes a key, on the
GLWE keys an hour.

With or without it, the script renews the tables in tfhe-parameters.md, that of tfhe-estimates.csv
and that of tfhe-noise.csv, and the table of fhew-noise.csv in fhew.md. Ignored tests write the files
of noise (tfhe/bootstrap/bootstrapper/noise.rs in crates/fathom/src and noise.rs in crates/fhew/src).

Attacks, all with the estimator's default cost model (MATZOV) and shape (GSA), unlimited samples:

- usvp, bdd, dual_hybrid: primal_usvp, primal_bdd, dual_hybrid (MATZOV's);
- hybrid, hybrid_babai, hybrid_mitm: primal_hybrid with (mitm, babai) = (False, False),
  (False, True), (True, True), and the estimator's own search over the guessed coordinates. With
  babai that may stop beside the minimum, so this script goes downhill from there;
- optimistic: (True, False), which the estimator leaves out of its default run as too optimistic.
  Its search over the guessed coordinates misses the minimum, so this script walks over them;
- block_optimistic: the same for block-binary keys, told where the blocks are: it guesses whole
  blocks and stretches the lattice by the geometric mean of a block's covariance.

Attacks on the rotations of a key in ring form (eprint 2026/279) are not in the estimator. They are in
crates/security/src/rotated.rs, whose vectors are the published table (tests/rotated_hybrid.rs); the
page's section on rotations has their figures for every set.
"""

import argparse
import csv
import functools
import math
import pathlib
import subprocess
import sys
import tomllib
import types

HERE = pathlib.Path(__file__).parent
ESTIMATES = HERE / "tfhe-estimates.csv"
ESTIMATOR_COMMIT = "27a581bb8e9d49f5e9e2db315bd48ac769d5f5f5"
NOISE = HERE / "tfhe-noise.csv"
FHEW_NOISE = HERE / "fhew-noise.csv"
PAGE = HERE / "tfhe-parameters.md"
FHEW_PAGE = HERE / "fhew.md"
ATTACKS = (
    "usvp",
    "bdd",
    "dual_hybrid",
    "optimistic",
    "block_optimistic",
    "hybrid",
    "hybrid_mitm",
    "hybrid_babai",
)
KEY = ("secret", "dimension", "log_modulus", "log_noise")


def provide_sage():
    """Makes `sage.all` importable where only the passagemath wheels are there."""
    try:
        import sage.all  # noqa: F401
    except ModuleNotFoundError:
        import sage.all__sagemath_modules as modules
        import sage.all__sagemath_symbolics as symbolics

        names = types.ModuleType("sage.all")
        for source in (modules, symbolics):
            names.__dict__.update({k: v for k, v in vars(source).items() if k[0] != "_"})
        names.line = None  # plots only
        # The symbolic square root of these wheels (10.8.13) is 1 for some integers near 2^62.
        names.sqrt = lambda x: modules.RR(x).sqrt()
        sys.modules["sage.all"] = names


def keys(document):
    """Every distinct key of the sets, in order: the LWE keys, then the GLWE keys."""
    found = {}
    for row in document["set"]:
        length = row.get("block_length", 1)
        secret = "binary" if length == 1 else f"block{length}"
        secret = row.get("secret", secret)
        dimension = row.get("key_coefficients", row["lwe_dimension"])
        found[secret, dimension, row["log_lwe_modulus"], row["log_lwe_noise"]] = None
    for row in document["fhew"]:
        deviation = math.log2(3.19)
        for dimension, modulus in (
            (row["lwe_dimension"], row["log_lwe_modulus"]),
            (row["polynomial_degree"], row["log_ring_modulus"]),
        ):
            found["ternary", dimension, modulus, round(deviation - modulus, 4)] = None
    for row in document["set"]:
        secret = row.get("secret", "binary")
        dimension = row["glwe_dimension"] * row["polynomial_degree"]
        found[secret, dimension, row["log_glwe_modulus"], row["log_glwe_noise"]] = None
    return list(found)


class Estimator:
    """The attacks on one key."""

    def __init__(self, key):
        from estimator import LWE, ND
        from estimator.nd import NoiseDistribution

        secret, dimension, log_modulus, log_noise = key
        self.block = int(secret[5:]) if secret.startswith("block") else 1

        class Independent(NoiseDistribution):
            """Coefficients in 0, 1 with the given density and deviation."""

            def __init__(self, density, deviation, n=None):
                self.density = density
                super().__init__(
                    n=n, mean=density, stddev=deviation, bounds=(0, 1), _density=density
                )

            def __hash__(self):
                return hash((self.density, self.stddev, self.n))

            def resize(self, n):
                return Independent(self.density, self.stddev, n)

            is_sparse = False

        density = 1 / (self.block + 1)
        deviation = math.sqrt(density * (1 - density))
        aware = density ** ((1 + 1 / self.block) / 2)
        noise = ND.DiscreteGaussian(2.0 ** (log_modulus + log_noise))

        def parameters(distribution):
            return LWE.Parameters(
                n=dimension, q=2**log_modulus, Xs=distribution, Xe=noise
            ).normalize()

        plain = {"binary": ND.Binary, "ternary": ND.Ternary}
        self.parameters = parameters(
            plain[secret] if secret in plain else Independent(density, deviation)
        )
        self.aware = parameters(Independent(density, aware)) if self.block > 1 else None

    def bits(self, attack):
        """Log2 of the cost and the guessed coordinates, or None where the attack does not apply."""
        from estimator import LWE

        if attack == "block_optimistic":
            return self.walk(self.aware) if self.aware else None
        if attack == "optimistic":
            return self.walk(self.parameters)
        forms = {"hybrid": (False, False), "hybrid_babai": (False, True), "hybrid_mitm": (True, True)}
        if attack in forms:
            mitm, babai = forms[attack]
            cost = LWE.primal_hybrid(self.parameters, mitm=mitm, babai=babai)
            if babai:
                found = math.log2(float(cost["rop"])), int(cost.get("zeta", 0))
                return self.downhill(found, mitm)
        else:
            functions = {"usvp": LWE.primal_usvp, "bdd": LWE.primal_bdd}
            cost = functions.get(attack, LWE.dual_hybrid)(self.parameters)
        return math.log2(float(cost["rop"])), int(cost.get("zeta", 0))

    def downhill(self, found, mitm):
        """From what the estimator found to a cheaper number of guessed coordinates, if any."""
        best = found
        cost = hybrid_cost(self.parameters, mitm, babai=True)
        for step in (12, 3, 1):
            nearby = best
            while nearby is not None:
                best = nearby
                beside = (max(best[1] - step, 0), best[1] + step)
                cheaper = min((cost(guessed), guessed) for guessed in beside)
                nearby = cheaper if cheaper < best else None
        return best

    def walk(self, parameters):
        """The optimistic attack over a grid of guessed coordinates, refined twice."""
        cost = hybrid_cost(parameters, mitm=True, babai=False)
        # Multiples of 12, so of every block length up to 4.
        best = min(range(0, parameters.n * 9 // 20, 48), key=cost)
        for step in (24, 12):
            best = min((max(best - step, 0), best, best + step), key=cost)
        if parameters is not self.aware:
            best = min(range(max(best - 9, 0), best + 10, 3), key=cost)
        return cost(best), best


def hybrid_cost(parameters, mitm, babai):
    """Log2 of the cost of a hybrid attack by the guessed coordinates."""
    from estimator.lwe_primal import PrimalHybrid

    @functools.cache
    def cost(guessed):
        value = PrimalHybrid.cost_zeta(
            zeta=guessed, params=parameters, babai=babai, mitm=mitm, optimize_d=False
        )["rop"]
        return math.log2(float(value)) if value < math.inf else math.inf

    return cost


def guess_whole_blocks():
    """Lets the estimator's guesses follow the blocks of a key that `Estimator.aware` describes."""
    from estimator import lwe_primal

    unstructured = lwe_primal.guessing_set_and_hit_probability

    def guesses(guessed, distribution, weight):
        density = float(distribution._density)
        length = round(1 / density) - 1
        rotated = density ** ((1 + 1 / max(length, 1)) / 2)
        if length < 2 or abs(float(distribution.stddev) - rotated) > 1e-9:
            return unstructured(guessed, distribution, weight)
        blocks = guessed // length
        count = sum(math.comb(blocks, hit) * length**hit for hit in range(min(weight, blocks) + 1))
        return count, count / (length + 1) ** blocks

    lwe_primal.guessing_set_and_hit_probability = guesses


def read_estimates():
    if not ESTIMATES.exists():
        return {}
    with ESTIMATES.open() as file:
        return {(tuple(row[k] for k in KEY), row["attack"]): row for row in csv.DictReader(file)}


def run(document, attacks, pattern):
    """Adds what is missing to the file of estimates."""
    known = read_estimates()
    if not known:
        ESTIMATES.write_text(",".join((*KEY, "attack", "bits", "guessed")) + "\n")
    guess_whole_blocks()
    for attack in attacks:
        for key in keys(document):
            text = tuple(str(part) for part in key)
            if (text, attack) in known or pattern not in " ".join(text):
                continue
            result = Estimator(key).bits(attack)
            if result is None:
                continue
            bits, guessed = result
            with ESTIMATES.open("a") as file:
                file.write(",".join((*text, attack, f"{bits:.2f}", str(guessed))) + "\n")
            print(*text, attack, f"{bits:.2f}", guessed, flush=True)


def estimates_table(document):
    """The table of estimates in Markdown."""
    known = read_estimates()
    lines = [
        f"Lattice estimator commit {ESTIMATOR_COMMIT}. Bits; in brackets the guessed coordinates.",
        "",
        "| secret | coefficients | log2 q | log2 sigma/q | " + " | ".join(ATTACKS) + " |",
        "|---" * (4 + len(ATTACKS)) + "|",
    ]
    for key in keys(document):
        text = tuple(str(part) for part in key)
        cells = []
        for attack in ATTACKS:
            row = known.get((text, attack))
            guessed = f" ({row['guessed']})" if row and row["guessed"] != "0" else ""
            inapplicable = attack.startswith("block") and not text[0].startswith("block")
            cells.append(f"{row['bits']}{guessed}" if row else "" if inapplicable else "-")
        lines.append("| " + " | ".join((*text, *cells)) + " |")
    return lines


# Columns that every record of noise has: a title, and a field or what makes a cell of a row.
OUTPUTS = (
    ("variance", "variance"),
    ("over the model, 99.9 %", lambda row: over_model(row, "")),
)
INPUTS = (
    ("inputs", "inputs"),
    ("variance", "input_variance"),
    ("over the model, 99.9 %", lambda row: over_model(row, "input_")),
    ("failures, 200 expected", "failures"),
    ("log2 failure (at most)", lambda row: "{failure_log2} ({failure_log2_high})".format(**row)),
)


def noise_table(path, columns):
    """A record of measured noise in Markdown."""
    titles, cells = zip(*columns)
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(columns) + "|"]
    with path.open() as file:
        for row in csv.DictReader(file):
            texts = (cell(row) if callable(cell) else row[cell] for cell in cells)
            lines.append("| " + " | ".join(texts) + " |")
    return lines


def over_model(row, prefix):
    """A measured variance and its interval as shares of what the model says."""
    parts = (float(row[prefix + part]) for part in ("variance", "low", "high"))
    return "{:.3f} ({:.3f} to {:.3f})".format(*(p / float(row[prefix + "model"]) for p in parts))


def renew(page, name, lines):
    """Puts the lines between the two comments of that name in the page."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = page.read_text()
    head, rest = text.split(begin)
    _, tail = rest.split(end)
    page.write_text("\n".join((head + begin, *lines, end + tail)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("estimator", type=pathlib.Path, nargs="?")
    parser.add_argument("--attacks", default=",".join(ATTACKS))
    parser.add_argument("--keys", default="", help="only keys whose text contains this")
    arguments = parser.parse_args()
    document = tomllib.loads((HERE / "tfhe-parameters.toml").read_text())
    if arguments.estimator:
        provide_sage()
        sys.path.insert(0, str(arguments.estimator))
        head = ["git", "-C", str(arguments.estimator), "rev-parse", "HEAD"]
        commit = subprocess.run(head, capture_output=True, check=True, text=True).stdout.strip()
        if commit != ESTIMATOR_COMMIT:
            sys.exit(f"the figures are those of {ESTIMATOR_COMMIT}, not of {commit}")
        run(document, arguments.attacks.split(","), arguments.keys)
    renew(PAGE, "estimates", estimates_table(document))
    own = (("set", "set"), ("keys", "keys"), ("outputs", "outputs"), *OUTPUTS, ("norm2", "norm"))
    renew(PAGE, "noise", noise_table(NOISE, (*own, *INPUTS)))
    own = (("set", "set"), ("keys", "keys"), ("gates", "gates"), ("errors", "errors"), *OUTPUTS)
    renew(FHEW_PAGE, "noise", noise_table(FHEW_NOISE, (*own, *INPUTS)))


if __name__ == "__main__":
    main()

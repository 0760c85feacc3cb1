"""The examples run as the documentation shows, and their servers have no secret key."""

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "bindings/python/examples"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "parties")

#: What the bytes of secret keys contain.
SECRET = (b"secret key", b"FTHMCSK")

#: Runs the server of an example in a process in which no secret key can be made or read.
GUARDED = """
import runpy, sys
import fathom

def refused(*_, **__):
    raise SystemExit("the server has a secret key")

for kind in (fathom.SecretKey, fathom.tfhe.Key, fathom.wide.Key, fathom.columns.TableKey):
    kind._made = refused
script = sys.argv[1]
sys.argv = [script, "compute"]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(script, run_name="__main__")
"""


@pytest.fixture
def example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Returns an example as a module."""
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module(request.param)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_prints_what_its_page_shows(name: str, tmp_path: Path) -> None:
    page = (ROOT / "docs/python-examples.md").read_text()
    shown = re.search(rf"^python3 bindings/python/examples/{name}\.py\n```\n\n```text\n(.*?)^```$", page, re.M | re.S)
    assert shown is not None, "the page has a section with the command and its output"
    command = [sys.executable, str(FOLDER / f"{name}.py")]
    assert subprocess.check_output(command, cwd=tmp_path, text=True) == shown.group(1)


@pytest.mark.parametrize("example", NAMES, indirect=True)
def test_a_server_has_no_secret_key(example: ModuleType, tmp_path: Path) -> None:
    own, server = tmp_path / "own", tmp_path / "server"
    own.mkdir()
    server.mkdir()
    example.prepare(own, server)
    assert any(mark in (own / "secret.key").read_bytes() for mark in SECRET)
    assert (own / "secret.key").stat().st_mode & 0o077 == 0
    assert not any(mark in path.read_bytes() for path in server.iterdir() for mark in SECRET)
    secret = (own / "secret.key").rename(tmp_path / "elsewhere")
    subprocess.run([sys.executable, "-c", GUARDED, example.__file__ or ""], cwd=server, check=True)
    secret.rename(own / "secret.key")
    example.finish(own, server)


def cells() -> list[dict[str, Any]]:
    """Returns the cells with code of the notebook."""
    notebook = json.loads((FOLDER / "tour.ipynb").read_text())
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_runs(capsys: pytest.CaptureFixture[str]) -> None:
    space: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells():
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "tour.ipynb", "exec"), space)
        value = None if last is None else eval(compile(ast.Expression(last.value), "tour.ipynb", "eval"), space)
        assert value is None or "<table>" in value._repr_html_()
        printed = "".join(line for output in cell["outputs"] for line in output["text"])
        assert capsys.readouterr().out == printed

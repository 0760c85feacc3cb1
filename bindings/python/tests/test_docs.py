"""Every program of the documentation runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = ["docs/python.md", "docs/python-columns.md", "bindings/python/README.md"]


def blocks() -> list[tuple[str, int, str]]:
    """Returns the pages, lines and texts of all programs."""
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text()
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            found.append((page, text.count("\n", 0, block.start()) + 1, block.group(1)))
    return found


@pytest.mark.parametrize("page, line, program", blocks(), ids=[f"{page}:{line}" for page, line, _ in blocks()])
def test_a_program_runs(
    page: str,
    line: int,
    program: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(program, f"{page}:{line}", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out.splitlines()
    expected = re.findall(r"print\(.*#  ?(.+)$", program, re.MULTILINE)
    assert printed == expected


def test_there_are_programs() -> None:
    assert len(blocks()) >= 6

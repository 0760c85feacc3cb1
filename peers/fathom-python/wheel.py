"""Finds the wheel of the Python package of this repository, or installs it.

    python3 wheel.py find
    python3 wheel.py install PIP

The wheel is the file that the variable FATHOM_WHEEL names, or else the newest one in
`bindings/python/dist`, where `bindings/python/wheel` puts it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

BUILT = Path(__file__).resolve().parents[2] / "bindings/python/dist"


def find() -> Path | None:
    """Returns the wheel, if there is one."""
    if named := os.environ.get("FATHOM_WHEEL"):
        path = Path(named)
        return path if path.is_file() else None
    built = BUILT.glob("fathom_fhe-*.whl")
    return max(built, key=lambda path: path.stat().st_mtime, default=None)


def main(verb: str, *rest: str) -> None:
    """Prints the path of the wheel, or hands it to `pip`."""
    path = find()
    if path is None:
        sys.exit(f"there is no wheel in {BUILT}, and FATHOM_WHEEL names none")
    if verb == "find":
        print(path)
    elif verb == "install":
        [pip] = rest
        options = ["--disable-pip-version-check", "--no-index", "--force-reinstall"]
        sys.exit(subprocess.run([pip, "install", *options, path], check=False).returncode)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])

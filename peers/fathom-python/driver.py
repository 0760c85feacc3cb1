"""The driver of Fathom's Python package for `fathom.driver/2`, over the standard streams."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python_driver"))

from fathom_driver import main
from fathom_python_driver.library import FathomPython

if __name__ == "__main__":
    main(FathomPython())

"""The driver of OpenFHE's Python package for `fathom.driver/2`, over the standard streams."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python_driver"))

from fathom_driver import main
from openfhe_driver.library import OpenFhe

if __name__ == "__main__":
    main(OpenFhe())

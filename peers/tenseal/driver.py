"""The driver of TenSEAL for `fathom.driver/2`, over the standard streams."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python_driver"))

from fathom_driver import main
from tenseal_driver.library import TenSeal

if __name__ == "__main__":
    main(TenSeal())

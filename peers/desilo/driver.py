"""The driver of the DESILO FHE library for `fathom.driver/2`, over the standard streams."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python_driver"))

from desilo_driver.library import Desilo
from fathom_driver import main

if __name__ == "__main__":
    main(Desilo())

"""OpenFHE behind the interfaces of `fathom_driver`."""

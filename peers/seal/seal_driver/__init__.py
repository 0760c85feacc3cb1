"""Microsoft SEAL behind the interfaces of `fathom_driver`."""

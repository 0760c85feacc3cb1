"""The DESILO FHE library behind the interfaces of `fathom_driver`."""

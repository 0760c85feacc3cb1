"""Encrypted vectors of Fathom's Python package as sessions of a driver."""

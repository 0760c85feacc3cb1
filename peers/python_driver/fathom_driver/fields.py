"""Reads the fields of a request, each with its type and range, or refuses the request."""

from __future__ import annotations

import math
from typing import Any

from .refusal import bad_request

_REQUIRED: Any = object()


class Fields:
    """The fields of one JSON object. A field that is null counts as absent."""

    def __init__(self, value: Any, what: str = "the request") -> None:
        if not isinstance(value, dict):
            raise bad_request(f"{what} must be a JSON object")
        self._fields = value

    def raw(self, name: str, default: Any = _REQUIRED) -> Any:
        """Returns the field unchecked."""
        value = self._fields.get(name)
        if value is not None:
            return value
        if default is _REQUIRED:
            raise bad_request(f"the field `{name}` is missing")
        return default

    def text(self, name: str, default: Any = _REQUIRED) -> Any:
        """Returns a string."""
        value = self.raw(name, default)
        if value is not default and not isinstance(value, str):
            raise bad_request(f"`{name}` must be a string")
        return value

    def integer(self, name: str, default: Any = _REQUIRED, *, least: int = 0) -> Any:
        """Returns an integer of at least `least`."""
        value = self.raw(name, default)
        if value is not default and not (_is_integer(value) and value >= least):
            raise bad_request(f"`{name}` must be an integer of at least {least}")
        return value

    def flag(self, name: str) -> bool:
        """Returns a truth value, which may also be written as 0 or 1; false if absent."""
        value = self.raw(name, False)
        if value not in (False, True):
            raise bad_request(f"`{name}` must be true or false")
        return bool(value)

    def integers(self, name: str, default: Any = _REQUIRED) -> Any:
        """Returns a list of integers."""
        value = self.raw(name, default)
        if value is not default and not _is_list_of(value, _is_integer):
            raise bad_request(f"`{name}` must be a list of integers")
        return value

    def numbers(self, name: str, default: Any = _REQUIRED) -> Any:
        """Returns a list of finite numbers."""
        value = self.raw(name, default)
        if value is not default and not _is_list_of(value, _is_number):
            raise bad_request(f"`{name}` must be a list of finite numbers")
        return value

    def input_sets(self, name: str) -> list[list[int]]:
        """Returns a list of lists of handles."""
        value = self.raw(name)
        if not _is_list_of(value, lambda handles: _is_list_of(handles, _is_integer)):
            raise bad_request(f"`{name}` must be a list of lists of handles")
        return value

    def object(self, name: str, default: Any = _REQUIRED) -> Fields:
        """Returns the fields of an object."""
        return Fields(self.raw(name, default), f"`{name}`")


def _is_integer(value: Any) -> bool:
    return type(value) is int  # not isinstance: a truth value is no integer


def _is_number(value: Any) -> bool:
    return _is_integer(value) or (type(value) is float and math.isfinite(value))


def _is_list_of(value: Any, is_member: Any) -> bool:
    return isinstance(value, list) and all(map(is_member, value))

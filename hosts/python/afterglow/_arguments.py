"""What callers pass, checked: TypeError for a wrong type, ValueError for a wrong value; both say what was expected."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import difflib
import itertools
import math
import operator
import os
from typing import Any, Iterable, Mapping

import numpy as np

INT32, UINT32, UINT64 = (-2**31, 2**31 - 1), (0, 2**32 - 1), (0, 2**64 - 1)


def shown(value: Any) -> str:
    """A value for a message: short, and also where `repr` raises, as it does for integers of 4300 digits."""
    try:
        text = f"an array of {value.dtype} {value.shape}" if isinstance(value, np.ndarray) else repr(value)
    except Exception:  # of any class: it is the caller's
        return f"a value of {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."


def listed(known: Iterable[str], given: Any) -> str:
    """Names for a message about another one, with the one that was meant."""
    known = list(known)
    near = difflib.get_close_matches(given, known, 1) if isinstance(given, str) and len(given) <= 80 else []
    return " ".join(known) + (f"; did you mean {near[0]}?" if near else "")


def integer(label: str, value: Any, limits: tuple[int, int], expected: str = "an int") -> int:
    """An int within the limits. A bool is none: it is an argument in the wrong place."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{label} is {shown(value)}; expected {expected}") from None
    if not limits[0] <= number <= limits[1]:
        raise ValueError(f"{label} is {shown(number)}; expected {limits[0]} .. {limits[1]}")
    return number


def integers(label: str, value: Any, count: int, limits: tuple[int, int], expected: str) -> tuple[int, ...]:
    """So many ints, of a sequence or an array."""
    try:
        values = () if isinstance(value, (str, bytes, Mapping)) else tuple(itertools.islice(value, count + 1))
    except TypeError:
        values = ()
    if len(values) != count:
        raise TypeError(f"{label} is {shown(value)}; expected {expected}")
    return tuple(integer(label, one, limits, expected) for one in values)


def number(label: str, value: Any) -> float:
    """A float, of everything that is a number; what no double holds is infinite. The module judges the value."""
    try:
        if isinstance(value, (str, bytes, bytearray)) or getattr(value, "ndim", 0):
            raise TypeError
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError):
        raise TypeError(f"{label} takes a number, got {shown(value)}") from None


def flag(label: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{label} is {shown(value)}; expected True or False")
    return bool(value)


def text(label: str, value: Any, expected: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{label} is {shown(value)}; expected {expected}")
    return value


def path(label: str, value: Any) -> bytes:
    try:
        name = os.fsencode(value)
    except (TypeError, ValueError):
        raise TypeError(f"{label} is {shown(value)}; expected a path") from None
    if not name or b"\0" in name:
        raise ValueError(f"{label} is {shown(value)}; expected a path")
    return name

#!/usr/bin/env python3
"""check_python.py - the Python package's structs, constants and signatures against the headers, by its own test

    check_python.py          needs numpy and pytest, and a C compiler; AFTERGLOW_LIBRARY names the library

`tests/run hosts` runs all tests of hosts/python, installed; this one is short, and a change of a header makes it fail.
Exit status 77, skipped: numpy or pytest is missing.
"""
# SPDX-License-Identifier: MIT
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "hosts" / "python"


def has_both(python):
    try:
        return subprocess.run([python, "-c", "import numpy, pytest"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


# Debian's packages are for its own Python, which need not be the first of the PATH.
python = next(filter(has_both, (sys.executable, "/usr/bin/python3")), None)
if not python:
    print("skipped: Python has no numpy or no pytest")
    sys.exit(77)
program = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
words = [python, "-B", "-c", program, "-q", "-p", "no:cacheprovider", str(PACKAGE / "tests" / "test_abi.py")]
sys.exit(subprocess.run(words, check=False).returncode)

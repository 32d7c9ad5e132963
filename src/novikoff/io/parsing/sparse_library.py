"""Import scipy.sparse without the packages of NumPy that it copies and nobody uses.

SciPy copies NumPy's namespace with all that it names, packages included, and so imports each of them: f2py (compilers
of Fortran) and testing take half of the time of `import scipy.sparse`. While it is imported, NumPy names for them what
imports the package when something of it is used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

UNUSED = ("f2py", "testing", "ma", "polynomial", "ctypeslib")


class _Later(ModuleType):
    """A package that is imported when something of it is used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def sparse_library() -> Any:
    """Return the module scipy.sparse."""
    if "scipy.sparse" not in sys.modules:
        import numpy

        names = vars(numpy)
        later = {name: _Later(f"numpy.{name}") for name in UNUSED if name not in names}
        names.update(later)
        try:
            import_module("scipy.sparse")
        finally:
            for name, package in later.items():
                if names.get(name) is package:  # else it was imported
                    del names[name]
    return sys.modules["scipy.sparse"]

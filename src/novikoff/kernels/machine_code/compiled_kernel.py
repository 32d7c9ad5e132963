"""A kernel that Python calls: its machine code from the cache without Numba, or else Numba's dispatcher.

call → signature of the arguments → loaded before?   call it
                                  → in the cache?    load it (object_files), call it
                                  → otherwise        Numba's dispatcher, which compiles; its code is then stored
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

from novikoff.kernels.machine_code import object_files
from novikoff.kernels.machine_code.argument_types import signature_of, type_name
from novikoff.kernels.machine_code.object_loader import KernelObject

Taken = Callable[[Any, tuple[Any, ...]], KernelObject | None]  # (dispatcher, arguments) → the code that was called


class CompiledKernel:
    """A kernel with machine code for each signature of its arguments."""

    def __init__(
        self, function: FunctionType, make: Callable[[], Any], taken: Taken, timed: Callable[..., Any]
    ) -> None:
        self.function = function  # interpreted, its row operations substituted
        self.loaded = 0  # signatures whose code came from the cache
        self._make, self._taken, self._timed = make, taken, timed
        self._code: dict[tuple[Any, ...], Any] = {}  # by signature
        self._by_types: dict[tuple[str, ...], Any] = {}  # several signatures may have the same types
        self._absent: set[tuple[Any, ...]] = set()  # signatures that are not in the cache
        self._lock = threading.RLock()
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """Call the machine code for these arguments."""
        signature = signature_of(args)
        code = self._code.get(signature)
        if code is None:
            code = self._code_for(signature, args)
        return code(*args)

    @property
    def signatures(self) -> int:
        """For how many signatures there is machine code in this process."""
        return len(self._by_types)

    def if_cached(self, otherwise: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that calls machine code if it is in the cache, or else `otherwise`; nothing is compiled."""

        def call(*args: Any) -> Any:
            signature = signature_of(args)
            code = self._code.get(signature)
            if code is None and signature not in self._absent:
                code = self._code_for(signature, args)
                if signature not in self._code:
                    self._absent.add(signature)
                    code = None
            return (otherwise if code is None else code)(*args)

        return call

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's dispatcher of this kernel."""
        with self._lock:
            return self._make()

    def __getattr__(self, name: str) -> Any:
        """Everything else is the dispatcher's: statistics, the compiler's intermediate code."""
        if name.startswith("_") or name == "dispatcher":
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def _code_for(self, signature: tuple[Any, ...], args: tuple[Any, ...]) -> Any:
        """Find the code for a signature that is called for the first time."""
        with self._lock:
            if signature in self._code:
                return self._code[signature]
            types = tuple(filter(None, map(type_name, args)))
            if len(types) < len(args) or len(args) != self.function.__code__.co_argcount:
                return lambda *args: self.dispatcher(*args)  # not plainly known; decided anew at each call
            found = self._by_types.get(types) or self._timed(object_files.find, self.function, types)
            if found is None:
                return functools.partial(self._first_call, signature, types)
            self.loaded += types not in self._by_types
            self._by_types[types] = self._code[signature] = found
            return found

    def _first_call(self, signature: tuple[Any, ...], types: tuple[str, ...], *args: Any) -> Any:
        """Call the dispatcher, which compiles, and store the code that it used."""
        result = self.dispatcher(*args)
        self._by_types[types] = self._code[signature] = self.dispatcher
        stored = self._taken(self.dispatcher, args)
        if stored is not None:
            object_files.save(self.function, types, stored)
        return result

"""Load the machine code of a kernel with llvmlite's loader (MCJIT), without importing Numba.

The object that Numba's compiler makes contains the function that Python calls: it converts the arguments, calls the
kernel and converts the result. What it needs from outside are functions of Python, of the C library, and of three C
modules of Numba, which are loaded as files, so that the package numba is not run. LLVM ends the process if an object is
damaged: only intact objects from a safe folder come here (see cache_folders).
"""

from __future__ import annotations

import builtins
import ctypes
import functools
import importlib
import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from typing import Any, NamedTuple


class KernelObject(NamedTuple):
    """Machine code of one kernel for one signature."""

    wrapper: str  # the symbol of the function that Python calls
    environments: list[str]  # symbols of pointers that must not be null
    needs: list[str]  # symbols that the object does not define
    code: bytes


@functools.cache
def numba_folder() -> Path:
    """Return the folder of the package numba, without importing it."""
    spec = importlib.util.find_spec("numba")
    if spec is None or not spec.submodule_search_locations:
        raise LookupError("numba")
    return Path(spec.submodule_search_locations[0])


@functools.cache
def llvm() -> Any:
    """Return llvmlite's binding, initialized once for the process."""
    import llvmlite.binding

    llvmlite.binding.initialize_native_target()
    llvmlite.binding.initialize_native_asmprinter()  # without it LLVM ends the process
    return llvmlite.binding


@functools.cache
def extension(name: str) -> Any:
    """Return a C module of Numba: the one in use, or else loaded from its file."""
    if "numba" in sys.modules:
        return importlib.import_module(f"numba.{name}")
    path = str(numba_folder().joinpath(*name.split("."))) + importlib.machinery.EXTENSION_SUFFIXES[0]
    loader = importlib.machinery.ExtensionFileLoader(name.rpartition(".")[2], path)
    spec = importlib.util.spec_from_loader(loader.name, loader)
    if spec is None:
        raise LookupError(path)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@functools.cache
def helpers() -> dict[str, int]:
    """Return the addresses of Numba's C functions and of Python's exceptions, by symbol."""
    runtime = extension("core.runtime._nrt_python")
    if "numba" not in sys.modules:
        runtime.memsys_use_cpython_allocator()
    known = {name if name.startswith("_") else f"NRT_{name}": at for name, at in runtime.c_helpers.items()}
    for module in ("_helperlib", "_dynfunc"):
        known |= {f"numba_{name}": at for name, at in extension(module).c_helpers.items()}
    known["_Py_NoneStruct"] = id(None)
    return known | {
        f"PyExc_{name}": id(kind)
        for name, kind in vars(builtins).items()
        if isinstance(kind, type) and issubclass(kind, BaseException)
    }


def load(name: str, stored: KernelObject) -> Any:
    """Return the kernel as a Python function; raise LookupError if something that it needs is missing.

    Each object has its own engine: in one engine a repeated symbol would silently mean the later one.
    """
    binding, known = llvm(), helpers()
    target = binding.Target.from_triple(binding.get_process_triple()).create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target)
    for symbol in stored.needs:  # the loader itself says nothing about a missing symbol
        if symbol in known:
            binding.add_symbol(symbol, known[symbol])
        elif not binding.address_of_symbol(symbol):
            raise LookupError(symbol)
    engine.add_object_file(binding.ObjectFileRef.from_data(stored.code))
    engine.finalize_object()
    address = engine.get_function_address(stored.wrapper)
    places = [engine.get_global_value_address(symbol) for symbol in stored.environments]
    if not address or not all(places):
        raise LookupError(stored.wrapper)
    functions = extension("_dynfunc")
    environment = functions.Environment({"__name__": __name__})
    for place in places:
        ctypes.c_void_p.from_address(place).value = id(environment)
    kept = engine, environment
    return functions.make_function(sys.modules[__name__], name, "compiled kernel", address, environment, kept)

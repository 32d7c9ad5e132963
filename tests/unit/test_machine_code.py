"""Machine code from the cache without Numba: which code belongs to a call, damaged and foreign files, results."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from damage.another_user import NOBODY, as_root, posix
from novikoff.kernels import compile as compiler
from novikoff.kernels import dense, dense32, sparse
from novikoff.kernels.machine_code import elf_symbols, kernel_identity, object_files
from novikoff.kernels.machine_code.argument_types import signature_of, type_name
from novikoff.kernels.machine_code.kernel_identity import UnknownError, identity_of
from novikoff.kernels.machine_code.object_loader import KernelObject
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.perceptron import passes

Pair = namedtuple("Pair", "a b")
Other = namedtuple("Other", "a b")
MATRIX = np.zeros((3, 4))


def frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


VALUES: list[Any] = [
    0, 5, -(2**61), True, 1.5, None, np.float64(1), np.float32(1), np.int64(1), np.int32(1), np.uint64(1), np.bool_(1),
    *(np.zeros(2, kind) for kind in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")),
    MATRIX, MATRIX.T, MATRIX[:, ::2], MATRIX[:1], np.zeros((0, 4)), np.zeros((2, 2, 2)), np.zeros(()), MATRIX[0],
    MATRIX[:, 0], frozen(np.zeros((3, 4))), frozen(np.zeros(2, "f4")), np.frombuffer(b"12345678901234567", "u1")[1:],
    (1, 2), (1, 2.0), (1.0, 2.0), (1, 2, 3), (), (MATRIX, (1, 2)),
    Pair(1, 2), Pair(1.0, 2), Other(1, 2), (MATRIX[0], np.zeros(3, "i4"), np.zeros(3, "i8")),
]  # fmt: skip


@pytest.mark.compiled
def test_two_values_have_one_name_if_and_only_if_numba_gives_them_one_type() -> None:
    from numba import typeof

    names, types = [type_name(value) for value in VALUES], [typeof(value) for value in VALUES]
    assert None not in names
    for first, one in zip(names, types, strict=True):
        for second, other in zip(names, types, strict=True):
            assert (first == second) == (one == other), (one, other)
    arrays = [(name, str(kind)) for name, kind in zip(names, types, strict=True) if str(kind).endswith(("C)", "A)"))]
    assert len(arrays) > 15
    assert all(name == kind for name, kind in arrays if "Tuple" not in kind)


def test_values_of_one_signature_have_one_name() -> None:
    names: dict[Any, Any] = {}
    for value in VALUES:
        assert names.setdefault(signature_of((value,)), type_name(value)) == type_name(value)
    assert signature_of((MATRIX[:2],)) == signature_of((MATRIX,))  # whether memory is its own makes no type


@pytest.mark.parametrize(
    "value",
    [2**62, -(2**62), 2**64, "text", b"bytes", [1], {}, len, object(), np.zeros(2, ">f8"), np.zeros(2, "f2"), 1j,
     np.zeros(2, "c16"), np.zeros(2, "M8[s]"), np.zeros(2, "U3"), np.zeros(2, [("a", "f8")]), np.ma.zeros(3),
     MATRIX.view(type("Array", (np.ndarray,), {})), (1, "text"), Pair(1, len), np.float16(1),
     np.frombuffer(bytearray(17), "u1")[1:].view("f8"),
     type("Tuple", (tuple,), {})((1, 2))],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_a_value_that_is_not_plainly_known_has_no_name(value: Any) -> None:
    assert type_name(value) is None


# ---- what the code of a kernel depends on

STEP, TABLE = 2, np.arange(3.0)


@kernel(EXACT)
def leaf(x):  # type: ignore[no-untyped-def]
    return x + STEP


@kernel(EXACT)
def caller(x):  # type: ignore[no-untyped-def]
    return leaf(x) * TABLE[1]


def made(n: Any) -> Callable[..., Any]:
    @kernel(FAST)
    def inner(x):  # type: ignore[no-untyped-def]
        return x + n

    return inner


def identity(function: Any, storage: Any = None) -> str:
    plain = compiler.bind.__wrapped__(function, storage or sys.modules[__name__], False)
    assert isinstance(plain, FunctionType)
    return identity_of(plain)


def leaf_again(x):  # type: ignore[no-untyped-def]
    return x - STEP


@pytest.mark.parametrize("change", ["leaf", "number", "table", "flags", "default"])
def test_whatever_a_kernel_uses_is_part_of_its_identity(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler.bind.cache_clear()
    before = identity(caller)
    assert identity(caller) == before
    if change == "leaf":
        monkeypatch.setattr(leaf, "__code__", leaf_again.__code__)
    if change == "number":
        monkeypatch.setattr(sys.modules[__name__], "STEP", 2.0)
    if change == "table":
        monkeypatch.setattr(sys.modules[__name__], "TABLE", np.array([0.0, -0.0, 2.0]))
    if change == "flags":
        monkeypatch.setattr(leaf, "__kernel_flags__", FAST)
    if change == "default":
        monkeypatch.setattr(leaf, "__defaults__", (1,))
    compiler.bind.cache_clear()
    assert identity(caller) != before
    compiler.bind.cache_clear()


def test_closures_and_storages_have_identities_of_their_own() -> None:
    assert len({identity(made(n)) for n in (1, 2, True, 1.0, -0.0, 0.0, None, (1, 2))}) == 8
    assert identity(made(1)) == identity(made(1))
    variants = [passes.make(order, first, False) for order in (0, 1) for first in (True, False)]
    found = [identity(variant, storage) for variant in variants for storage in (dense, dense32, sparse)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("thing", [object(), {}, np.array([object()]), os, type("Local", (), {})])
def test_a_kernel_that_uses_something_unknown_has_no_identity(thing: Any) -> None:
    with pytest.raises(UnknownError):
        identity(made(thing))


def test_settings_and_sources_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Binding:
        get_process_triple = staticmethod(lambda: "x86_64-unknown-linux-gnu")
        get_host_cpu_name = staticmethod(lambda: "znver3")
        get_host_cpu_features = staticmethod(lambda: type("Features", (), {"flatten": lambda self: "+avx"})())

    (tmp_path / "_version.py").write_text("numba 1")
    assert {"znver3", "+avx", "numba 1", sys.version} < set(kernel_identity.machine(Binding, tmp_path))
    monkeypatch.chdir(tmp_path)
    before = kernel_identity.settings()
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    assert kernel_identity.settings() == before
    monkeypatch.setenv("NUMBA_SOMETHING", "1")
    assert kernel_identity.settings() == [*before, ("NUMBA_SOMETHING", "1")]
    (tmp_path / ".numba_config.yaml").write_text("opt: 0")
    with pytest.raises(UnknownError):
        kernel_identity.settings()
    monkeypatch.setattr(kernel_identity, "PACKAGE", str(tmp_path))
    with pytest.raises(UnknownError):
        kernel_identity.sources.__wrapped__()


# ---- files

PROGRAM = """
import sys
import numpy as np
from novikoff.kernels.compile import bind
from novikoff.kernels import dense
square = bind(dense.square, dense)
print([square(np.full((1, 2), 3, kind), 0) for kind in ("f8", "i1")], square.loaded, "numba" in sys.modules)
"""
COMPILED, LOADED = "[18.0, 18.0] 0 True", "[18.0, 18.0] 2 False"


def run_python(source: str, cache: Path, **more: str) -> str:
    """What a program prints, with this folder as its cache."""
    env = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"} | {"NUMBA_CACHE_DIR": str(cache)} | more
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a cache with one kernel for two signatures."""
    folder = tmp_path_factory.mktemp("filled")
    assert run_python(PROGRAM, folder) == COMPILED
    assert run_python(PROGRAM, folder) == LOADED
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def cache(filled: dict[str, bytes], tmp_path: Path) -> Path:
    """A copy of that cache."""
    for name, content in filled.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o600)
    return tmp_path


def objects(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.nko"))


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :]


def in_the_mark(content: bytes, other: bytes) -> bytes:
    return flipped(content, 3)


def in_the_head(content: bytes, other: bytes) -> bytes:
    return flipped(content, content.index(b"\n") - 5)


def in_the_checksum(content: bytes, other: bytes) -> bytes:
    return flipped(content, content.index(b"\n") + 5)


def in_the_symbols(content: bytes, other: bytes) -> bytes:
    return flipped(content, content.index(b"_ZN7cpython") + 3)


def in_the_code(content: bytes, other: bytes) -> bytes:
    return flipped(content, (len(content) + content.index(b"\x7fELF")) // 2)


def in_the_last_byte(content: bytes, other: bytes) -> bytes:
    return flipped(content, len(content) - 1)


def truncated(content: bytes, other: bytes) -> bytes:
    return content[:-1]


def cut_in_the_head(content: bytes, other: bytes) -> bytes:
    return content[:40]


def emptied(content: bytes, other: bytes) -> bytes:
    return b""


def of_another_signature(content: bytes, other: bytes) -> bytes:
    return other


DAMAGES = [
    in_the_mark, in_the_head, in_the_checksum, in_the_symbols, in_the_code, in_the_last_byte, truncated,
    cut_in_the_head, emptied, of_another_signature,
]  # fmt: skip


@pytest.mark.compiled
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_object_is_not_loaded_and_is_replaced(
    damage: Callable[[bytes, bytes], bytes], cache: Path, filled: dict[str, bytes]
) -> None:
    first, second = objects(cache)
    first.write_bytes(damage(first.read_bytes(), second.read_bytes()))
    assert run_python(PROGRAM, cache) == "[18.0, 18.0] 1 True"
    assert first.read_bytes() == filled[first.name]


@posix
@pytest.mark.compiled
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_an_object_that_others_may_write_to_is_not_loaded(mode: int, cache: Path) -> None:
    for path in objects(cache):
        path.chmod(mode)
    assert run_python(PROGRAM, cache) == COMPILED


@as_root
@pytest.mark.compiled
def test_an_object_of_another_user_is_not_loaded(cache: Path) -> None:
    os.chown(objects(cache)[0], NOBODY, NOBODY)
    assert run_python(PROGRAM, cache) == "[18.0, 18.0] 1 True"


@pytest.mark.compiled
def test_two_processes_at_once_leave_whole_files(tmp_path: Path) -> None:
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, env=env) for _ in range(2)
    ]
    assert all(process.communicate()[0].startswith("[18.0, 18.0]") and not process.returncode for process in both)
    assert run_python(PROGRAM, tmp_path) == LOADED
    assert not list(tmp_path.glob(".*"))


@pytest.mark.compiled
def test_other_settings_of_numba_have_files_of_their_own(cache: Path) -> None:
    assert run_python(PROGRAM, cache, NUMBA_OPT="1") == COMPILED
    assert run_python(PROGRAM, cache, NUMBA_OPT="1") == LOADED
    changed = "import numba; numba.config.OPT = numba.core.config._OptLevel(0)\n" + PROGRAM
    for path in cache.iterdir():
        path.unlink()
    assert run_python(changed, cache).startswith("[18.0, 18.0] 0")
    assert objects(cache) == []  # a setting that the next process does not have


def test_a_table_of_symbols_is_read_and_damage_is_an_error() -> None:
    with pytest.raises(ValueError, match="not a 64-bit"):
        elf_symbols.symbols(b"\xcf\xfa\xed\xfe" + bytes(100))
    for content in (b"\x7fELF\x02\x01", b"\x7fELF\x02\x01" + b"\xff" * 200):
        with pytest.raises(ValueError, match="damaged ELF"):
            elf_symbols.symbols(content)


def test_a_kernel_object_is_packed_and_unpacked() -> None:
    stored = KernelObject("wrapper", ["e"], ["memset"], b"\x7fELF\n\n\0")
    assert object_files.unpacked(object_files.packed(stored)) == stored


# ---- results

KERNELS = """
import numpy as np
from novikoff.kernels.mark import EXACT, kernel

@kernel(EXACT)
def nothing(a):
    a[0] += 1.0

@kernel(EXACT)
def truth(a):
    return a[0] > 0.5

@kernel(EXACT)
def integer(a):
    return a.size - 9

@kernel(EXACT)
def unsigned(a):
    return np.uint64(2**64 - 1)

@kernel(EXACT)
def single(a):
    return np.float32(a[0])

@kernel(EXACT)
def double(a):
    return a[0] / 3.0

@kernel(EXACT)
def several(a):
    return a.size, a[0], a[0] > 5.0, (1, 2.5)

@kernel(EXACT)
def allocated(a):
    b = np.zeros(a.size)
    for i in range(a.size):
        b[i] = a[i] + 1.0
    return b.sum() + a[a.size - 1]

@kernel(EXACT)
def array(a):
    return a + 1.0

@kernel(EXACT)
def failing(a):
    if a[0] > 0.0:
        raise ValueError("positive")
    return 0
"""
RESULTS = """
import sys, threading
import numpy as np
import kernels_of_test as k
from novikoff.kernels.compile import bind
names = ("nothing", "truth", "integer", "unsigned", "single", "double", "several", "allocated")
bound = {name: bind(getattr(k, name), k) for name in names}
def plain(value):
    return tuple(map(plain, value)) if type(value) is tuple else value if value is None else float(value)
def call():
    for _ in range(50):
        for name, kernel in bound.items():
            a, b = np.array([1.0, 2.0]), np.array([1.0, 2.0])
            found, expected = kernel(a), getattr(k, name)(b)
            assert plain(found) == plain(expected), (name, found, expected)
            assert (a == b).all()
call()
threads = [threading.Thread(target=call) for _ in range(3)]
[t.start() for t in threads]; [t.join() for t in threads]
print(sum(kernel.loaded for kernel in bound.values()), "numba" in sys.modules)
array, failing = bind(k.array, k), bind(k.failing, k)
print(array(np.ones(2)), array.loaded)
assert failing(np.zeros(2)) == 0
try: failing(np.ones(2))
except ValueError as error: print(error)
import numba
call()
print(numba.njit(lambda x: x + 1)(2), bind(k.double, k).loaded)
"""


@pytest.mark.compiled
def test_loaded_kernels_return_what_the_interpreter_returns(tmp_path: Path) -> None:
    """Numbers, tuples of numbers and nothing; arrays need Numba. Errors are raised; Numba may be imported later."""
    (tmp_path / "kernels_of_test.py").write_text(KERNELS)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    cache = tmp_path / "cache"
    rest = ["[2. 2.] 0", "positive"]
    assert run_python(RESULTS, cache, PYTHONPATH=path).splitlines() == ["0 True", *rest, "3 0"]
    assert run_python(RESULTS, cache, PYTHONPATH=path).splitlines() == ["8 False", *rest, "3 1"]
    assert not list(cache.glob("*.array.*.nko"))

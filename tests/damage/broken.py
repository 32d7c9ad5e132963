"""Files of every format, models and checkpoints, damaged at random and given to the verbs; a program of its own.

    python broken.py SEED CASES     prints {"codes": {CODE: COUNT}, "kinds": {KIND: [ANSWERS, REFUSALS]}, "faults": […]}

What may happen: an answer (then the numbers read are those of a slow reader, where there is one), or one clear line
that names the file, exit 3 and nothing written. A case is a pure function of seed and number; the number under way
stands in the file `case`. Memory is limited, and a case that does not end ends the program with its stack.
"""

from __future__ import annotations

import bz2
import faulthandler
import gzip
import json
import lzma
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
    sys.path[:] = [place for place in sys.path if Path(place or ".").resolve() != Path(__file__).resolve().parent]

import numpy as np

import novikoff as nv
from commands import novikoff
from damage import BYTES, PLAIN, TEXTS, forged
from novikoff.io.reader import read
from oracles.plain_points import read_plain

SECONDS, ROOM = 300, 3 << 29  # for a case; bytes more than the program has at its beginning
MAILS = [("spam", "free cash now"), ("ham", "see you at lunch"), ("spam", "cash prize"), ("ham", "lunch at noon")]
SLOW = (".svm", ".csv")  # formats that the checker's reader reads too


def _zst(data: bytes) -> bytes:
    import zstandard

    return bytes(zstandard.compress(data))


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0), ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": _zst,
}  # fmt: skip
TEXT_FILES = ("i.svm", "i.csv", "q.csv", "m.tsv")
PACKED_FILES = tuple(name + ending for name in TEXT_FILES for ending in PACKERS)
BINARY_FILES = ("i.npz", "s.npz", "i.parquet", "m.parquet", "i.arrow")
MODELS = ("i.nvk", "m.nvk", "v.nvk")
KINDS = (*TEXT_FILES, *PACKED_FILES, *BINARY_FILES, *MODELS, "state")


# ---- good files ----------------------------------------------------------------------------------------------------


def make_files() -> None:
    """Good files of every kind in this folder."""
    import pyarrow
    import pyarrow.parquet

    X, _ = nv.example("iris")
    X, y = X[:40:3], np.repeat([1, 2], 7)
    np.savez("i.npz", X=X, y=y)
    np.savez("s.npz", data=X.ravel(), indices=np.tile(np.arange(4), 14), indptr=np.arange(0, 57, 4), shape=X.shape, y=y)
    for name in ("i.csv", "i.svm"):
        assert novikoff("convert", "i.npz", name)[0] == 0
    Path("q.csv").write_text('a,b,label\n1,"2",x\n3,"4",y\n"5",6,"x, or\nelse"\n')
    Path("m.tsv").write_text("".join(f"{label}\t{text}\n" for label, text in MAILS))
    for name, ending in ((name, ending) for name in TEXT_FILES for ending in PACKERS):
        Path(name + ending).write_bytes(PACKERS[ending](Path(name).read_bytes()))
    table = pyarrow.table({f"x{j}": X[:, j] for j in range(4)} | {"label": y})
    pyarrow.parquet.write_table(table, "i.parquet", row_group_size=5)
    words = pyarrow.table({"label": [label for label, _ in MAILS], "text": [text for _, text in MAILS]})
    pyarrow.parquet.write_table(words, "m.parquet", compression="zstd")
    with pyarrow.OSFile("i.arrow", "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=5)
    _make_models()


def _make_models() -> None:
    for model, args in {
        "i.nvk": ("i.csv", "--scale", "--checkpoint", "state"),
        "m.nvk": ("m.tsv", "--label", "1", "--text", "2", "--tfidf"),
        "v.nvk": ("i.svm", "--keep", "vote"),
        "q.nvk": ("q.csv",),
        "p.nvk": ("m.parquet", "--text", "text"),
    }.items():
        code, _, err = novikoff("fit", *args, "--max-passes", "3", "-o", model, "--quiet")
        assert code == 0, err


# ---- a case --------------------------------------------------------------------------------------------------------


def bytes_for(name: str, chance: random.Random) -> bytes:
    """The bytes of a file, damaged; of a packed text, before it is packed or after."""
    data = Path(name).read_bytes()
    if name.endswith((".nvk", ".ckpt")):
        forge = name.endswith(".nvk") and chance.random() < 0.2
        return forged(chance, data) if forge else chance.choice(BYTES)(chance, data)
    stem, ending = os.path.splitext(name)
    if ending in PACKERS and stem in TEXT_FILES and chance.random() < 0.3:
        return PACKERS[ending](chance.choice(TEXTS)(chance, Path(stem).read_bytes()))
    ways = TEXTS if name in TEXT_FILES else PLAIN
    for _ in range(chance.choice([1, 1, 1, 2])):
        data = chance.choice(ways)(chance, data or b"\0")
    return data


def damaged(kind: str, bad: Path, chance: random.Random) -> bool:
    """A damaged copy of a file or folder; whether anything is other than before."""
    if kind == "state":
        shutil.copytree(kind, bad)
        files = sorted(path for path in bad.rglob("*") if path.is_file())
        hit = chance.choice(files)
        before = hit.read_bytes()
        if chance.random() < 0.05:
            hit.unlink()
            return True
        hit.write_bytes(bytes_for(str(Path(kind, hit.relative_to(bad))), chance))
        return hit.read_bytes() != before
    bad.write_bytes(bytes_for(kind, chance))
    return bad.read_bytes() != Path(kind).read_bytes()


def model_for(kind: str) -> str:
    """A model that the rows of a file are for."""
    stem = kind.partition(".")[0]
    if stem == "m":
        return "p.nvk" if kind == "m.parquet" else "m.nvk"
    if stem == "q":
        return "q.nvk"
    return "i.nvk"


def request(kind: str, bad: str, chance: random.Random) -> tuple[str, ...]:
    """A command about a damaged file."""
    if kind == "state":
        return (
            "fit",
            "i.csv",
            "--scale",
            "--checkpoint",
            bad,
            "--resume",
            "--max-passes",
            "3",
            "-o",
            "out.nvk",
            "--quiet",
        )
    if kind in MODELS:
        rows = {"m.nvk": "m.tsv", "v.nvk": "i.svm"}.get(kind, "i.csv")
        ways = (("predict", bad, rows, "-o", "out.txt"), ("evaluate", bad, rows), ("explain", bad, rows, "--row", "2"))
        return chance.choice((*ways, ("explain", bad)))
    more = chance.choice(((), (), ("--one-hot",), ("--scale",), ("--missing", "drop")))
    if "--one-hot" in more and not re.search(r"\.(csv|tsv|parquet|arrow|feather)\b", kind):
        more = ()
    if kind.startswith("m."):
        more = {"m.tsv": ("--label", "1", "--text", "2"), "m.parquet": ("--text", "text")}.get(
            kind if kind == "m.parquet" else kind[:5], ()
        )
    fit = ("fit", bad, "--max-passes", "3", "-o", "out.nvk", "--quiet", *more)
    model = model_for(kind)
    ways = (fit, fit, ("predict", model, bad, "-o", "out.txt"), ("evaluate", model, bad), ("convert", bad, "out.npz"),
            ("convert", bad, "out.csv"))  # fmt: skip
    if kind in ("i.svm", "i.csv"):
        ways += (("certify", bad, "-o", "out.json"), ("separation", bad), ("margin", bad), ("cv", bad, "--folds", "2"))
    return chance.choice(ways)


ERROR = "novikoff: error: "
FINE = re.compile(  # what else may be said on stderr
    r"wrote out|.*rows? with a missing number, category or label (was|were) left out"
    r"|.*is taken as a class|[0-9,]+ numbers? (?:is|are) in columns|column .* unknown category"
    r"|.*the model knows no names of columns|.*(column is|columns are) ignored, which the model does not have|hint   "
    r"|.*a missing value and a blank line|.*is not UTF-8|novikoff: compiling for this CPU"
)


def fault(kind: str, command: tuple[str, ...], bad: str, changed: bool, before: set[str]) -> tuple[int, str | None]:
    """The exit code of a command, and what is wrong with how it ended."""
    code, out, err = novikoff(*command)
    lines = err.splitlines()
    errors = [line for line in lines if line.startswith(ERROR)]
    left = {path.name for path in Path().iterdir()} - before
    if code == 3:
        if len(errors) != 1 or len(lines) - 1 > sum(bool(FINE.match(line)) for line in lines):
            return code, f"not one line: {err!r}"
        if not any(name in errors[0] for name in ("bad-", "out.", "--", "i.csv", "m.tsv")):
            return code, f"the file is not named: {err!r}"
        if left:
            return code, f"left behind: {left}"
        return code, None if out == "" else f"an answer: {out[:200]!r}"
    if code == 2 and "is for two classes" in err:  # a third class was born
        return code, None if not left else f"left behind: {left}"
    if code != 0 and (code not in (1, 4) or command[0] not in ("certify", "separation", "margin")):
        return code, f"exit {code}: {err!r}"
    if odd := [line for line in lines if not FINE.match(line)]:
        return code, f"noise: {odd[:3]}"
    if changed and kind in ("i.nvk", "m.nvk", "v.nvk") and not is_forged(kind, bad):
        return code, "damage is not noticed"
    if kind == "state" and Path("out.nvk").read_bytes() != Path("i.nvk").read_bytes():
        return code, "the resumed run made another model"
    if kind.endswith(SLOW) and kind in TEXT_FILES:
        return code, other_numbers(bad)
    return code, None


def is_forged(kind: str, bad: str) -> bool:
    """Whether the checksum of a damaged model is right: then it is another model, not a damaged one."""
    if not kind.endswith(".nvk"):
        return False
    from novikoff.model import describe

    try:
        describe(bad)
    except nv.InputError:
        return False
    return True


def other_numbers(bad: str) -> str | None:
    """Whether the file was read as the slow reader reads it; None if so, or if it refuses."""
    try:
        slow = read_plain(bad)
        fast = read(bad)
    except nv.InputError:
        return None
    (A, B) = (x.toarray() if hasattr(x, "toarray") and x.shape[1] < 10_000 else x for x in (slow.X, fast.X))
    if isinstance(A, np.ndarray) and isinstance(B, np.ndarray):
        wide = max(A.shape[1], B.shape[1])
        A, B = (np.pad(np.asarray(x, float), ((0, 0), (0, wide - x.shape[1]))) for x in (A, B))
        if not np.array_equal(A, B):
            return "other numbers than the slow reader's"
    return None if [str(v) for v in slow.y] == [str(v) for v in fast.y] else f"other labels: {slow.y} {fast.y}"


def run(kind: str, seed: int, number: int, before: set[str]) -> tuple[int, str | None]:
    """A case; its exit code, and what is wrong."""
    chance = random.Random(f"{seed} {number}")
    bad = Path(f"bad-{kind}")
    changed = damaged(kind, bad, chance)
    command = request(kind, bad.name, chance)
    there = before | {path.name for path in Path().iterdir()}
    try:
        code, wrong = fault(kind, command, bad.name, changed, there)
    except BaseException:
        code, wrong = -1, traceback.format_exc(limit=-4)
    return code, None if wrong is None else f"case {seed} {number}, {' '.join(command)}: {wrong}"


def tidy(before: set[str]) -> None:
    for path in Path().iterdir():
        if path.name in before:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def runs(seed: int, cases: int, first: int = 0, only: tuple[str, ...] = KINDS) -> dict[str, Any]:
    """Cases of a seed, all kinds in turn, in this folder."""
    codes: Counter[int] = Counter()
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    faults: list[str] = []
    slow: list[tuple[float, int, str]] = []
    make_files()
    Path("case").write_text("")
    before = {path.name for path in Path().iterdir()}
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + ROOM,) * 2)
    for number in range(first, first + cases):
        kind = only[number % len(only)]
        Path("case").write_text(f"{seed} {number} {kind}")
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        began = time.process_time()
        code, wrong = run(kind, seed, number, before)
        slow = sorted([*slow, (round(time.process_time() - began, 3), number, kind)])[-8:]
        codes[code] += 1
        kinds[kind][code == 3] += 1
        if wrong is not None:
            faults.append(wrong)
        tidy(before)
    faulthandler.cancel_dump_traceback_later()
    return {"codes": dict(codes), "kinds": dict(kinds), "slow": slow, "faults": faults}


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 1 << 20
    return pages * resource.getpagesize()


def broken_runs(folder: Path, cases: int, seed: int) -> dict[str, Any]:
    """What the program says, run in a folder of its own; a crash or a hang is told with its case."""
    made = subprocess.run(
        [sys.executable, __file__, str(seed), str(cases)], cwd=folder, capture_output=True, text=True, timeout=7200
    )
    under_way = (folder / "case").read_text() if (folder / "case").exists() else "before the first"
    assert made.returncode == 0, f"exit {made.returncode} in case {under_way}: {made.stderr[-3000:]}"
    found: dict[str, Any] = json.loads(made.stdout)
    return found


if __name__ == "__main__":
    seed, cases, *more = sys.argv[1:]
    print(json.dumps(runs(int(seed), int(cases), int(more[0]) if more else 0, tuple(more[1:]) or KINDS)))

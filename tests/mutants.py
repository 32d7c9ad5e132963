"""Random small faults in the source, one at a time, and whether the tests notice them.

    python tests/mutants.py measure [PYTEST ARGUMENT …]     which test files reach which modules (build/reached.json)
    python tests/mutants.py run --count 300 [--seed 0] [--only FOLDER] [--tests FILE …] [--seconds 120]

A fault is one changed operator, comparison, constant or condition, a deleted statement, or two swapped arguments. Each
is made in a copy of the source, and only the test files that reach its module run, with -x: the one that reaches fewest
modules first. A time-out counts as noticed. The names of those that no test noticed are printed, with their places.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "novikoff"
REACHED = ROOT / "build" / "reached.json"
SWAPPED: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
SAID = (ast.Raise, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Return, ast.Pass)  # never deleted


def sites(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every place where a fault can be made, and its kind; annotations and docstrings are none."""
    hidden = {id(part) for node in ast.walk(tree) for part in _not_run(node)}
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPPED:
            yield node, "operator"
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
            yield node, "comparison"
        if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            yield node, "constant"
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node, "condition"
        if isinstance(node, ast.Call) and len(node.args) > 1 and not any(isinstance(a, ast.Starred) for a in node.args):
            yield node, "arguments"
        for body in (getattr(node, name, None) for name in ("body", "orelse")):
            if isinstance(body, list) and not isinstance(node, ast.Module | ast.ClassDef):
                yield from ((one, "statement") for one in body if not isinstance(one, SAID) and id(one) not in hidden)


def _not_run(node: ast.AST) -> Iterator[ast.AST]:
    """What is not executed: annotations, docstrings, the check for type checkers."""
    for name in ("annotation", "returns"):
        if getattr(node, name, None) is not None:
            yield from ast.walk(getattr(node, name))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield from ast.walk(node)
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        yield from ast.walk(node)


def mutant(source: str, number: int) -> tuple[str, str]:
    """The source with its fault of this number, and what was changed."""
    tree = ast.parse(source)
    node, kind = list(sites(tree))[number]
    before = ast.unparse(copy.deepcopy(node)).split("\n")[0]
    if kind == "operator":
        node.op = SWAPPED[type(node.op)]()  # type: ignore[attr-defined]
    elif kind == "comparison":
        node.ops[0] = SWAPPED[type(node.ops[0])]()  # type: ignore[attr-defined]
    elif kind == "constant":
        value = node.value  # type: ignore[attr-defined]
        node.value = not value if isinstance(value, bool) else value + 1  # type: ignore[attr-defined]
    elif kind == "condition":
        node.test = ast.UnaryOp(ast.Not(), node.test)  # type: ignore[attr-defined]
    elif kind == "arguments":
        node.args[:2] = node.args[1::-1]  # type: ignore[attr-defined]
    else:
        for parent in ast.walk(tree):
            for name in ("body", "orelse"):
                body = getattr(parent, name, None)
                if isinstance(body, list) and node in body:
                    body[body.index(node)] = ast.copy_location(ast.Pass(), node)
    after = "deleted" if kind == "statement" else ast.unparse(node).split("\n")[0]
    return ast.unparse(ast.fix_missing_locations(tree)), f"{node.lineno}: {kind}: {before[:60]} → {after[:60]}"  # type: ignore[attr-defined]


def measure(arguments: list[str]) -> None:
    """Run the tests once under coverage, and store which test files reach which modules."""
    from coverage import CoverageData

    REACHED.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        data, settings = Path(place) / "data", Path(place) / "settings"
        settings.write_text(f"[run]\ndata_file={data}\nsource={SOURCE}\ndynamic_context=test_function\n")
        command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-p", "no:xdist"]
        subprocess.run([*command, *arguments], cwd=ROOT, check=False)
        found = CoverageData(str(data))
        found.read()
        reached = json.loads(REACHED.read_text()) if REACHED.exists() else {}
        for path in found.measured_files():
            name = str(Path(path).relative_to(SOURCE))
            contexts = {one for lines in found.contexts_by_lineno(path).values() for one in lines if one}
            files = {context.rpartition(".test_")[0].replace(".", "/") + ".py" for context in contexts}
            reached[name] = sorted({*reached.get(name, []), *files})
    REACHED.write_text(json.dumps(reached, indent=1))


def tested(copied: Path, files: list[str], seconds: float, cache: Path) -> bool:
    """Whether these test files notice the fault in the copied source."""
    environment = os.environ | {"PYTHONPATH": str(copied.parent), "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *files]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode not in (0, 5)


def run(count: int, seed: int, only: str, tests: list[str], seconds: float, cache: Path) -> None:
    """Make so many faults, and print those that no test notices."""
    chance, reached = random.Random(seed), json.loads(REACHED.read_text()) if REACHED.exists() else {}
    places = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = str(path.relative_to(SOURCE))
        if name.startswith(only) and (tests or reached.get(name)):
            places += [(name, k) for k, _ in enumerate(sites(ast.parse(path.read_text("utf-8"))))]
    many = {file: sum(file in files for files in reached.values()) for files in reached.values() for file in files}
    chosen = chance.sample(places, min(count, len(places)))
    survived = 0
    whole = Path(tempfile.mkdtemp()) / "novikoff"  # as it is now, whatever is edited meanwhile
    shutil.copytree(SOURCE, whole, ignore=shutil.ignore_patterns("__pycache__"))
    for number, (name, k) in enumerate(chosen, start=1):
        with tempfile.TemporaryDirectory() as place:
            copied = Path(place) / "src" / "novikoff"
            shutil.copytree(whole, copied)
            text, change = mutant((copied / name).read_text("utf-8"), k)
            (copied / name).write_text(text, "utf-8")
            noticed = tested(copied, tests or sorted(reached[name], key=many.__getitem__), seconds, cache)
        survived += not noticed
        print(f"{'noticed ' if noticed else 'SURVIVED'} {name}:{change}", flush=True)
        if number == len(chosen):
            shutil.rmtree(whole.parent)
            print(f"{number - survived} of {number} noticed")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("verb", choices=("measure", "run"))
    words.add_argument("--count", type=int, default=300)
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--only", default="", help="a folder of the package")
    words.add_argument("--tests", nargs="*", default=[], help="run these test files for every fault")
    words.add_argument("--seconds", type=float, default=120)
    words.add_argument("--cache", type=Path, default=ROOT / "build" / "mutants", help="compiled code of the copies")
    chosen, rest = words.parse_known_args()
    chosen.cache.mkdir(parents=True, exist_ok=True)
    if chosen.verb == "measure":
        measure(rest)
    else:
        run(chosen.count, chosen.seed, chosen.only, chosen.tests, chosen.seconds, chosen.cache)


if __name__ == "__main__":
    main()

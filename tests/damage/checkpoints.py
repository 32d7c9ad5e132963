"""Lies in checkpoints: every value and tensor of the state of a run that goes on, under a right SHA-256.

A checkpoint is the state of a run: other weights in it are another run, which nobody can tell from the file. So what is
asked is that the run ends without a crash, that it is refused or goes on, that what it says of its model is true, and
that an unchanged state changes no weight.
"""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from safetensors.numpy import load, load_file, save

from commands import Told
from damage import claims
from damage.arrays import CLASSES, TABLE
from damage.meaning import dense, labels_in
from damage.models import NUMBERS, THREE
from damage.mutate import ODD, places, put_together, taken_apart
from damage.pairs import Lie, Pair, made
from data.limits import limits

RUNS: dict[str, tuple[str, ...]] = {
    "last": ("--keep", "last"), "pocket": ("--keep", "pocket"), "average": ("--keep", "average"),
    "first": ("--order", "first", "--keep", "last"), "shuffle": ("--order", "shuffle"),
    "random": ("--order", "random"),
    "batch": ("--order", "batch", "--keep", "average"),
    "inverse": ("--schedule", "inverse", "--keep", "average"), "inverse-sqrt": ("--schedule", "inverse-sqrt"),
    "margin": ("--rule", "margin"), "pa": ("--rule", "pa", "--keep", "last"), "pa1": ("--rule", "pa1", "--keep",
    "average"),
    "no bias": ("--no-bias", "--keep", "average"), "ova": (), "ovo": ("--multi", "ovo"), "joint": ("--multi", "joint"),
    "joint average": ("--multi", "joint", "--keep", "average"),
    "valid": ("--valid", "valid.npz", "--stall-valid", "5"), "sparse": ("--keep", "pocket"),
}  # fmt: skip
MANY = ("ova", "ovo", "joint", "joint average")
STATES = 6  # of each run
PASSES = ("--max-passes", "6", "--quiet", "--json")


def honest() -> None:
    """Some states of runs, and the models that they end in."""
    np.savez("two.npz", X=np.tile(TABLE, (3, 1)), y=np.roll(np.tile(CLASSES, 3), 5))  # not separable: the run goes on
    np.savez("many.npz", X=np.tile(TABLE, (3, 1)), y=np.roll(np.tile(THREE, 3), 5))
    np.savez("valid.npz", X=TABLE, y=CLASSES)
    made("convert", "two.npz", "two.svm")
    with every_state() as states:
        for name, args in RUNS.items():
            states.clear()
            made("fit", _data(name), *args, *PASSES, "--checkpoint", "fresh", "-o", f"{name}.nvk")
            shutil.rmtree("fresh")
            unfinished = [state for state in states if taken_apart(state)[1]["state"]["reason"] is None]
            chosen = unfinished if len(unfinished) <= STATES else random.Random(0).sample(unfinished, STATES)
            for k, state in enumerate(chosen):
                Path(f"{name}-{k}.ckpt").write_bytes(state)


@contextmanager
def every_state() -> Iterator[list[bytes]]:
    """Every checkpoint that is written, as often as there may be one."""
    states: list[bytes] = []
    replace = os.replace

    def collect(source: Any, target: Any, **how: Any) -> None:
        if str(target).endswith("run.ckpt"):
            states.append(Path(source).read_bytes())
        replace(source, target, **how)

    with limits(checkpoint=0.0, checkpoint_share=0), patch("os.replace", collect):
        yield states


def _data(name: str) -> str:
    return "many.npz" if name in MANY else "two.svm" if name == "sparse" else "two.npz"


def checkpoint(chance: random.Random) -> Lie:
    """A lie in a checkpoint."""
    name = chance.choice([*sorted(RUNS), "inverse", "inverse", "inverse-sqrt", "inverse-sqrt", "first", "first"])
    raw = chance.choice(sorted(Path().glob(f"{name}-?.ckpt"))).read_bytes()
    _, record, _ = taken_apart(raw)
    tensors = {key: tensor.copy() for key, tensor in load(raw).items()}
    if chance.random() < 0.03:
        field, value = "no lie", "none"
    elif chance.random() < 0.3:
        field, value = _lie_in_record(chance, record)
    else:
        field, value = _lie_in_tensors(chance, tensors)
    header, _, data = taken_apart(save(tensors, {"novikoff": "{}"}))
    shutil.rmtree("bad.state", ignore_errors=True)
    Path("bad.state").mkdir()
    target = Path("bad.state", "run.ckpt")
    forged = put_together(header, record, data)
    target.write_bytes(forged)
    told_only = field == "no lie"

    def again(*options: str) -> Pair:
        command = ("fit", _data(name), *RUNS[name], *PASSES, "--checkpoint", "bad.state", *options, "-o", "out.nvk")
        unchanged = (str(target),) if "--resume" in options else ()
        judge = _judged(name, told_only, target, forged) if unchanged else lambda info: None
        return Pair(command, judge, field == "no lie" and bool(unchanged), unchanged)

    return Lie(
        "checkpoint",
        f"{name} {field}",
        value,
        [again("--resume"), *([again()] if chance.random() < 0.2 else [])],
        loose=not told_only,
    )


def _lie_in_record(chance: random.Random, record: dict[str, Any]) -> tuple[str, str]:
    state = record["state"]
    inside, key = chance.choice([*places(state), *places(state), *places(record)])
    field = str(key)
    if chance.random() < 0.08:
        del inside[key]
        return field, "missing"
    old = inside[key]
    new = copy.deepcopy(chance.choice(ODD))
    if type(old) is int and chance.random() < 0.7:
        new = chance.choice([-1, 0, 1, old + 1, old - 1, 10**6, 2**31, 2**62, 2**63 - 1, 2**63, -(2**63)])
    inside[key] = new
    return field, repr(new)[:60]


def _lie_in_tensors(chance: random.Random, tensors: dict[str, np.ndarray]) -> tuple[str, str]:
    counters = [name for name in tensors if name.startswith(("run.", "plane."))]
    name = chance.choice(sorted(counters if chance.random() < 0.7 else tensors))
    tensor, way = tensors[name], chance.choice(["number"] * 20 + ["shape", "type", "missing"])
    if way == "missing":
        del tensors[name]
    elif way == "shape":
        tensors[name] = np.ascontiguousarray(chance.choice([tensor[:-1], tensor[None], np.repeat(tensor, 2, axis=0)]))
    elif way == "type":
        tensors[name] = tensor.astype(chance.choice(["f4", "i4", "u1", "i8", "f8"]))
    elif tensor.size:
        kind = int if tensor.dtype.kind in "iu" else float
        numbers = [*NUMBERS[kind], *([6000, -(2**40), 2**40, -6000, 24, 25] if kind is int else [0.0, 1e6])]
        if name in counters and kind is int:
            numbers = [-1, 6000, -6000, -(2**40), 2**40, 2**62, -(2**63), 25]
        if kind is int:
            limits = np.iinfo(tensor.dtype)
            numbers = [one for one in numbers if limits.min <= one <= limits.max]
        at, new = chance.randrange(tensor.size), chance.choice(numbers)
        tensor.reshape(-1)[at] = new
        return name, f"[{np.unravel_index(at, tensor.shape)}] = {new}".replace("np.int64", "")
    return name, way


def _judged(name: str, told_only: bool, target: Path, forged: bytes) -> Any:
    with np.load("many.npz" if name in MANY else "two.npz") as file:
        points = dense(file["X"], labels_in(file["y"], len(file["X"])))

    def judge(info: Told) -> str | None:
        if not json.loads(info.out):
            return "no document"
        if told_only:
            ours, true = load_file("out.nvk"), load_file(f"{name}.nvk")
            if any(ours[part].tobytes() != true[part].tobytes() for part in ("coef", "intercept")):
                return "a lie in what is only told changed the weights"
        return None if name in MANY else claims.fitted(points, info)

    return judge

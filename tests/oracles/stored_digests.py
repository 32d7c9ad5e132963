"""Runs and decisions of every kind and the SHA-256 of all that they store: run it to print them as JSON.

`tests/conformance/test_machines.py` runs it as other CPUs would, and compares.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
    sys.path[:] = [place for place in sys.path if Path(place or ".").resolve() != Path(__file__).resolve().parent]

import numpy as np
import scipy.sparse as sp

import novikoff as nv
from commands import novikoff
from data.kernel_mode import set_for_this_process
from models.make import make
from novikoff.perceptron.checkpoint import FORM, NAME
from novikoff.records.container import load_file

RULES = ("perceptron", "margin", "pa", "pa1", "pa2")
KEEPS = ("last", "pocket", "average", "vote")
ORDERS = ("cyclic", "shuffle", "random", "first")


def points(classes: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Overlapping points with numbers of all lengths, so that nearly every sum rounds."""
    rng = np.random.default_rng(seed)
    X = (rng.standard_normal((80, d)) * rng.uniform(0.1, 30, d)).astype(np.float32).astype(float)
    return X, (X @ rng.standard_normal((d, classes)) / 30 + rng.standard_normal((80, classes))).argmax(axis=1)


def separable_late(classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Classes one above the other that pairs of planes separate, but the perceptron not in twenty passes."""
    rng, y = np.random.default_rng(classes), np.arange(300) % classes
    wide = rng.standard_normal((300, 20)) * 1e4
    return np.column_stack([wide, 6 * y + rng.uniform(-1, 1, 300), rng.standard_normal(300)]), y


def choices() -> Iterator[tuple[int, dict[str, Any]]]:
    """(classes, parameters) of the runs: every rule, keep, order and scheme with several others."""
    for k in range(20):
        rule, keep, order = RULES[k % 5], KEEPS[k % 4], ORDERS[(k // 4) % 4]
        how: dict[str, Any] = {"rule": rule, "keep": keep, "order": order, "max_iter": 4, "random_state": k}
        how["class_weight"] = {0: 0.3, 1: 1.7} if k % 3 == 0 else None
        if rule == "perceptron" and k % 3:
            how["known_margin"] = 0.37
        yield 2, how
    for k, scheme in enumerate(("ova", "ovo", "joint", "ovo", "ova", "joint")):
        weights = {0: 0.3, 1: 1.7, 2: 0.9, 3: 1.0} if k > 2 else None
        yield (
            4,
            {
                "multi_class": scheme,
                "keep": ("last", "pocket", "average")[k % 3],
                "max_iter": 4,
                "random_state": k,
                "class_weight": weights,
            },
        )
    for k in range(6):  # the defaults: the run decides whether a plane separates its points
        yield (2, 4)[k % 2], {"max_iter": 100, "random_state": k}


def stored_in(folder: Path) -> dict[str, str]:
    """The digests by name."""
    found = {}
    for k, (classes, how) in enumerate(choices()):
        X, y = points(classes, (3, 20, 70)[k % 3], k)
        for storage, rows in (("dense", X), ("float32", X.astype(np.float32)), ("sparse", sp.csr_matrix(X))):
            state = None if how.get("keep") == "vote" else folder / f"{k}{storage}"
            clf = nv.Perceptron(**how).fit(rows, y, checkpoint=state)
            found[f"verdict {k}"] = _once(found, f"verdict {k}", hashlib.sha256(_verdicts(clf).encode()).hexdigest())
            if how.get("keep") != "vote" or storage == "dense":  # voters hold their points as they were stored
                nv.save(clf, folder / "model.nvk")
                found[f"model {k}" + (f" {storage}" if how.get("keep") == "vote" else "")] = _once(
                    found, f"model {k}", hashlib.sha256((folder / "model.nvk").read_bytes()).hexdigest()
                )
            if state is not None:
                found[f"checkpoint {k} {storage}"] = _state(state)
    kept = folder / "kept"
    kept.mkdir()
    make(kept)
    found |= {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in kept.iterdir()}
    X, y = points(2, 4, 99)
    far = np.where(y == 1, 20.0, -20.0)
    nv.save(nv.MaxMargin().fit(np.column_stack([X, far]), y), folder / "widest.nvk")
    found["widest"] = hashlib.sha256((folder / "widest.nvk").read_bytes()).hexdigest()
    for classes in (2, 3, 4):
        clf = nv.Perceptron(max_iter=100).fit(*separable_late(classes))
        assert clf.stop_reason_ == "separable"
        nv.save(clf, folder / "computed.nvk")
        found[f"computed planes, {classes} classes"] = hashlib.sha256(
            (folder / "computed.nvk").read_bytes()
        ).hexdigest()
    table = folder / "mail.csv"
    words = ["win money now", "see you at noon", "money money prize", "lunch at noon", "prize now", "you win"] * 5
    table.write_text("mail,x,kind\n" + "".join(f"{w},{0.1 * i},{i % 2}\n" for i, w in enumerate(words)))
    for options in (("--tfidf",), ("--scale",), ("--tfidf", "--scale", "--normalize")):
        info = novikoff("fit", table, "--label", "kind", "--text", "mail", *options, "-o", folder / "mail.nvk")
        found[" ".join(options)] = hashlib.sha256((folder / "mail.nvk").read_bytes()).hexdigest()
        assert info.code in (0, 1), info.err
    return found | {name: hashlib.sha256(text.encode()).hexdigest() for name, text in proofs()}


def proofs() -> Iterator[tuple[str, str]]:
    """Digests of certificates and reports: separable, nearly so and not, with numbers of few digits and of many."""
    for k in range(40):
        rng = np.random.default_rng(k)
        X = rng.standard_normal((int(rng.integers(8, 60)), int(rng.integers(1, 9)))) * rng.uniform(0.1, 30)
        X = (X, X.round(1), X.round())[k % 3]
        y = X @ rng.standard_normal(X.shape[1]) + (0.0, 0.2, 3.0)[k // 3 % 3] * rng.standard_normal(len(X)) > 0
        y[:2] = False, True
        verdict = nv.decide(X, y)
        yield f"proof {k}", verdict.certificate().to_json()
        yield f"kind {k}", str(verdict.kind)
        yield f"separation {k}", str(nv.separation(X, y))
        if verdict.separable:
            yield f"margin {k}", repr(nv.margin(X, y))
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 90))
    y = X[:, 0] > 0
    widest = nv.margin(X, y).geometric  # so many rows touch it that floats find it
    yield "margin of many columns", repr((widest.gamma, widest.plane, widest.touching.tolist()))
    yield "proof of many columns", nv.decide(X, rng.random(150) > 0.5).certificate().to_json()


def _once(found: dict[str, str], name: str, digest: str) -> str:
    """The digest, which must be that of the other storages."""
    if found.get(name, digest) != digest:
        raise AssertionError(f"{name}: other bytes from another storage")
    return digest


def _verdicts(clf: nv.Perceptron) -> str:
    """What the run proved, about each plane."""
    known = clf.verdict_ if isinstance(clf.verdict_, dict) else {"": clf.verdict_}
    return repr(
        [(name, one and (one.separable, one.w, one.b, one.support, one.weights)) for name, one in known.items()]
    )


def _state(folder: Path) -> str:
    """The digest of the checkpoint, without the seconds."""
    found = load_file(folder / NAME, FORM)
    record, tensors = dict(found.record), dict(found.tensors)
    history = json.loads(tensors.pop("history").tobytes())
    record["history"] = {name: column for name, column in history.items() if name not in ("seconds", "loss", "norm")}
    return _digest({key: record[key] for key in ("seed", "state", "history")}, tensors)


def _digest(record: dict[str, Any], tensors: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tensor.shape}".encode() + np.ascontiguousarray(tensor).tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    set_for_this_process("compiled" if "compiled" in sys.argv else "interpreted")
    with tempfile.TemporaryDirectory() as where:
        json.dump(stored_in(Path(where)), sys.stdout)

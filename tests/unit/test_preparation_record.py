"""The plain data of a preparation: the same bits back, and nothing else accepted."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from data.raw_rows import everything
from novikoff.errors import InputError
from novikoff.prepare import Divide, Hash, OneHot, Preparation, Products, Raw, Scale, UnitRows, Words

STEPS = [
    (Words(tfidf=True), OneHot(), Scale(), UnitRows()),
    (Words(), OneHot(), Divide(255.0), Products(), UnitRows()),
    (Hash(6), OneHot(), Products()),
]


@pytest.mark.parametrize("steps", STEPS)
def test_a_record_is_plain_json_and_gives_the_same_bits_back(steps: tuple[Any, ...]) -> None:
    prep = Preparation(*steps).fit(everything())
    record, arrays = prep.to_record()
    assert record["kind"] == "novikoff-preparation/1"
    loaded = Preparation.from_record(json.loads(json.dumps(record, allow_nan=False)), arrays)
    one, other = prep.transform(everything()), loaded.transform(everything())
    assert (one.indptr.tobytes(), one.indices.tobytes(), one.data.tobytes()) == (
        other.indptr.tobytes(),
        other.indices.tobytes(),
        other.data.tobytes(),
    )
    assert list(loaded.names) == list(prep.names)
    assert loaded.report == prep.report
    assert loaded.to_record()[0] == record
    assert list(loaded.fit(everything()).names) == list(prep.names)


def damaged(change: Any) -> None:
    """A record of everything, changed, and read."""
    record, arrays = Preparation(*STEPS[0]).fit(everything()).to_record()
    record, arrays = json.loads(json.dumps(record)), dict(arrays)
    change(record, arrays)
    Preparation.from_record(record, arrays)


def _put(step: int, name: str, value: Any) -> Any:
    return lambda record, arrays: record["steps"][step].__setitem__(name, value)


def _array(name: str, value: Any) -> Any:
    return lambda record, arrays: arrays.__setitem__(name, value)


DAMAGE: list[tuple[str, Any]] = [
    (r"preparation: kind: found 'novikoff-preparation/2'", lambda r, a: r.update(kind="novikoff-preparation/2")),
    (r"preparation: kind: the field is missing", lambda r, a: r.pop("kind")),
    (r"preparation: more: found .*no such field", lambda r, a: r.update(more=1)),
    (r"preparation: steps: found 3; a list was expected", lambda r, a: r.update(steps=3)),
    (r"preparation: steps: found \[\]|preparation: numbers", lambda r, a: (r.update(steps=[]), a.clear())),
    (r"preparation: report: found", lambda r, a: r.update(report=[])),
    (r"preparation: numbers: found 2.5", lambda r, a: r.update(numbers=2.5)),
    (r"preparation: names: found '1 names'; 2, one for each column, was", lambda r, a: r.update(names=["age"])),
    (r"preparation: names: .*different texts", lambda r, a: r.update(names=["age", "age"])),
    (r"preparation, step 1: mean: .*array float64 \(3,\)", lambda r, a: r.update(numbers=3, names=None)),
    (r"preparation, step 1: step: found 'eval on numbers'", _put(0, "step", "eval")),
    (r"preparation, step 1: run: found 'me'; no such field", _put(0, "run", "me")),
    (r"preparation, step 1: centre: found 1", _put(0, "centre", 1)),
    (r"preparation, step 1: mean: .*zeros", _put(0, "centre", False)),
    (r"preparation, step 1: found 3; an object", lambda r, a: r["steps"].__setitem__(0, 3)),
    (r"preparation, step 2: column: found 'age'; .*used twice", _put(1, "column", "age")),
    (r"preparation, step 2: categories: .*rising", _put(1, "categories", ["b", "a"])),
    (r"preparation, step 2: categories: .*at least one", _put(1, "categories", [])),
    (r"preparation, step 3: tokens: found", _put(2, "tokens", ".*")),
    (r"preparation, step 3: words: .*a list of texts", _put(2, "words", [1, 2, 3, 4])),
    (r"preparation, step 3: idf: .*array float64 \(2,\)", _put(2, "words", ["a", "b"])),
    (r"preparation, step 3: min_df: found 0", _put(2, "min_df", 0)),
    (r"preparation, step 1: mean: found 'NoneType'", lambda r, a: a.pop("0.mean")),
    (r"preparation: more: found .*no such field", _array("more", np.zeros(1))),
    (r"preparation, step 3: idf: .*finite", _array("2.idf", np.full(4, np.nan))),
    (r"preparation, step 3: idf: .*float32", _array("2.idf", np.zeros(4, np.float32))),
    (r"preparation, step 1: deviation: .*above 0", _array("0.deviation", np.zeros(2))),
    (r"preparation, step 4: on: .*in the order", lambda r, a: r["steps"].insert(3, r["steps"][1] | {"column": "c"})),
    (r"preparation, step 5: step: .*at most once", lambda r, a: r["steps"].append(r["steps"][3])),
    (
        r"preparation, step 2: on: found 'numbers'; a single step",
        lambda r, a: r["steps"].insert(1, {"step": "plain", "on": "numbers"}),
    ),
]


@pytest.mark.parametrize(("words", "change"), DAMAGE, ids=[words[:50] for words, _ in DAMAGE])
def test_a_record_that_is_not_as_it_was_written_is_refused(words: str, change: Any) -> None:
    with pytest.raises(InputError, match=words):
        damaged(change)


def test_other_steps_of_a_record_are_checked_too() -> None:
    record, arrays = Preparation(Hash(6), Divide(2.0)).fit(Raw([[1.0]], None, {"mail": ["free"]})).to_record()
    for step, name, value in ((0, "by", 0.0), (0, "by", "2"), (1, "bits", 31), (1, "hash", "md5"), (1, "seed", 1)):
        other = json.loads(json.dumps(record))
        other["steps"][step][name] = value
        with pytest.raises(InputError, match=rf"preparation, step {step + 1}: {name}: found"):
            Preparation.from_record(other, arrays)

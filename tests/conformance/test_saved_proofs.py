"""From `decide` to a stranger: every saved proof is accepted by both checkers, for these points and no others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.degenerate import degenerate

KINDS = {"complete", "quasi-complete", "overlap"}


def test_C4_every_saved_proof_of_degenerate_problems_is_accepted(tmp_path: Path) -> None:
    met = set()
    rng = np.random.default_rng(0)
    for k in range(150):
        X, y, bias = degenerate(rng)
        verdict = nv.decide(X, y, fit_intercept=bias)
        path = tmp_path / f"{k}.json"
        verdict.save(path)
        met.add(verdict.kind)
        for slow in (False, True):
            assert nv.verify(path, X, y, slow=slow) == verdict.kind
            assert nv.verify(path, sp.csr_matrix(X), y, slow=slow) == verdict.kind
        other = np.array(X, float)
        other[0, 0] = 0.5 if other[0, 0] == 0 else -other[0, 0]
        with pytest.raises(nv.CertificateError, match="digest"):
            nv.verify(path, other, y)
    assert met == KINDS


@pytest.mark.parametrize("name", ["tao", "cornwell", "spam", "or", "and", "xor", "iris", "breast-cancer"])
def test_saved_proofs_of_the_examples(name: str, tmp_path: Path) -> None:
    X, y = nv.example(name)
    y = np.asarray(y)
    y = (y == y[0]).astype(int) if np.unique(y).size > 2 else y
    verdict = nv.decide(X, y)
    verdict.save(tmp_path / "proof.json")
    record = json.loads((tmp_path / "proof.json").read_text())
    assert record["claim"] == verdict.kind == nv.verify(tmp_path / "proof.json", X, y)


def test_an_undecided_verdict_is_not_saved(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((400, 150)), rng.integers(0, 2, 400)
    verdict = nv.decide(X, y, max_time=1e-9)
    with pytest.raises(nv.UndecidedError):
        verdict.save(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())

"""Many damaged model files: `make stress`. STRESS_ROUNDS sets how many rounds of 300 of each kind (default 100)."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from damage import BYTES, forged, known
from novikoff.errors import InputError

ROUNDS = int(os.environ.get("STRESS_ROUNDS", "100")) if os.environ.get("STRESS") else 1
FILES = [path.read_bytes() for path in sorted((Path(__file__).parents[1] / "models").glob("*.nvk"))]


@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_no_other_bytes_are_a_model(round_number: int, tmp_path: Path) -> None:
    """Flipped, cut, longer, mixed or made up: always an InputError that names the file."""
    chance = random.Random(f"bytes {round_number}")
    path = tmp_path / "model.nvk"
    for k in range(300):
        data = chance.choice(FILES)
        bad = BYTES[k % len(BYTES)](chance, data)
        path.write_bytes(bad)
        if bad == data:
            continue
        with pytest.raises(InputError, match=r"model\.nvk"):
            nv.load(path)


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_a_forged_file_is_refused_or_is_what_it_says(round_number: int, tmp_path: Path) -> None:
    """With the checksum made right again: an InputError, or a model that is just what the file says, and predicts."""
    chance = random.Random(f"contents {round_number}")
    path, refused = tmp_path / "model.nvk", 0
    for _ in range(300):
        bad = forged(chance, chance.choice(FILES))
        path.write_bytes(bad)
        try:
            clf = nv.load(path)
        except InputError as error:
            assert "model.nvk" in str(error)  # noqa: PT017 (most are refused, some are models)
            refused += 1
            continue
        assert known(clf, bad)
        if len(clf.classes_) > 1:
            assert set(clf.predict(np.ones((3, clf.n_features_in_))).tolist()) <= set(clf.classes_.tolist())
    assert 150 < refused < 300

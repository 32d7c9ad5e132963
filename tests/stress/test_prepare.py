"""The large text sets against scikit-learn, and the recipe on every set: `make stress`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from benchmarks import raw, recipe
from benchmarks.accuracy import accuracy
from sklearn.feature_extraction.text import TfidfVectorizer


@pytest.mark.parametrize("name", ["newsgroups20", "spamassassin"])
def test_a_large_text_set_is_prepared_as_by_scikit_learn(name: str, shared_data: Callable[[str], Path]) -> None:
    parts = raw.SETS[name](shared_data(name))
    ours, theirs = parts.prepared(), TfidfVectorizer(min_df=2).fit(parts.rows.text["text"])
    for X, rows in ((ours.X, parts.rows), (ours.X_test, parts.test)):
        expected = theirs.transform(rows.text["text"])
        np.testing.assert_array_equal(X.indptr, expected.indptr)
        np.testing.assert_array_equal(X.indices, expected.indices)
        assert X.data.tobytes() == expected.data.tobytes()


@pytest.mark.compiled
@pytest.mark.parametrize("name", list(recipe.BARS))
def test_the_recipe_reaches_its_bar(name: str, shared_data: Callable[[str], Path]) -> None:
    parts = raw.SETS[name](shared_data(name)).prepared()
    for seed in range(2):
        assert accuracy(parts, **recipe.RECIPE, random_state=seed) >= recipe.BARS[name]

"""Presence, n-grams, characters and stop words: the same columns and numbers as scikit-learn's vectorizers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer

import novikoff as nv
from novikoff.prepare import Preparation, Raw, analysis_of, contributions, requested

TEXTS = [
    "Free cash now, free CASH!",
    "call me at the office, call now",
    "The cash prize: call the number",
    "naïve café — straße 12_a",
    "me me me",
]
NEW = ["free free prize office", "", "unknown words only", "the the cash now"]
ANALYSES: dict[str, dict[str, Any]] = {
    "default": {},
    "presence": {"presence": True},
    "bigrams": {"ngrams": (1, 2)},
    "only trigrams": {"ngrams": (3, 3)},
    "characters": {"analyzer": "char", "ngrams": (2, 4)},
    "within words": {"analyzer": "char_wb", "ngrams": (1, 3), "presence": True},
    "english": {"stop_words": "english", "ngrams": (1, 2)},
    "own": {"stop_words": ["The", "me"], "presence": True},
}


def of_sklearn(how: dict[str, Any]) -> dict[str, Any]:
    words = how.get("stop_words")
    stop = [word.lower() for word in words] if isinstance(words, list) else words
    return {"ngram_range": how.get("ngrams", (1, 1)), "analyzer": how.get("analyzer", "word"),
            "binary": how.get("presence", False), "stop_words": stop}  # fmt: skip


def stored(prep: Preparation) -> Preparation:
    record, arrays = prep.to_record()
    return Preparation.from_record(json.loads(json.dumps(record)), arrays)


def same(a: Any, b: Any) -> bool:
    return a.shape == b.shape and (a != b).nnz == 0


@pytest.mark.parametrize("how", ANALYSES.values(), ids=ANALYSES)
def test_counts_are_those_of_scikit_learn(how: dict[str, Any]) -> None:
    prep = requested(**how)
    counter = CountVectorizer(**of_sklearn(how))
    expected = counter.fit_transform(TEXTS)
    assert same(prep.fit_transform(Raw(text={"t": TEXTS})), expected)
    prefix = "chars" if "char" in how.get("analyzer", "") else "word"
    assert list(prep.names) == [f"{prefix}:{word}" for word in counter.get_feature_names_out()]
    chunks = requested(**how).fit(Raw(text={"t": [text]}) for text in TEXTS)
    for one in (prep, stored(prep), chunks):
        assert same(one.transform(Raw(text={"t": NEW})), counter.transform(NEW))


@pytest.mark.parametrize("how", ANALYSES.values(), ids=ANALYSES)
def test_tfidf_and_hashing_are_those_of_scikit_learn(how: dict[str, Any]) -> None:
    weigher = TfidfVectorizer(**of_sklearn(how)).fit(TEXTS)
    prep = requested(tfidf=True, min_df=1, **how).fit(Raw(text={"t": TEXTS}))
    assert same(stored(prep).transform(Raw(text={"t": NEW})), weigher.transform(NEW))
    hasher = HashingVectorizer(n_features=64, norm=None, **of_sklearn(how))
    prep = requested(hash_bits=6, **how).fit(Raw(text={"t": TEXTS}))
    assert same(stored(prep).transform(Raw(text={"t": NEW})), hasher.transform(NEW))


def test_a_record_without_the_new_fields_is_that_of_before() -> None:
    record, _ = requested().fit(Raw(text={"t": TEXTS})).to_record()
    assert record["steps"][0].keys() == {"step", "on", "column", "tokens", "tfidf", "min_df", "words"}


def test_a_hashed_column_is_named_by_its_ngrams() -> None:
    prep = requested(hash_bits=10, ngrams=(1, 2)).fit(Raw(text={"t": TEXTS}))
    row = Raw(text={"t": ["free cash"]})
    named = {part.name for part in contributions(prep, np.ones(1024), row)}
    assert named == {"word:free", "word:cash", "word:free cash"}


@pytest.mark.parametrize(("how", "message"), [
    ({"ngrams": (2, 1)}, r"ngrams: found \(2, 1\); two integers, the shortest and the longest, from 1 to 20"),
    ({"ngrams": 2}, r"ngrams: found 2; two integers"),
    ({"ngrams": (0, 1)}, r"ngrams: found \(0, 1\)"),
    ({"analyzer": "chars"}, r"analyzer: found 'chars'; 'word' or 'char' or 'char_wb' was expected"),
    ({"stop_words": "german"}, r"stop_words: found 'german'; 'english' or a list of words was expected"),
    ({"stop_words": ["don't"]}, r"stop_words: found \"don't\", which is split into \['don'\]"),
    ({"stop_words": ["the"], "analyzer": "char"}, r"stop_words: found 1 words; they are for analyzer='word' only"),
    ({"presence": 1}, r"presence: found 1; True or False was expected"),
])  # fmt: skip
def test_values_that_cannot_be_used_are_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(nv.InputError, match=message):
        analysis_of(**how)


@pytest.mark.parametrize(("change", "message"), [
    ({"ngrams": [3, 1]}, "ngrams"),
    ({"ngrams": "1"}, "ngrams"),
    ({"analyzer": "sentence"}, "analyzer"),
    ({"stop_words": ["b", "a"]}, "rising"),
    ({"presence": "yes"}, "presence"),
])  # fmt: skip
def test_forged_records_are_refused(change: dict[str, Any], message: str) -> None:
    record, arrays = requested(presence=True).fit(Raw(text={"t": TEXTS})).to_record()
    record["steps"][0] |= change
    with pytest.raises(nv.InputError, match=message):
        Preparation.from_record(record, arrays)


def test_a_step_for_texts_needs_a_text_column() -> None:
    with pytest.raises(nv.InputError, match="presence=True: there is no text column"):
        requested(presence=True).fit(Raw([[1.0]]))
    with pytest.raises(nv.InputError, match=r"nothing to count in 2 texts \(ngrams=\)"):
        requested(ngrams=(3, 3)).fit(Raw(text={"t": ["a b", "one two"]}))

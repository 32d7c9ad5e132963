"""Read the fitted vectorizers of a pipeline (word counts, TF-IDF, hashing), and refuse steps that cannot be stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from novikoff.errors import InputError
from novikoff.prepare.hashing import MOST, Hash
from novikoff.prepare.text_analysis import ANALYZERS, TOKENS, TextAnalysis, analysis_of
from novikoff.prepare.word_counts import Words

KNOWN = ("ColumnTransformer", "SimpleImputer", "StandardScaler", "RobustScaler", "MaxAbsScaler", "OneHotEncoder",
         "CountVectorizer", "TfidfTransformer", "TfidfVectorizer", "HashingVectorizer", "PolynomialFeatures",
         "Normalizer")  # fmt: skip

VECTORIZERS = ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer")


def refuse(name: str, step: Any, why: str = "") -> NoReturn:
    """Raise InputError for a step; why: what of it cannot be stored, if it is of a known class."""
    found = f": {why}" if why else f"; the steps that can are {', '.join(KNOWN)}"
    raise InputError(f"pipeline: step {name!r} ({type(step).__name__}) cannot be stored in a model file{found}")


def text_step(name: str, step: Any, after: Sequence[tuple[str, Any]]) -> Words | Hash:
    """Return the step of a preparation that a vectorizer is. after: the steps of the column after it."""
    analysis, kind = _analysis(name, step), type(step).__name__
    weigher = step if kind == "TfidfVectorizer" else None
    if kind == "CountVectorizer" and len(after) == 1 and type(after[0][1]).__name__ == "TfidfTransformer":
        name, weigher = after[0]
    elif after:
        refuse(after[0][0], after[0][1], f"it comes after {kind}")
    if kind == "HashingVectorizer":
        bits = int(step.n_features).bit_length() - 1
        if 1 << bits != step.n_features or not 1 <= bits <= MOST or not step.alternate_sign:
            refuse(name, step, f"n_features={step.n_features}, alternate_sign={step.alternate_sign}")
        return Hash(bits, analysis)
    if weigher is not None and (weigher.norm != "l2" or not weigher.use_idf or weigher.sublinear_tf):
        refuse(name, weigher, "norm, use_idf or sublinear_tf other than the defaults")
    counted = Words(weigher is not None, 1, analysis)
    counted.words = tuple(sorted(step.vocabulary_))
    if weigher is not None:
        places = [step.vocabulary_[word] for word in counted.words]
        counted.idf = np.asarray(weigher.idf_, np.float64)[places].copy()
    return counted


def made_of_text(column: str, step: Any, text: Words | Hash) -> list[tuple[Any, ...]]:
    """Return the columns that a vectorizer makes, in its order."""
    if isinstance(text, Hash):
        return [("hash", column, j) for j in range(1 << text.bits)]
    return [("word", column, word) for word in sorted(step.vocabulary_, key=step.vocabulary_.__getitem__)]


def _analysis(name: str, step: Any) -> TextAnalysis:
    """Return what a vectorizer counts in a text."""
    usual = {"lowercase": True, "strip_accents": None, "preprocessor": None, "tokenizer": None, "input": "content"}
    if step.analyzer == "word":
        usual["token_pattern"] = TOKENS
    for key, value in usual.items():
        if getattr(step, key) != value:
            refuse(name, step, f"{key}={getattr(step, key)!r}; {value!r} can be stored")
    if step.analyzer not in ANALYZERS:
        refuse(name, step, f"analyzer={step.analyzer!r}")
    words = step.stop_words if step.analyzer == "word" else None
    given = words if words is None or isinstance(words, str) else list(words)
    try:
        return analysis_of(bool(step.binary), tuple(step.ngram_range), step.analyzer, given)
    except InputError as error:
        refuse(name, step, str(error))

"""Map text to 2^B columns by hashing: nothing to fit, no vocabulary to store.

    column(word) = |h| mod 2^B     x_column += sign(h)     h = murmurhash3 of the word's UTF-8 bytes, 32 bits, seed 0

The same as scikit-learn's HashingVectorizer without normalization; with presence a column that a text has is 1, without
a sign. A certificate over hashed columns is about the
hashed vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.prepare.raw_columns import Names
from novikoff.prepare.step import Step
from novikoff.prepare.text_analysis import DEFAULT, TextAnalysis, analysis_in
from novikoff.prepare.word_counts import no_words
from novikoff.records.record_reader import Fields

FEWEST, MOST = 1, 30


class Hash(Step):
    """Signed hashing of words to 2^bits columns."""

    kind, on, option, learns = "hash", "text", "hash_bits=", False

    def __init__(self, bits: int = 18, analysis: TextAnalysis = DEFAULT) -> None:
        if isinstance(bits, bool) or not isinstance(bits, int) or not FEWEST <= bits <= MOST:
            raise InputError(
                f"found {bits!r}, expected a whole number from {FEWEST} to {MOST} (2^bits columns; 18 is usual)",
                argument="hash_bits",
            )
        self.bits, self.analysis = bits, analysis
        self._has_words, self._n = False, 0  # of the training texts

    def look(self, texts: Sequence[str]) -> None:
        """Find out whether there is a word in some training texts."""
        self._has_words = self._has_words or any(map(self.analysis.analyser(), texts))
        self._n += len(texts)

    def settle(self, column: str) -> dict[str, Any]:
        """Return the number of texts; raise InputError if none has a word."""
        if not self._has_words:
            raise no_words(column, self._n, self.analysis)
        return {"texts": self._n}

    def apply(self, texts: Sequence[str]) -> Any:
        return self.vectorizer().transform(texts)

    def vectorizer(self) -> Any:
        """Return scikit-learn's transformer."""
        from sklearn.feature_extraction.text import HashingVectorizer

        how = {"n_features": 1 << self.bits, "norm": None, "alternate_sign": True}
        return HashingVectorizer(**self.analysis.arguments(), **how)

    def names(self, column: str, alone: bool) -> Names:
        """Return names such as hash:17, prefixed by the column's name if there are several text columns."""
        return Names(1 << self.bits, lambda j: f"hash:{j}" if alone else f"{column}:hash:{j}")

    def record(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return self.analysis.record() | {"hash": "murmurhash3_32", "seed": 0, "bits": self.bits}, {}

    @classmethod
    def from_record(cls, fields: Fields, d: int) -> Hash:
        analysis = analysis_in(fields)
        fields.word("hash", ("murmurhash3_32",))
        fields.whole("seed", 0, 0)
        return cls(fields.whole("bits", FEWEST, MOST), analysis)

"""Convert text to word counts, plain or weighted by inverse document frequency (TF-IDF).

    bag     x_j = how often word j is in the text
    TF-IDF  x_j = count·idf_j, the row then scaled to length 1;   idf_j = ln((1 + n)/(1 + df_j)) + 1

From the notes: Z3 (Zhang: mail as a vector of words). df_j is how many of the n training texts contain word j. Words,
counts and weights are scikit-learn's (CountVectorizer, TfidfTransformer with their defaults): lower case, two or more
letters, digits or underscores, unless `text_analysis` says otherwise. Counts are integers, so that fitting in chunks
gives the same bits. With presence a word counts at most once: x_j is 0 or 1.
"""

from __future__ import annotations

import decimal
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.prepare.raw_columns import Names
from novikoff.prepare.step import Step
from novikoff.prepare.text_analysis import DEFAULT, TextAnalysis, analysis_in
from novikoff.records.record_reader import Fields


class Words(Step):
    """One column for each word of the training texts.

    Parameters
    ----------
    tfidf : weigh the counts by rarity, and scale each row to length 1
    min_df : leave out words that are in fewer training texts; default 2 with tfidf, else 1
    analysis : what is counted in a text: words or characters, n-grams, presence
    """

    kind, on, learns = "words", "text", True

    def __init__(self, tfidf: bool = False, min_df: int | None = None, analysis: TextAnalysis = DEFAULT) -> None:
        self.analysis = analysis
        self.tfidf, self.min_df = tfidf, (2 if tfidf else 1) if min_df is None else min_df
        if isinstance(self.min_df, bool) or not isinstance(self.min_df, int) or self.min_df < 1:
            raise InputError(f"found {min_df!r}, expected a whole number of texts, 1 or more", argument="min_df")
        more = f"min_df={self.min_df}" if self.min_df > 1 else "text="
        self.option = "tfidf=True" if tfidf else analysis.option() or more
        self.words: tuple[str, ...] = ()
        self.idf: np.ndarray | None = None
        self._texts: Counter[str] = Counter()
        self._n = 0
        self._machines: tuple[Any, Any] | None = None
        self._counted: tuple[Sequence[str], Any, Any] | None = None  # the last texts, their counts, texts of each word

    def look(self, texts: Sequence[str]) -> None:
        """Count the words of some training texts, and keep the counts for `apply`: extracting words is slow."""
        from sklearn.feature_extraction.text import CountVectorizer

        counter = CountVectorizer(**self.analysis.arguments(), dtype=np.float64)
        self._n += len(texts)
        try:
            X = counter.fit_transform(texts)
        except ValueError:  # no words at all, which `settle` reports
            return
        texts_of = np.bincount(X.indices, minlength=X.shape[1])
        self._texts.update(dict(zip(counter.get_feature_names_out().tolist(), texts_of.tolist(), strict=True)))
        self._counted = texts, X, texts_of

    def settle(self, column: str) -> dict[str, Any]:
        """Finish fitting: choose the words and return the report."""
        if not self._texts:
            raise no_words(column, self._n, self.analysis)
        self.words = tuple(sorted(word for word, texts in self._texts.items() if texts >= self.min_df))
        found = len(self._texts)
        if not self.words:
            raise InputError(
                f"{self.option}: none of the {found} different words of column {column!r} is in {self.min_df} texts "
                f"or more; give a smaller min_df= (1 keeps every word)"
            )
        if self.tfidf:
            texts = np.array([self._texts[word] for word in self.words], dtype=np.float64)
            self.idf = _logarithms((self._n + 1) / (texts + 1)) + 1
        self._texts, self._machines = Counter(), None
        return {"texts": self._n, "words": len(self.words), "words_left_out": found - len(self.words)}

    def apply(self, texts: Sequence[str]) -> Any:
        """Return the rows of some texts; words without a column are ignored."""
        if self._machines is None:
            self._machines = vectorizers(self.words, self.idf, self.analysis)
        counter, weigher = self._machines
        counted, self._counted = self._counted, None
        if counted is not None and counted[0] is texts and len(texts) == self._n:  # all training texts
            X = counted[1][:, counted[2] >= self.min_df]
        else:
            X = counter.transform(texts)
        X.sort_indices()
        return X if weigher is None else weigher.transform(X, copy=False)

    def names(self, column: str, alone: bool) -> Names:
        """Return names such as word:free; with several text columns the column's name replaces "word"."""
        kind = "chars" if self.analysis.by_characters else "word"
        return Names(len(self.words), lambda j: f"{kind if alone else column}:{self.words[j]}")

    def record(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        fields = self.analysis.record() | {"tfidf": self.tfidf, "min_df": self.min_df, "words": list(self.words)}
        return fields, {} if self.idf is None else {"idf": self.idf}

    @classmethod
    def from_record(cls, fields: Fields, d: int) -> Words:
        analysis = analysis_in(fields)
        step = cls(fields.truth("tfidf"), fields.whole("min_df", 1), analysis)
        step.words = fields.texts("words", rising=True)
        if not step.words:
            fields.refuse("words", [], "at least one word")
        if step.tfidf:
            step.idf = fields.array("idf", (len(step.words),))
        return step


def no_words(column: str, n: int, analysis: TextAnalysis) -> InputError:
    """Return the error for a column of n texts without words."""
    if analysis != DEFAULT:
        found = f"nothing to count in {n} texts ({analysis.option()})"
    else:
        found = f"no words in {n} texts (a word has two or more letters or digits)"
    return InputError(f"text={column!r}: {found}; is it the right column?")


def _logarithms(ratios: np.ndarray) -> np.ndarray:
    """Return ln of each number, correctly rounded: the last bit of a platform's own logarithm may differ."""
    context = decimal.Context(prec=40)
    different, at = np.unique(ratios, return_inverse=True)
    return np.asarray(np.array([float(Decimal(v).ln(context)) for v in different.tolist()])[at])


def vectorizers(words: Sequence[str], idf: np.ndarray | None, analysis: TextAnalysis) -> tuple[Any, Any]:
    """Return scikit-learn's transformers, configured by hand: a word counter, and a TF-IDF weighting or None."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

    places = {word: j for j, word in enumerate(words)}
    counter = CountVectorizer(**analysis.arguments(), vocabulary=places, dtype=np.float64)
    if idf is None:
        return counter, None
    weigher = TfidfTransformer()
    weigher.idf_ = idf
    return counter, weigher

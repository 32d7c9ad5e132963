"""How texts become words: the words or characters that are counted, n-grams, presence.

    word        lower case, two or more letters, digits or underscores
    char        characters of the text, lower case        char_wb   the same within words, with a space at each end

Words and n-grams are those of scikit-learn's vectorizers (`analyzer`, `ngram_range`, `binary`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from novikoff.arguments.argument_checks import one_of, truth
from novikoff.errors import InputError
from novikoff.records.record_reader import Fields

TOKENS = r"(?u)\b\w\w+\b"
ANALYZERS = ("word", "char", "char_wb")
LONGEST = 20  # n-grams


@dataclass(frozen=True)
class TextAnalysis:
    """What is counted in a text. presence: whether a word counts once.

    Examples
    --------
    >>> analysis_of(ngrams=(1, 2)).analyser()("The cat")
    ['the', 'cat', 'the cat']
    """

    presence: bool = False
    ngrams: tuple[int, int] = (1, 1)
    analyzer: str = "word"

    @property
    def by_characters(self) -> bool:
        """Whether n-grams of characters are counted."""
        return self.analyzer != "word"

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of scikit-learn's vectorizers."""
        named: dict[str, Any] = {"ngram_range": self.ngrams, "analyzer": self.analyzer, "binary": self.presence}
        return named if self.by_characters else named | {"token_pattern": TOKENS}

    def analyser(self) -> Callable[[str], list[str]]:
        """Return the function from a text to what is counted in it."""
        return _analyser(self)

    def option(self) -> str:
        """Return the argument that requests this analysis, for a message; empty if it is the default one."""
        if self.presence:
            return "presence=True"
        if self.ngrams != (1, 1):
            return "ngrams="
        return f"analyzer={self.analyzer!r}" if self.by_characters else ""

    def record(self) -> dict[str, Any]:
        """Return the fields of a record."""
        return {"tokens": TOKENS, **asdict(self), "ngrams": list(self.ngrams)}


DEFAULT = TextAnalysis()


@cache
def _analyser(analysis: TextAnalysis) -> Callable[[str], list[str]]:
    from sklearn.feature_extraction.text import CountVectorizer

    words: Callable[[str], list[str]] = CountVectorizer(**analysis.arguments()).build_analyzer()
    return words


def analysis_of(
    presence: bool = False,
    ngrams: Any = (1, 1),
    analyzer: str = "word",
) -> TextAnalysis:
    """Return the analysis of texts; raise InputError for values that cannot be used.

    ngrams: the shortest and the longest n-gram.
    """
    truth("presence", presence)
    one_of("analyzer", analyzer, ANALYZERS)
    pair = tuple(ngrams) if isinstance(ngrams, tuple | list) else ()
    whole = len(pair) == 2 and all(type(n) is int for n in pair)
    if not whole or not 1 <= pair[0] <= pair[1] <= LONGEST:
        expected = f"two integers, the shortest and the longest, from 1 to {LONGEST}, as in (1, 2)"
        raise InputError(f"found {ngrams!r}; {expected} was expected", "ngrams")
    return TextAnalysis(bool(presence), (pair[0], pair[1]), analyzer)


def analysis_in(fields: Fields) -> TextAnalysis:
    """Return the analysis of a record; raise InputError for anything that `record` does not write."""
    fields.word("tokens", (TOKENS,))
    presence, analyzer = fields.truth("presence"), fields.word("analyzer", ANALYZERS)
    ngrams = fields.take("ngrams", lambda v: isinstance(v, list), "two integers")
    try:
        return analysis_of(presence, ngrams, analyzer)
    except InputError as error:
        raise InputError(f"{fields.name}: {error}") from None

"""How texts become words: the words or characters that are counted, n-grams, stop words, presence.

    word        lower case, two or more letters, digits or underscores
    char        characters of the text, lower case        char_wb   the same within words, with a space at each end

Words and n-grams are those of scikit-learn's vectorizers (`analyzer`, `ngram_range`, `stop_words`, `binary`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from novikoff.arguments.argument_checks import one_of, truth
from novikoff.errors import InputError
from novikoff.records.record_reader import Fields

TOKENS = r"(?u)\b\w\w+\b"
ANALYZERS = ("word", "char", "char_wb")
LONGEST = 20  # n-grams
ENGLISH = "english"


@dataclass(frozen=True)
class TextAnalysis:
    """What is counted in a text. stop_words: words that are not counted, sorted. presence: whether a word counts once.

    Examples
    --------
    >>> analysis_of(ngrams=(1, 2), stop_words=["the"]).analyser()("The cat sat")
    ['cat', 'sat', 'cat sat']
    """

    presence: bool = False
    ngrams: tuple[int, int] = (1, 1)
    analyzer: str = "word"
    stop_words: tuple[str, ...] = ()

    @property
    def by_characters(self) -> bool:
        """Whether n-grams of characters are counted."""
        return self.analyzer != "word"

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of scikit-learn's vectorizers."""
        named: dict[str, Any] = {"ngram_range": self.ngrams, "analyzer": self.analyzer, "binary": self.presence}
        if not self.by_characters:
            named |= {"token_pattern": TOKENS, "stop_words": list(self.stop_words) or None}
        return named

    def analyser(self) -> Callable[[str], list[str]]:
        """Return the function from a text to what is counted in it."""
        return _analyser(self)

    def option(self) -> str:
        """Return the argument that requests this analysis, for a message; empty if it is the default one."""
        if self.presence:
            return "presence=True"
        if self.ngrams != (1, 1):
            return "ngrams="
        return f"analyzer={self.analyzer!r}" if self.by_characters else "stop_words=" if self.stop_words else ""

    def record(self) -> dict[str, Any]:
        """Return the fields of a record."""
        return {"tokens": TOKENS, **asdict(self)} | {"ngrams": list(self.ngrams), "stop_words": list(self.stop_words)}


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
    stop_words: str | Iterable[str] | None = None,
) -> TextAnalysis:
    """Return the analysis of texts; raise InputError for values that cannot be used.

    ngrams: the shortest and the longest n-gram. stop_words: "english" for scikit-learn's list, or a list of words.
    """
    truth("presence", presence)
    one_of("analyzer", analyzer, ANALYZERS)
    pair = tuple(ngrams) if isinstance(ngrams, tuple | list) else ()
    whole = len(pair) == 2 and all(type(n) is int for n in pair)
    if not whole or not 1 <= pair[0] <= pair[1] <= LONGEST:
        expected = f"two integers, the shortest and the longest, from 1 to {LONGEST}, as in (1, 2)"
        raise InputError(f"found {ngrams!r}; {expected} was expected", "ngrams")
    words = _stop_words(stop_words)
    if words and analyzer != "word":
        raise InputError(f"found {len(words)} words; they are for analyzer='word' only", "stop_words")
    made = TextAnalysis(bool(presence), (pair[0], pair[1]), analyzer, words)
    for word in words if stop_words != ENGLISH else ():
        if DEFAULT.analyser()(word) not in ([word], []):
            found = DEFAULT.analyser()(word)
            raise InputError(f"found {word!r}, which is split into {found}: no word of a text equals it", "stop_words")
    return made


def _stop_words(given: str | Iterable[str] | None) -> tuple[str, ...]:
    if given is None:
        return ()
    if given == ENGLISH:
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        given = ENGLISH_STOP_WORDS
    if isinstance(given, str) or not all(isinstance(word, str) for word in given):
        raise InputError(f"found {given!r}; 'english' or a list of words was expected", "stop_words")
    return tuple(sorted({word.lower() for word in given}))


def analysis_in(fields: Fields) -> TextAnalysis:
    """Return the analysis of a record; raise InputError for anything that `record` does not write."""
    fields.word("tokens", (TOKENS,))
    presence, analyzer = fields.truth("presence"), fields.word("analyzer", ANALYZERS)
    ngrams = fields.take("ngrams", lambda v: isinstance(v, list), "two integers")
    words = fields.texts("stop_words", rising=True)
    try:
        analysis_of(presence, ngrams, analyzer)
    except InputError as error:
        raise InputError(f"{fields.name}: {error}") from None
    if words and analyzer != "word":
        fields.refuse("stop_words", words, "no stop words of characters")
    return TextAnalysis(presence, (ngrams[0], ngrams[1]), analyzer, words)

"""Compute the digest of labelled points, the same from every storage: a tree of SHA-256 over blocks of 4,096 rows.

    row     label · count · (column, number) of each number that is not zero      words of 8 bytes, little-endian
    label   the word 2^64 − 1 and a number up to 2^53; or a text: its length in bytes, and the bytes in whole words
    digest  SHA-256("novikoff-digest/2" · n · d · SHA-256(rows 0–4095) · SHA-256(rows 4096–8191) · …)

docs/certificate.md defines it to the byte, and `proof/verify.py` has a slow reference implementation. Here NumPy builds
the words of many rows at once, and `parallel_digest` distributes blocks over an engine.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import NUMBERS
from novikoff.data.labels import coded, labels_of
from novikoff.data.plain_files import NUMBER, UnreadableError, label_text
from novikoff.data.problem import Problem
from novikoff.errors import InputError

BLOCK = 4096  # rows
FEW = 1 << 16  # numbers: fewer are hashed sooner than threads begin
THREADS = 2
LONGEST = 400  # letters of a label that may be a number, as `label_text` has it
HEAD = "novikoff-digest/2"
EXACT_TO = 2.0**53  # labels beyond are texts: not every whole number beyond is a binary64 number
_WORD = np.dtype("<u8")
Sparse = tuple[np.ndarray, np.ndarray, np.ndarray]  # values, columns, and how many are in each row
Hashed = Callable[[Problem, list[str], Any], Iterable[bytes]]  # as `block_digests`


def digest_of(problem: Problem, y: Any, hashed: Hashed | None = None) -> str:
    """Return the hex digest of the points and their labels; hashed: the function that hashes blocks, None for
    `block_digests`.
    """
    return begun_digest(problem, y, hashed)()


def begun_digest(problem: Problem, y: Any, hashed: Hashed | None = None) -> Callable[[], str]:
    """Return the function that finishes the digest; `hashed` may work on the blocks meanwhile."""
    texts, codes = label_texts(y)
    check_labels(problem.n, codes.size)
    head = np.concatenate([text_words(HEAD), np.array([problem.n, problem.d], _WORD)])
    blocks = (hashed or block_digests)(problem, texts, codes)
    return lambda: hashlib.sha256(head.tobytes() + b"".join(blocks)).hexdigest()


def check_labels(n: int, labels: int) -> None:
    """Raise InputError unless there is one label for each row."""
    if n != labels:
        raise InputError(f"X and y: {n} rows and {labels} labels; give one label for each row")


def block_digests(problem: Problem, texts: list[str], codes: np.ndarray) -> list[bytes]:
    """Return the SHA-256 of each block of rows; the first row starts a block. codes: the index of each row's label
    text.
    """
    labels = [label_words(text) for text in texts]
    blocks, block = [], hashlib.sha256()
    for rows, values, columns, counts in _slices(problem):
        block.update(_words(labels, codes[rows], values, columns, counts).data)
        if rows.stop % BLOCK == 0 or rows.stop == problem.n:
            blocks.append(block.digest())
            block = hashlib.sha256()
    return blocks


@contextlib.contextmanager
def digest_ahead(problem: Problem, y: Any) -> Iterator[Callable[[], str]]:
    """Return the function that gives the digest of labelled points, which threads hash meanwhile; what is not begun at
    the end is not hashed. Few numbers are hashed when the digest is requested.
    """
    threads = ThreadPoolExecutor(THREADS, "novikoff digest")

    def hashed(problem: Problem, texts: list[str], codes: np.ndarray) -> Iterator[bytes]:
        whole, n = replace(problem, y=codes), problem.n
        parts = [whole.part(slice(lo, min(lo + BLOCK, n))) for lo in range(0, n, BLOCK)]
        run = map if problem.stored < FEW else threads.map
        return chain.from_iterable(run(lambda part: block_digests(part, texts, part.y), parts))

    try:
        yield begun_digest(problem, y, hashed)
    finally:
        threads.shutdown(cancel_futures=True)


# ---- labels --------------------------------------------------------------------------------------------------------


def label_texts(y: Any) -> tuple[list[str], np.ndarray]:
    """Return the distinct labels as texts, and the index of each row's label among them."""
    classes, codes = coded(labels_of(y))
    return _texts(classes), codes


def _texts(classes: np.ndarray) -> list[str]:
    try:
        texts = [label_text(label) for label in classes.tolist()]
    except UnreadableError as error:
        raise InputError(str(error)) from None
    for k, text in enumerate(texts):
        if text in texts[:k]:
            twin = classes.tolist()[texts.index(text)]
            raise InputError(
                f"labels {twin!r} and {classes.tolist()[k]!r} are the same number; rename one of them", "y"
            )
    return texts


# ---- rows ----------------------------------------------------------------------------------------------------------


def _slices(problem: Problem) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield (rows, values, columns, counts): the nonzero values of some rows that are all in one block."""
    if problem.sparse and not in_order(problem):
        problem = problem.tidied()
    for rows, at, lo, hi in problem.pieces():
        for a, b in _cuts(problem, at + lo, at + hi):
            part = slice(a - at, b - at)
            values, columns, counts = _sparse(rows, part) if problem.sparse else _dense(rows[part])
            if not np.isfinite(values).all():
                k = int(np.argmin(np.isfinite(values)))
                row = a + int(np.searchsorted(np.cumsum(counts), k, side="right"))
                what = "NaN" if np.isnan(values[k]) else "infinity"
                raise problem.row_error(
                    f"contains {what}: ",
                    row,
                    f", column {int(columns[k]) + 1} (counted from 1); drop such rows or fill them in first",
                    f"Input {problem.name} ",
                )
            yield slice(a, b), values, columns, counts


def _cuts(problem: Problem, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Split rows start to stop into parts that end at block boundaries and fit in the cache."""
    step = max(1, min(BLOCK, NUMBERS * problem.n // max(problem.stored, 1)))
    while start < stop:
        end = min(stop, start + step, (start // BLOCK + 1) * BLOCK)
        yield start, end
        start = end


def in_order(problem: Problem) -> bool:
    """Return whether the columns of every sparse row are strictly increasing and in range."""
    from scipy.sparse import csr_matrix

    for (values, columns, starts), _, _, _ in problem.pieces():
        if columns.size and not 0 <= columns.min() <= columns.max() < problem.d:
            return False
        rows = csr_matrix((values, columns, starts), shape=(len(starts) - 1, problem.d), copy=False)
        if not rows.has_canonical_format:
            return False
    return True


def _dense(array: np.ndarray) -> Sparse:
    values = array.astype(np.float64)
    used = values != 0
    if used.all():
        columns = np.tile(np.arange(values.shape[1]), len(values))
        return values.ravel(), columns, np.full(len(values), values.shape[1])
    return values[used], np.nonzero(used)[1], used.sum(axis=1)


def _sparse(rows: Sparse, part: slice) -> Sparse:
    values, columns, starts = rows
    starts = starts[part.start : part.stop + 1].astype(np.int64)
    values = values[starts[0] : starts[-1]].astype(np.float64)
    columns, used = columns[starts[0] : starts[-1]], values != 0
    if used.all():
        return values, columns, np.diff(starts)
    before = np.concatenate([[0], np.cumsum(used)])[starts - starts[0]]
    return values[used], columns[used], np.diff(before)


# ---- words ---------------------------------------------------------------------------------------------------------


def label_words(text: str) -> np.ndarray:
    """Return the words of a label: of a number a marker and its binary64 form, else of its text."""
    near = float(text) if len(text) <= LONGEST and NUMBER.fullmatch(text) else np.inf
    if not abs(near) <= EXACT_TO:
        return text_words(text)
    return np.array([2**64 - 1, np.float64(near + 0.0).view(np.uint64)], _WORD)  # -0.0 + 0.0 is 0.0


def text_words(text: str) -> np.ndarray:
    """Return the byte count, the bytes, and zero padding up to a multiple of 8 bytes."""
    raw = text.encode("utf-8", "surrogatepass")
    return np.frombuffer(len(raw).to_bytes(8, "little") + raw + bytes(-len(raw) % 8), _WORD)


def _words(
    labels: list[np.ndarray], codes: np.ndarray, values: np.ndarray, columns: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Return the words of the rows, concatenated."""
    sizes = np.array([label.size for label in labels])[codes]
    ends = np.cumsum(sizes + 1 + 2 * counts)
    out = np.empty(int(ends[-1]), _WORD)
    first = ends - 2 * counts  # where the pairs of a row begin
    is_pair = np.ones(out.size, bool)
    for code, label in enumerate(labels):
        here = first[codes == code] - 1 - label.size
        for k, word in enumerate(label):
            out[here + k], is_pair[here + k] = word, False
    out[first - 1], is_pair[first - 1] = counts, False
    pairs = np.empty((values.size, 2), _WORD)
    pairs[:, 0], pairs[:, 1] = columns, values.astype("<f8", copy=False).view(_WORD)
    out[is_pair] = pairs.ravel()
    return out

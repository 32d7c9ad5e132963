"""Orders: every pass shows what it must, and chance is a pure function of seed, pass and block."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from novikoff.kernels.compile import bind, interpreted
from novikoff.perceptron import orders
from novikoff.perceptron.orders import BLOCK, Order, rows_of_pass

sizes = st.integers(1, 300)
seeds = st.integers(0, 2**63 - 1)


@given(n=sizes, seed=seeds, number=st.integers(0, 50))
def test_a_shuffled_pass_shows_every_row_once(n: int, seed: int, number: int) -> None:
    assert sorted(rows_of_pass("shuffle", n, seed, number)) == list(range(n))


@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5])
def test_shuffle_permutes_blocks_and_then_the_rows_inside_each(n: int) -> None:
    rows = rows_of_pass("shuffle", n, 7, 2)
    assert np.array_equal(np.sort(rows), np.arange(n))
    edges = np.flatnonzero(np.diff(rows // BLOCK)) + 1
    assert len(edges) == -(-n // BLOCK) - 1, "rows of one block stay together"


def test_a_block_is_the_same_whether_or_not_those_before_it_were_made() -> None:
    n = 3 * BLOCK
    whole = rows_of_pass("shuffle", n, 1, 0)
    alone = orders._rows_of_block((1, 0, 0), 2, n)
    start = int(np.flatnonzero(whole // BLOCK == 2)[0])
    assert np.array_equal(whole[start : start + BLOCK], alone)


@given(n=sizes, seed=seeds)
def test_random_draws_n_rows_with_replacement(n: int, seed: int) -> None:
    rows = rows_of_pass("random", n, seed, 0)
    assert rows.size == n
    assert rows.min() >= 0
    assert rows.max() < n


def test_draws_are_spread_evenly() -> None:
    counts = np.bincount(rows_of_pass("random", 100_000, 3, 0) // 1000, minlength=100)
    assert counts.min() > 800
    assert counts.max() < 1200


def test_passes_seeds_and_orders_differ() -> None:
    seen = {rows_of_pass(o, 50, s, p).tobytes() for o in ("shuffle", "random") for s in (0, 1) for p in (0, 1)}
    assert len(seen) == 8


def test_the_chance_of_a_seed_never_changes() -> None:
    """Frozen: a saved model names its seed, and the order must come out the same in every later version."""
    assert rows_of_pass("shuffle", 8, 0, 0).tolist() == FROZEN_SHUFFLE
    assert rows_of_pass("random", 8, 0, 0).tolist() == FROZEN_RANDOM


FROZEN_SHUFFLE = [0, 2, 1, 5, 4, 3, 6, 7]
FROZEN_RANDOM = [3, 2, 1, 4, 3, 5, 7, 4]


@given(n=sizes, most=st.integers(1, 100))
def test_pieces_of_any_size_are_the_same_pass(n: int, most: int) -> None:
    for name in ("cyclic", "shuffle", "random"):
        pieces = [rows[a:b] if rows.size else np.arange(a, b) for rows, a, b in Order(name, 5).stretches(n, 1, most)]
        assert max(map(len, pieces)) <= most
        assert np.array_equal(np.concatenate(pieces), rows_of_pass(name, n, 5, 1))


def test_first_has_no_rows_of_its_own() -> None:
    with pytest.raises(ValueError, match="depend on the mistakes"):
        rows_of_pass("first", 3, 0, 0)


@given(seed=seeds, number=st.integers(0, 2**40), block=st.sampled_from([0, 1, 7, 1 << 63]), size=st.integers(1, 70))
def test_the_words_are_those_of_a_new_generator(seed: int, number: int, block: int, size: int) -> None:
    """One generator for each thread is set to the place of the block, instead of a new one for each block."""
    key, counter = np.array([seed, number], np.uint64), np.array([0, 0, 0, block], np.uint64)
    orders._raw((seed, 3, 0), 0, 5)  # leaves the generator in the middle of its buffer
    new = np.random.Philox(key=key, counter=counter).random_raw(size)
    assert np.array_equal(orders._raw((seed, number, 0), block, size), new)


@pytest.mark.bounds
@pytest.mark.parametrize("mode", ["interpreted", pytest.param("compiled", marks=pytest.mark.compiled)])
@pytest.mark.parametrize("n", [1, 2, 3, 64, 1000])
def test_the_kernel_sorts_as_the_keys_of_numpy_do(n: int, mode: str) -> None:
    """Also words that are equal but for their low 16 bits: they stay in their order."""
    sort = bind(orders.sort_places, orders) if mode == "compiled" else interpreted(orders.sort_places, orders)
    words = orders._raw((3, 1, 0), 0, n)
    equal = np.repeat(words[: n // 2 + 1], 2)[:n] ^ np.arange(n).astype(np.uint64)
    for some in (words, words & ~np.uint64(7 << 60), equal):
        assert np.array_equal(orders._permutation(some, sort), orders._permutation(some))


@pytest.mark.compiled
def test_a_run_that_compiles_shuffles_the_same_rows() -> None:
    n, sort = orders.MANY + 5, bind(orders.sort_places, orders)
    (rows, lo, hi), *more = Order("shuffle", 4).stretches(n, 2, BLOCK, sort)
    assert (lo, hi, more) == (0, n, [])
    assert np.array_equal(rows, rows_of_pass("shuffle", n, 4, 2))

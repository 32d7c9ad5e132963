"""The structural checks before compiled code: index arrays of matrices, files, models and checkpoints."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp

import novikoff as nv
from commands import novikoff
from data.small_sets import random_labels
from novikoff.io import svmlight_kernel
from novikoff.kernels.compile import bind, interpreted
from novikoff.kernels.structure_checks import check_indices, check_sparse, check_starts, compressed_rows, highest, rises
from novikoff.perceptron.checkpoint import FORM, NAME
from novikoff.records.container import load_file, save_file

X = np.array([[1.0, 2, 0, 0], [0, 0, 3, 0], [4, 0, 0, 0]])
Y = np.array([1, 0, 1])
WRAPS = [np.array([0, 2**62, -(2**62), 2**62, 2], np.int64), np.array([0, 100, -100, 100, 2], np.int8)]


def dense(points: Any) -> np.ndarray:
    return np.asarray(points.X.toarray() if hasattr(points.X, "toarray") else points.X)


def save(path: Path, matrix: Any, y: Any = Y, **other: Any) -> Path:
    """A sparse .npz file as SciPy writes it, with labels; `other` replaces its parts."""
    raw = io.BytesIO()
    sp.save_npz(raw, matrix)
    parts = dict(np.load(io.BytesIO(raw.getvalue())))
    np.savez(path, **(parts | {"y": y} | other))
    return path


# ---- the checks themselves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("starts", WRAPS)
def test_starts_whose_differences_wrap_do_not_rise(starts: np.ndarray) -> None:
    assert not rises(starts)
    with pytest.raises(nv.InputError, match="do not grow"):
        check_starts(starts, 4, 2, "X")


def test_starts_of_every_integer_type() -> None:
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">i8", ">u2"):
        parts = np.array([5.0, 6.0]), np.array([1, 0], kind), np.array([0, 1, 2], kind)
        values, columns, starts = compressed_rows(parts, (2, 2), "X")
        assert (values.tolist(), columns.tolist(), starts.tolist()) == ([5.0, 6.0], [1, 0], [0, 1, 2])
        assert columns.dtype in (np.int32, np.int64)
        assert starts.dtype.isnative


def test_index_numbers_outside_are_named() -> None:
    for worst in (-1, 3, 2**40):
        with pytest.raises(nv.InputError, match=rf"found index {worst}; expected 0 to 2"):
            check_indices(np.array([0, worst, 1]), 3, "columns", "X")
    assert highest(np.array([7, 1], ">i4")) == 7


@pytest.mark.parametrize(
    "parts",
    [
        ([1.0], [0], [[0, 1]]),
        ([1.0], [0.0], [0, 1]),
        ([1.0], [0], [0.0, 1.0]),
        ([1.0], [0, 0], [0, 1]),
        ([[1.0]], [0], [0, 1]),
        ([1.0], [0], [0]),
        ([1.0], [0], [0, 2]),
        ([1.0], [0], [1, 1]),
        ([1.0], [2], [0, 1]),
    ],
)
def test_compressed_rows_that_are_none(parts: Any) -> None:
    with pytest.raises(nv.InputError):
        compressed_rows(tuple(map(np.array, parts)), (1, 2), "X")


# ---- the svmlight tokenizer ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["1 " + "1: " * 1200, "1 1:1\n" + "0 " + "7:\t" * 5000, "1 2:\n1 2:"])
@pytest.mark.parametrize("verb", ["fit", "predict"])
def test_pairs_without_a_number_are_refused_and_fit_into_the_room(tmp_path: Path, text: str, verb: str) -> None:
    """They take three bytes, and room is made for pairs of four: they were written past the end of the arrays."""
    bad, good, model = tmp_path / "bad.svm", tmp_path / "good.svm", tmp_path / "m.nvk"
    bad.write_text(text)
    good.write_text("1 1:1\n0 2:1\n")
    assert novikoff("fit", good, "-o", model).code == 0
    info = novikoff("fit", bad) if verb == "fit" else novikoff("predict", model, bad)
    assert info.code == 3
    assert "a finite number was expected after the colon" in info.err


@pytest.mark.parametrize(("rows", "pairs"), [(1, 10), (10, 1), (0, 0)])
@pytest.mark.parametrize("marks", [0, 128, 512])
@pytest.mark.parametrize("compiled", [False, True])
def test_the_tokenizer_stops_where_its_arrays_end(rows: int, pairs: int, compiled: bool, marks: int) -> None:
    text = np.frombuffer(b"1 1:2 2:3\n-1 1:4 2:5\n" + bytes(64), np.uint8).copy()
    guard = 99
    labels, spans = np.full(rows + guard, 7.0), np.full((rows + guard, 2), 7)
    starts, columns = np.full(rows + 1 + guard, 7), np.full(pairs + guard, 7, np.int32)
    values = np.full(pairs + guard, 7.0)
    found = np.full(marks + guard, 7, np.uint32)
    room = found[:marks], labels[:rows], spans[:rows], starts[: rows + 1], columns[:pairs], values[:pairs]
    read = (
        bind(svmlight_kernel.read, svmlight_kernel) if compiled else interpreted(svmlight_kernel.read, svmlight_kernel)
    )
    with np.errstate(all="ignore"):  # where the compiler is off, both are interpreted
        wrong, *_ = read(text, 0, 21, 2**31 - 2, *room)
    assert wrong == svmlight_kernel.NO_ROOM
    arrays = (found, marks), (labels, rows), (spans, rows), (starts, rows + 1), (columns, pairs), (values, pairs)
    for array, end in arrays:
        assert (array[end:] == 7).all()


# ---- sparse .npz -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("array", [False, True])
def test_a_sparse_npz_is_read_as_scipy_means_it(tmp_path: Path, array: bool) -> None:
    """Also its last column, which is empty."""
    made = sp.csr_array if array else sp.csr_matrix
    points = nv.read(save(tmp_path / "a.npz", made(X)))
    assert dense(points).tolist() == X.tolist()
    assert points.y.tolist() == Y.tolist()
    for verb in (["certify"], ["fit", "--max-passes", "3"]):
        assert novikoff(*verb[:1], tmp_path / "a.npz", *verb[1:], "--json").json["d"] == 4


@pytest.mark.parametrize("kind", ["csc", "bsr", "coo", "dia"])
def test_a_sparse_npz_of_another_format_is_refused_with_the_way_out(tmp_path: Path, kind: str) -> None:
    path = save(tmp_path / "a.npz", getattr(sp, f"{kind}_matrix")(X))
    with pytest.raises(nv.InputError, match=rf"a.npz: format: found '{kind}'; 'csr' was expected: save X.tocsr\(\)"):
        nv.read(path)


LIES: dict[str, dict[str, Any]] = {
    "falling": {"indptr": np.array([0, 3, 2, 4])},
    "negative": {"indptr": np.array([0, -1, 2, 4])},
    "not from 0": {"indptr": np.array([1, 2, 3, 4])},
    "beyond": {"indptr": np.array([0, 2, 3, 9])},
    "wraps": {"indptr": np.array([0, 2**62, -(2**62), 4])},
    "wraps in 8 bits": {"indptr": np.array([0, 100, -100, 4], np.int8)},
    "short": {"indptr": np.array([0, 2])},
    "0-d": {"indptr": np.array(0)},
    "floats": {"indptr": np.array([0.0, 2, 3, 4])},
    "short indices": {"indices": np.array([0, 1, 2])},
    "float indices": {"indices": np.array([0.0, 1, 2, 0])},
    "negative index": {"indices": np.array([0, -1, 2, 0])},
    "large index": {"indices": np.array([0, 4, 2, 0])},
    "2-D data": {"data": np.ones((4, 1))},
    "complex": {"data": np.ones(4, complex)},
    "long double": {"data": np.ones(4, np.longdouble)},
    "shape of one": {"shape": np.array([3])},
    "shape of none": {"shape": np.array([0, 4])},
    "shape of floats": {"shape": np.array([3.0, 4.0])},
    "narrow shape": {"shape": np.array([3, 2])},
    "wide shape": {"shape": np.array([3, 2**40])},
    "unknown format": {"format": np.array(b"lil")},
    "format of a number": {"format": np.array(3)},
    "complex y": {"y": Y.astype(complex)},
    "dates": {"y": Y.astype("M8[s]")},
    "records": {"y": np.zeros(3, [("a", int)])},
    "bytes that are no text": {"y": np.array([b"\xff", b"a", b"a"])},
    "too few labels": {"y": Y[:2]},
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("verb", ["fit", "certify", "convert"])
def test_a_sparse_npz_that_lies_is_refused(tmp_path: Path, lie: str, verb: str) -> None:
    path = save(tmp_path / "a.npz", sp.csr_matrix(X), **LIES[lie])
    out = tmp_path / "out.csv"
    info = novikoff(verb, path, *([out] if verb == "convert" else []))
    assert info.code == 3, info
    assert "a.npz" in info.err
    assert not out.exists()


def test_big_endian_index_arrays_have_the_width_that_is_meant(tmp_path: Path) -> None:
    matrix = sp.csr_matrix(X)
    parts = {name: getattr(matrix, name).astype(">i4") for name in ("indices", "indptr")}
    path = save(tmp_path / "be.npz", matrix, data=matrix.data.astype(">f8"), **parts)
    assert dense(nv.read(path)).tolist() == X.tolist()
    assert novikoff("certify", path, "--json").json["d"] == 4


@pytest.mark.filterwarnings("ignore::novikoff.NotSeparatedWarning")
@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_big_endian_matrices_are_the_same_points(kind: str) -> None:
    rng = np.random.default_rng(0)
    A, y = rng.integers(-2, 3, (300, 500)).astype(float), rng.integers(0, 2, 300)
    matrix = getattr(sp, f"{kind}_matrix")(A)
    for name in ("indices", "indptr", "row", "col"):
        if hasattr(matrix, name):
            array = getattr(matrix, name)
            setattr(matrix, name, array.astype(array.dtype.newbyteorder(">")))
    found, wanted = (nv.Perceptron(max_iter=3).fit(Z, y).coef_ for Z in (matrix, A))
    assert found.tobytes() == wanted.tobytes()


# ---- arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "storage"),
    [
        *((wrong, "csr") for wrong in ("NaN", "inf", "column -1", "column 2147483647")),
        ("NaN", "dense"),
        ("inf", "dense"),
    ],
)
def test_decide_refuses_what_is_no_point_in_a_row_that_it_need_not_read(wrong: str, storage: str) -> None:
    X, y = random_labels(4000, 5)  # few rows are needed to see that no plane separates them
    matrix = sp.csr_matrix(X)
    if wrong.startswith("column"):
        matrix.indices[15_001] = int(wrong.split()[1])
    else:
        matrix.data[15_001] = float(wrong)
    with pytest.raises(nv.InputError, match=r"row 3001|column index"):
        nv.decide(matrix if storage == "csr" else matrix.toarray(), y)


def test_more_columns_than_a_plane_can_have() -> None:
    wide = sp.csr_matrix((np.ones(2), np.array([0, 2**31 + 3]), np.array([0, 1, 2])), shape=(2, 2**31 + 5))
    for ask in (nv.decide, nv.margin, nv.Perceptron().fit):
        with pytest.raises(nv.InputError, match="2,147,483,653 columns; expected at most 2,147,483,647"):
            ask(wide, [0, 1])


def test_masked_labels() -> None:
    for y in (np.ma.array([0, 1, 0], mask=[0, 0, 1]), np.ma.array(["a", "b", "a"], mask=[1, 0, 0])):
        with pytest.raises(nv.InputError, match="y: found masked labels"):
            nv.Perceptron().fit(X, y)
    assert nv.Perceptron().fit(X, np.ma.array([0, 1, 0])).n_updates_ > 0


def test_columns_of_one_name() -> None:
    frame = pd.DataFrame(X[:, :2], columns=["a", "a"])
    for store in (frame, pa.table([X[:, 0], X[:, 1]], names=["a", "a"])):
        for ask in (nv.decide, nv.Perceptron().fit):
            with pytest.raises(nv.InputError, match="two columns called 'a'"):
                ask(store, Y)


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "dia", "lil", "dok"])
def test_whole_numbers_that_binary64_does_not_hold_are_refused_in_every_sparse_format(
    tmp_path: Path, kind: str
) -> None:
    large = sp.csr_array(np.array([[2**53 + 1, 0], [0, 1], [1, 1]])).asformat(kind)
    with pytest.raises(nv.InputError, match="9007199254740993"):
        nv.decide(large, Y)
    with pytest.raises(nv.InputError, match="9007199254740993"):
        nv.decide(nv.read(save(tmp_path / "a.npz", large.tocsr())))


# ---- model files and checkpoints -------------------------------------------------------------------------------------


@pytest.fixture
def voters(tmp_path: Path) -> Path:
    """A model of keep="vote" with sparse rows."""
    rng = np.random.default_rng(0)
    matrix, y = sp.random_array((60, 40), density=0.3, rng=rng, format="csr"), rng.integers(0, 2, 60)
    path = tmp_path / "vote.nvk"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nv.save(nv.Perceptron(keep="vote", max_iter=5).fit(matrix, y), path)
    return path


def falls(array: np.ndarray) -> np.ndarray:
    changed = array.copy()
    changed[1:3] = 2**62, -(2**62)
    return changed


VOTES: dict[str, tuple[str, Any]] = {
    "starts that wrap": ("indptr", falls),
    "starts beyond 32 bits": ("indptr", lambda a: np.concatenate([a[:1], a[1:2] + 2**32, a[2:]])),
    "columns beyond 32 bits": ("indices", lambda a: np.concatenate([a[:1] + 2**32, a[1:]])),
    "a negative column": ("indices", lambda a: np.concatenate([a[:1] - 1 - a[0], a[1:]])),
    "a row that is not there": ("log", lambda a: np.concatenate([a[:1] + np.array([2**33, 0, 0]), a[1:]])),
}


@pytest.mark.parametrize("lie", VOTES)
def test_a_model_of_voters_that_lies_is_refused(voters: Path, lie: str) -> None:
    contents, (part, change) = load_file(voters, "novikoff-model/1"), VOTES[lie]
    assert nv.load(voters) is not None
    name = f"votes0.{part}"
    save_file(voters, "novikoff-model/1", contents.record, contents.tensors | {name: change(contents.tensors[name])})
    with pytest.raises(nv.InputError, match=r"not written by this program"):
        nv.load(voters)
    assert novikoff("explain", voters).code == 3


COUNTERS: dict[str, tuple[str, int]] = {
    "updates": ("run.updates", -(2**40)),
    "next row": ("run.place", 10**6),
    "farthest row": ("run.farthest", -1),
    "witness": ("run.witness", 10**6),
    "home": ("run.home", -2),
    "looks": ("plane.looks", -5),
    "too many looks": ("run.looks", 2**61),
    "too many updates": ("plane.updates", 2**61),
    "patience": ("run.patience", -1),
}


@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize("keep", ["pocket", "average", "last"])
@pytest.mark.parametrize("order", ["cyclic", "first"])
def test_a_checkpoint_whose_counters_lie_is_refused(tmp_path: Path, counter: str, keep: str, order: str) -> None:
    rng = np.random.default_rng(0)
    A, y = rng.integers(-3, 4, (40, 6)).astype(float), rng.integers(0, 2, 40)
    clf = nv.Perceptron(keep=keep, order=order, schedule="inverse", max_updates=300, max_iter=8)
    place, value = COUNTERS[counter]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(A, y, checkpoint=tmp_path)
        contents = load_file(tmp_path / NAME, FORM)
        counters = np.full_like(contents.tensors[place], value)
        record = contents.record | {"state": contents.record["state"] | {"reason": None}}
        save_file(tmp_path / NAME, FORM, record, contents.tensors | {place: counters})
        with pytest.raises(nv.InputError, match=r"run\.ckpt: state\.(run|plane)\.\w+: found"):
            clf.fit(A, y, checkpoint=tmp_path, resume=True)


@pytest.mark.parametrize("scheme", ["ova", "ovo", "joint"])
def test_several_planes_have_no_weights_to_compare_with(tmp_path: Path, scheme: str) -> None:
    """A bias that equals one in the file would make compiled code compare weights that are not there."""
    rng = np.random.default_rng(0)
    A, y = rng.integers(-3, 4, (60, 6)).astype(float), rng.integers(0, 3, 60)
    clf = nv.Perceptron(multi_class=scheme, max_iter=3, order="cyclic", keep="last")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(A, y, checkpoint=tmp_path)
        contents = load_file(tmp_path / NAME, FORM)
        bias = contents.tensors["plane.bias"][:1]
        record = contents.record | {"state": contents.record["state"] | {"reason": None}}
        save_file(tmp_path / NAME, FORM, record, contents.tensors | {"run.saved_bias": bias})
        with pytest.raises(nv.InputError, match="saved_bias: found"):
            clf.fit(A, y, checkpoint=tmp_path, resume=True)


def test_a_cycle_in_a_checkpoint_is_added_up_again(tmp_path: Path) -> None:
    """Separable points, and a file that says that two of them sum to zero: no proof is taken from it."""
    A, y = np.array([[1.0, 2], [2, 1], [-1, -2], [-3, 1]]), np.array([1, 1, 0, 0])
    clf = nv.Perceptron(max_iter=1, keep="average")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(A, y, checkpoint=tmp_path)
        for path in tmp_path.glob("*.ckpt"):
            contents = load_file(path, FORM)
            record = contents.record | {"state": contents.record["state"] | {"reason": None}}
            save_file(path, FORM, record, contents.tensors | {"cycle_counts": np.array([1, 1, 0, 0], np.int32)})
        with pytest.raises(nv.InputError, match="points that sum to zero"):
            clf.fit(A, y, checkpoint=tmp_path, resume=True)


# ---- a byte order mark -----------------------------------------------------------------------------------------------

TEXTS = {
    "svm": "1 1:1 2:3\n0 1:2 2:-1\n1 1:3 2:4\n",
    "csv": "a,b,label\n1,3,1\n2,-1,0\n3,4,1\n",
}


@pytest.mark.parametrize("ending", TEXTS)
@pytest.mark.parametrize("memory", ["1G", "1"])
def test_a_byte_order_mark_is_no_part_of_the_first_label(tmp_path: Path, ending: str, memory: str) -> None:
    marked, plain = tmp_path / f"marked.{ending}", tmp_path / f"plain.{ending}"
    marked.write_text(TEXTS[ending], encoding="utf-8-sig")
    plain.write_text(TEXTS[ending])
    documents = []
    for path in (marked, plain):
        info = novikoff("fit", path, "--json", "--memory", memory)
        assert info.code == 0, info.err
        documents.append({k: info.json[k] for k in ("classes", "n", "d", "updates", "w", "b")})
    assert documents[0] == documents[1]


def test_the_diagonals_of_a_matrix_longer_than_its_index_type_are_checked() -> None:
    wide = sp.dia_matrix((np.ones((1, 3)), [0]), shape=(1 << 40, 3))
    wide.offsets = np.array([0], np.int32)
    check_sparse(wide, "X")


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("end", [1, 5, 127, 128, 200, 2**31, 2**32, 2**40])
def test_indices_are_checked_in_every_type(kind: Any, end: int) -> None:
    info = np.iinfo(kind)
    for number in {
        0,
        4,
        5,
        int(info.max),
        int(info.min),
        int(info.max) // 2,
        -1 if info.min else 1,
        min(end, int(info.max)),
    }:
        numbers = np.array([0, number, 0], kind)
        if 0 <= number < end:
            check_indices(numbers, end, "indices", "X")
        else:
            with pytest.raises(nv.InputError, match=f"found index {number}; expected 0 to {end - 1}"):
                check_indices(numbers, end, "indices", "X")

"""The command line's parts: numbers read as typed, results said in words, files written whole, exit codes."""

from __future__ import annotations

import json
import os
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest

from novikoff import cli
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import write_file as write
from novikoff.cli.verbs import fit
from novikoff.data.format_numbers import plane_equation
from novikoff.errors import InputError
from novikoff.maxmargin.margin_in_words import agreed
from novikoff.perceptron import KEEPS
from novikoff.perceptron.stops import REASONS

RUN: dict[str, Any] = {
    "bias": True,
    "passes": 1,
    "updates": 4,
    "n": 1200,
    "train_errors": 0,
    "ties": 0,
    "keep": "pocket",
    "validated": False,
    "separable": None,
    "multi": None,
    "ovo": None,
    "random_from": None,
}


# ---- reading -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1), ("-0.5", Fraction(-1, 2)), ("−3", -3), ("1/3", Fraction(1, 3)), ("2e-3", Fraction(1, 500)), (".5", 0.5)],
)
def test_a_number_is_read_exactly_as_typed(text: str, value: Any) -> None:
    assert formatting.exact(text) == value


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "1/0", "1//2", "1e9999999", "0x10", "1_000", "9" * 5000])
def test_what_is_no_number_is_refused_at_once(text: str) -> None:
    with pytest.raises(click.BadParameter, match="number"):
        formatting.exact(text)


def test_every_keep_and_every_limit_has_words() -> None:
    assert set(formatting.RETURNED) == set(KEEPS)
    assert set(formatting.STOPS) | {"separated", "interrupted", "stream_ended"} == set(REASONS)


@pytest.mark.parametrize(("x", "what"), [(Fraction(10) ** 400, "large"), (Fraction(1, 10**400), "small")])
def test_numbers_outside_binary64_are_named(x: Fraction, what: str) -> None:
    with pytest.raises(InputError, match=f"--eta: the number is too {what}"):
        formatting.binary64(x, "--eta")


def test_w0_is_split_into_weights_and_bias() -> None:
    half = Fraction(1, 2)
    assert fit.start_weights(None, 2, True) == {}
    assert fit.start_weights((half, half, half), 2, True) == {"coef_init": [0.5, 0.5], "intercept_init": 0.5}
    assert fit.start_weights((half, half), 2, False) == {"coef_init": [0.5, 0.5]}
    with pytest.raises(InputError, match=r"--w0: 1 number found, 3 expected \(2 features and the bias\)"):
        fit.start_weights((half,), 2, True)


def test_patience_is_a_number_or_auto_or_off() -> None:
    assert [formatting.patience(text) for text in ("7", "auto", "off")] == [7, "auto", None]
    for text in ("0", "-1", "1.5", "²", ""):
        with pytest.raises(click.BadParameter, match="neither auto, off nor"):
            formatting.patience(text)


# ---- saying --------------------------------------------------------------------------------------------------------


def test_counts_have_their_plural() -> None:
    said = [formatting.count(1, "pass"), formatting.count(2, "pass"), formatting.count(1234, "update")]
    assert said == ["1 pass", "2 passes", "1,234 updates"]


@pytest.mark.parametrize(
    ("w", "b", "text"),
    [
        ([4, -0.5], 1, "4·x1 − 1/2·x2 + 1 = 0"),
        ([-1, 0], -2, "−x1 − 2 = 0"),
        ([1, 1], 0, "x1 + x2 = 0"),
        ([0, 0], 0, "0 = 0"),
        ([0.1], 0, "≈0.1·x1 = 0"),
    ],
)
def test_a_plane_is_an_equation(w: list[float], b: float, text: str) -> None:
    assert plane_equation(w, b) == text


def test_a_separated_run_says_that_every_point_was_checked() -> None:
    said = formatting.outcome(RUN | {"stop_reason": "separated"})
    assert said == "SEPARATED  all 1,200 training points right (checked exactly)"
    assert formatting.run_line(RUN | {"stop_reason": "separated"}) == (
        "run    4 updates in 1 pass; returned: the pocket weights"
    )


def test_a_plane_that_was_computed_is_not_said_to_be_learned() -> None:
    run = RUN | {"stop_reason": "separable", "separable": True, "keep": "auto"}
    assert formatting.outcome(run) == (
        "SEPARATED  all 1,200 training points right (checked exactly), by a plane that was computed, not learned"
    )
    ended = "the decision proved the points separable before the run had separated them"
    assert formatting.run_line(run).startswith(f"run    4 updates in 1 pass; {ended}; returned: ")


def test_averaged_weights_may_err_after_a_separated_run_and_it_is_said() -> None:
    run = RUN | {"stop_reason": "separated", "keep": "average"}
    assert formatting.outcome(run | {"train_errors": 3}) == "RUN SEPARATED  3 of 1,200 training points wrong"
    assert formatting.run_line(run | {"train_errors": 3}).endswith("returned: the averaged weights")
    assert formatting.outcome(run).startswith("SEPARATED")


def test_a_proof_of_no_plane_says_how_many_rows_prove_it() -> None:
    no = {"stop_reason": "not_separable", "separable": False, "train_errors": 12}
    two, one = {"proof": {"support": [0, 5], "weights": [1, 2]}}, {"proof": {"support": [3], "weights": [1]}}
    assert formatting.outcome(RUN | no | two) == "NOT SEPARABLE (proved)  12 of 1,200 training points wrong"
    proved = "run    4 updates in 1 pass; no plane separates the points, proved by"
    assert formatting.run_line(RUN | no | two) == f"{proved} 2 rows; returned: the pocket weights"
    assert formatting.run_line(RUN | no | one) == f"{proved} 1 row; returned: the pocket weights"
    limit = no | one | {"stop_reason": "train_stalled", "random_from": 3}
    assert formatting.run_line(RUN | limit) == (
        "run    4 updates in 1 pass, from pass 3 on with rows drawn at random; no plane separates the points, proved "
        "by 1 row; no progress on the training points; returned: the pocket weights"
    )
    assert formatting.outcome(RUN | no | two | {"train_errors": 1}).endswith(" wrong, and no plane has fewer")
    by_vote = RUN | no | two | {"train_errors": 1, "keep": "vote"}
    assert formatting.outcome(by_vote).endswith(" wrong"), "a vote is not a plane"


def test_many_classes_say_which_planes_no_plane_can_be() -> None:
    decided = [{"plane": name, "separable": name == "b"} for name in "abcde"]
    run = RUN | {"stop_reason": "not_separable", "train_errors": 12, "multi": "ova", "planes_decided": decided}
    assert formatting.outcome(run) == "NOT SEPARABLE (proved)  12 of 1,200 training points wrong"
    assert "; no plane separates a, c, d and 1 more from the others (proved); " in formatting.run_line(run)
    pairs = [{"plane": ["a", "b"], "separable": True}, {"plane": ["a", "c"], "separable": False}]
    run |= {"multi": "ovo", "ovo": "vote", "planes_decided": pairs}
    assert "; no plane separates a and c (proved); " in formatting.run_line(run)
    run |= {"planes_decided": pairs[:1], "stop_reason": "max_passes"}
    assert formatting.outcome(run) == "STOPPED: maximum passes  12 of 1,200 training points wrong"


def test_a_stopped_run_says_when_a_plane_is_known() -> None:
    run = RUN | {"stop_reason": "max_passes", "separable": True, "train_errors": 12, "proof": {"w": [1], "b": 0}}
    assert formatting.outcome(run) == "SEPARABLE (proved)  12 of 1,200 training points wrong"
    assert formatting.run_line(run) == (
        "run    4 updates in 1 pass; a plane separates the points, proved by the decision during the run; maximum "
        "passes; returned: the pocket weights"
    )


@pytest.mark.parametrize("reason", sorted(formatting.STOPS))
def test_a_stopped_run_names_its_rule_and_what_is_left(reason: str) -> None:
    run = RUN | {"stop_reason": reason, "train_errors": 12}
    said = formatting.outcome(run)
    why = formatting.STOPS[reason].format(plane="plane")
    head = "SEPARABLE (proved)" if reason == "separable" else f"STOPPED: {why}"
    assert said == f"{head}  12 of 1,200 training points wrong"
    line = formatting.run_line(run)
    assert line.startswith(f"run    4 updates in 1 pass; {why}; returned: ")


def test_a_run_that_ctrl_c_ended_is_called_so() -> None:
    run = RUN | {"stop_reason": "interrupted", "train_errors": 12}
    assert formatting.outcome(run).startswith("INTERRUPTED  12 of 1,200")
    assert formatting.run_line(run).startswith("run    4 updates in 1 pass; interrupted; returned: ")
    assert formatting.next_step(run) is None


def test_weights_chosen_on_validation_points_are_called_so() -> None:
    run = RUN | {"stop_reason": "valid_stalled", "validated": True}
    assert formatting.outcome(run) == "SEPARATED  all 1,200 training points right (checked exactly)"
    wanted = "; no progress on the validation points; returned: the weights best on the validation points"
    assert formatting.run_line(run).endswith(wanted)
    assert formatting.outcome(run | {"train_errors": 2}).endswith("2 of 1,200 training points wrong")


def test_points_on_the_plane_are_told_apart_from_wrong_ones() -> None:
    proof = {"separable": False, "proof": {"support": [0, 1], "weights": [1, 1]}}
    said = formatting.outcome(RUN | proof | {"stop_reason": "cycle", "train_errors": 4, "ties": 4, "n": 4})
    assert said == "NOT SEPARABLE (proved)  4 of 4 training points wrong, of which 4 ties"


# ---- the next step -------------------------------------------------------------------------------------------------

KNOWN = {"stop_reason": "max_passes", "separable": True, "passes": 100, "train_errors": 12, "keep": "average"}
APART = {"stop_reason": "separated", "train_errors": 12, "multi": "ovo", "ovo": "sum"}
PROMISES = "returns weights that separate the points"


@pytest.mark.parametrize(
    ("run", "step"),
    [
        ({"stop_reason": "separated"}, "--holdout 0.25 keeps a test set"),
        ({"stop_reason": "separated", "n": 19}, None),
        ({"stop_reason": "separated", "test": {}}, None),
        ({"stop_reason": "separated", "separable": True, "test": {}}, "novikoff margin finds the widest plane"),
        ({"stop_reason": "cycle", "separable": False, "keep": "vote", "test": {}}, None),  # right, but not by a plane
        (KNOWN, f"--keep auto {PROMISES}; --holdout 0.25 keeps a test set"),
        (KNOWN | {"keep": "auto", "test": {}}, "novikoff margin finds the widest plane"),
        (KNOWN | {"stop_reason": "max_updates", "passes": 15, "test": {}}, "novikoff margin finds the widest plane"),
        (KNOWN | {"validated": True, "test": {}}, "novikoff margin finds the widest plane"),
        (APART | {"keep": "auto", "test": {}}, f"--ovo vote {PROMISES}"),
        (APART | {"keep": "last", "test": {}}, f"--keep auto --ovo vote {PROMISES}"),
        (APART | {"stop_reason": "separable", "keep": "auto", "test": {}}, f"--ovo vote {PROMISES}"),
        (
            {"stop_reason": "not_separable", "separable": False, "train_errors": 1, "test": {}},
            "--soft hinge --C auto allows errors; novikoff certify prints the proof",
        ),
        (
            {"stop_reason": "max_passes", "train_errors": 1, "test": {}},
            "novikoff certify decides whether planes separate the points",
        ),
        ({"stop_reason": "max_passes", "order": "stream"}, None),
        ({"stop_reason": "stream_ended"}, None),
    ],
)
def test_the_next_step_follows_from_what_is_known(run: dict[str, Any], step: str | None) -> None:
    assert formatting.next_step(RUN | run) == (None if step is None else f"next   {step}")


def test_the_proof_of_xor_can_be_added_up_by_hand() -> None:
    points = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    first, second, third = formatting.proof([0, 1, 2, 3], [1, 1, 1, 1], [-1, 1, 1, -1], points).splitlines()
    assert "1·p1 + 1·p2 + 1·p3 + 1·p4" in first
    assert second.strip() == "−(0, 0, 1) + (1, 0, 1) + (0, 1, 1) − (1, 1, 1) = (0, 0, 0)"
    assert "there is none" in third


def test_a_long_proof_is_cut_and_says_where_the_rest_is() -> None:
    n = formatting.PROOF_TERMS + 5
    text = formatting.proof(range(n), [2] * n, [1] * n, [[0.0]] * n)
    assert "(5 more: --json has them all)" in text
    assert "= (0)" not in text


# ---- files ---------------------------------------------------------------------------------------------------------


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "run.csv"
    target.write_text("old")
    write(target, "new·")
    assert target.read_text(encoding="utf-8") == "new·"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "run.csv"
    target.write_text("old")

    def full_disk(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(InputError, match="No space left on device"):
        write(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to("real.csv")
    write(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"
    write(Path(os.devnull), "new")
    assert not Path(os.devnull).is_file()


# ---- the door ------------------------------------------------------------------------------------------------------


def test_the_options_of_fit_are_told_in_sections(capsys: pytest.CaptureFixture[str]) -> None:
    """Each option once, under a heading of its kind; the help of the command itself has them all."""
    from novikoff.cli.text.option_table import OWN, TABLE
    from novikoff.cli.verbs.fit import command

    assert cli.main(["fit", "--help-all"]) == 0
    text = capsys.readouterr().out
    headings = re.findall(r"^([A-Z][a-z ]+):$", text, re.M)
    assert headings == [heading for heading in TABLE if heading != OWN]
    info = re.findall(r"^  (?:-[a-z], )?(--[\w-]+)", text.partition("Rows:")[2], re.M)
    assert sorted(info) == sorted(["--help", *(p.opts[-1] for p in command.params if isinstance(p, click.Option))])


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_of_the_table_loads_and_its_help_gives_examples(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([verb, "--help"]) == 0
    assert f"  novikoff {verb} " in capsys.readouterr().out


def exit_code_when_a_verb_raises(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setattr(cli.Door, "get_command", lambda *_: command)
    return cli.main(["fit"])


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (InputError("X: found NaN,\n  expected numbers"), 3, "novikoff: error: X: found NaN, expected numbers\n"),
        (KeyboardInterrupt(), 130, "novikoff: interrupted\n"),
        (click.UsageError("no"), 2, "Error: no\n"),
    ],
)
def test_errors_become_exit_codes_and_one_line(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code_when_a_verb_raises(error, monkeypatch) == code
    assert capsys.readouterr().err.endswith(said)


def test_a_fault_of_ours_is_not_dressed_up_as_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        exit_code_when_a_verb_raises(ZeroDivisionError(), monkeypatch)


# ---- margin --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("interval", "said"),
    [
        ((0.5, 0.5), "0.5"),
        ((55.0, 55.0), "55"),
        ((1e6, 1e6), "1,000,000"),
        ((0.35355339059327373, 0.3535533905932738), "0.3535533905932737…"),
        ((221.783, 221.789), "221.78…"),
        ((1.25e-7, 1.26e-7), "1.2…e-7"),
        ((0.00125, 0.00126), "0.0012…"),
        ((1.0, 2.0), "1 … 2"),
        ((9.99, 10.01), "9.99 … 10.01"),
        ((14104.1, 14199.0), "14104.1 … 14199"),
        ((9.999999999999998e40, 1e41), "9.999999999999998e+40 … 1.0000000000000001e+41"),
    ],
)
def test_an_interval_shows_the_digits_its_ends_agree_on(interval: tuple[float, float], said: str) -> None:
    assert agreed(interval) == said


def test_a_test_without_errors_does_not_make_the_training_points_separable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "train.csv").write_text("a,b,label\n0,0,no\n1,0,yes\n0,1,yes\n1,1,no\n5,5,yes\n")
    (tmp_path / "test.csv").write_text("a,b,label\n5,5,yes\n")
    train, test = str(tmp_path / "train.csv"), str(tmp_path / "test.csv")
    assert cli.main(["fit", train, "--test", test, "--max-updates", "2", "--json", "--quiet"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["test"]["errors"] == 0
    assert info["train_errors"] > 0
    assert info["separable"] is None


def test_margin_names_points_from_1_in_words_and_from_0_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["margin", "--example", "iris", "--classes", "setosa,virginica"]
    assert cli.main(args) == 0
    assert "touching  3 points: 24, 25, 107" in capsys.readouterr().out
    assert cli.main([*args, "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["schema"] == "novikoff/margin/1"
    assert info["geometric"]["touching"] == [23, 24, 106]
    assert info["mistake_bound"][0] <= info["mistake_bound"][1]
    assert info["updates"] <= info["mistake_bound"][1]
    assert info["start"] is None


def test_margin_from_a_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["margin", "--example", "tao", "--w0=-10,-10", "--json"]) == 0
    start = json.loads(capsys.readouterr().out)["start"]
    assert start == {"w0": ["-10", "-10"], "eta": "1", "mistake_bound": 42, "updates": 22, "finished": True}
    assert cli.main(["margin", "--example", "tao", "--w0=1,2,3"]) == cli.BAD_INPUT
    assert "w0: found 3 numbers; 2 were expected" in capsys.readouterr().err


def test_margin_of_points_that_are_not_separable(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["margin", "--example", "xor"]) == 1
    assert "4 points: 1, 2, 3, 4" in capsys.readouterr().out
    assert cli.main(["margin", "--example", "xor", "--json"]) == 1
    info = json.loads(capsys.readouterr().out)
    assert (info["separable"], info["support"], info["weights"]) == (False, [0, 1, 2, 3], ["1"] * 4)


def test_margin_of_one_class_and_of_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.csv"
    path.write_text("a,y\n1,0\n2,0\n")
    assert cli.main(["margin", str(path)]) == 0
    assert "the geometric margin is unbounded" in capsys.readouterr().out
    assert cli.main(["margin", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["geometric"]["gamma"] is None
    assert cli.main(["margin", "--example", "iris"]) == cli.BAD_INPUT
    assert "choose two, as in --classes setosa,versicolor" in capsys.readouterr().err


def test_a_library_that_cannot_be_loaded_is_an_error_that_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    assert cli.main(["fit", "--example", "breast-cancer"]) == 3
    assert "a library cannot be loaded" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("ends", "said"),
    [([0.99996, 1.0], "99.99 to 100.00"), ([0.0, 0.00001], "0.00 to 0.01"), ([0.25, 0.5], "25.00 to 50.00")],
)
def test_the_ends_of_an_interval_are_rounded_outward(ends: list[float], said: str) -> None:
    from novikoff.cli.verbs.evaluate import PERCENT
    from novikoff.data.format_numbers import ends_in_words

    assert ends_in_words(ends, *PERCENT) == said

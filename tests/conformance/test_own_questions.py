"""docs/how-to/teaching.md: its lesson plans run, and it answers the questions that the lecture notes ask."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "teaching.md").read_text(encoding="utf-8")
PART = PAGE.split("## The notes' own questions\n")[1].split("\n## ")[0]
QUESTIONS = re.split(r"(?=^\*\*\d+\.)", PART, flags=re.M)[1:]


PLANS = PAGE.split("## Lesson plans\n")[1].split("\n## ")[0]
COMMANDS = sorted({one for one in re.findall(r"`novikoff ([^`]+)` \|$", PLANS, flags=re.M) if "play" not in one})


@pytest.mark.compiled
@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_of_a_lesson_plan_runs(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert novikoff(*words.split()).code in (0, 1)  # 1: the points are not separable


def test_every_note_has_a_lesson_plan() -> None:
    assert re.findall(r"^### (\w+):", PLANS, flags=re.M) == ["Tao", "Radivojac", "Sompolinsky", "Cornwell", "Zhang"]
    assert len(COMMANDS) > 15


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda text: text[2:4])
def test_T9_each_question_has_an_answer_with_a_command_or_a_program(question: str) -> None:
    """test_documentation.py runs the programs."""
    assert re.match(r"\*\*\d+\. \".+?\" \([TRSCZ]\)\*\* \S", question, flags=re.S)
    assert re.search(r"^>>> |`novikoff \w+|`stop_reason_`", question, flags=re.M)


def test_T9_all_five_notes_are_asked() -> None:
    assert len(QUESTIONS) >= 14
    assert {letter for text in QUESTIONS for letter in re.findall(r"\" \(([TRSCZ])\)\*\*", text)} == set("TRSCZ")


@pytest.mark.parametrize("name", ["cornwell", "or", "and", "spam"])
def test_T9_the_color_of_the_positive_side_does_not_matter(name: str) -> None:
    X, y = nv.example(name)
    one, other = sorted(set(y.tolist()))
    assert nv.trace(X, y, positive=one).w == tuple(-v for v in nv.trace(X, y, positive=other).w)


@pytest.mark.parametrize("factor", [0.5, 2.0, 1024.0])
def test_T9_whole_numbers_lose_no_generality(factor: float) -> None:
    """A common power of two changes no mistake of padded points."""
    X, y = nv.example("cornwell")
    padded = np.column_stack([X, np.ones(len(X))])
    rows = [[step.row for step in nv.trace(c * padded, y, fit_intercept=False).steps] for c in (1.0, factor)]
    assert rows[0] == rows[1]

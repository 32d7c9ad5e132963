"""What a notebook shows of results: the same sentences and numbers as in text, static, with data as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv
from oracles.html_tree import Node, parsed

CORNWELL, XOR = nv.example("cornwell"), nv.example("xor")
EVIL = "<img src=x onerror=alert(1)>"


def shown(result: Any) -> Node:
    """The display of a result, which has no script, no id, no inline style and nothing to load."""
    tree = parsed(result._repr_html_())
    for node in tree.all():
        assert node.name not in ("script", "img", "link", "iframe", "object")
        assert not {"id", "style", "src", "href"} & set(node.attributes)
        assert not [name for name in node.attributes if name.startswith("on")]
    return tree


def items(tree: Node, name: str) -> list[Node]:
    """The items of a picture with this name."""
    return [node for node in tree.all() if node.attributes.get("data-of") == name]


def test_a_separable_verdict_has_its_plane() -> None:
    verdict = nv.decide(*CORNWELL)
    tree = shown(verdict)
    assert tree.one("pre").text == verdict.explain()
    assert len(items(tree, "plane")) == 1


def test_the_hulls_of_xor_meet_at_the_cross() -> None:
    verdict = nv.decide(*XOR)
    tree = shown(verdict)
    assert tree.one("pre").text == verdict.explain()
    red, blue = (
        [tuple(map(float, p.split(","))) for p in items(tree, f"edges {label}")[0]["points"].split()]
        for label in (1, -1)
    )
    middles = [tuple(np.mean(ends, axis=0)) for ends in (red, blue)]
    (mark,) = items(tree, "common")[0].all("polygon")
    corners = np.array([tuple(map(float, p.split(","))) for p in mark["points"].split()])
    cross = tuple(corners.mean(axis=0))
    assert middles == [pytest.approx(cross, abs=0.11)] * 2  # both segments have the middle (1/2, 1/2)
    assert sum(len(one.all("circle")) for one in items(tree, "touching")) == 4


def test_a_verdict_without_points_and_an_undecided_one_are_one_sentence() -> None:
    alone = nv.decide(*XOR).alone()
    assert shown(alone).one("pre").text == str(alone)
    rng = np.random.default_rng(0)
    undecided = nv.decide(rng.normal(size=(3000, 60)), rng.random(3000) < 0.5, max_time=1e-9)
    assert undecided.separable is None
    assert shown(undecided).one("pre").text == str(undecided)


def test_a_margin_has_its_proved_numbers() -> None:
    margin = nv.margin(*CORNWELL)
    assert shown(margin).one("pre").text == str(margin)
    assert len(items(shown(margin), "touching")[0].all("circle")) == margin.geometric.touching.size == 3


def test_a_margin_of_one_class() -> None:
    assert "the geometric margin is unbounded" in shown(nv.margin([[1, 2], [3, 4]], ["a", "a"])).text


def test_a_separation_report_has_every_estimate() -> None:
    X = pd.DataFrame({"a": [0, 1, 2, 3, 4, 5], EVIL: [1, 0, 1, 0, 1, 0]})
    report = nv.separation(X, [0, 0, 0, 1, 1, 1])
    tree = shown(report)
    assert tree.one("pre").text == str(report)
    assert EVIL in tree.text


def test_a_trace_has_its_updates_and_both_states() -> None:
    trace = nv.trace(*CORNWELL)
    tree = shown(trace)
    assert tree.one("pre").text == trace.to_text()
    assert len(tree.all("figure")) == 2


def facts_of(tree: Node) -> dict[str, str]:
    """Names and values of what a fit found."""
    return dict(zip((node.text for node in tree.all("dt")), (node.text for node in tree.all("dd")), strict=True))


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (nv.Perceptron(), {"classes": "−1, 1", "updates": "9", "passes": "6", "looks": "24", "mistakes": "9",
                           "ended by": "separated: the last weights of the run have every point on its own side"}),
        (nv.MaxMargin(), {"margin": "0.5", "support points": "3"}),
        (nv.SoftMargin(), {"ended by": "gap: the requested gap is proved", "C": "1"}),
    ],
)  # fmt: skip
def test_an_estimator_has_its_results_without_script(estimator: Any, expected: dict[str, str]) -> None:
    before = shown(estimator)
    assert (before.one("pre").text, before.one("p").text) == (repr(estimator), "Not fitted.")
    fitted = estimator.fit(*CORNWELL)
    tree = shown(fitted)
    assert "Not fitted" not in tree.text
    found = facts_of(tree)
    assert {name: found[name].replace("-", "−") for name in expected} == expected
    assert tree.all("pre")[0].text == repr(fitted)
    assert tree.all("pre")[1].text.endswith(" = 0")
    assert fitted._repr_mimebundle_() == {"text/plain": repr(fitted), "text/html": fitted._repr_html_()}


def test_an_estimator_has_what_is_proved_about_its_points() -> None:
    with pytest.warns(nv.NotSeparatedWarning):
        assert facts_of(shown(nv.Perceptron().fit(*XOR)))["points"] == "not separable (proved)"
    X, y = nv.example("iris")
    with pytest.warns(nv.NotSeparatedWarning):
        many = nv.Perceptron(max_iter=100).fit(X, y)
    found, verdicts = facts_of(shown(many)), list(many.verdict_.values())
    assert not any(v.separable for v in verdicts)
    still = "no plane separates the points of any plane that still makes mistakes, which is proved"
    assert found["ended by"] == f"not_separable: {still}"
    apart = nv.Perceptron().fit([[0, 0], [9, 0], [0, 9]], ["a", "b", "c"])
    each = "the last weights of the run make no mistake on any point of any plane"
    assert facts_of(shown(apart))["ended by"] == f"separated: {each}"
    assert found[f"points of {len(verdicts)} of 3 planes"] == "not separable (proved)"
    assert len(shown(many).all("pre")[1].text.split("\n")) == 3


def test_updates_of_another_rule_are_not_called_mistakes() -> None:
    assert "mistakes" not in facts_of(shown(nv.Perceptron(rule="margin").fit(*CORNWELL)))


def test_scikit_learns_text_display_and_its_diagram_of_a_pipeline_stay() -> None:
    clf = nv.Perceptron().fit(*CORNWELL)
    with config_context(display="text"):
        assert not hasattr(clf, "_repr_html_")
        assert clf._repr_mimebundle_() == {"text/plain": repr(clf)}
    assert "sk-top-container" in make_pipeline(StandardScaler(), clf)._repr_html_()


def test_names_of_columns_and_classes_are_text() -> None:
    X = pd.DataFrame({EVIL: [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]})
    own = shown(nv.Perceptron().fit(X, ["<b>no</b>", "<b>no</b>", "yes", "yes"]))
    assert EVIL in own.all("pre")[1].text
    assert EVIL in shown(nv.Perceptron(keep=EVIL)).one("pre").text
    assert "<b>no</b>, yes" in own.text

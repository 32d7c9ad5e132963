"""Write a report as one page: data, verdict and proof, margin and bound, capacity, learners, confusion, weights.

Every number stands with the command that reproduces it. The page has no script.
"""

from __future__ import annotations

from typing import Any

from novikoff.data.format_numbers import by_what, count, ends_in_words
from novikoff.data.plain_files import plane_of
from novikoff.data_report.capacity_section import capacity_facts, capacity_of, cover_figure, meaning
from novikoff.data_report.compared_learners import PERCEPTRON, LearnerResult
from novikoff.data_report.report_pictures import bar, points_figure
from novikoff.data_report.weights_table import largest_weights
from novikoff.estimators.fit_results import why_ended
from novikoff.maxmargin.margin_in_words import in_words
from novikoff.pages.markup import Markup, element, joined
from novikoff.pages.page_frame import command_text, page, paragraphs, section
from novikoff.pages.plane_pictures import margin_figure, verdict_figure
from novikoff.pages.tables import facts, table

MOST_CLASSES = 30  # in a confusion matrix
SCALES = "Of the {}. A weight is per unit of its column: columns of small numbers have large weights, unless scaled."
SECTIONS = (
    ("data", "Data"),
    ("verdict", "Verdict and proof"),
    ("margin", "Margin and mistake bound"),
    ("capacity", "Capacity"),
    ("learners", "Learners"),
    ("confusion", "Confusion on the held-out rows"),
    ("weights", "Weights"),
)


def report_page(report: Any) -> str:
    """Return the page."""
    made = {"data": _data, "verdict": _verdict, "margin": _margin, "capacity": _capacity, "learners": _learners,
            "confusion": _confusion, "weights": _weights}  # fmt: skip
    title = f"Report on {report.title}"
    links = joined(element("li", element("a", name, href=f"#{key}")) for key, name in SECTIONS)
    content = [section(name, *made[key](report), name=key) for key, name in SECTIONS]
    limit = (
        ""
        if report.max_time is None
        else f" Each part may take {report.max_time:g} seconds; one that is stopped says so."
    )
    end = f"Made by novikoff. The page is one file without script: it loads nothing and sends nothing.{limit}"
    nav = element("nav", element("ul", links), aria_label="Sections")
    return page(title, element("h1", title), summary(report), nav, *content, element("p", end, class_="quiet"))


def summary(report: Any) -> Markup:
    """Return the size, whether a plane separates the classes, and beside it how little that may say."""
    size = f"{count(report.n, 'point')}, {count(report.d, 'feature')}, {len(report.classes):,} classes: "
    kind = "yes" if report.separable else "no"
    how = "" if report.separable is None else by_what(report.fit_intercept)
    chance = report.chance if report.pairs is not None else report.chance.capitalize()
    return element(
        "p",
        size,
        element("span", f"{report.answer}{how}.", class_=kind),
        f" {chance}." if chance else "",
        class_="lead",
    )


def command(report: Any, key: str, what: str = "Reproduce") -> Markup:
    """Return the command that reproduces the numbers of a part."""
    return element("p", f"{what}: ", command_text(report.commands[key]), class_="command")


# ---- the points ----------------------------------------------------------------------------------------------------


SCALED = (
    "The columns are scaled before anything is computed: planes, distances, margins and weights on this page are in "
    "the units of the scaled columns."
)


def _data(report: Any) -> list[Any]:
    bias = "yes" if report.fit_intercept else "no: planes through the origin"
    rows = [(label, f"{n:,}", f"{100 * n / report.n:.1f} %") for label, n in
            zip(report.classes[:MOST_CLASSES], report.counts, strict=False)]  # fmt: skip
    more = len(report.classes) - MOST_CLASSES
    return [
        facts([("points", f"{report.n:,}"), ("features", f"{report.d:,}"), ("bias", bias)]),
        table("Rows of each class", ["class", "rows", "share"], rows, numbers=(1, 2), row_headers=True),
        *([element("p", f"{more:,} more classes are not listed.")] if more > 0 else []),
        *([element("p", SCALED)] if report.axis_names != report.names else []),
        command(report, "data"),
        points_figure(report),
    ]


def _verdict(report: Any) -> list[Any]:
    if report.pairs is not None:
        return [*_pairs(report), command(report, "pairs")]
    verdict = report.verdict
    if verdict.separable is None:
        return [element("p", str(verdict)), command(report, "verdict")]
    picture = verdict_figure(verdict, report.axis_names)
    return [
        element("pre", verdict.explain(report.axis_names)),
        "" if picture is None else picture,
        command(report, "verdict"),
        *([command(report, "check", "Save the proof and check it")] if "check" in report.commands else []),
    ]


def _pairs(report: Any) -> list[Any]:
    how = by_what(report.fit_intercept)
    words = {True: f"separable{how}", False: f"not separable{how}", None: "undecided within the time limit"}
    rows = [
        (f"{a} | {b}", words[v.separable], f"{v.n:,}", f"{len(v.support):,}" if v.separable is False else "–")
        for (a, b), v in report.pairs.items()
    ]
    plane = plane_of(report.fit_intercept)
    yes = sum(1 for v in report.pairs.values() if v.separable)
    text = f"{yes:,} of {count(len(rows), 'pair')} of classes are separable, each by a {plane} checked exactly."
    header = ["classes", "verdict", "rows", "rows of the proof"]
    return [element("p", text), table("Each pair of classes", header, rows, numbers=(2, 3), row_headers=True)]


def _margin(report: Any) -> list[Any]:
    m = report.margin
    if m is None:
        return [element("p", report.margin_note), *([command(report, "margin")] if report.pairs is None else [])]
    picture = margin_figure(m, report.axis_names)
    return [
        paragraphs(["The geometric margin is the distance of the nearest points from the plane. The padded margin γ "
                    "counts the bias as one more coordinate; the mistake bound uses it."] if m.fit_intercept else []),
        element("pre", "\n".join(in_words(m.to_dict(), report.axis_names))),
        "" if picture is None else picture,
        command(report, "margin"),
    ]  # fmt: skip


def _capacity(report: Any) -> list[Any]:
    found = capacity_of(report.n, report.d, report.fit_intercept)
    many = [element("p", "The count is of labellings with two classes.")] if report.pairs is not None else []
    said = element("p", meaning(found, report.separable if report.pairs is None else None))
    return [said, *many, facts(capacity_facts(found)), command(report, "capacity"), cover_figure(found)]


# ---- the learners --------------------------------------------------------------------------------------------------


def _learners(report: Any) -> list[Any]:
    split = report.split
    text = split.note or (
        f"Each learner is trained on {len(split.y):,} rows and tested on {len(split.y_test):,}: every fifth row "
        "is held out."
    )
    applied = [one for one in report.learners if one.applies]
    items = joined(element("li", f"{one.name}: ", command_text(report.commands[one.key])) for one in applied)
    split_by = report.commands.get("split")
    held = [] if split_by is None else [element("li", "held-out rows: ", command_text(split_by))]
    list_of = element("ul", *held, items, class_="commands")
    return [element("p", text), learner_table(report), element("p", "Reproduce:", class_="command"), list_of]


def learner_table(report: Any) -> Markup:
    """Return the errors of each learner on the training rows and on the held-out rows."""
    rows = []
    for one in report.learners:
        if one.model is None:
            rows.append((one.name, "–", "–", "–", one.note))
            continue
        ended = why_ended(one.ended, len(report.classes), report.fit_intercept, getattr(one.model, "keep", "auto"))
        rows.append((one.name, f"{one.train_errors:,} of {one.n:,}", *_held_out(one), ended))
    header = ["learner", "training errors", "held-out errors", "held-out accuracy", "why it ended"]
    return table("Errors of each learner", header, rows, numbers=(1, 2, 3), row_headers=True)


def _held_out(one: LearnerResult) -> tuple[str, str]:
    """Return the errors on the held-out rows, and the accuracy with its interval."""
    if one.test is None:
        return "–", "–"
    share = one.test.accuracy
    ends = ends_in_words(share.interval, ".2f", " to ", 100)
    return f"{one.test_errors:,} of {share.n:,}", f"{100 * (share.value or 0.0):.2f} % (95 %: {ends})"


def _confusion(report: Any) -> list[Any]:
    fitted = [(one.name, one.test) for one in report.learners if one.test is not None]
    if not fitted:
        return [element("p", report.split.note)]
    if len(report.classes) > MOST_CLASSES:
        return [
            element("p", f"{len(report.classes):,} classes are too many for a table."),
            command(report, "confusion"),
        ]
    name, test = fitted[0]
    classes = [str(label) for label in test.classes]
    rows = [(c, *(f"{n:,}" for n in row)) for c, row in zip(classes, test.confusion.tolist(), strict=True)]
    text = f"Rows are the classes of the held-out points, columns what the {name} predicts."
    numbers = list(range(1, len(classes) + 1))
    matrix = table(f"Predictions of the {name}", ["class", *classes], rows, numbers=numbers, row_headers=True)
    return [element("p", text), matrix, command(report, "confusion")]


def _weights(report: Any) -> list[Any]:
    one = next(one for one in report.learners if one.key == PERCEPTRON)
    if one.model is None:
        return [element("p", f"There are none: {one.note}.")]
    groups = largest_weights(one.model, report.split.names, report.positive)
    parts: list[Any] = [element("p", SCALES.format(one.name))]
    for group in groups:
        largest = max((abs(value) for _, value in group.rows), default=1.0)
        rows: list[tuple[str, str, Any]] = [(name, _number(v), bar(v / largest)) for name, v in group.rows]
        rows += [] if group.bias is None else [("(bias)", _number(group.bias), "")]
        parts.append(table(group.title, ["column", "weight", "as a bar"], rows, numbers=(1,), row_headers=True))
    return [*parts, command(report, "weights")]


def _number(value: float) -> str:
    """Format a weight with six figures: 12.5, −0.3, 1.2e-05."""
    return f"{'−' * (value < 0)}{abs(value):.6g}"

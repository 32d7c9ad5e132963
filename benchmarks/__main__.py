"""python -m benchmarks [QUESTION ...] [--quick] [--json] [--write]"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from benchmarks.harness import FULL, QUICK, Row, Size, one_thread

QUESTIONS = {
    "accuracy": "test accuracy on real data against scikit-learn's Perceptron",
    "defaults": "test accuracy and time of Perceptron() on real data, against our recipe and scikit-learn",
    "epoch": "one pass: fit against scikit-learn, exact against plain, memory, the average",
    "pocket": "the pocket against the last weights, pass by pass",
    "multiclass": "many classes: several planes in one pass against one plane, and fit against scikit-learn",
    "passive-aggressive": "rule pa1, five passes on real data, against scikit-learn's PassiveAggressiveClassifier",
    "margin": "the widest plane with a proof of its width, against solvers without one",
    "softmargin": "the soft margin to a proved gap, against LIBLINEAR and scikit-learn, on 93 cells; can be resumed",
    "decide": "separable or not, with proof, against HiGHS without; growth in rows and columns",
    "capacity": "the capacity experiment with proofs, against HiGHS without; two processes against one",
    "verify": "a saved proof checked: digest, exact signs, against one product of matrix and vector",
    "parse": "files into memory: svmlight against scikit-learn, CSV against pyarrow, polars and NumPy",
    "file-to-model": "one pass over a file, by the command line: against vw, from text and from the cache",
    "predict": "the classes of a file's rows, by the command line: against scikit-learn",
    "startup": "importing, the first fit, the help page",
    "play": "the play page: verdicts while a point is dragged, a long run, the first page",
    "scale": "a cluster on this machine: rounds, rows that travel, a killed worker, two processes, driver memory",
    "memory": "what a fit takes beside the points, from every storage",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the questions and print the answers."""
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = [question for question in options.questions if question not in QUESTIONS]
    if unknown:
        parser.error(f"QUESTION: found {unknown[0]!r}; {', '.join(QUESTIONS)} or nothing (for all) was expected")
    if options.write and options.quick:
        parser.error("--write: only a full run is a result; leave out --quick")
    one_thread()
    size = QUICK if options.quick else FULL
    answers = {question: ask(question, size) for question in options.questions or QUESTIONS}
    _tell(answers, size, options)
    return 0


def ask(question: str, size: Size) -> list[Row]:
    """The answers to one question."""
    print(f"{question}: {QUESTIONS[question]} ...", file=sys.stderr, flush=True)
    return list(importlib.import_module(f"benchmarks.{question.replace('-', '_')}").ask(size))


def _tell(answers: dict[str, list[Row]], size: Size, options: argparse.Namespace) -> None:
    from benchmarks import report

    if options.json:
        print(report.as_json(answers, options.quick))
    else:
        for question, rows in answers.items():
            print(f"\n{question}\n{report.table(rows)}")
        print(f"\n{report.verdict(answers)}{' A quick run is not a result.' if options.quick else ''}")
    if options.write:
        before = report.RESULTS.read_text(encoding="utf-8") if report.RESULTS.exists() else ""
        report.RESULTS.write_text(report.markdown(answers, size, before, list(QUESTIONS)), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    questions = "\n".join(f"  {name:18} {words}" for name, words in QUESTIONS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Ratios against named peers, each with both figures.",
        epilog=f"questions (all if none is named):\n{questions}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("questions", nargs="*", metavar="QUESTION")
    parser.add_argument(
        "--quick", action="store_true", help="small data, few repeats: shows that it runs, not how fast"
    )
    parser.add_argument("--json", action="store_true", help="one document for programs, times in seconds")
    parser.add_argument("--write", action="store_true", help="write full runs to results.md, each its section")
    return parser


if __name__ == "__main__":
    sys.exit(main())

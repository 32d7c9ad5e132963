"""Lies of a seed given to the verbs, in forked batches: a crash or a hang ends a batch, and is told with its pair.

    python tests/damage/forge.py --kind npz --pairs 500 --seed 1           counts by exit code, and the failures
    python tests/damage/forge.py --kind npz --seed 1 --only 17:3           one pair: lie 17, verb 3
    python tests/damage/forge.py --minutes 10                              all kinds, seeds from --seed on

A lie is a pure function of kind, seed and number. Half of the lies run with every kernel compiled, however small the
problem; with NUMBA_BOUNDSCHECK=1 those kernels check their indices.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
    sys.path[:] = [place for place in sys.path if Path(place or ".").resolve() != Path(__file__).resolve().parent]

from damage.formats import FORMATS
from damage.pairs import Lie, Outcome, carried_out
from data import kernel_mode

SECONDS, PATIENCE = (
    20,
    240,
)  # of CPU time for a pair in a batch, and alone, where it may have to compile on a busy machine
BATCH = 200  # pairs
CRASHES = 20  # after so many crashes and hangs a report is long enough
ROOM = 3 << 29  # bytes more than the process has


@dataclass
class Report:
    """How many pairs ended with which code, and what was wrong."""

    codes: Counter[str] = field(default_factory=Counter)
    failures: list[dict[str, Any]] = field(default_factory=list)
    lies: int = 0
    pairs: int = 0
    loose: int = 0

    @property
    def crashes(self) -> int:
        """Pairs that ended by a signal, or did not end."""
        return sum(one["code"].startswith("signal") for one in self.failures)

    def join(self, other: Report) -> None:
        """Take in what another one has."""
        self.codes += other.codes
        self.failures += other.failures
        self.lies, self.pairs, self.loose = self.lies + other.lies, self.pairs + other.pairs, self.loose + other.loose

    def add(self, one: dict[str, Any]) -> None:
        self.pairs += 1
        self.loose += one["loose"]
        self.codes[one["code"]] += 1
        if one["wrong"] is not None:
            self.failures.append(one)


def lie_of(kind: str, seed: int, number: int) -> Lie:
    """The lie of this number, its file in this folder; and whether small problems run compiled from now on."""
    chance = random.Random(f"{kind} {seed} {number}")
    kernel_mode.set_for_this_process("compiled" if chance.random() < 0.5 else None)
    return FORMATS[kind].lie(chance)


# ---- a batch -------------------------------------------------------------------------------------------------------


def _info(kind: str, seed: int, number: int, place: int, lie: Lie, outcome: Outcome) -> dict[str, Any]:
    command = " ".join(lie.pairs[place].command)
    return {"kind": kind, "seed": seed, "lie": number, "verb": place, "what": lie.words, "command": command,
            "code": str(outcome.code), "wrong": outcome.wrong, "loose": lie.loose}  # fmt: skip


def _child(kind: str, seed: int, work: list[tuple[int, int | None]], out: int, seconds: int) -> None:
    """Carry out the pairs; a line before each and one after it."""
    _limit_memory()
    with os.fdopen(out, "w", buffering=1) as file:
        for number, only in work:
            try:
                lie = lie_of(kind, seed, number)
            except Exception:
                file.write(json.dumps(["failed", number, traceback.format_exc()]) + "\n")
                raise
            for place in range(len(lie.pairs)) if only is None else [only]:
                file.write(json.dumps(["begin", number, place, lie.words, lie.pairs[place].command]) + "\n")
                signal.setitimer(signal.ITIMER_PROF, seconds)
                outcome = carried_out(lie.pairs[place])
                signal.setitimer(signal.ITIMER_PROF, 0)
                file.write(json.dumps(["end", _info(kind, seed, number, place, lie, outcome)]) + "\n")


def _limit_memory() -> None:
    statm = Path("/proc/self/statm")
    pages = int(statm.read_text().split()[0]) if statm.exists() else 1 << 20
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ROOM,) * 2)


def _forked(
    kind: str, seed: int, work: list[tuple[int, int | None]], seconds: int = SECONDS
) -> tuple[list[dict[str, Any]], list[Any] | None, int]:
    """What the pairs of a child ended with, the pair that was under way when it ended, and its signal."""
    ours, its = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(ours)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            _child(kind, seed, work, its, seconds)
            code = 0
        finally:
            os._exit(code)
    os.close(its)
    ended, begun = [], None
    with os.fdopen(ours) as file:
        for line in file:
            word, *rest = json.loads(line)
            if word == "failed":
                raise RuntimeError(f"{kind} {seed} {rest[0]}: {rest[1]}")
            begun = rest if word == "begin" else None
            if word == "end":
                ended.append(rest[0])
    status = os.waitpid(child, 0)[1]
    return ended, begun, os.waitstatus_to_exitcode(status)


def batch(kind: str, seed: int, numbers: list[int], report: Report) -> None:
    """The lies of these numbers with all their verbs; after a crash the rest goes on in another child."""
    report.lies += len(numbers)
    work: list[tuple[int, int | None]] = [(number, None) for number in numbers]
    while work and report.crashes < CRASHES:
        ended, begun, code = _forked(kind, seed, work)
        for one in ended:
            report.add(one)
        if code == 0:
            return
        if begun is None:
            raise RuntimeError(f"{kind} {seed} {work[:3]}: a forger failed, exit {code}")
        number, place, what, command = begun
        report.add({"kind": kind, "seed": seed, "lie": number, "verb": place, "what": what, "loose": False,
                    "command": " ".join(command), **_blamed(kind, seed, number, place, code)})  # fmt: skip
        verbs = range(place + 1, _verbs(kind, seed, number))
        rest = [number_of for number_of, _ in work if number_of > number]
        work = [(number, verb) for verb in verbs] + [(other, None) for other in rest]


def _verbs(kind: str, seed: int, number: int) -> int:
    """How many pairs a lie has; asked in a child, as a forger may crash too."""
    return len(lie_of(kind, seed, number).pairs)


def _blamed(kind: str, seed: int, number: int, place: int, code: int) -> dict[str, Any]:
    """What the pair under way does alone, with more time."""
    ended, _, again = _forked(kind, seed, [(number, place)], PATIENCE)
    if again == 0:
        if -code == signal.SIGPROF:  # it compiled: not a hang
            return {"code": ended[0]["code"], "wrong": ended[0]["wrong"]}
        return {"code": f"signal {-code}", "wrong": f"signal {-code}, only after other pairs of the batch"}
    what = f"no end in {PATIENCE} s of CPU time" if -again == signal.SIGPROF else f"signal {-again}"
    return {"code": f"signal {-again}", "wrong": what}


# ---- all of a seed -------------------------------------------------------------------------------------------------


def forged(kind: str, seed: int, pairs: int, first: int = 0) -> Report:
    """At least so many pairs of a kind, in a folder of its own."""
    report, here = Report(), os.getcwd()
    with tempfile.TemporaryDirectory(prefix=f"forge-{kind}-") as folder:
        os.chdir(folder)
        try:
            _warm_up(kind, seed)
            number = first
            while report.pairs < pairs and report.crashes < CRASHES:
                step = max(1, min(BATCH, pairs - report.pairs) // _verbs(kind, seed, number))
                batch(kind, seed, list(range(number, number + step)), report)
                number += step
        finally:
            os.chdir(here)
    return report


def _warm_up(kind: str, seed: int) -> None:
    """Honest files, and every verb on one without a lie: children find the kernels that they need in memory."""
    kernel_mode.set_for_this_process("compiled")
    FORMATS[kind].honest()
    for number in range(-1, -200, -1):
        pairs = lie_of(kind, seed, number).pairs
        if pairs[0].must_answer:
            kernel_mode.set_for_this_process("compiled")
            for pair in pairs:
                carried_out(pair)
            return


def minutes(kinds: list[str], seed: int, length: float) -> Iterator[Report]:
    """All kinds in turn, seed after seed, until the time is over."""
    end = time.monotonic() + 60 * length
    while time.monotonic() < end:
        for kind in kinds:
            yield forged(kind, seed, 400)
        seed += 1


def shown(report: Report, kind: str) -> None:
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(report.codes.items()))
    print(f"{kind}: {report.pairs} pairs of {report.lies} lies; exit codes {codes}; {len(report.failures)} failures")
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in report.failures:
        groups.setdefault(cause_of(one), []).append(one)
    for (where, wrong), some in sorted(groups.items()):
        one, verbs = some[0], sorted({other["command"].split()[0] for other in some})
        print(f"  {len(some)} × {where}: {wrong}\n      {', '.join(verbs)}; {one['what'][:150]}\n      {again(one)}")


def cause_of(one: dict[str, Any]) -> tuple[str, str]:
    """The field that lies, and what went wrong without its numbers: failures of one cause have the same."""
    return one["what"].partition(" = ")[0], re.sub(r"[0-9]+|'[^']*'", "…", one["wrong"])[:120]


def again(one: dict[str, Any]) -> str:
    """The command that makes a failure again."""
    way = f"--kind {one['kind']} --seed {one['seed']} --only {one['lie']}:{one['verb']}"
    return f"python tests/damage/forge.py {way}    # {one['command']}: {one['wrong'][:200]}"


def keep_one(kind: str, seed: int, number: int, place: int, keep: Path) -> None:
    """Carry out one pair, its files kept in a folder."""
    keep.mkdir(parents=True, exist_ok=True)
    os.chdir(keep)
    FORMATS[kind].honest()
    lie = lie_of(kind, seed, number)
    print(f"{lie.words}\ncd {keep}; novikoff {' '.join(lie.pairs[place].command)}", flush=True)
    print(*_forked(kind, seed, [(number, place)], PATIENCE), sep="\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", action="append", choices=list(FORMATS))
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", metavar="LIE:VERB")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "forged")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--json", action="store_true")
    request = parser.parse_args()
    kinds = request.kind or list(FORMATS)
    if request.only:
        number, place = map(int, request.only.split(":"))
        keep_one(kinds[0], request.seed, number, place, request.keep)
        return 0
    reports = (
        minutes(kinds, request.seed, request.minutes)
        if request.minutes
        else (forged(kind, request.seed, request.pairs) for kind in kinds)
    )
    total: dict[str, Report] = {}
    for k, report in enumerate(reports):
        total.setdefault(kinds[k % len(kinds)], Report()).join(report)
    for kind, report in total.items():
        if request.json:
            print(json.dumps(vars(report) | {"failures": [again(one) for one in report.failures]}))
        else:
            shown(report, kind)
    return int(any(report.failures for report in total.values()))


def told_of(*args: str, seconds: float = 900) -> dict[str, Any]:
    """The report of one kind, made by a process of its own: it forks, which one with threads should not."""
    made = subprocess.run([sys.executable, __file__, *args, "--json"], capture_output=True, text=True, timeout=seconds)
    assert made.stdout, made.stderr[-3000:]
    found: dict[str, Any] = json.loads(made.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())

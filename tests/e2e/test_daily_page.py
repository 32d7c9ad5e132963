"""The transcripts of docs/daily.md, run again."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from novikoff.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "daily.md"


def transcripts() -> list[tuple[str, str]]:
    """(command, what it printed), in the order of the page."""
    blocks = PAGE.read_text(encoding="utf-8").split("```")[1::2]
    found = [block.strip("\n").partition("\n") for block in blocks if block.startswith("\n$ novikoff ")]
    return [(command.removeprefix("$ "), said) for command, _, said in found]


@pytest.mark.compiled
def test_every_transcript_is_what_the_command_prints(
    tmp_path: Path,
    shared_data: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mails = shared_data("sms_spam") / "SMSSpamCollection.tsv"
    (tmp_path / mails.name).symlink_to(mails)
    monkeypatch.chdir(tmp_path)
    assert len(transcripts()) == 5
    for command, said in transcripts():
        assert main(shlex.split(command)[1:]) == 0
        assert capsys.readouterr().out.rstrip("\n") == said, command

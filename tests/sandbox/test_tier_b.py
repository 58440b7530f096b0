"""Tier B: what a root worker falls back to without user namespaces, when it is allowed to."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import SandboxUnavailable
from arena.sandbox import doctor
from arena.sandbox.attacks import attempt, programs
from arena.sandbox.player import Sandbox
from tests.sandbox.bots import FIRST_LEGAL, play

pytestmark = pytest.mark.services
if os.geteuid() != 0:
    pytestmark = pytest.mark.skip(reason="tier B needs a worker that runs as root")

LEAKS = {"host/name", "host/processes"}         # the host's name and process numbers can be seen
TRIED = {
    "crashes/exit_137", "crashes/kills_itself", "honest/search", "memory/grows", "protocol/floods_output",
    "protocol/closes_all", "time/loops", "time/priority",
}


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise SandboxUnavailable("bubblewrap is missing")

    monkeypatch.setattr("arena.sandbox.player.find_bwrap", missing)
    monkeypatch.setattr("arena.sandbox.doctor.find_bwrap", missing)


@pytest.fixture
def tier_b(image_dir: Path, no_bubblewrap: None) -> Iterator[Sandbox]:
    sandbox = Sandbox(image_dir, min_tier="B")
    yield sandbox
    sandbox.close()


def test_it_is_refused_unless_it_was_asked_for(image_dir: Path, no_bubblewrap: None) -> None:
    with pytest.raises(SandboxUnavailable, match="bubblewrap is missing"):
        Sandbox(image_dir)


def test_tier_a_is_taken_where_it_can_be_had(image_dir: Path, sandbox: Sandbox) -> None:
    best = Sandbox(image_dir, min_tier="B", ready=1)
    best.close()
    assert best.tier == "A"


def test_a_match_is_played_through(tier_b: Sandbox) -> None:
    assert tier_b.tier == "B"
    assert [game.verdict for game in play(tier_b.open_player, (FIRST_LEGAL, FIRST_LEGAL)).record.games] == [None, None]


def test_the_other_layers_hold(tier_b: Sandbox) -> None:
    attacks = [attack for attack in programs() if attack.name in TRIED or attack.name.startswith(("host/", "kernel/"))]
    problems = {attack.name: attempt(tier_b, attack, 0).problem for attack in attacks}
    assert {name for name, problem in problems.items() if problem} == LEAKS


def test_the_doctor_grants_it_and_says_so(image_dir: Path, no_bubblewrap: None) -> None:
    report = doctor.examine(image_dir, min_tier="B")
    assert [check for check in report.checks if not check.ok] == []
    assert report.tier == "B"


def test_the_doctor_does_not_grant_it_unasked(image_dir: Path, no_bubblewrap: None) -> None:
    assert doctor.examine(image_dir).tier is None

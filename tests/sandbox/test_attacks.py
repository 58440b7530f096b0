"""Every hostile bot, in both seats, against an honest one; arena/sandbox/attacks.py has the programs."""



import pytest

from arena.sandbox.attacks import GAINED, Attack, all_attacks, attempt
from arena.sandbox.player import Sandbox, open_unsafe_player
from tests.sandbox.bots import first_move

KINDS = {
    "plays", "illegal_move", "timeout", "exception", "crash", "memory", "output", "protocol", "security", "load",
}
ATTACKS = all_attacks()


@pytest.mark.services
@pytest.mark.usefixtures("no_process_left")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_hostile_bot_gets_its_verdict_and_nothing_else(sandbox: Sandbox, attack: Attack, seat: int) -> None:
    trial = attempt(sandbox, attack, seat)
    assert not trial.problem


def test_every_program_says_what_must_become_of_it() -> None:
    for attack in ATTACKS:
        assert attack.expected <= KINDS, attack.name
        assert attack.expected, attack.name
        assert attack.aim, attack.name
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


def test_the_attacks_cover_every_kind_of_verdict() -> None:
    assert {kind for attack in ATTACKS for kind in attack.expected if len(attack.expected) == 1} == KINDS


def test_a_gain_would_be_seen() -> None:
    """The probe's own word for success reaches the log of a bot that has no layer around it.

    A harmless one: most of the others would do harm to the machine of who runs this.
    """
    attack = next(attack for attack in ATTACKS if attack.name == "protocol/descriptors")
    _, log = first_move(open_unsafe_player, attack.package)
    assert GAINED in log


@pytest.mark.services
def test_a_bots_random_numbers_and_hashes_are_the_same_in_every_run(sandbox: Sandbox) -> None:
    for name in ("determinism/hashes", "determinism/random"):
        attack = next(attack for attack in ATTACKS if attack.name == name)
        one, two = (first_move(sandbox.open_player, attack.package)[1] for _ in range(2))
        assert one == two
        assert one.strip()

"""Results reported by many processes at once: the ledger is, bit for bit, that of one after the other."""

import multiprocessing
import random
from collections import Counter
from collections.abc import Sequence
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier

import pytest

from arena import logs
from arena.match.record import MatchPlayed
from arena.services import dispatch, ratings, results
from arena.services.assignments import Assignment
from arena.settings import Settings
from arena.store.session import Store
from tests.support import field
from tests.support.field import Moment, Post

PROCESSES, BOTS = 8, 21         # 210 matches
JOIN_SECONDS = 240

Reports = list[tuple[Assignment, MatchPlayed]]


def hand_in_all(settings: Settings, reports: Reports, gate: Barrier, answers: "SimpleQueue[list[str]]") -> None:
    """What each process does, once all are there."""
    logs.configure("ERROR")
    store, moment = Store.open(settings), Moment()
    gate.wait()
    answers.put([results.ingest(store, *report, 100, moment).status for report in reports])
    store.dispose()


@pytest.mark.slow
def test_results_from_many_processes_give_the_ledger_of_one(any_store: Store) -> None:
    reports = reports_of_all(any_store)
    assert len(reports) == 210
    random.Random(8).shuffle(reports)
    parts = [reports[number::PROCESSES] for number in range(PROCESSES)]
    shares = [part + following for part, following in zip(parts, [*parts[1:], parts[0]], strict=True)]     # each twice
    statuses = run_all(any_store.settings, shares)
    assert Counter(statuses) == {results.ACCEPTED: 210, results.REPEATED: 210}
    assert field.tournament(any_store, 1).state == "finished"
    assert field.ledgers(any_store) == field.undisturbed(BOTS)
    assert ratings.rebuild(any_store, dry_run=True).is_exact


def reports_of_all(store: Store) -> Reports:
    """Every match of a tournament, leased and played."""
    field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(BOTS)])
    moment, post = Moment(), Post()
    dispatch.register_worker(store, "w1", 200, "A", moment)
    dispatch.tick(store, post, moment)
    assignments = field.claim(store, [number for batch in post.batches for number in batch], now=moment)
    return [(assignment, field.play(assignment.setup)) for assignment in assignments]


def run_all(settings: Settings, shares: Sequence[Reports]) -> list[str]:
    context = multiprocessing.get_context("spawn")
    gate, answers = context.Barrier(len(shares)), context.SimpleQueue()
    processes = [context.Process(target=hand_in_all, args=(settings, share, gate, answers)) for share in shares]
    for process in processes:
        process.start()
    statuses = [status for _ in processes for status in answers.get()]
    for process in processes:
        process.join(JOIN_SECONDS)
        assert process.exitcode == 0
    return statuses

"""How long the table of a round robin of 1,000 bots takes: from the sums that are kept, and from all of its results.

    python benchmarks/tables.py [bots]

Prints medians of 5.  The results are drawn at random; reading them from the database is not in the second number.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable

from sqlalchemy import insert

from arena.services import standings
from arena.settings import Settings
from arena.store import tallies
from arena.store.migrate import migrate
from arena.store.schema import bots, entrants, tournaments, users, versions
from arena.store.session import Store, utc_now
from arena.tournament import standings as plain
from arena.tournament.round_robin import match_count, pairing_at
from arena.tournament.standings import Result
from arena.tournament.tally import Tally, count
from benchmarks.services import open_folder


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    results = drawn(number)
    with open_folder() as folder:
        store = Store.open(Settings(data_dir=folder, redis_url="redis://127.0.0.1:1/0"))
        migrate(store.settings.sqlalchemy_url)
        fill(store, number, results)
        kept = median_of_5(lambda: standings.standings(store, 1))
        leaders = median_of_5(lambda: standings.crosstable(store, 1, 50))
        store.dispose()
    plainly = median_of_5(lambda: table(number, results))
    print(f"{number} bots, {len(results)} matches")
    print(f"table from sums, with reading them:            {kept * 1000:8.0f} ms")
    print(f"that and the crosstable of 50 leaders:         {leaders * 1000:8.0f} ms")
    print(f"table from all results, without reading them:  {plainly * 1000:8.0f} ms")


def drawn(number: int) -> list[Result]:
    dice, results = random.Random(5), []
    for index in range(match_count(number, 1)):
        pairing = pairing_at(number, 1, index)
        score = dice.choice([(2, 0), (1, 1), (0, 2)])
        results.append(Result(pairing.first, pairing.second, score, (dice.randrange(11), dice.randrange(11))))
    return results


def table(number: int, results: list[Result]) -> list[plain.Standing]:
    return plain.standings(range(number), results)


def fill(store: Store, number: int, results: list[Result]) -> None:
    """A tournament with these results counted, and nothing else in the database."""
    now, made = utc_now(), {entrant: Tally.of_none(number) for entrant in range(number)}
    for result in results:
        count(made[result.first], made[result.second], result)
    with store.write() as tx:
        tx.execute(insert(users).values(id=1, name="maker", is_admin=False, created_at=now))
        tx.execute(
            insert(tournaments).values(
                id=1, name="large", owner_id=1, ruleset="oware", match_format="best-of-5", time_control="quick",
                cycles=1, opening_plies=4, seed="0" * 64, is_rated=True, engine_version="0", state="running",
                match_count=len(results), next_index=0, created_at=now,
            )
        )
        for entrant in range(1, number + 1):
            row = {"id": entrant, "name": f"bot-{entrant}", "owner_id": 1, "game": "oware", "created_at": now}
            tx.execute(insert(bots).values(row))
            version = {"id": entrant, "bot_id": entrant, "number": 1, "content_hash": "0" * 64, "package": b""}
            tx.execute(insert(versions).values(**version, state="active", submitted_at=now))
            entry = {"tournament_id": 1, "number": entrant - 1, "bot_id": entrant, "version_id": entrant}
            tx.execute(insert(entrants).values(entry))
        tallies.write(tx, 1, made)


def median_of_5(measured: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        began = time.perf_counter()
        measured()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


if __name__ == "__main__":
    main()

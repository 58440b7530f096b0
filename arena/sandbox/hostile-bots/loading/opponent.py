# expect: plays; nothing of the opponent, of the seeds, or of other bots is in reach
import gc
import os

from probe import player, runner


def sources():
    return [path for path, _, names in os.walk("/") for name in names if name == "bot.py"]


def seeds():
    inside = runner()
    words = ("opponent", "secret", "token", "match_seed", "tournament")
    return [name for name in (*inside.f_globals, *inside.f_locals) if name in words]


def objects():
    return [thing for thing in gc.get_objects() if isinstance(thing, dict) and "opponent" in thing]


choose_move = player(sources, seeds, objects)

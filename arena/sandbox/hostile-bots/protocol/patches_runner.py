# expect: plays, protocol, exception, crash; rewrites the arena's program while it runs: only its own answers can change
import gc
import json
import os

from probe import runner


def choose_move(position):
    inside = runner()
    for name in ("send", "readline", "readbytes", "report"):
        inside.f_globals[name] = None
    json.JSONEncoder.encode = lambda *_: '{"winner":0}'
    os.write = os.read = None
    for thing in gc.get_objects():
        if isinstance(thing, dict) and "rlimits" in thing:
            thing["rlimits"] = {}
    return position.legal_moves()[0]

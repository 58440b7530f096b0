# expect: protocol; runs the protocol itself, and thinks between an answer and the next request
import json
import os
import time

from probe import number_asked, runner, say


def choose_move(position):
    inside = runner()
    game, seq, pipe = inside.f_locals["game"], number_asked(), inside.f_globals["RFD"]
    while True:
        say('{"s":%d,"m":%d}\n' % (seq, game.legal_moves()[0]))
        enough = time.process_time() + 0.012
        while time.process_time() < enough:
            pass
        request = json.loads(os.read(pipe, 65536))
        seq = request["s"]
        for move in request["moves"]:
            game.push(move)

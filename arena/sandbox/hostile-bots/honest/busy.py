# expect: plays; computes for most of its time, also on a busy machine
import time

MOVES = 12


def choose_move(position, clock, game):
    enough = time.process_time() + (0.6 * clock.turn_ms / 1000 if len(game.moves) < MOVES else 0)
    while time.process_time() < enough:
        pass
    return position.legal_moves()[0]

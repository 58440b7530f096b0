# expect: plays; the random module starts from the seed of the match and the seat; printed, to compare
import random

print("RANDOM", random.random(), random.getrandbits(64))


def choose_move(position):
    return random.choice(position.legal_moves())

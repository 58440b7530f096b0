# expect: plays; looks ahead with the engine, in lists, in copies and by pickle
import copy
import pickle


def choose_move(position, clock, game):
    assert pickle.loads(pickle.dumps(position)) == position == copy.deepcopy(position)
    twin = game.copy()
    twin.push(twin.legal_moves()[0])
    assert game.position == position != twin.position
    best = max(position.legal_moves(), key=lambda move: position.play(move).stores[position.to_move])
    return [best]

# expect: plays, exception, crash, protocol, illegal_move; changes the variables of the arena's program at each of its steps
import sys

from probe import runner


def choose_move(position):
    frame = runner()
    while frame is not None:
        frame.f_trace = step
        frame = frame.f_back
    sys.settrace(step)
    return position.legal_moves()[0]


def step(frame, event, argument):
    frame.f_locals.update(seq=7, move=99, line=b"x", request={}, kind="arena/overloaded")
    return step

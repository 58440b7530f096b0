# expect: plays, exception, crash, load; refuses everything the interpreter reports to it
import sys


def choose_move(position):
    return position.legal_moves()[0]


def refuse(event, arguments):
    raise RuntimeError(event)


sys.addaudithook(refuse)

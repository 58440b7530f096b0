# expect: plays, exception, crash, protocol; takes away what every program uses
import builtins
import os
import sys


def choose_move(position):
    return position.legal_moves()[0]


for name in ("len", "type", "isinstance", "str", "Exception", "getattr", "print", "__import__"):
    setattr(builtins, name, None)
sys.modules.clear()
os.write = os.read = None

# expect: exception, crash; leaves politely
def choose_move(position):
    raise SystemExit(0)

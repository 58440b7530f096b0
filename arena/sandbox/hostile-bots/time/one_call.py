# expect: timeout, memory; a single operation of the interpreter, which no signal handler can interrupt
def choose_move(position):
    return str(7 ** 7 ** 10)

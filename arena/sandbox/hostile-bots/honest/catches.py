# expect: plays; an error that is caught, even for lack of memory, is no fault
def deeper(depth):
    return deeper(depth + 1)


def choose_move(position):
    for attempt in (lambda: bytearray(64 << 30), lambda: deeper(0)):
        try:
            attempt()
        except (MemoryError, RecursionError) as error:
            print(type(error).__name__)
    return position.legal_moves()[0]

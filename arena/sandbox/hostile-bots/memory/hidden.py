# expect: memory, exception, crash, timeout; takes every last byte, so that none is left to report it with
def choose_move(position):
    hoard = []
    for size in (1 << 20, 1 << 12, 1 << 6):
        try:
            while True:
                hoard.append(bytearray(size))
        except MemoryError:
            pass
    raise MemoryError(hoard)

# expect: exception, output, crash, memory, timeout; an error with a hundred thousand others behind it
def choose_move(position):
    first = ValueError()
    for _ in range(100_000):
        second = ValueError()
        second.__cause__, first = first, second
    raise first

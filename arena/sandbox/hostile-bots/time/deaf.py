# expect: timeout; catches every signal and every exception there is
import signal
import time

for number in range(1, signal.NSIG):
    try:
        signal.signal(number, lambda *_: None)
    except (OSError, ValueError):
        pass


def choose_move(position):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            continue

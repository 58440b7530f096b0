# expect: memory; reports a fault of its own making, with a text for whoever reads the verdict
import time

from probe import number_asked, say

TEXT = r"\u001b[2J\u0000<script>alert(1)</script>\ud800\u202e" + "A" * 2000


def choose_move(position):
    say('{"s":%d,"fault":"memory","text":"%s"}\n' % (number_asked(), TEXT))
    time.sleep(3600)

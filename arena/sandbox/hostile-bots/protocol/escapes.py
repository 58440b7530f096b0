# expect: plays; a log full of what terminals, pages and databases trip over
import os
import sys

os.write(1, b"\x1b]0;title\x07\x1b[2J<script>alert(1)</script>\0\xff\xfe\r\n\xed\xa0\x80")
sys.stdout.write("\u202egnp.exe\u200b\n")


def choose_move(position):
    return position.legal_moves()[0]

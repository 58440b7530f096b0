# expect: output; the same on the other channel, and while it is loaded
import sys

while True:
    sys.stderr.write("x" * 65536)

# expect: protocol, timeout; says that it is loaded, and goes on loading for ever
from probe import say

say('{"s":1,"loaded":true}\n')
while True:
    pass

# expect: load, protocol, exception, timeout, crash; says that it is loaded, and is not
import sys

from probe import say

say('{"s":1,"loaded":true}\n')
sys.exit()

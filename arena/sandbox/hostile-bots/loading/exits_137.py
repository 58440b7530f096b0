# expect: crash, security; ends while it is imported, as if the host had killed it
import os

os._exit(137)

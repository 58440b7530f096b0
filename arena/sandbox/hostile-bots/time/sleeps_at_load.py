# expect: timeout; waits for something that never comes, while it is loaded
import threading

threading.Lock().acquire() and threading.Event().wait()

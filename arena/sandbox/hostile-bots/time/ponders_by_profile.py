# expect: protocol; is called by the interpreter when the answer is out, and thinks then
import sys
import time


def choose_move(position):
    return position.legal_moves()[0]


def think(frame, event, argument):
    if event == "c_return" and frame.f_code.co_name == "send":
        enough = time.process_time() + 0.05
        while time.process_time() < enough:
            pass


sys.setprofile(think)

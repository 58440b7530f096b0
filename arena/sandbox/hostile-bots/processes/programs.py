# expect: plays; no shell, no program, no other interpreter
import os

from probe import player

PYTHON = "/usr/bin/python3"


def shell():
    return os.system("true") == 0


def pipe_to_shell():
    return os.popen("id").read()


def spawned():
    return os.posix_spawn(PYTHON, [PYTHON, "-c", "1"], {})


def by_module():
    import subprocess

    return subprocess.run([PYTHON, "-c", "1"]).returncode == 0


def worker():
    import multiprocessing

    multiprocessing.Process(target=print).start()
    return "a worker"


choose_move = player(shell, pipe_to_shell, spawned, by_module, worker)

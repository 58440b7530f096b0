# expect: plays; no file of the host
import glob
import os

from probe import each, player

PATHS = ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/work", "/proc", "/sys", "/dev/null",
         "/dev/mem", "/var/run/docker.sock", "/run/secrets", "/.dockerenv", "/tmp", "/boot")


def known():
    return each(os.path.lexists, PATHS)


def others():
    return sorted(set(os.listdir("/")) - {"arena", "lib", "lib64", "usr"})


def links():
    return [path for path in glob.glob("/**", recursive=True) if os.path.islink(path)]


choose_move = player(known, others, links)

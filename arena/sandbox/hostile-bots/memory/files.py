# expect: plays; there is no place to write a file or a link
import os
import tempfile

from probe import each, player

FOLDERS = ("/", "/tmp", "/var/tmp", "/dev/shm", "/arena", "/usr/bin", "/lib", "/run", ".")


def file():
    return each(lambda folder: open(os.path.join(folder, "hoard"), "w").write("x"), FOLDERS)


def unnamed_file():
    return each(lambda folder: os.open(folder, os.O_TMPFILE | os.O_RDWR) + 1, FOLDERS)


def folder():
    return each(lambda folder: os.mkdir(os.path.join(folder, "hoard")) is None, FOLDERS)


def link():
    return each(lambda folder: os.symlink("/etc/shadow", os.path.join(folder, "hoard")) is None, FOLDERS)


def pipe():
    return each(lambda folder: os.mkfifo(os.path.join(folder, "hoard")) is None, FOLDERS)


choose_move = player(file, unnamed_file, folder, link, pipe, tempfile.mkdtemp)

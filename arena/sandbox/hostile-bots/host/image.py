# expect: plays; what all bots share cannot be changed
import os
import sys

from probe import each, player

JSON = sys.modules["json"].__file__
FILES = ("/arena/child.py", "/arena/child.pyc", JSON, "/usr/bin/python3",
         "/arena/lib/arena/games/__init__.py")


def changed(change):
    return lambda: each(lambda path: change(path) is None, FILES)


def written():
    return each(lambda path: open(path, "r+b").write(b"#"), FILES)


choose_move = player(
    written,
    changed(lambda path: os.chmod(path, 0o777)),
    changed(os.unlink),
    changed(lambda path: os.rename(path, path + "x")),
    changed(os.utime),
    changed(lambda path: os.truncate(path, 0)),
    changed(lambda path: os.link(path, path + "x")),
    changed(lambda path: os.chown(path, os.getuid(), -1)),
    changed(lambda path: os.setxattr(path, "user.note", b"x")),
)

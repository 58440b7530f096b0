"""What goes into the image: which files of this interpreter, of its libraries and of the arena, and where."""

import importlib.util
import json
import os
import py_compile
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.compiling import folder_for, is_compiled
from arena.errors import SandboxUnavailable

ARENA = Path(__file__).resolve().parent.parent

# Parts of the standard library that make no sense for a bot: they need processes, networks, windows or files to
# write, or are tools for making Python.  Tests alone are a third of the whole.
_NO_MODULES = """
    site-packages dist-packages test tests idlelib tkinter turtle turtledemo lib2to3 ensurepip distutils venv
    pydoc pydoc_data sqlite3 curses dbm ssl wsgiref xmlrpc http email mailbox imaplib smtplib smtpd nntplib
    ftplib poplib telnetlib cgi cgitb mailcap webbrowser antigravity asyncore asynchat socketserver pty
    subprocess _bootsubprocess asyncio multiprocessing crypt zipapp site sitecustomize lib-dynload __pycache__ config
"""
_NO_EXTENSIONS = """
    _test _xxtest _ctypes_test xx _ssl _asyncio _hashlib _sqlite3 _tkinter _curses _dbm _gdbm _crypt _posixsubprocess
    _multiprocessing _posixshmem _uuid nis ossaudiodev readline spwd syslog
"""
_PARTS = (                      # of the arena itself
    "__init__.py", "compiling.py", "errors.py", "games", "sandbox/__init__.py", "sandbox/bundle.py",
    "sandbox/bundle_resources.py", "sandbox/confine.py", "sandbox/signatures.py",
)

_PATIENCE_SECONDS = 300         # for an interpreter to load all its extensions on a machine that has no time for it
_PROBE = """
import ctypes, importlib, json, sys
for name in json.loads(sys.argv[1]):
    try: importlib.import_module(name)
    except ImportError: pass
class Info(ctypes.Structure):
    _fields_ = [("address", ctypes.c_size_t), ("name", ctypes.c_char_p)]
found = []
def look(info, size, extra):
    found.append((info.contents.name or b"").decode())
    return 0
callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)(look)
ctypes.CDLL(None).dl_iterate_phdr(callback, None)
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Contents:
    """Source of each file by its place in the image, and the dynamic loader that starts the interpreter."""

    files: dict[str, Path]
    loader: Path


def gather() -> Contents:
    """Look at the interpreter that runs this.  Raises: SandboxUnavailable when it is one we cannot copy."""
    interpreter = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    library = library_folder()
    extensions = dict(_extensions())
    libraries = _libraries(interpreter, [name.partition(".")[0] for name in extensions])
    loader = next((path for path in libraries if path.name.startswith("ld")), None)
    if loader is None:
        raise SandboxUnavailable(f"{interpreter} has no dynamic loader; run the worker with an ordinary CPython")
    files = {"usr/bin/python3": interpreter}
    files |= {f"lib/{path.name}": path for path in libraries}
    files[str(loader).lstrip("/")] = loader         # where the interpreter itself looks for it
    files |= {f"{library}/{name}": path for name, path in _standard_library()}
    files |= {f"{library}/lib-dynload/{name}": path for name, path in extensions.items()}
    files |= {f"arena/lib/{name}": path for name, path in _engine()}
    files["arena/child.py"] = ARENA / "sandbox" / "child.py"
    return Contents(files, loader)


def library_folder() -> str:
    """Where this interpreter, as /usr/bin/python3, looks for its standard library."""
    return f"usr/{sys.platlibdir}/python{sys.version_info.major}.{sys.version_info.minor}"


def compile_sources(root: Path) -> None:
    """Byte code for every source, never checked against it; the child's lies beside its source, to be run as such."""
    for source in root.rglob("*.py"):
        shown = "/" + str(source.relative_to(root))
        target = str(source) + "c" if shown == "/arena/child.py" else importlib.util.cache_from_source(str(source))
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(source), target, dfile=shown, doraise=True, invalidation_mode=mode)


def _standard_library() -> Iterator[tuple[str, Path]]:
    folder = Path(sysconfig.get_path("stdlib"))
    left_out = set(_NO_MODULES.split())
    for entry in sorted(folder.iterdir()):
        if left_out.intersection((entry.name, entry.stem, entry.name.partition("-")[0])):
            continue
        yield from ((str(path.relative_to(folder)), path) for path in _sources(entry))


def _engine() -> Iterator[tuple[str, Path]]:
    """The arena's own parts and, where this process uses the compiled form of the games, that too."""
    for part in _PARTS:
        yield from ((f"arena/{path.relative_to(ARENA)}", path) for path in _sources(ARENA / part))
    if is_compiled():
        compiled = Path(folder_for(str(ARENA / "games")))
        libraries = sorted(compiled.glob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"))
        yield from ((f"arena/{path.relative_to(ARENA)}", path) for path in libraries)
        vectors = sys.modules["librt.vecs"].__file__        # what compiled code itself needs
        yield f"librt/{Path(str(vectors)).name}", Path(str(vectors))


def _sources(entry: Path) -> Iterator[Path]:
    if entry.is_file():
        yield entry
    if entry.is_dir():
        left_out = set(_NO_MODULES.split())
        for path in sorted(entry.rglob("*.py")):
            if path.is_file() and not left_out.intersection(path.relative_to(entry).parts):
                yield path


def _extensions() -> Iterator[tuple[str, Path]]:
    folder = Path(sysconfig.get_config_var("DESTSHARED") or "")
    left_out = tuple(_NO_EXTENSIONS.split())
    if folder.is_dir():
        for path in sorted(folder.glob("*.so")):
            if not path.name.startswith(left_out):
                yield path.name, path


def _libraries(interpreter: Path, extensions: list[str]) -> list[Path]:
    """The shared libraries of the interpreter with these extensions loaded, by the names they were asked for."""
    command = [str(interpreter), "-I", "-S", "-c", _PROBE, json.dumps(extensions)]
    try:
        answer = subprocess.run(
            command, capture_output=True, check=True, timeout=_PATIENCE_SECONDS, env={"LC_ALL": "C.UTF-8"}
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxUnavailable(f"{interpreter} cannot be asked for its libraries: {error}") from error
    names: list[str] = json.loads(answer.stdout)
    return [Path(name) for name in names if "/" in name and "/lib-dynload/" not in name and os.path.exists(name)]

"""A bot that came as a zip, unpacked in memory: its modules can be imported, its other files read as resources.

The upload was checked before it came here (arena/services/packages.py); this is the part that runs in the sandbox.
"""

import io
import sys
import zipfile
from collections.abc import Sequence
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import CodeType, ModuleType

from arena.sandbox.signatures import NotABot

TYPE_CHECKING = False           # `typing` need not be loaded for this
if TYPE_CHECKING:
    from importlib.resources.abc import TraversableResources

MAIN_FILE = "bot.py"
_JUNK_FOLDERS = ("__MACOSX", "__pycache__")
_JUNK_FILES = (".DS_Store", "Thumbs.db")


def unpacked(content: bytes, folder: str) -> tuple[bytes, ModuleSpec | None]:
    """Make the modules of the zip importable, as if it lay in `folder`.

    Returns: source and module spec of its bot.py.  Raises: NotABot when it has none, BadZipFile.
    """
    files = lifted(files_of(content))
    if MAIN_FILE not in files:
        raise NotABot(f"the zip has no {MAIN_FILE} at its root")
    importer = BundleImporter(files, folder)
    sys.meta_path.insert(0, importer)
    sys.meta_path.append(BundleImporter(with_folders(files), folder))       # a mere folder comes last, as on disk
    return files[MAIN_FILE], importer.find_spec(MAIN_FILE.removesuffix(".py"))


def files_of(content: bytes) -> dict[str, bytes]:
    """Name and content of each file that is the author's own."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            entry.filename: archive.read(entry)
            for entry in archive.infolist()
            if not entry.is_dir() and not _is_junk(entry.filename)
        }


def lifted(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without the single folder that wraps all files, if there is one."""
    tops = {name.partition("/")[0] for name in files}
    if MAIN_FILE in files or len(tops) != 1:
        return files
    return {name.partition("/")[2]: content for name, content in files.items()}


def with_folders(files: dict[str, bytes]) -> dict[str, bytes]:
    """Every folder of the zip as a package, also where it has no `__init__.py`."""
    paths = [name.split("/") for name in files]
    folders = {"/".join(path[:depth]) for path in paths for depth in range(1, len(path))}
    return {f"{folder}/__init__.py": b"" for folder in folders} | files


def _is_junk(name: str) -> bool:
    *folders, file = name.split("/")
    return any(folder in _JUNK_FOLDERS for folder in folders) or file in _JUNK_FILES or file.startswith("._")


class BundleImporter(InspectLoader):
    """Finder and loader of the modules in one bundle; they come before those of the standard library."""

    def __init__(self, files: dict[str, bytes], folder: str) -> None:
        self._files = files
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self._file_of(name)
        if file is None:
            return None
        spec = spec_from_loader(name, self, origin=self._folder + file, is_package=self.is_package(name))
        if spec is not None:
            spec.has_location = True
            if spec.submodule_search_locations is not None:
                spec.submodule_search_locations.append(self._folder + file.rpartition("/")[0])
        return spec

    def is_package(self, fullname: str) -> bool:
        file = self._file_of(fullname)
        return file is not None and file.endswith("/__init__.py")

    def get_code(self, fullname: str) -> CodeType:
        file = self._file_of(fullname)
        if file is None:
            raise ImportError(f"the bundle has no module {fullname}", name=fullname)
        code: CodeType = compile(self._files[file], self._folder + file, "exec", dont_inherit=True)
        return code

    def get_source(self, fullname: str) -> str | None:
        file = self._file_of(fullname)
        return None if file is None else self._files[file].decode("utf-8", "replace")

    def get_resource_reader(self, fullname: str) -> "TraversableResources | None":
        """For `importlib.resources`, by which alone it is imported: slow to load."""
        if not self.is_package(fullname):
            return None
        from arena.sandbox.bundle_resources import PackageResources

        return PackageResources(self._files, fullname.replace(".", "/"))

    def get_data(self, path: str) -> bytes:
        """A file of the bundle, by its path below the folder."""
        name = path.removeprefix(self._folder)
        if name not in self._files:
            raise FileNotFoundError(f"the bundle has no file {name}")
        return self._files[name]

    def _file_of(self, name: str) -> str | None:
        base = name.replace(".", "/")
        return next((file for file in (base + "/__init__.py", base + ".py") if file in self._files), None)

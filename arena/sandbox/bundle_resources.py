"""The files of a bot's zip for `importlib.resources`."""

import io
from collections.abc import Iterator
from importlib.resources.abc import Traversable, TraversableResources
from typing import IO, Any


class PackageResources(TraversableResources):
    """What lies in the folder of one package."""

    def __init__(self, files: dict[str, bytes], folder: str) -> None:
        self._folder = BundlePath(files, folder)

    def files(self) -> "BundlePath":
        return self._folder


class BundlePath(Traversable):
    """A file or a folder of the bundle, whether or not it is there."""

    def __init__(self, files: dict[str, bytes], path: str) -> None:
        self._files = files
        self._path = path

    @property
    def name(self) -> str:
        return self._path.rpartition("/")[2]

    def is_file(self) -> bool:
        return self._path in self._files

    def is_dir(self) -> bool:
        return any(name.startswith(self._path + "/") for name in self._files)

    def iterdir(self) -> "Iterator[BundlePath]":
        if not self.is_dir():
            raise NotADirectoryError(f"the bundle has no folder {self._path}")
        start = self._path + "/"
        names = {name[len(start) :].partition("/")[0] for name in self._files if name.startswith(start)}
        return (BundlePath(self._files, start + name) for name in sorted(names))

    def joinpath(self, *descendants: Any) -> "BundlePath":
        return BundlePath(self._files, "/".join([self._path, *(str(part).strip("/") for part in descendants)]))

    __truediv__ = joinpath

    def open(self, mode: str = "r", *arguments: Any, **options: Any) -> IO[Any]:
        content = io.BytesIO(self.read_bytes())
        return content if "b" in mode else io.TextIOWrapper(content, *arguments, **options)

    def read_bytes(self) -> bytes:
        if not self.is_file():
            raise FileNotFoundError(f"the bundle has no file {self._path}")
        return self._files[self._path]

    def read_text(self, encoding: str | None = None) -> str:
        return self.read_bytes().decode(encoding or "utf-8")

"""Puts the compiled modules into a wheel; where they cannot be compiled, the wheel is of pure Python."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))
from compile_modules import CannotCompile, compile_modules


class CompiledModules(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable install compiles nothing: its sources change."""
        if version == "editable":
            return
        checkout = Path(self.root)
        try:
            folders = compile_modules(checkout)
        except CannotCompile as reason:
            self.app.display_warning(f"games and matches will run interpreted: {reason}")
            return
        files = [file for folder in folders for file in folder.iterdir()]
        build_data["force_include"] |= {str(file): str(file.relative_to(checkout)) for file in files}
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

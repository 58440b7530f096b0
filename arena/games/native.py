"""Names that mean something to the compiler (mypyc), and what stands for them where the games run interpreted.

`i64` is a whole number of the machine, `vec[i64]` a row of them, `append(row, number)` the longer row (always assign
it); `mypyc_attr` tells the compiler how objects of a class are made, `Final` that a name keeps its value.  Interpreted
they are int, list, and nothing.
This module is never compiled.
"""

from __future__ import annotations

__all__ = ["Final", "append", "i64", "mypyc_attr", "vec"]

TYPE_CHECKING = False           # as in outcome.py
if TYPE_CHECKING:
    from typing import Final

    from librt.vecs import append, vec
    from mypy_extensions import i64, mypyc_attr
else:
    Final = None
    i64 = int

    class vec:
        """`vec[i64](numbers)` is a list of them."""

        def __class_getitem__(cls, item):
            return list

    def append(row, number):
        row.append(number)
        return row

    def mypyc_attr(**attributes):
        return lambda declared: declared

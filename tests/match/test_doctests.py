"""The examples in the docstrings of the rooms that have no I/O are true."""

import doctest
import importlib
import pkgutil

import pytest

import arena.archive
import arena.match
import arena.ratings
import arena.tournament

MODULES = sorted(
    f"{package.__name__}.{module.name}"
    for package in (arena.archive, arena.match, arena.ratings, arena.tournament)
    for module in pkgutil.iter_modules(package.__path__)
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    found = [doctest.DocTestFinder().find(importlib.import_module(name)) for name in MODULES]
    assert sum(len(each.examples) for tests in found for each in tests) >= 10

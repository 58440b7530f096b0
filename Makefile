# The arena's commands.  Each sets up what it needs first: an environment in .venv, redis-server and bubblewrap.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
.DEFAULT_GOAL := help
.PHONY: help setup demo test check faults bench lock

help:   ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

setup:  ## make .venv with the `arena` command (also: . .venv/bin/activate)
	@scripts/setup.sh

demo:   ## run everything here and play a tournament; stays up until Ctrl-C (ONCE=1: ends, and says whether all was well)
	@scripts/setup.sh
	@exec .venv/bin/arena demo $(if $(ONCE),--once)

# The tests of what is compiled; they run a second time with all of it interpreted.
BOTH_FORMS = tests/games tests/match tests/sandbox/test_channel.py tests/sandbox/test_fair_time.py tests/sandbox/test_replies.py

test:   ## everything: style, types, import contracts, then all tests with real services
	@scripts/setup.sh --dev
	ruff check .
	mypy
	mypy --explicit-package-bases benchmarks
	mypy --strict scripts/set_up/*.py
	mypy --strict scripts/compile_modules.py scripts/build_hook.py
	lint-imports
	pytest
	python -X interpreted -m pytest $(BOTH_FORMS)

check:  ## the fast part of it: no services, no long tests
	@scripts/setup.sh --dev
	ruff check .
	mypy
	mypy --explicit-package-bases benchmarks
	mypy --strict scripts/set_up/*.py
	mypy --strict scripts/compile_modules.py scripts/build_hook.py
	lint-imports
	pytest -m "not services and not slow"

faults: ## disturb real arenas in every way and phase; the tables go into docs/reliability.md
	@scripts/setup.sh --dev
	@python -m tests.faults.run docs/reliability.md

bench:  ## measure everything that has a goal, in one table (QUICK=1: a first look; docs/performance.md tells the rest)
	@scripts/setup.sh --dev
	@uv pip install --quiet --requirements pyproject.toml --extra bench || echo "bench: goes on without OpenSpiel" >&2
	@python benchmarks/run.py $(if $(QUICK),--quick) $(if $(WRITE),--write) $(ONLY)

lock:   ## write the lock files anew (UPGRADE=1: with the newest versions)
	@scripts/setup.sh --dev
	scripts/lock.sh

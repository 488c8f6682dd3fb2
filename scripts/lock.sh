#!/usr/bin/env bash
# Lock every set of requirements: names, versions and hashes, no addresses.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=${UV:-.venv/bin/uv}
compile() { # OUT UV-OPTIONS...
  local out=$1; shift
  "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-strip-extras --no-emit-index-url --no-emit-find-links --no-header --output-file "$out.new" "$@"
  { echo "# Made by 'make lock': do not edit."; grep -v '^ *# *-c ' "$out.new"; } > "$out"   # no temporary file
  rm "$out.new"
}
compile entrypoint/requirements.lock pyproject.toml --group build
compile entrypoint/requirements-image.lock entrypoint/requirements-image.in
extras=(--extra anthropic --extra openai --extra embeddings --extra locust)
compile requirements-dev.lock pyproject.toml "${extras[@]}" --group build --group dev
compile requirements-lint.lock requirements-lint.in

# The oldest of what users may have, with today's tools to test it.
lowest=$(mktemp)
trap 'rm -f "$lowest"' EXIT
"$uv" pip compile --quiet --python-version 3.11 --resolution lowest-direct --no-annotate --no-header \
  --no-emit-index-url --output-file "$lowest" pyproject.toml "${extras[@]}" > /dev/null
compile requirements-lowest.lock pyproject.toml "${extras[@]}" --group build --group dev \
  --constraint "$lowest"

for wanted in tests/real/*.in; do compile "${wanted%.in}.lock" "$wanted"; done

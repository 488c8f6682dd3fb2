#!/usr/bin/env bash
# Install published MCP servers of every language into FOLDER, for the tests marked `real`.
set -euo pipefail
here=$(cd "$(dirname "$0")/../tests/real" && pwd)
folder=${1:?usage: real_servers.sh FOLDER}
python=${PYTHON:-python3}
mkdir -p "$folder/npm"
cp "$here/package.json" "$folder/npm/"
(cd "$folder/npm" && npm install --no-audit --no-fund --no-package-lock --loglevel=error)
for lock in "$here"/*.lock; do
  name=$(basename "$lock" .lock)
  "$python" -m venv --clear "$folder/$name"
  "$folder/$name/bin/python" -m pip install --quiet --disable-pip-version-check \
    --require-hashes --only-binary :all: -r "$lock"
done
touch "$folder/ready"

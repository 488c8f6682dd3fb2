#!/usr/bin/env bash
# Run the action with the real command, in both runtimes, and the recipes as act runs them; `make
# action` does that. It needs an engine: image-ci.sh starts one.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [[ ${1-} != inside ]]; then
  exec bash scripts/image-ci.sh . toolproof:action -- bash tests/action/run.sh inside "$@"
fi
shift
[[ -x .venv-lint/bin/act ]] || bash scripts/lint.sh      # installs act, too
# This run's engine alone; a test calls it as another user.
chmod o+x "$(dirname "${DOCKER_HOST#unix://}")"
chmod o+rw "${DOCKER_HOST#unix://}"
# The engine has no bridge: a build needs the host's network, which the action does not ask for.
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
cat > "$tools/docker" <<DOCKER
#!/bin/sh
if [ "\$1" = build ]; then shift; set -- build --network=host "\$@"; fi
exec $(command -v docker) "\$@"
DOCKER
chmod 755 "$tools" "$tools/docker"
export PATH="$tools:$PATH" ACTION_IMAGE=toolproof:action
.venv/bin/python -m pytest tests/action -q -p no:cacheprovider -k real "$@"

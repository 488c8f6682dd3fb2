#!/usr/bin/env bash
# Check what is not Python: shell scripts, the Dockerfile, the action, workflows and recipes.
#
#   lint.sh [VENV]      the tools are installed into VENV (.venv-lint), locked by hash
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:-.venv-lint}
if [[ ! $venv/ready -nt requirements-lint.lock ]]; then
  "${PYTHON:-python3}" -m venv --clear "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
    --only-binary=:all: --requirement requirements-lint.lock
  touch "$venv/ready"
fi
export PATH="$PWD/$venv/bin:$PATH"
failed=0
check() { # NAME COMMAND...
  local name=$1 said
  shift
  if said=$("$@" 2>&1); then
    echo "lint: $name"
  else
    printf 'lint: %s FAILED\n%s\n' "$name" "$said"
    failed=1
  fi
}
shopt -s nullglob
workflows=(.github/workflows/*.yml docs/recipes/github/*.yml)
check shellcheck shellcheck .ci/run entrypoint/*.sh scripts/*.sh tests/action/*.sh tests/image/*.sh
check hadolint hadolint Dockerfile
check zizmor zizmor --offline --no-progress --persona=auditor action.yml "${workflows[@]}"
# Each `run:` too: actionlint hands them to shellcheck.
check actionlint actionlint -shellcheck shellcheck "${workflows[@]}"
check 'schema of the action' check-jsonschema --builtin-schema vendor.github-actions action.yml
check 'schema of workflows' check-jsonschema --builtin-schema vendor.github-workflows "${workflows[@]}"
check 'schema of GitLab' check-jsonschema --builtin-schema vendor.gitlab-ci \
  --data-transform gitlab-ci docs/recipes/gitlab-ci.yml
check 'schema of CircleCI' check-jsonschema --builtin-schema vendor.circle-ci docs/recipes/circleci.yml
check 'schema of Azure' check-jsonschema --builtin-schema vendor.azure-pipelines \
  --regex-variant nonunicode \
  --data-transform azure-pipelines docs/recipes/azure-pipelines.yml
check 'schema of Dependabot' check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
exit "$failed"

#!/usr/bin/env bash
# Test the image that `scripts/image-ci.sh --target slim . toolproof:slim -- bash tests/image/run.sh`
# has built, and the other one, with a container engine; `make image` does that.
set -euo pipefail
cd "$(dirname "$0")/../.."
image-build . toolproof:default
# The next Python, on its Debian base.
image-build . toolproof:next --target=slim --build-arg=PYTHON=python:3.14-slim-forky
export NEXT_IMAGE_UNDER_TEST=toolproof:next
export IMAGE_UNDER_TEST=toolproof:default SLIM_IMAGE_UNDER_TEST=toolproof:slim
exec .venv/bin/python -m pytest tests/image -q -p no:cacheprovider "$@"

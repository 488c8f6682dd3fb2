#!/usr/bin/env bash
# The programs that CI needs beyond Python, from Debian's packages; what is there stays as it is.
set -euo pipefail
wanted=()
need() { # PROGRAM PACKAGE
  command -v "$1" > /dev/null 2>&1 || wanted+=("$2")
}
need git git
need make make
need node nodejs
need npm npm
need chromium chromium
if ((${#wanted[@]})); then
  export DEBIAN_FRONTEND=noninteractive
  sudo=$([[ $(id -u) == 0 ]] || echo sudo)
  $sudo apt-get update -qq
  $sudo apt-get install -qq --no-install-recommends "${wanted[@]}" > /dev/null
fi

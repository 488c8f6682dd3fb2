#!/usr/bin/env bash
# The steps of a release, called by .github/workflows/release.yml; GitHub's outputs go to stdout.
#
#   release.sh check VERSION            is everything as a release needs it?            -> minor
#   release.sh base                     what the image stands on, by digest             -> reference, name, digest, created
#   release.sh join VERSION FOLDER      one image of those for each platform, tagged    -> default, slim
#   release.sh package                  build the Python package, and publish it
#   release.sh publish VERSION DIGEST   commit the digest, tag, publish; v1 follows
#
# FOLDER holds an empty file `default-<sha256>` or `slim-<sha256>` for each image that was pushed.
set -euo pipefail
cd "$(dirname "$0")/.."
image=${IMAGE:-toolproof/toolproof}
die() { echo "release: $*" >&2; exit 2; }
title='toolproof'
about=$(sed -n 's/^description = "\(.*\)"$/\1/p' pyproject.toml)

check() { # VERSION
  [[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || die "'$1' is no version like 1.2.3"
  grep -qx "version = \"$1\"" pyproject.toml || die "pyproject.toml does not say version $1"
  [[ $(< entrypoint/image.ref) == build ]] || die 'entrypoint/image.ref does not say build'
  ! git rev-parse --quiet --verify "refs/tags/v$1" > /dev/null || die "the tag v$1 is there already"
  echo "minor=${1%.*}"
}

base() {
  local name digest
  name=$(sed -n 's/^ARG PYTHON=//p' Dockerfile)
  digest=$(docker buildx imagetools inspect "$name" --format '{{.Manifest.Digest}}')
  [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || die "no digest for $name"
  printf 'reference=%s@%s\nname=%s\ndigest=%s\ncreated=%s\n' \
    "$name" "$digest" "$name" "$digest" "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
}

join() { # VERSION FOLDER
  local version=$1 minor=${1%.*} kind tag digest file
  for kind in default slim; do
    local tags=("$version" "$minor" latest) sources=() words=()
    if [[ $kind == slim ]]; then tags=("$version-slim" "$minor-slim" slim); fi
    for tag in "${tags[@]}"; do words+=(--tag "$image:$tag"); done
    words+=(--annotation "index:org.opencontainers.image.title=$title"
      --annotation "index:org.opencontainers.image.description=$about"
      --annotation "index:org.opencontainers.image.licenses=MIT"
      --annotation "index:org.opencontainers.image.version=$version"
      --annotation "index:org.opencontainers.image.revision=$(git rev-parse HEAD)")
    for file in "$2/$kind"-*; do sources+=("$image@sha256:${file##*-}"); done
    ((${#sources[@]} == 2)) || die "expected an image of $kind for two platforms, got ${#sources[@]}"
    docker buildx imagetools create "${words[@]}" "${sources[@]}" >&2
    digest=$(docker buildx imagetools inspect "$image:${tags[0]}" --format '{{.Manifest.Digest}}')
    [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || die "no digest for $image:${tags[0]}"
    echo "$kind=$digest"
  done
}

package() {
  make .venv/ready >&2
  rm -rf dist
  .venv/bin/uv build --no-build-isolation --python .venv/bin/python >&2
  .venv/bin/uv publish --trusted-publishing always dist/* >&2
}

publish() { # VERSION DIGEST
  local version=$1 major=v${1%%.*}
  [[ $2 =~ ^sha256:[0-9a-f]{64}$ ]] || die "'$2' is no digest"
  git config user.name 'github-actions[bot]'
  git config user.email '41898282+github-actions[bot]@users.noreply.github.com'
  echo "$image@$2" > entrypoint/image.ref
  git add entrypoint/image.ref
  git commit --quiet --message "Release $version"
  git tag --annotate "v$version" --message "toolproof $version"
  [[ $(git show "v$version:entrypoint/image.ref") != build ]] || die 'the tag would build its image'
  # The commit stands beside main: there image.ref goes on saying build.
  git push --quiet origin "refs/tags/v$version"
  gh release create "v$version" --verify-tag --title "toolproof $version" --generate-notes
  git tag --force "$major" "v$version^{commit}"
  git push --quiet --force origin "refs/tags/$major"
}

(($#)) || die 'usage: release.sh check|base|join|package|publish ...'
case $1 in
  check | base | join | package | publish) "$@" ;;
  *) die "there is no step '$1'" ;;
esac

#!/usr/bin/env bash
# Installs svc in a development container, as root. VERSION is the option `version` of the feature.
set -e
if ! command -v npm > /dev/null; then
  echo 'svc needs Node.js 20.20.2 or later: add the feature ghcr.io/devcontainers/features/node.' >&2
  exit 1
fi
case "${VERSION:=latest}" in
  *.tgz) package=$VERSION ;;
  *) package=svc-cli@$VERSION ;;
esac
npm install --global --no-audit --no-fund "$package"

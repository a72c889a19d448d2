#!/usr/bin/env bash
# Replays the events of the last week through a folder of workflow files, and writes a comment for a pull request: whose
# messages would be changed, gained, lost or moved. Exits with 10 if a message would be lost, and with 9 if the replay
# of the present workflows differs too much from what the service did.
#
# Usage: replay.sh <folder> [comment.md]
# Set SVC_PROFILE to select a profile, or SVC_BASE_URL and SVC_API_KEY to select a service. svc only reads from it.
# MIN_CONFIDENCE is the percentage of the steps that the replay must reproduce, 90 by default.
set -euo pipefail

workflows=$1
comment=${2:-comment.md}

# The export contains personal data.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

svc activity export "$folder/week.ndjson" --since 7d --with payloads,people --quiet >/dev/null

# From here on, a job needs neither key nor network.
svc workflows replay "$workflows" --events "$folder/week.ndjson" --max-lost 0 \
  --min-confidence "${MIN_CONFIDENCE:-90}" -o markdown >"$comment"

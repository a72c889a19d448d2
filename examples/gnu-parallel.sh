#!/usr/bin/env bash
# Imports a file with several processes, one for each shard, and sums up their runs. Uses GNU parallel if it is
# installed, else xargs.
#
# Usage: gnu-parallel.sh <users.csv> [shards]
# Set SVC_PROFILE to select a profile, or SVC_BASE_URL and SVC_API_KEY to select a service.
set -euo pipefail

users=$1
shards=${2:-4}
job=import-$(date +%Y%m%d-%H%M%S)-$$

import_shard='svc subscribers bulk-import "$1" --shard "$2/$3" --run-id "$4-$2" --quiet --json > /dev/null'
if parallel --version 2> /dev/null | grep -q GNU; then
  seq 0 $((shards - 1)) | parallel --jobs "$shards" "bash -c '$import_shard' - '$users' {} '$shards' '$job'" || true
else
  seq 0 $((shards - 1)) | xargs -P "$shards" -I{} bash -c "$import_shard" - "$users" {} "$shards" "$job" || true
fi

# The exit code of the merge shows whether all rows of all shards were imported.
folders=()
for ((shard = 0; shard < shards; shard += 1)); do
  folders+=("$(svc runs show "$job-$shard" --jq .folder)")
done
svc runs merge "${folders[@]}" --rejects "$job-rejects.csv" \
  --jq '"Imported \(.created + .updated) of \(.rows) rows in \(.runs | length) shards"'

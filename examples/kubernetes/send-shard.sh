#!/usr/bin/env bash
# Sends the shard of this pod. Kubernetes sets JOB_COMPLETION_INDEX; job.yaml sets JOB_NAME and SHARDS.
#
# Usage: send-shard.sh <workflow-id> <users.csv>
set -euo pipefail

exec svc events trigger "$1" --recipients "$2" --yes --json \
  --shard "auto/$SHARDS" --run-id "$JOB_NAME-$JOB_COMPLETION_INDEX"

#!/usr/bin/env bash
# Imports new members, subscribes them to a topic, sends them the workflow `welcome`, waits until it is delivered, and
# prints the status of each message. Stops at the first command that fails.
#
# Usage: new-member.sh [users.csv]
# Select a profile with SVC_PROFILE, or a service with SVC_BASE_URL and SVC_API_KEY.
set -euo pipefail

users=${1:-$(dirname "$0")/users.csv}
topic=new-members

svc subscribers bulk-import "$users" --quiet --jq '"Imported \(.created + .updated) of \(.rows) members"'

svc topics subscribe "$topic" --create --file "$users" --quiet --jq '"Subscribed \(.subscribed) members"'

transaction=$(svc events trigger welcome --to-topic "$topic" -f product=Example --yes --quiet \
  --wait --wait-timeout 60s --jq .transactionId)
echo "Delivered transaction $transaction"

svc activity list --transaction "$transaction" --all \
  --jq 'sort_by(.subscriber.subscriberId)[] | [.subscriber.subscriberId, (.jobs[] | "\(.type): \(.status)")] | @tsv'

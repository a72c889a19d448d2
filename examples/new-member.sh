#!/usr/bin/env bash
# Imports new members, subscribes them to a topic, triggers the workflow `welcome` for the topic, waits for the delivery,
# and prints the status of each message. Stops at the first command that fails.
#
# Usage: new-member.sh [users.csv]
# Set SVC_PROFILE to select a profile, or SVC_BASE_URL and SVC_API_KEY to select a service.
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

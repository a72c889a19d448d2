// Plan for adding subscribers to a topic and removing others: all additions come first. A row is {subscriberId, action}.

import { fillPath } from '../../api/url.ts';
import { operations } from '../../service/operations/index.ts';
import type { Item, Outcome, Plan } from '../engine/plan.ts';
import { toIdItem } from './id-list.ts';
import { createSubscriptionPlan } from './subscriptions.ts';
import { createUnsubscriptionPlan } from './unsubscriptions.ts';

export interface TopicChange {
  subscriberId: string;
  action: 'add' | 'remove';
}

const removal: TopicChange['action'] = 'remove';
const added: Outcome = { state: 'added' };
const removed: Outcome = { state: 'removed' };

export function createTopicChangePlan(topicKey: string): Plan {
  const additions = createSubscriptionPlan(
    () => ({ topicKey }),
    ({ value }) => value?.subscriberId,
  );
  const removals = createUnsubscriptionPlan(topicKey, ({ value }) => value?.subscriberId);
  const isRemoval = ([item]: readonly Item[]) => item?.group === removal;
  const toChange = (outcome: Outcome): Outcome => {
    if (outcome.state === 'subscribed') return added;
    // An absent subscriber does not have to be removed.
    return outcome.state === 'unsubscribed' || outcome.state === 'absent' ? removed : outcome;
  };
  return {
    operation: 'subscribeToTopic',
    successStates: ['added', 'removed'],
    isOrdered: false,
    hasPhases: true,
    chooseMethod: (items) =>
      operations[isRemoval(items) ? removals.operation : additions.operation].method,
    target: () => fillPath(operations.subscribeToTopic.path, { topicKey }),
    frame: { open: '{"subscriberIds":[', close: ']}' },
    toItem({ value = {} }) {
      const item = toIdItem(value.subscriberId, 'subscriberId');
      return 'error' in item ? item : { ...item, group: String(value.action) };
    },
    readOutcomes: (response, items) =>
      (isRemoval(items) ? removals : additions).readOutcomes(response, items).map(toChange),
    readRejection: (error, items, maybeApplied) =>
      (isRemoval(items) ? removals : additions)
        .readRejection?.(error, items, maybeApplied)
        ?.map(toChange),
  };
}

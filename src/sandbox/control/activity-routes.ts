// Control route of the activity: why each step of an event was delivered or not, in sentences. The service lists the
// same events with their jobs and execution details.

import { detailText } from '../../explain/failure-reason.ts';
import { verdictMessage } from '../../explain/messages.ts';
import { workflowIdentifier } from '../../explain/subject.ts';
import { type FindEvent, stepVerdicts } from '../../explain/verdict.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import {
  type ActivityPage,
  activityQuery,
  type TriggeredEvent,
} from '../control-client/schemas.ts';
import type { RejectedTriggers } from '../http/rejected-triggers.ts';
import { eventFinder, serializeActivity } from '../serializers/activity.ts';
import { searchNotifications } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow } from '../store/workflows.ts';
import { knownWorkflows, readFilter, readPage } from './queries.ts';
import type { ControlCall, ControlOptions, ControlRoute } from './route.ts';

export const activityRoutes = ({ rejectedTriggers }: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/activity',
    description: {
      id: 'listActivity',
      summary:
        'List triggered events, one item for each recipient, with the result of each channel step, newest first',
      query: activityQuery,
      response: 'ActivityPage',
      errors: [422],
    },
    handle: ({ scope, query }) => listActivity(scope(), query, rejectedTriggers),
  },
];

export function listActivity(
  scope: Scope,
  query: ControlCall['query'],
  rejectedTriggers: RejectedTriggers,
): ActivityPage {
  const { page, limit } = readPage(query);
  const { workflow, channel, subscriberId, transactionId } = readFilter(query);
  const notifications = searchNotifications(
    scope,
    {
      templates: workflow === undefined ? undefined : [findId(workflow)],
      channels: optionalList(channel),
      subscriberIds: optionalList(subscriberId),
      transactionId: optionalList(transactionId),
    },
    { limit: limit + 1, offset: page * limit },
  );
  const findEvent = eventFinder(scope);
  const data = serializeActivity(scope, notifications.slice(0, limit)).map((item) =>
    toEvent(item, channel, findEvent),
  );
  return {
    ...{ data, hasMore: notifications.length > limit, pageSize: data.length, page },
    ...knownWorkflows(scope, workflow),
    ...(notifications.length === 0 && page === 0
      ? { rejectedTriggers: rejectedTriggers.list(scope.environmentId) }
      : {}),
  };

  /** A workflow that does not exist has no events. */
  function findId(identifier: string): string {
    return findWorkflow(scope, 'identifier', identifier)?.id ?? '';
  }
}

const optionalList = <T>(value: T | undefined) => (value === undefined ? undefined : [value]);

function toEvent(
  item: ActivityItem,
  channel: string | undefined,
  findEvent: FindEvent,
): TriggeredEvent {
  const { transactionId, createdAt = '', subscriber } = item;
  const verdicts = stepVerdicts(item, findEvent).filter(
    (step) => channel === undefined || step.channel === channel,
  );
  return {
    transactionId,
    createdAt,
    workflow: workflowIdentifier(item) ?? '',
    subscriberId: subscriber?.subscriberId ?? '',
    steps: verdicts.map((step) => ({
      channel: step.channel as TriggeredEvent['steps'][number]['channel'],
      verdict: step.verdict,
      cause: step.cause,
      message: verdictMessage(step),
      detail: step.detail ? detailText(step.detail) : null,
    })),
  };
}

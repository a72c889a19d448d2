// Remembers the last triggers that were rejected: an application may ignore the error, and then no message appears.

import { isObject } from '../../core/objects.ts';
import type { OperationId } from '../../service/operations/index.ts';
import { fieldMessages } from '../values/http-error.ts';
import type { SerializedResponse } from './responses.ts';

export interface RejectedTrigger {
  /** The identifier in the request; null if it has none. */
  workflow: string | null;
  /** The text of the service. */
  error: string;
}

export interface RejectedTriggers {
  /** Adds the triggers of a request that the response rejects. */
  record(environmentId: string, id: OperationId, body: unknown, response: SerializedResponse): void;
  /** The rejected triggers of an environment, newest first. */
  list(environmentId: string): RejectedTrigger[];
  clear(): void;
}

const maxTriggers = 10;
const triggers: readonly OperationId[] = ['triggerEvent', 'triggerEvents', 'broadcastEvent'];

export function createRejectedTriggers(): RejectedTriggers {
  let last: (RejectedTrigger & { environmentId: string })[] = [];
  return {
    record(environmentId, id, body, { status, text = '' }) {
      if (!triggers.includes(id)) return;
      // Large lists of events are rarely rejected, so their responses are not parsed.
      if (status < 400 && !/"status":"(?!processed")/.test(text)) return;
      const rejected = status < 400 ? rejectedEvents(body, text) : [rejectedRequest(body, text)];
      const added = rejected.toReversed().map((trigger) => ({ ...trigger, environmentId }));
      last = [...added, ...last].slice(0, maxTriggers);
    },
    list: (wanted) =>
      last.flatMap(({ environmentId, ...trigger }) => (environmentId === wanted ? [trigger] : [])),
    clear() {
      last = [];
    },
  };
}

const workflowIn = (event: unknown) =>
  isObject(event) && typeof event.name === 'string' ? event.name : null;

function rejectedRequest(body: unknown, text: string): RejectedTrigger {
  const { message, errors } = JSON.parse(text);
  return {
    workflow: workflowIn(body),
    error: [message, ...fieldMessages(errors)].join('; '),
  };
}

/** The results of the events are in the same order as the events. */
function rejectedEvents(body: unknown, text: string): RejectedTrigger[] {
  const response = JSON.parse(text);
  const results: { status: string; error?: string[] }[] = [response.data ?? response].flat();
  const events = isObject(body) && Array.isArray(body.events) ? body.events : [body];
  return results.flatMap(({ status, error = [status] }, index) =>
    status === 'processed'
      ? []
      : [{ workflow: workflowIn(events[index]), error: error.join('; ') }],
  );
}

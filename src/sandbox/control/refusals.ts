// Requests that the sandbox rejects: those for routes that the service has and the sandbox does not, counted by route, and
// triggers.

import { isObject } from '../../core/objects.ts';
import type { OperationId } from '../../service/operations/index.ts';
import { notEmulatedHeader } from '../../service/route-errors.ts';
import { laterRoutes, otherRoutes } from '../../service/routes.ts';
import type { Lifetime } from '../../service/versions.ts';
import { fieldMessages, HttpError } from '../http/http-error.ts';
import type { SerializedResponse } from '../http/responses.ts';
import { createRouter } from '../http/router.ts';
import type { NotEmulatedRoute } from './schemas.ts';

export interface NotEmulatedRoutes {
  /** The error for a request of such a route, which is counted; undefined if the service has no such route either. */
  match(method: string, pathname: string): HttpError | undefined;
  /** In the order of their first request. */
  list(): NotEmulatedRoute[];
  clear(): void;
  /** Returns a function that restores the counts as they are now. */
  save(): () => void;
}

export function createNotEmulatedRoutes(
  exists: (lifetime: Lifetime) => boolean,
): NotEmulatedRoutes {
  const find = createRouter<{ method: string; path: string } & Lifetime>(
    [
      ...Object.entries(otherRoutes).map(([path, methods]) => ({ path, methods })),
      ...laterRoutes,
    ].flatMap(({ methods, ...route }) =>
      methods.split(' ').map((method) => ({ ...route, method })),
    ),
    exists,
  );
  const routes = new Map<string, NotEmulatedRoute>();
  return {
    match(method, pathname) {
      const path = find(method, pathname)?.route.path;
      if (path === undefined) return undefined;
      const name = `${method} ${path}`;
      const route = routes.get(name) ?? { method, path, requests: 0 };
      route.requests += 1;
      routes.set(name, route);
      return new HttpError(404, `${name} exists in the service, not in the sandbox`, {
        headers: { [notEmulatedHeader]: '1' },
      });
    },
    list: () => [...routes.values()],
    clear: () => routes.clear(),
    save() {
      const saved = structuredClone([...routes]);
      return () => {
        routes.clear();
        for (const [name, route] of structuredClone(saved)) routes.set(name, route);
      };
    },
  };
}

// Remembers the last triggers that were rejected: an application may ignore the error, and then no message appears.

interface RejectedTrigger {
  /** The identifier in the request; null if it has none. */
  workflow: string | null;
  /** The text of the service. */
  error: string;
}

export interface RejectedTriggers {
  /** Adds the triggers of a request that the response rejects. */
  record(environmentId: string, id: string, body: unknown, response: SerializedResponse): void;
  /** The rejected triggers of an environment, newest first. */
  list(environmentId: string): RejectedTrigger[];
  /** Without an environment, removes those of all. */
  clear(environmentId?: string): void;
  /** Returns a function that restores the triggers as they are now. */
  save(): () => void;
}

/** For each environment. */
const maxTriggers = 10;
const triggers = ['triggerEvent', 'triggerEvents', 'broadcastEvent'] satisfies OperationId[];
const isTrigger = (id: string): boolean => (triggers as string[]).includes(id);

export function createRejectedTriggers(): RejectedTriggers {
  const lastOf = new Map<string, RejectedTrigger[]>();
  return {
    record(environmentId, id, body, { status, text = '' }) {
      if (!isTrigger(id)) return;
      // Large lists of events are rarely rejected, so their responses are not parsed.
      if (status < 400 && !/"status":"(?!processed")/.test(text)) return;
      const rejected = status < 400 ? rejectedEvents(body, text) : [rejectedRequest(body, text)];
      const last = [...rejected.toReversed(), ...(lastOf.get(environmentId) ?? [])];
      lastOf.set(environmentId, last.slice(0, maxTriggers));
    },
    list: (environmentId) => lastOf.get(environmentId) ?? [],
    clear(environmentId) {
      if (environmentId === undefined) lastOf.clear();
      else lastOf.delete(environmentId);
    },
    save() {
      const saved = [...lastOf];
      return () => {
        lastOf.clear();
        for (const [environmentId, last] of saved) lastOf.set(environmentId, last);
      };
    },
  };
}

const workflowIn = (event: unknown) =>
  isObject(event) && typeof event.name === 'string' ? event.name : null;

function rejectedRequest(body: unknown, text: string): RejectedTrigger {
  const { message, errors } = JSON.parse(text);
  return { workflow: workflowIn(body), error: [message, ...fieldMessages(errors)].join('; ') };
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

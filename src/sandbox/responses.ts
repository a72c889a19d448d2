// Answers as HTTP responses: JSON, refusals in the service's form, defects without details.
import type { Clock, Ids } from './ids.ts';
import { notFound, Refusal, refusalBody } from './refusal.ts';

export const json = (status: number, value: unknown): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });

export interface Responses {
  refused(request: Request, refusal: Refusal): Response;
  /** For whatever was thrown. */
  failed(request: Request, error: unknown): Response;
  noRoute(request: Request): Response;
}

export function createResponses(
  clock: Clock,
  ids: Ids,
  onDefect: (error: unknown) => void,
): Responses {
  const refused = (request: Request, refusal: Refusal) => {
    const timestamp = new Date(clock.now()).toISOString();
    return json(refusal.status, refusalBody(refusal, targetOf(request), timestamp));
  };
  return {
    refused,
    failed(request, error) {
      if (error instanceof Refusal) return refused(request, error);
      onDefect(error);
      const members = { errorId: ids.objectId() };
      return refused(request, new Refusal(500, 'Internal server error', { members }));
    },
    noRoute: (request) =>
      refused(request, notFound(`Cannot ${request.method} ${targetOf(request)}`)),
  };
}

function targetOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

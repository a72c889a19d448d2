// Answers as HTTP responses: JSON, refusals in the service's form, defects without details.
import type { Clock, Ids } from '../ids.ts';
import { notFound, Refusal, refusalBody } from './http-error.ts';

/** An answer before it is a response. */
export interface Answered {
  status: number;
  /** JSON; absent: no body. */
  text: string | undefined;
  headers?: Record<string, string>;
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' };

export const responseOf = ({ status, text, headers = {} }: Answered): Response =>
  text === undefined
    ? new Response(null, { status, headers })
    : new Response(text, { status, headers: { ...jsonType, ...headers } });

export const json = (status: number, value: unknown): Response =>
  responseOf({ status, text: JSON.stringify(value) });

export interface Responses {
  /** For whatever was thrown, or a refusal. */
  tell(request: Request, error: unknown): Answered;
  failed(request: Request, error: unknown): Response;
  noRoute(request: Request): Response;
}

export function createResponses(
  clock: Clock,
  ids: Ids,
  onDefect: (error: unknown) => void,
): Responses {
  const refused = (request: Request, refusal: Refusal): Answered => {
    const timestamp = new Date(clock.now()).toISOString();
    const text = JSON.stringify(refusalBody(refusal, targetOf(request), timestamp));
    const { status, facts } = refusal;
    return { status, text, ...(facts.headers ? { headers: facts.headers } : {}) };
  };
  const tell = (request: Request, error: unknown): Answered => {
    if (error instanceof Refusal) return refused(request, error);
    onDefect(error);
    const members = { errorId: ids.objectId() };
    return refused(request, new Refusal(500, 'Internal server error', { members }));
  };
  return {
    tell,
    failed: (request, error) => responseOf(tell(request, error)),
    noRoute: (request) =>
      responseOf(refused(request, notFound(`Cannot ${request.method} ${targetOf(request)}`))),
  };
}

function targetOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

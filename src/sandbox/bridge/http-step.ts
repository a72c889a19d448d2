// Sends the requests of http_request steps, each signed like those to the endpoint of an application. The sandbox reaches
// this machine and the origins that its user allows; others get no request, and their step a response without content.

import { STATUS_CODES } from 'node:http';
import { errorMessage } from '../../core/errors.ts';
import { jsonOr } from '../../core/objects.ts';
import type { HttpStepRequest, HttpStepResult, SendHttpStep } from '../engine/http-step.ts';
import { findEnvironment } from '../store/environments.ts';
import type { Clock } from '../store/ids.ts';
import type { Store } from '../store/scope.ts';
import { exchange, reachable } from './request.ts';

interface HttpStepOptions {
  store: Store;
  /** The clock of the machine. */
  clock: Clock;
  /** The status that the steps of an environment get instead. */
  findFault(environmentId: string): number | undefined;
  /** Origins on other machines. */
  allowedOrigins?: readonly string[] | undefined;
  /** Called for every request, also for one that was not sent. */
  onRequest(exchange: HttpStepExchange): void;
}

/** The request of a step, and its response. */
export interface HttpStepExchange {
  request: HttpStepRequest;
  /** Why nothing was sent. */
  unsent?: string;
  /** Null without a response. */
  status: number | null;
  text?: string;
  /** Why the request failed. */
  error?: string;
  durationMs: number;
}

export function createHttpSteps(options: HttpStepOptions): SendHttpStep {
  const { store, clock, findFault, allowedOrigins = [], onRequest } = options;
  return async (request) => {
    const { environmentId, url, method, headers, body, timeoutMs } = request;
    const fault = findFault(environmentId);
    if (fault !== undefined) {
      const unsent = `a fault sets the status ${fault}`;
      onRequest({ request, unsent, status: fault, text: '{}', durationMs: 0 });
      return toResult(fault, {}, '{}');
    }
    const address = reachable(new URL(url), allowedOrigins);
    if (!address) {
      const { origin } = new URL(url);
      const unsent = `the sandbox was started without --allow-http ${origin}`;
      onRequest({ request, unsent, status: 200, text: '{}', durationMs: 0 });
      const remedy = `not sent: start the sandbox with --allow-http ${origin}`;
      return toResult(200, { 'svc-sandbox': remedy }, '{}');
    }
    const startedAt = clock.now();
    const key = findEnvironment(store.sql, environmentId)?.keys[0]?.key ?? '';
    try {
      const response = await exchange({
        ...address,
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body,
        key,
        now: startedAt,
        timeoutMs,
      });
      const { status, text } = response;
      onRequest({ request, status, text, durationMs: clock.now() - startedAt });
      return toResult(response.status, response.headers, response.text);
    } catch (thrown) {
      const error = errorMessage(thrown);
      onRequest({ request, status: null, error, durationMs: clock.now() - startedAt });
      return { error };
    }
  };
}

function toResult(
  statusCode: number,
  headers: Record<string, string>,
  text: string,
): HttpStepResult {
  if (statusCode >= 400)
    return { error: `Response code ${statusCode} (${STATUS_CODES[statusCode] ?? ''})` };
  return { statusCode, body: jsonOr(text, text), headers };
}

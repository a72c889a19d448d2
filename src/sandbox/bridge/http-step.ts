// Sends the requests of http_request steps, each signed like those to the endpoint of an application. The sandbox reaches
// this machine and the origins that its user allows; others get no request, and their step a response without content.
import { STATUS_CODES } from 'node:http';
import { errorMessage } from '../../core/errors.ts';
import type { HttpStepResult, SendHttpStep } from '../engine/http-step.ts';
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
}

export function createHttpSteps(options: HttpStepOptions): SendHttpStep {
  const { store, clock, findFault, allowedOrigins = [] } = options;
  return async ({ environmentId, url, method, headers, body, timeoutMs }) => {
    const fault = findFault(environmentId);
    if (fault !== undefined) return toResult(fault, {}, '{}');
    const address = reachable(new URL(url), allowedOrigins);
    if (!address) {
      const remedy = `not sent: start the sandbox with --allow-http ${new URL(url).origin}`;
      return toResult(200, { 'svc-sandbox': remedy }, '{}');
    }
    const key = findEnvironment(store.sql, environmentId)?.keys[0]?.key ?? '';
    try {
      const response = await exchange({
        ...address,
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body,
        key,
        now: clock.now(),
        timeoutMs,
      });
      return toResult(response.status, response.headers, response.text);
    } catch (error) {
      return { error: errorMessage(error) };
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
  return { statusCode, body: parse(text), headers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

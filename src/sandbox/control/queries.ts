// Reads the query parameters of the lists of messages and activity.
import { type Channel, channelTypes, isChannel } from '../../service/schemas/vocabulary.ts';
import type { Scope } from '../store/scope.ts';
import { allWorkflows, findWorkflow } from '../store/workflows.ts';
import { unprocessable } from '../values/http-error.ts';
import type { ControlCall } from './route.ts';

type Query = ControlCall['query'];

export const readPage = (query: Query) => ({
  page: parseInteger('page', query('page'), { min: 0, max: 1e6, defaultValue: 0 }),
  limit: parseInteger('limit', query('limit'), { min: 1, max: 100, defaultValue: 10 }),
});

export const readFilter = (query: Query) => ({
  subscriberId: query('subscriberId'),
  channel: checkChannel(query('channel')),
  workflow: query('workflow'),
  transactionId: query('transactionId'),
});

export function readBoolean(name: string, query: Query): boolean {
  const text = query(name) ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw unprocessable(`${name} must be true or false`);
}

/** The workflows of the environment, if none has this identifier: a misspelled filter would match nothing. */
export function knownWorkflows(scope: Scope, workflow: string | undefined) {
  if (workflow === undefined || findWorkflow(scope, 'identifier', workflow)) return {};
  return { knownWorkflows: allWorkflows(scope).map(({ identifier }) => identifier) };
}

/** An unknown channel is an error: a test that expects no message must not pass because of a typo. */
function checkChannel(text: string | undefined): Channel | undefined {
  if (text === undefined || isChannel(text)) return text;
  throw unprocessable(`channel must be one of ${channelTypes.join(', ')}`);
}

export function parseInteger(
  name: string,
  text: string | undefined,
  { min, max, defaultValue }: { min: number; max: number; defaultValue: number },
): number {
  if (text === undefined) return defaultValue;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw unprocessable(`${name} must be a whole number from ${min} to ${max}`);
}

// Creates integrations.
import { expect } from 'vitest';
import type { Ask } from '../open.ts';

/** Creates an active integration and returns it. */
export async function createIntegration(
  ask: Ask,
  providerId: string,
  channel: string,
  more: object = {},
) {
  const created = { providerId, channel, active: true, credentials: {}, ...more };
  const { status, body } = await ask('POST /v1/integrations', created);
  expect(status).toBe(201);
  return body.data ?? body;
}

// Triggers events, and tells what became of them.
import { expect } from 'vitest';
import type { Ask } from './open.ts';

export const trigger = async (ask: Ask, ...events: unknown[]) => {
  const { status, body } = await ask('POST /v1/events/trigger/bulk', { events });
  expect(status).toBe(201);
  return body;
};

/** The activity of a transaction, newest first. */
export const activity = async (ask: Ask, transactionId: string) =>
  (await ask(`GET /v1/notifications?limit=50&transactionId=${transactionId}`)).body.data;

/** The ids of those whom it reached, in their order. */
export const people = async (ask: Ask, transactionId: string): Promise<string[]> =>
  (await activity(ask, transactionId))
    .map(({ subscriber }: { subscriber: { subscriberId: string } }) => subscriber.subscriberId)
    .reverse();

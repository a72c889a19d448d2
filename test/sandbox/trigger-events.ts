// Triggers events and reads their activity.
import { expect } from 'vitest';
import type { Ask } from './open.ts';

/** An event without a payload gets an empty one, which the service requires. */
export const trigger = async (ask: Ask, ...given: unknown[]) => {
  const events = given.map((event) =>
    typeof event === 'object' && event !== null ? { payload: {}, ...event } : event,
  );
  const { status, body } = await ask('POST /v1/events/trigger/bulk', { events });
  expect(status).toBe(201);
  return body;
};

/** Returns the activity of a transaction, newest first. */
export const listActivity = async (ask: Ask, transactionId: string) =>
  (await ask(`GET /v1/notifications?limit=50&transactionId=${transactionId}`)).body.data;

/** Returns the ids of the subscribers that a transaction reached, in order. */
export const recipientIds = async (ask: Ask, transactionId: string): Promise<string[]> =>
  (await listActivity(ask, transactionId))
    .map(({ subscriber }: { subscriber: { subscriberId: string } }) => subscriber.subscriberId)
    .reverse();

// A sandbox whose clock the test moves, and short ways to ask what became of an event.
import { expect } from 'vitest';
import {
  type SeedWorkflow,
  storedWorkflow,
} from '../../../src/sandbox/seed/workflows/definition.ts';
import { insertWorkflow, type StoredWorkflow } from '../../../src/sandbox/store/workflows.ts';
import { type OpenOptions, openSandbox } from '../open.ts';

export interface Shown {
  transactionId: string;
  subscriberId: string;
  statuses: string[];
  details: string[][];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any form
  item: any;
}

export async function openScene(options: OpenOptions = {}) {
  const opened = await openSandbox(options);
  const { ask, store } = opened;

  const trigger = async (...events: object[]) => {
    const { status, body } = await ask('POST /v1/events/trigger/bulk', { events });
    expect(status).toBe(201);
    return body;
  };
  const shown = async (transactionId: string): Promise<Shown[]> => {
    const { body } = await ask(`GET /v1/notifications?limit=50&transactionId=${transactionId}`);
    return body.data.map((item: Shown['item']) => ({
      transactionId: item.transactionId,
      subscriberId: item.subscriber.subscriberId,
      statuses: item.jobs.map(({ status }: { status: string }) => status),
      details: item.jobs.map(({ executionDetails }: Shown['item']) =>
        executionDetails
          .slice(1)
          .map(({ status, detail }: Shown['item']) => `${status}: ${detail}`),
      ),
      item,
    }));
  };
  return {
    ...opened,
    trigger,
    shown,
    /** The one item of a transaction. */
    async one(transactionId: string): Promise<Shown> {
      const [first, ...others] = await shown(transactionId);
      expect(others).toEqual([]);
      if (!first) throw new Error(`nothing of ${transactionId}`);
      return first;
    },
    advance: async (minutes: number) =>
      (await ask('POST /__sandbox/clock', { advance: minutes * 60_000 })).body,
    cancel: async (transactionId: string) =>
      (await ask(`DELETE /v1/events/trigger/${transactionId}`)).body,
    messages: async (query: string) => (await ask(`GET /__sandbox/messages?${query}`)).body.data,
    feed: async (subscriberId: string) =>
      (await ask(`GET /v1/subscribers/${subscriberId}/notifications/feed?limit=100`)).body.data,
    /** Adds a workflow to Development. */
    define(
      seed: Partial<SeedWorkflow> & Pick<SeedWorkflow, 'steps'>,
      more: Partial<StoredWorkflow> = {},
    ) {
      const workflow = storedWorkflow(
        { identifier: 'test', name: 'Test', description: '', ...seed },
        0,
      );
      insertWorkflow(store.scope(store.environmentId), { ...workflow, ...more });
    },
  };
}

export const inbox = { name: 'Inbox', type: 'in_app', controls: { body: 'Hello' } } as const;
export const email = {
  name: 'Email',
  type: 'email',
  controls: { subject: 'Hello', body: 'Hello {{subscriber.firstName}}' },
} as const;
export const text = { name: 'Text', type: 'sms', controls: { body: 'Hello' } } as const;
export const push = {
  name: 'Push',
  type: 'push',
  controls: { subject: 'Hi', body: 'Hello' },
} as const;

export const both = { steps: [inbox, email] };

/** A step that waits, and a message behind it. */
export const wait = (controls: Record<string, unknown>) => ({
  steps: [{ name: 'Wait', type: 'delay' as const, controls }, inbox],
});

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Triggers the workflow that the test defined. */
export const send = ({ trigger }: Scene, to: unknown = 'u1', more: object = {}) =>
  trigger({ name: 'test', to, transactionId: 'a', ...more });

/** Changes the preferences of a subscriber. */
export const prefer = async ({ ask }: Scene, body: object, subscriberId = 'u1') =>
  expect((await ask(`PATCH /v2/subscribers/${subscriberId}/preferences`, body)).status).toBe(200);

// A sandbox for engine tests, with helpers to trigger events, move the clock and read results.
import { expect } from 'vitest';
import type { WorkflowState } from '../../../src/sandbox/state/schema.ts';
import { toStoredWorkflow } from '../../../src/sandbox/state/seed-state.ts';
import { seedId } from '../../../src/sandbox/store/ids.ts';
import { insertWorkflow, type StoredWorkflow } from '../../../src/sandbox/store/workflows.ts';
import { type OpenOptions, openSandbox } from '../open.ts';

type StepState = NonNullable<WorkflowState['steps']>[number];

/** A step whose id is its name in lower case. */
export type TestStep = Omit<StepState, 'stepId' | 'controlValues'> & {
  name: string;
  controls: Record<string, unknown>;
};

const toStep = ({ name, controls, ...step }: TestStep): StepState => ({
  stepId: name.toLowerCase().replaceAll(' ', '-'),
  name,
  controlValues: controls,
  ...step,
});

export interface ActivityView {
  transactionId: string;
  subscriberId: string;
  statuses: string[];
  details: string[][];
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
  item: any;
}

export async function openEngine(options: OpenOptions = {}) {
  const opened = await openSandbox(options);
  const { ask, control, store } = opened;

  /** An event without a payload gets an empty one, which the service requires. */
  const trigger = async (...given: object[]) => {
    const events = given.map((event) => ({ payload: {}, ...event }));
    const { status, body } = await ask('POST /v1/events/trigger/bulk', { events });
    expect(status).toBe(201);
    return body;
  };
  const listActivity = async (transactionId: string): Promise<ActivityView[]> => {
    const { body } = await ask(`GET /v1/notifications?limit=50&transactionId=${transactionId}`);
    return body.data.map((item: ActivityView['item']) => ({
      transactionId: item.transactionId,
      subscriberId: item.subscriber.subscriberId,
      statuses: item.jobs.map(({ status }: { status: string }) => status),
      details: item.jobs.map(({ executionDetails }: ActivityView['item']) =>
        executionDetails
          .slice(1)
          .map(({ status, detail }: ActivityView['item']) => `${status}: ${detail}`),
      ),
      item,
    }));
  };
  return {
    ...opened,
    trigger,
    listActivity,
    /** Returns the only activity item of a transaction; fails if there are several. */
    async getActivity(transactionId: string): Promise<ActivityView> {
      const [first, ...others] = await listActivity(transactionId);
      expect(others).toEqual([]);
      if (!first) throw new Error(`no activity for transaction ${transactionId}`);
      return first;
    },
    advance: (minutes: number) => control.advanceClock(minutes * 60_000),
    cancel: async (transactionId: string) =>
      (await ask(`DELETE /v1/events/trigger/${transactionId}`)).body,
    // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
    messages: async (query: string): Promise<any[]> =>
      (await control.messages(Object.fromEntries(new URLSearchParams(query)))).data,
    feed: async (subscriberId: string) =>
      (await ask(`GET /v1/subscribers/${subscriberId}/notifications/feed?limit=100`)).body.data,
    /** Adds a workflow to Development. */
    defineWorkflow(
      { steps, ...given }: Omit<Partial<WorkflowState>, 'steps'> & { steps: readonly TestStep[] },
      more: Partial<StoredWorkflow> = {},
    ) {
      const scope = store.scope(store.environmentId);
      const state = { workflowId: 'test', name: 'Test', ...given, steps: steps.map(toStep) };
      insertWorkflow(scope, { ...toStoredWorkflow({ ...scope, idOf: seedId }, state), ...more });
    },
  };
}

export const inbox = { name: 'Inbox', type: 'in_app', controls: { body: 'Hello' } } as const;
export const email = {
  name: 'Email',
  type: 'email',
  controls: { subject: 'Hello', body: 'Hello {{subscriber.firstName}}' },
} as const;
export const sms = { name: 'Text', type: 'sms', controls: { body: 'Hello' } } as const;
export const push = {
  name: 'Push',
  type: 'push',
  controls: { subject: 'Hi', body: 'Hello' },
} as const;

export const inboxAndEmail = { steps: [inbox, email] };

/** A workflow with a delay and an inbox message. */
export const delayThenInbox = (controls: Record<string, unknown>) => ({
  steps: [{ name: 'Wait', type: 'delay' as const, controls }, inbox],
});

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Triggers the workflow `test`, which the test defines. */
export const triggerTestWorkflow = ({ trigger }: Engine, to: unknown = 'u1', more: object = {}) =>
  trigger({ name: 'test', to, transactionId: 'a', ...more });

export const setPreferences = async ({ ask }: Engine, body: object, subscriberId = 'u1') =>
  expect((await ask(`PATCH /v2/subscribers/${subscriberId}/preferences`, body)).status).toBe(200);

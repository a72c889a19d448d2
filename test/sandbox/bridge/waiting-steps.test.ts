// Steps that the endpoint of an application executes while the clock moves, other jobs come due, or data changes.
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { noon, type OpenOptions, openSandbox } from '../open.ts';
import { listen } from './application.ts';

const body = JSON.stringify({ outputs: { body: 'Hello' }, metadata: { status: 'success' } });

/** A sandbox with a workflow of messages for the inbox. Its endpoint responds to each step when the test says so. */
async function openWithEndpoint(stepIds: readonly string[], options: OpenOptions = {}) {
  const requests: string[] = [];
  const held: ServerResponse[] = [];
  let isHeld = true;
  const steps = stepIds.map((stepId) => ({ stepId, type: 'in_app' }));
  const server = createServer(({ method, url = '' }, response) => {
    if (method === 'GET')
      return void response.end(JSON.stringify({ workflows: [{ workflowId: 'code', steps }] }));
    requests.push(new URL(url, 'http://localhost').searchParams.get('stepId') ?? '');
    if (isHeld) held.push(response);
    else response.end(body);
  });
  const opened = await openSandbox(options);
  const { ask, store } = opened;
  await ask('POST /v1/bridge/sync', { bridgeUrl: await listen(server) });
  const trigger = async (transactionId: string, more: object = {}) => {
    const event = { name: 'code', to: 'u1', payload: {}, transactionId, ...more };
    expect((await ask('POST /v1/events/trigger', event)).status).toBe(201);
  };
  return {
    ...opened,
    requests,
    trigger,
    /** Resolves when the endpoint has received a number of requests. */
    received: (count: number) =>
      vi.waitFor(() => expect(requests).toHaveLength(count), { interval: 1 }),
    /** Responds to the step that waits, and to all later ones at once. */
    respond() {
      isHeld = false;
      for (const response of held.splice(0)) response.end(body);
    },
    /** Reads the statuses of jobs without a request, which would execute what is due. */
    statuses: (transactionId: string) =>
      store.sql
        .all<{ status: string }>(
          `SELECT jobs.status FROM jobs JOIN notifications n ON n.id = jobs.notification
           WHERE n.transaction_id = ? ORDER BY position`,
          transactionId,
        )
        .map(({ status }) => status),
  };
}

describe('while the endpoint executes a step', () => {
  it('the clock can be set back, and the next step waits until it is due', async () => {
    const opened = await openWithEndpoint(['one', 'two']);
    const { trigger, received, respond, store, control, requests } = opened;
    await trigger('a');
    await received(1);
    store.clock.set(noon - 3_600_000);
    respond();
    await control.clock();
    await control.advanceClock(1_800_000);
    expect((await control.clock()).now).toBe('2026-01-15T11:30:00.000Z');
    expect(requests).toEqual(['one']);
    await control.advanceClock(1_800_000);
    expect(requests).toEqual(['one', 'two']);
    expect(opened.statuses('a')).toEqual(['completed', 'completed']);
  });

  it('the jobs that come due are executed directly after it', async () => {
    let now = noon;
    const opened = await openWithEndpoint(['one', 'two'], { now: () => now });
    const { ask, trigger, received, respond, statuses } = opened;
    const overrides = { delay: { amount: 1, unit: 'minutes' } };
    await trigger('waits', { name: 'trial-ending', to: 'u7', overrides });
    await trigger('a');
    await received(1);
    now += 120_000;
    await ask('GET /v1/notifications');
    expect(statuses('waits')).toEqual(['delayed', 'pending']);
    respond();
    await vi.waitFor(() => expect(statuses('waits')).toEqual(['completed', 'completed']), {
      interval: 1,
    });
    expect(statuses('a')).toEqual(['completed', 'completed']);
  });

  it('the jobs of queued events are not created', async () => {
    let now = noon;
    const opened = await openWithEndpoint(['one'], { now: () => now, queueDelayMs: 50 });
    const { ask, trigger, received, respond, statuses, control } = opened;
    await trigger('a');
    now += 50;
    await ask('GET /v1/notifications');
    await received(1);
    await trigger('queued', { name: 'welcome' });
    now += 50;
    await ask('GET /v1/notifications');
    expect(statuses('queued')).toEqual([]);
    respond();
    await control.clock();
    expect(statuses('queued')[0]).toBe('completed');
  });

  it('its workflow can be removed: the steps that wait are not sent', async () => {
    const opened = await openWithEndpoint(['one']);
    const { ask, trigger, received, respond, control, requests, store } = opened;
    await trigger('a');
    await trigger('b');
    await received(1);
    await ask('DELETE /v2/workflows/code');
    respond();
    await control.clock();
    expect(requests).toEqual(['one']);
    expect(store.sql.count('due_jobs WHERE bridge = 1')).toBe(0);
    expect(opened.internalErrors).toEqual([]);
  });

  it('a step whose variables cannot be read is skipped, with an internal error', async () => {
    const opened = await openWithEndpoint(['one']);
    const { trigger, received, respond, store, requests, internalErrors } = opened;
    await trigger('a');
    await trigger('b', { context: { tenant: 'acme' } });
    await received(1);
    store.sql.run("UPDATE contexts SET body = 'torn'");
    respond();
    await vi.waitFor(() => expect(opened.statuses('b')).toEqual(['canceled']), { interval: 1 });
    expect(internalErrors).toEqual([expect.any(SyntaxError)]);
    expect([opened.statuses('a'), requests]).toEqual([['completed'], ['one']]);
  });

  it('the sandbox can close', async () => {
    const { trigger, received, respond, store, internalErrors } = await openWithEndpoint(['one']);
    await trigger('a');
    await received(1);
    store.close();
    respond();
    await setTimeout(15);
    expect(internalErrors).toEqual([]);
  });
});

it('the last due step leaves nothing to do', async () => {
  const opened = await openWithEndpoint(['one']);
  const { trigger, received, respond, store, control, statuses } = opened;
  store.sql.run('DELETE FROM due_jobs');
  await trigger('a');
  await received(1);
  respond();
  await control.clock();
  expect(statuses('a')).toEqual(['completed']);
  expect((await control.status()).nextJobAt).toBeNull();
});

it('two moves of the clock at once send each step once', async () => {
  const opened = await openWithEndpoint(['one', 'two']);
  const { trigger, received, respond, store, control, requests } = opened;
  await trigger('a');
  await received(1);
  store.clock.set(noon - 600_000);
  respond();
  await control.clock();
  await Promise.all([control.advanceClock(600_000), control.advanceClock(600_000)]);
  expect(requests).toEqual(['one', 'two']);
  expect((await control.clock()).now).toBe('2026-01-15T12:10:00.000Z');
});

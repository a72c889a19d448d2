// Workflows that code of an application defines: they are registered, and their steps run by the clock of the sandbox.
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SandboxVersion, sandboxVersions } from '../../../src/service/versions.ts';
import { testKey } from '../../support/fixed.ts';
import { openSandbox as openOpened, startSandbox, systemClock } from '../../support/sandbox-311.ts';
import { type Ask, openSandbox } from '../open.ts';
import { comments, reminder, startApplication } from './application.ts';

async function openAs(service: SandboxVersion, url: string) {
  const sandbox = await startSandbox({
    ...{ key: testKey, bridge: url, listen: false, service },
    ...{ time: '2026-01-15T12:00:00Z', frozen: true },
  });
  onTestFinished(() => sandbox.stop());
  const ask = async (line: string, body?: object) => {
    const [method = 'GET', target = '/'] = line.split(' ');
    const response = await sandbox.fetch(target, {
      method,
      headers: { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
    const parsed = (await response.json()) as any;
    return { status: response.status, body: parsed };
  };
  const trigger = (name: string, event: object = {}) =>
    ask('POST /v1/events/trigger', {
      name,
      to: { subscriberId: 'u1', firstName: 'Ada' },
      ...event,
    });
  return { sandbox, ask, trigger };
}

describe.each(sandboxVersions)('an application with code-first workflows, with %s,', (service) => {
  const open = (url: string) => openAs(service, url);

  it('is discovered at the start', async () => {
    const { url } = await startApplication();
    const { ask } = await open(url);
    const { body } = await ask('GET /v2/workflows/comments');
    expect(body.data).toMatchObject({
      ...{ name: 'Comments', origin: 'external', status: 'ACTIVE', tags: ['social'] },
      steps: [{ stepId: 'collect' }, { stepId: 'mail' }, { stepId: 'inbox' }],
    });
  });

  it('digests events until the clock has moved, and skips a step by its condition', async () => {
    const { url } = await startApplication();
    const { sandbox, trigger } = await open(url);
    await trigger('comments', { payload: { text: 'First' } });
    await trigger('comments', { payload: { text: 'Second' } });
    expect(await sandbox.messages({ workflow: 'comments' })).toEqual([]);
    await sandbox.clock.advance('10m');
    expect(await sandbox.messages({ workflow: 'comments' })).toMatchObject([
      {
        ...{ channel: 'email', subject: '2 comments for Ada' },
        body: expect.stringContaining('<p>First</p><p>Second</p>'),
        createdAt: '2026-01-15T12:10:00.000Z',
      },
    ]);
    const [, first] = await sandbox.activity({ workflow: 'comments' });
    expect(first?.steps).toMatchObject([
      { channel: 'email', verdict: 'delivered' },
      { channel: 'in_app', verdict: 'skipped', cause: 'condition' },
    ]);
  });

  it('runs the step if its condition is not met', async () => {
    const { url } = await startApplication();
    const { sandbox, trigger } = await open(url);
    await trigger('comments', { payload: { text: 'Only' } });
    await sandbox.clock.advance('10m');
    const messages = await sandbox.messages({ workflow: 'comments', channel: 'in_app' });
    expect(messages).toMatchObject([{ body: 'Only' }]);
  });

  it('delays, and passes the output of a step to the next ones', async () => {
    const { url, requests } = await startApplication();
    const { sandbox, trigger } = await open(url);
    const subscriber = { subscriberId: 'u1', phone: '+15005550006' };
    await trigger('reminder', { to: subscriber });
    await sandbox.clock.advance('59m');
    expect(await sandbox.messages({ workflow: 'reminder' })).toEqual([]);
    await sandbox.clock.advance('1m');
    expect(await sandbox.messages({ workflow: 'reminder' })).toMatchObject([{ body: 'Now!' }]);
    const steps = requests.filter((request) => request.startsWith('execute'));
    expect(steps).toEqual(['execute wait', 'execute check', 'execute text']);
  });

  it('keeps to the preferences of the subscriber', async () => {
    const { url } = await startApplication();
    const { sandbox, ask, trigger } = await open(url);
    await ask('PATCH /v2/subscribers/u1/preferences', {
      ...{ workflowId: 'comments', channels: { email: false } },
    });
    await trigger('comments', { payload: { text: 'Only' } });
    await sandbox.clock.advance('10m');
    expect(await sandbox.messages({ workflow: 'comments', channel: 'email' })).toEqual([]);
  });

  it('fails a step in the words of the service if its code throws', async () => {
    const { url } = await startApplication();
    const { sandbox, ask, trigger } = await open(url);
    const { body } = await trigger('broken');
    const [event] = await sandbox.activity({ transaction: body.data.transactionId });
    expect(event?.steps).toMatchObject([
      {
        verdict: 'failed',
        cause: 'template_error',
        detail: expect.stringContaining('Bridge execution failed'),
      },
    ]);
    const { transactionId } = body.data;
    const activity = await ask(`GET /v1/notifications?transactionId=${transactionId}`);
    const raw = activity.body.data[0].jobs[0].executionDetails.at(-1).raw;
    expect(JSON.parse(raw)).toMatchObject({
      code: 'StepExecutionFailedError',
      ...(service === '3.11' ? { url } : {}),
      message: expect.stringContaining('No database'),
    });
  });

  it('is discovered before an event of an unknown workflow', async () => {
    const { url, server } = await startApplication({ workflows: [reminder] });
    const { trigger, ask } = await open(url);
    expect((await trigger('comments')).status).toBe(422);
    server.close();
    const port = Number(new URL(url).port);
    const other = await startApplication({ workflows: [comments], port });
    expect(other.url).toBe(url);
    expect((await trigger('comments', { payload: { text: 'A' } })).status).toBe(201);
    expect((await ask('GET /v2/workflows/reminder')).status).toBe(404);
  });

  it('is found again after a reset', async () => {
    const { url } = await startApplication();
    const { sandbox, trigger } = await open(url);
    await sandbox.reset();
    expect((await trigger('reminder')).status).toBe(201);
  });

  it('may start after the sandbox', async () => {
    const { url, server } = await startApplication();
    server.close();
    const { trigger } = await open(url);
    expect((await trigger('reminder')).status).toBe(422);
    await startApplication({ port: Number(new URL(url).port) });
    expect((await trigger('reminder')).status).toBe(201);
  });

  it('is reported if it does not respond, and no longer once it does', async () => {
    const { url, server } = await startApplication();
    server.close();
    const problems: string[] = [];
    const { handle, store } = await openOpened({
      ...{ key: testKey, bridge: url, clock: systemClock },
      onBridgeProblem: (problem) => problems.push(problem),
    });
    onTestFinished(() => store.close());
    const ask = async (method: string, target: string, body?: object) =>
      (await handle(
        new Request(`http://localhost${target}`, {
          method,
          headers: { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        }),
      ).then((response) => response.json())) as { message?: string; bridgeProblem?: string };
    const trigger = () => ask('POST', '/v1/events/trigger', { name: 'reminder', to: 'u1' });
    const problemInStatus = async () => (await ask('GET', '/__sandbox/status')).bridgeProblem;
    const text = expect.stringContaining(url);
    expect(problems).toEqual([text]);
    expect((await trigger()).message).toBe('workflow_not_found');
    expect(problems).toEqual([text, text]);
    expect(await problemInStatus()).toEqual(text);
    await startApplication({ port: Number(new URL(url).port) });
    await trigger();
    expect(problems).toHaveLength(2);
    expect(await problemInStatus()).toBeUndefined();
  });

  it('is reported if the sandbox has one of its workflows from elsewhere', async () => {
    const { workflow } = await import('@novu/framework');
    const welcome = workflow('welcome', async ({ step }) => {
      await step.inApp('inbox', async () => ({ body: 'Hello' }));
    });
    const { url } = await startApplication({ workflows: [welcome] });
    const problems: string[] = [];
    const { store } = await openOpened({
      ...{ key: testKey, bridge: url, clock: systemClock },
      onBridgeProblem: (problem) => problems.push(problem),
    });
    onTestFinished(() => store.close());
    expect(problems).toEqual([
      'Workflow welcome was already created in Dashboard. Please use another workflowId.',
    ]);
  });

  it('rejects requests that are not signed with its key', async () => {
    const { url } = await startApplication({ secretKey: 'f'.repeat(32) });
    const { ask } = await open(url);
    const { status, body } = await ask('POST /v1/bridge/sync', { bridgeUrl: url });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/signature/i)]);
  });
});

/** An endpoint accepts only requests that were signed in the last minutes. */
const today = { now: Date.now };

describe('synchronization', () => {
  const sync = (ask: Ask, bridgeUrl: string) => ask('POST /v1/bridge/sync', { bridgeUrl });

  it('registers, updates and removes workflows', async () => {
    const first = await startApplication();
    const { ask } = await openSandbox(today);
    const synced = await sync(ask, first.url);
    expect([synced.status, synced.body.length]).toEqual([201, 3]);
    const second = await startApplication({ workflows: [reminder] });
    await sync(ask, second.url);
    const { body } = await ask('GET /v1/workflows');
    const external = body.data.filter(({ origin }: { origin: string }) => origin === 'external');
    expect(external).toMatchObject([{ name: 'reminder' }]);
    expect((await ask('GET /v1/environments/me')).body.bridge).toEqual({ url: second.url });
  });

  it('rejects a workflow that the sandbox has from elsewhere', async () => {
    const { workflow } = await import('@novu/framework');
    const welcome = workflow('welcome', async ({ step }) => {
      await step.inApp('inbox', async () => ({ body: 'Hello' }));
    });
    const { url } = await startApplication({ workflows: [welcome] });
    const { ask } = await openSandbox(today);
    const { status, body } = await sync(ask, url);
    expect([status, body.message]).toEqual([
      400,
      'Workflow welcome was already created in Dashboard. Please use another workflowId.',
    ]);
  });

  it('can be compared and checked before', async () => {
    const { url } = await startApplication({ workflows: [reminder] });
    const { ask } = await openSandbox(today);
    const diff = { workflows: [], bridgeUrl: url };
    expect((await ask('POST /v1/bridge/diff', diff)).body.message).toBe('Bridge URL not found');
    await sync(ask, url);
    expect((await ask('POST /v1/bridge/diff', diff)).body).toMatchObject({
      current: { bridgeUrl: url, workflows: [{ workflowId: 'reminder' }] },
      new: diff,
    });
    const valid = await ask('POST /v1/bridge/validate', { bridgeUrl: url });
    expect([valid.status, valid.body]).toEqual([201, { isValid: true }]);
  });
});

describe('an event with bridgeUrl', () => {
  it('is executed by that endpoint', async () => {
    const { url } = await startApplication({ workflows: [comments] });
    const { ask, control } = await openSandbox(today);
    const event = { name: 'comments', to: 'u1', payload: { text: 'A' }, bridgeUrl: url };
    expect((await ask('POST /v1/events/trigger', event)).body.status).toBe('processed');
    await control.advanceClock(10 * 60_000);
    const { data } = await control.messages({ workflow: 'comments', channel: 'in_app' });
    expect(data).toMatchObject([{ body: 'A' }]);
  });

  it('is executed by that endpoint in a list, too', async () => {
    const { url } = await startApplication({ workflows: [comments] });
    const { ask, control } = await openSandbox(today);
    const event = { name: 'comments', to: 'u1', payload: { text: 'B' }, bridgeUrl: url };
    const other = { ...event, bridgeUrl: 'http://127.0.0.1:1' };
    const { status, body } = await ask('POST /v1/events/trigger/bulk', { events: [other, event] });
    expect([status, body.map((result: { status: string }) => result.status)]).toEqual([
      201,
      ['error', 'processed'],
    ]);
    await control.advanceClock(10 * 60_000);
    const { data } = await control.messages({ workflow: 'comments', channel: 'in_app' });
    expect(data).toMatchObject([{ body: 'B' }]);
  });

  it('must name a workflow of the endpoint', async () => {
    const { url } = await startApplication({ workflows: [reminder] });
    const { ask } = await openSandbox(today);
    for (const name of ['comments', 'welcome']) {
      const event = { name, to: 'u1', payload: {}, bridgeUrl: url };
      const { status, body } = await ask('POST /v1/events/trigger', event);
      expect([status, body.message]).toEqual([422, 'workflow_not_found']);
    }
  });
});

// The steps of an event on servers from version 3.12 on: without any step, without a channel, after a failed request.
import { describe, expect, it } from 'vitest';
import { sandboxVersions } from '../../../src/service/versions.ts';
import { openRig, parsed, type RigOptions, writeInput } from '../../support/rig.ts';
import { openRecipients, trigger as triggerRows } from '../events/canary-rig.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

const trigger = ['events', 'trigger', 'flow', '--to', 'a1'];

const detail = (text: string, status: string, raw?: object) => ({
  ...{ _id: text, detail: text, status, source: 'Internal', isTest: false, isRetry: false },
  ...(raw ? { raw: JSON.stringify(raw) } : {}),
});
const job = (type: string, status: string, ...executionDetails: object[]) => ({
  ...{ _id: `${type} ${status}`, type, status, executionDetails },
});
const sent = (type: string) => job(type, 'completed', detail('Message sent', 'Success'));
const noChannel = (type: string) =>
  job(type, 'canceled', detail('Subscriber does not have a configured channel', 'Warning'));
const halted = (type: string) =>
  job(type, 'canceled', detail('Step was canceled because a previous step failed', 'Failed'));

interface Event {
  jobs: object[];
  topics?: object[];
}

/** A rig whose service accepts every event, and shows these jobs for it. */
async function openFlow({ jobs, topics }: Event, options: RigOptions = {}) {
  const rig = await openRig(options);
  const channels = [...new Set(jobs.map((item) => Reflect.get(item, 'type')))];
  const known = new Map<string, object>();
  rig.answerBy(({ method, url, body }) => {
    if (method === 'POST' && url.pathname.startsWith('/v1/events/trigger')) {
      const { events } = body as { events: { transactionId: string; to: unknown }[] };
      for (const { transactionId, to } of events) {
        const [recipient] = [to].flat() as [{ subscriberId: string }];
        known.set(transactionId, {
          ...{ _id: transactionId.padEnd(24, '0'), transactionId, channels, jobs, topics },
          ...{ _subscriberId: 's', subscriber: recipient, createdAt: '2026-01-15T12:00:00.000Z' },
          template: { name: 'Flow', triggers: [{ identifier: 'flow' }] },
        });
      }
      const data = events.map(({ transactionId }) => ({
        ...{ acknowledged: true, status: 'processed', transactionId },
      }));
      return { status: 201, body: { data } };
    }
    if (url.pathname === '/v1/notifications') {
      const ids = url.searchParams.getAll('transactionId');
      const page = Number(url.searchParams.get('page') ?? 0);
      const all = ids.length > 0 ? ids.flatMap((id) => known.get(id) ?? []) : [...known.values()];
      const data = page === 0 ? all : [];
      return { status: 200, body: { data, page, pageSize: 50, hasMore: false } };
    }
    if (url.pathname === '/v2/workflows/flow')
      return { status: 200, body: { data: { workflowId: 'flow', active: true, steps: jobs } } };
    return undefined;
  });
  return rig;
}

const explain = ['activity', 'explain', 'a1', '--json'];

describe('a workflow without steps', () => {
  it('is not triggered, and is read again with each event', async () => {
    const { svc } = await openFlow({ jobs: [] });
    for (const attempt of [1, 2]) {
      const { code, stdout } = await svc([...trigger, '--json', '--jq', '.[0].status']);
      expect({ attempt, code, stdout }).toEqual({ attempt, code: 6, stdout: 'processed\n' });
    }
    const { stderr } = await svc([...trigger, '--json']);
    expect(stderr).toContain('Not triggered: workflow flow has no steps.');
  });

  it.each(sandboxVersions)('is not triggered in a sandbox of version %s', async (service) => {
    const { svc } = await openSandboxRig({}, { service });
    const { code, stdout } = await svc(['events', 'trigger', 'draft', '--to', 'u1'], { tty: true });
    expect(code).toBe(6);
    expect(stdout).toMatch(/^Not triggered: workflow draft has no steps/);
    const several = ['events', 'trigger', 'draft', '--to', 'u1', '--to', 'u2', '--yes'];
    expect((await svc(several)).code).toBe(6);
  });

  it.each(['a file', 'standard input'])('is not triggered for the rows of %s', async (input) => {
    const rig = await openFlow({ jobs: [] });
    const rows = 'subscriberId\na1\n';
    const file = input === 'a file' ? writeInput(rig, 'users.csv', rows) : '-';
    const line = ['events', 'trigger', 'flow', '--recipients', file, '--yes', '--json'];
    const refused = await rig.svc(line, file === '-' ? { stdin: rows } : {});
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 6, stdout: '' });
    expect(refused.stderr).toContain('Not triggered: workflow flow has no steps.');
    expect(refused.requests.filter(({ line: sent }) => sent.startsWith('POST'))).toEqual([]);
  });

  it('costs no request for workflows that had steps within the last day', async () => {
    const { svc } = await openFlow({ jobs: [sent('in_app')] });
    const lines = async () => (await svc(trigger)).requests.map(({ line }) => line.split('?')[0]);
    expect(await lines()).toContain('GET /v2/workflows/flow');
    expect(await lines()).not.toContain('GET /v2/workflows/flow');
  });

  it('is named by --wait, explain and a canary, without waiting for jobs', async () => {
    const { svc } = await openFlow({ jobs: [] });
    const waited = await svc([...trigger, '--wait', '--json']);
    expect(waited.code).toBe(9);
    expect(parsed(waited.stdout)).toMatchObject({
      outcome: 'undelivered',
      recipients: [{ reasons: ['the workflow has no active step'] }],
    });
    expect(waited.slept).toBeLessThan(5_000);
    const explained = await svc(explain);
    expect(explained.code).toBe(9);
    expect(parsed(explained.stdout)).toMatchObject({
      cause: 'no_steps',
      message: 'Workflow flow had no active step, so the event for a1 sent nothing.',
    });
  });

  it('stops a canary at once', async () => {
    const { rig, file } = await openRecipients();
    rig.answerBy(({ url }) => {
      if (url.pathname !== '/v1/notifications') return undefined;
      const data = url.searchParams
        .getAll('transactionId')
        .map((transactionId) => ({
          ...{ transactionId, _id: transactionId, _subscriberId: 's', channels: [], jobs: [] },
        }));
      return { status: 200, body: { data, page: 0, pageSize: 50, hasMore: false } };
    });
    const ran = await rig.svc(triggerRows(file, '10'));
    expect(ran.code).toBe(9);
    expect(parsed(ran.stdout)).toMatchObject({
      canary: { sent: 10, skipped: 10, waiting: 0, reasons: [{ cause: 'no_steps', count: 10 }] },
    });
    expect(ran.slept).toBe(0);
  });
});

describe('a step without a channel of the subscriber, which the service cancels', () => {
  const flow = { jobs: [sent('in_app'), noChannel('chat'), noChannel('push')] };

  it('makes --wait exit with 9 and is named', async () => {
    const { svc } = await openFlow(flow);
    const { code, stdout } = await svc([...trigger, '--wait', '--json']);
    expect(code).toBe(9);
    expect(parsed(stdout)).toMatchObject({
      outcome: 'undelivered',
      recipients: [
        {
          reasons: [
            'chat: Subscriber does not have a configured channel',
            'push: Subscriber does not have a configured channel',
          ],
        },
      ],
    });
  });

  it('is skipped with the cause missing_channel in explain and stats', async () => {
    const { svc } = await openFlow(flow);
    await svc(trigger);
    expect(parsed((await svc(explain)).stdout)).toMatchObject({
      channels: [
        { channel: 'in_app', verdict: 'delivered' },
        { channel: 'chat', verdict: 'skipped', cause: 'missing_channel' },
        { channel: 'push', verdict: 'skipped', cause: 'missing_channel' },
      ],
    });
    const stats = await svc(['activity', 'stats', '--json']);
    expect(parsed(stats.stdout)).toMatchObject({
      total: { delivered: 1, failed: 0, skipped: 2 },
      reasons: [{ cause: 'missing_channel', count: 2 }],
    });
  });
});

it('--wait names every step that did not deliver, also when another one failed', async () => {
  const failed = job('email', 'failed', detail('Unexpected provider error', 'Failed'));
  const { svc } = await openFlow({
    jobs: [sent('in_app'), noChannel('push'), failed, halted('sms')],
  });
  const { stdout } = await svc([...trigger, '--wait', '--json']);
  expect(parsed(stdout)).toMatchObject({
    recipients: [
      {
        reasons: [
          'push: Subscriber does not have a configured channel',
          'email: Unexpected provider error',
          'sms: Step was canceled because a previous step failed',
        ],
      },
    ],
  });
});

describe('a failed HTTP request', () => {
  const failed = (text: string, raw: object) =>
    job('http_request', 'failed', detail('Step queued', 'Pending'), detail(text, 'Failed', raw));
  const refused = failed('Action step execution failed', { error: 'connect ECONNREFUSED' });

  it('is named by the steps that it stopped', async () => {
    const { svc } = await openFlow({ jobs: [refused, halted('in_app')] });
    await svc(trigger);
    expect(parsed((await svc(explain)).stdout)).toMatchObject({
      channels: [
        {
          ...{ verdict: 'skipped', cause: 'halted' },
          message:
            'An earlier step failed and stopped the workflow: http_request: Action step execution failed: connect ECONNREFUSED.',
        },
      ],
    });
  });

  it('is named also if the failed step is not shown', async () => {
    const { svc } = await openFlow({ jobs: [halted('in_app')] });
    await svc(trigger);
    expect(parsed((await svc(explain)).stdout)).toMatchObject({ cause: 'halted' });
  });

  it.each([
    [refused, 'http_request_failed', 'The HTTP request failed: connect ECONNREFUSED.'],
    [
      failed('Response body schema validation failed', { errors: ['id is missing'] }),
      'response_invalid',
      'The response to the HTTP request does not match the schema of the step.',
    ],
    [failed('Something new', {}), 'http_request_failed', 'The HTTP request failed: Something new.'],
  ])('is the cause of an event without messages', async (step, cause, message) => {
    const { svc } = await openFlow({ jobs: [step] });
    await svc(trigger);
    expect(parsed((await svc(explain)).stdout)).toMatchObject({
      cause,
      message: `The event of flow for a1 has no step that sends a message. ${message}`,
    });
  });
});

it.each([
  ['MS Teams user not found', 'missing_channel'],
  ['MS Teams bot not installed', 'provider_error'],
  ['Tenant admin consent not granted for MS Teams', 'provider_error'],
  ['Step resolver execution timeout', 'template_error'],
])('%s has the cause %s', async (text, cause) => {
  const { svc } = await openFlow({ jobs: [job('chat', 'failed', detail(text, 'Failed'))] });
  await svc(trigger);
  expect(parsed((await svc(explain)).stdout)).toMatchObject({ channels: [{ cause }] });
});

it('a tool step is a message, and the condition of a subscription is evidence', async () => {
  const topics = [
    {
      ...{ _topicId: 't', topicKey: 'news' },
      preferenceEvaluation: {
        result: true,
        subscriptionIdentifier: 'sport',
        condition: { '==': [] },
      },
    },
  ];
  const { svc } = await openFlow({ jobs: [sent('tool')], topics });
  await svc(trigger);
  const { code, stdout } = await svc(explain);
  expect(code).toBe(0);
  expect(parsed(stdout)).toMatchObject({
    channels: [
      {
        ...{ channel: 'tool', verdict: 'delivered', message: 'The message to a tool was sent.' },
        evidence: expect.arrayContaining(['the condition of the subscription `sport` was met']),
      },
    ],
  });
});

// Checks that export and seed of a state lose no data, and that errors in a state file have positions.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { SvcError } from '../../../src/core/errors.ts';
import { readState, stateJsonSchema, writeState } from '../../support/sandbox-311.ts';
import { openSandbox } from '../open.ts';

const head = 'version: 1\nenvironments:\n  - name: Development\n';

function errorsIn(text: string): string[] {
  try {
    readState(text, 'state.yaml');
    return [];
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    expect(error.message).toBe('state.yaml is not a valid state file.');
    return (error.details.fieldErrors ?? []).map(({ message }) => message);
  }
}

describe('the state of a sandbox', () => {
  test('is unchanged by an export and a seed', async () => {
    const first = await openSandbox();
    await first.ask('PATCH /v2/subscribers/u1/preferences', { channels: { sms: false } });
    await first.ask('PATCH /v2/subscribers/u1/preferences', {
      workflowId: 'welcome',
      channels: { email: false },
    });
    await first.ask('POST /v1/subscribers/bulk', {
      subscribers: [{ subscriberId: 'odd', email: null, data: { a: 'yes', b: '0123', c: 1.5 } }],
    });
    await first.ask('POST /v1/environments', { name: 'Staging', color: '#abc' });
    const yaml = writeState((await first.ask('GET /__sandbox/export?reveal=true')).body);
    const second = await openSandbox();
    const seeded = await second.ask('POST /__sandbox/seed', readState(yaml, 'state.yaml'));
    expect(seeded.body).toEqual({ seeded: true, environments: 3 });
    const reexported = writeState((await second.ask('GET /__sandbox/export?reveal=true')).body);
    expect(reexported).toBe(yaml);
    expect(yaml).toContain('ada-phone');
    expect((await second.ask('GET /__sandbox/status')).body).toMatchObject({
      subscribers: 10,
      events: 0,
    });
  });

  test('still processes events after an export and a seed', async () => {
    const { ask } = await openSandbox();
    await ask('POST /__sandbox/seed', (await ask('GET /__sandbox/export?reveal=true')).body);
    const triggered = await ask('POST /v1/events/trigger/bulk', {
      events: [{ name: 'welcome', to: 'u1', payload: {} }],
    });
    expect(triggered.body).toMatchObject([{ status: 'processed' }]);
    const feed = await ask('GET /v1/subscribers/u1/notifications/feed');
    expect(feed.body.data).toHaveLength(1);
  });

  test('is exported without API keys, and without credentials by default', async () => {
    const { ask, store } = await openSandbox();
    const text = JSON.stringify((await ask('GET /__sandbox/export')).body);
    expect(text).not.toContain(store.key);
    for (const secret of ['SG.sandbox-only', 'ada-phone', 'hooks.slack']) {
      expect(text).not.toContain(secret);
    }
    const rejected = await ask('POST /__sandbox/seed', JSON.parse(text));
    expect(rejected.status).toBe(422);
    expect(rejected.body.errors.general.messages[0]).toContain('masked secret');
  });

  test('can be the examples in docs/state.md, which its JSON Schema accepts', async () => {
    const text = readFileSync('docs/state.md', 'utf8');
    const [whole = '', ...parts] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, example = '']) => example,
    );
    expect(parts).toHaveLength(6);
    const members = parts.map((part) => part.replace(/^(?=.)/gm, '    ')).join('');
    const example = whole.replace("color: '#ff8547'\n", (color) => color + members);
    expect(errorsIn(example)).toEqual([]);
    const state = readState(example, 'state.yaml');
    const { ask } = await openSandbox();
    expect((await ask('POST /__sandbox/seed', state)).status).toBe(200);
    const validate = new Ajv2020({ strict: false }).compile(stateJsonSchema());
    expect({ valid: validate(state), errors: validate.errors }).toEqual({
      valid: true,
      errors: null,
    });
    expect(validate({ ...state, unknown: true })).toBe(false);
  });
});

describe('the events of a state', () => {
  const stateWith = (events: object[]) => ({
    version: 1,
    environments: [
      {
        name: 'Development',
        integrations: [
          { identifier: 'in-app', name: 'Inbox', providerId: 'svc', channel: 'in_app' },
        ],
        workflows: [
          {
            workflowId: 'later',
            validatePayload: true,
            payloadSchema: { type: 'object', properties: { n: { type: 'number' } } },
            steps: [
              { stepId: 'wait', type: 'delay', controlValues: { amount: 1, unit: 'days' } },
              { stepId: 'inbox', type: 'in_app', controlValues: { body: 'Hello {{payload.n}}' } },
            ],
          },
        ],
        subscribers: [{ subscriberId: 'a' }],
        events,
      },
    ],
  });

  test('run at their time, are canceled and marked, and are not exported', async () => {
    const { ask } = await openSandbox();
    const state = stateWith([
      { ago: '12h', name: 'later', to: 'a', transactionId: 'waiting' },
      {
        ago: '3d',
        name: 'later',
        to: 'a',
        transactionId: 'read',
        payload: { n: 1 },
        markAs: 'read',
      },
      { ago: '2d', name: 'later', to: 'a', transactionId: 'canceled', cancelAfter: '1h' },
    ]);
    expect((await ask('POST /__sandbox/seed', state)).status).toBe(200);
    const { data } = (await ask('GET /v1/notifications')).body;
    const view = data.map((item: { transactionId: string; createdAt: string; jobs: object[] }) => [
      item.transactionId,
      item.createdAt,
      ...item.jobs.map((job) => Reflect.get(job, 'status')),
    ]);
    expect(view).toEqual([
      ['waiting', '2026-01-15T00:00:00.000Z', 'delayed', 'pending'],
      ['canceled', '2026-01-13T12:00:00.000Z', 'canceled', 'canceled'],
      ['read', '2026-01-12T12:00:00.000Z', 'completed', 'completed'],
    ]);
    const feed = (await ask('GET /v1/subscribers/a/notifications/feed')).body.data;
    expect(feed).toHaveLength(1);
    expect(feed[0]).toMatchObject({
      content: 'Hello 1',
      createdAt: '2026-01-13T12:00:00.000Z',
      read: true,
    });
    const [exported] = (await ask('GET /__sandbox/export')).body.environments;
    expect(exported.events).toBeUndefined();
  });

  test('are rejected with all of the state if one is not processed', async () => {
    const { ask } = await openSandbox();
    const state = stateWith([{ ago: '1d', name: 'later', to: 'a', payload: { n: 'one' } }]);
    const { status, body } = await ask('POST /__sandbox/seed', state);
    expect(status).toBe(422);
    expect(body.message).toBe(
      'Event 1 of environment Development is not processed: Payload validation failed: n: must be number. Fix the event in the state file.',
    );
    expect((await ask('GET /__sandbox/status')).body.subscribers).toBe(9);
  });

  test('of the built-in seed are in a valid state file', () => {
    expect(errorsIn(readFileSync('src/sandbox/state/built-in.yaml', 'utf8'))).toEqual([]);
  });
});

describe('readState', () => {
  test.each([
    [
      'version: 2\nenvironments: []\n',
      [
        '1:1: version is 2: the file was written by a newer svc; update svc',
        '2:1: environments must contain',
      ],
    ],
    [`${head}    colour: red\n`, ['4:5: environments[0].colour is an unknown field']],
    [
      `${head}    topics:\n      - key: t\n        subscribers: [u9]\n`,
      ['6:23: environments[0].topics[0].subscribers[0] refers to unknown subscriber "u9"'],
    ],
    [
      `${head}    subscribers:\n      - subscriberId: a\n    topics:\n      - key: t\n        subscriptions:\n          - { subscriberId: u9 }\n          - { subscriberId: a, identifier: x, preferences: [{ workflowId: w }] }\n          - { subscriberId: a, identifier: x }\n`,
      [
        '9:13: environments[0].topics[0].subscriptions[0] refers to unknown subscriber "u9"',
        '10:13: environments[0].topics[0].subscriptions[1] refers to unknown workflow "w"',
        '11:32: environments[0].topics[0].subscriptions[2].identifier "x" is a duplicate',
      ],
    ],
    [
      `${head}    subscribers:\n      - subscriberId: a\n        email: nope\n      - {}\n`,
      [
        '6:9: environments[0].subscribers[0].email not an e-mail address',
        '7:9: environments[0].subscribers[1].subscriberId is required',
      ],
    ],
    [
      `${head}    topics:\n      - key: t\n      - key: t\n`,
      ['6:9: environments[0].topics[1].key "t" is a duplicate'],
    ],
    [
      'version: 1\nenvironments:\n  - name: Other\n',
      ['2:1: environments must contain the environment Development'],
    ],
    [
      `${head}    events:\n      - { ago: soon, name: w }\n      - { ago: 1h, name: w, cancelAfter: 2h }\n`,
      [
        '5:11: environments[0].events[0].ago is not a duration such as 30m or 1d12h',
        '6:29: environments[0].events[1].cancelAfter is longer than ago',
      ],
    ],
    [
      `${head}    events:\n      - { ago: 1h, name: w }\n`,
      ['5:20: environments[0].events[0].name refers to unknown workflow "w"'],
    ],
    ['version: [1\n', ['2:1: ']],
    ['', ['1:1: ']],
  ])('reports the errors in %j with their positions', (text, expected) => {
    const errors = errorsIn(text);
    expect(errors).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) {
      expect(errors[index]?.startsWith(`state.yaml:${start}`), errors[index]).toBe(true);
    }
  });
});

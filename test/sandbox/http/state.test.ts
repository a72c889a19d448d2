// Checks that export and seed of a state lose no data, and that errors in a state file have positions.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SvcError } from '../../../src/core/errors.ts';
import { readState, writeState } from '../../../src/sandbox/index.ts';
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

  test('can be the example in README.md', () => {
    const readme = readFileSync('src/sandbox/state/README.md', 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(errorsIn(example)).toEqual([]);
  });
});

describe('readState', () => {
  test.each([
    [
      'version: 2\nenvironments: []\n',
      ['1:1: version must be 1', '2:1: environments must contain'],
    ],
    [`${head}    colour: red\n`, ['4:5: environments[0].colour is an unknown field']],
    [
      `${head}    topics:\n      - key: t\n        subscribers: [u9]\n`,
      ['6:23: environments[0].topics[0].subscribers[0] refers to unknown subscriber "u9"'],
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

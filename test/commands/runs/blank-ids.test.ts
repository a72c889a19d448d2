// Blanks around ids: removed in every input format, refused on the command line, never sent.
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

const blanks = [' ', '\t', '\u00a0', '\u2003', '\u3000'];
const around = blanks.join('');
const cell = (id: string) => `"${around}${id}${around}"`;
const json = (value: unknown) => JSON.stringify(value);
const id = (bare: string) => `${around}${bare}${around}`;

const imports = ['subscribers', 'bulk-import', '-'];
const subscribes = ['topics', 'subscribe', 'announcements', '--file', '-'];
const message = 'a'.repeat(24);
const marks = ['inbox', 'mark', 'u1', 'read', '-'];
const recipients = ['events', 'trigger', 'welcome', '--recipients', '-', '--yes'];
const events = ['events', 'trigger', '--file', '-', '--yes'];
const ndjson = ['--format', 'ndjson'];

describe('blanks around an id', () => {
  // The last value is the exit code if it is not 0: the service rejects ids that it does not have.
  it.each<[string, string[], string, object, number?]>([
    [
      'CSV, with the e-mail address',
      imports,
      `subscriberId,email\n${cell('u1')},${cell('a@b.co')}\n`,
      { subscribers: [{ subscriberId: 'u1', email: 'a@b.co' }] },
    ],
    [
      'NDJSON',
      [...imports, ...ndjson],
      json({ subscriberId: id('u1'), email: id('a@b.co') }),
      { subscribers: [{ subscriberId: 'u1', email: 'a@b.co' }] },
    ],
    [
      'a JSON array',
      [...imports, '--format', 'json'],
      json([{ subscriberId: id('u1') }]),
      { subscribers: [{ subscriberId: 'u1' }] },
    ],
    [
      'a plain list',
      [...imports, '--format', 'lines'],
      `${id('u1')}\n`,
      { subscribers: [{ subscriberId: 'u1' }] },
    ],
    ['a list to subscribe', subscribes, `${id('u1')}\n`, { subscriberIds: ['u1'] }],
    [
      'a CSV file to subscribe',
      [...subscribes, '--format', 'csv'],
      `subscriberId\n${cell('u1')}\n`,
      { subscriberIds: ['u1'] },
    ],
    [
      'objects to subscribe',
      [...subscribes, ...ndjson],
      json({ subscriberId: id('u1') }),
      { subscriberIds: ['u1'] },
    ],
    ['a list to mark', marks, `${id(message)}\n`, { messageId: [message], markAs: 'read' }, 6],
    [
      'a file of recipients',
      recipients,
      `subscriberId\n${cell('u1')}\n`,
      { events: [expect.objectContaining({ to: [{ subscriberId: 'u1' }] })] },
    ],
    [
      'objects of recipients with their transaction',
      [...recipients, ...ndjson],
      json({ subscriberId: id('u1'), transactionId: id('t1') }),
      { events: [expect.objectContaining({ to: [{ subscriberId: 'u1' }], transactionId: 't1' })] },
    ],
    [
      'a file of events',
      [...events, ...ndjson],
      json({
        name: 'welcome',
        to: [id('u1'), { subscriberId: id('u2') }, { type: 'Topic', topicKey: id('k') }],
        actor: id('u3'),
        tenant: { identifier: id('acme') },
        context: { tenant: id('acme') },
        transactionId: id('t1'),
        payload: { text: id('stays') },
      }),
      {
        events: [
          {
            name: 'welcome',
            to: [{ subscriberId: 'u1' }, { subscriberId: 'u2' }, { type: 'Topic', topicKey: 'k' }],
            actor: 'u3',
            tenant: { identifier: 'acme' },
            context: { tenant: 'acme' },
            transactionId: 't1',
            payload: { text: id('stays') },
          },
        ],
      },
      6,
    ],
  ])('are not sent from %s', async (_name, line, stdin, body, expectedCode = 0) => {
    const rig = await openRig();
    const { code, requests } = await rig.svc(line, { stdin });
    expect(code).toBe(expectedCode);
    expect(requests.at(-1)?.body).toEqual(body);
  });

  it.each<[string, string[], string]>([
    ['a list', [], `${id('txn_1')}\n`],
    ['objects', ndjson, json({ transactionId: id('txn_1') })],
  ])('are not sent to cancel %s', async (_name, options, stdin) => {
    const rig = await openRig();
    const line = ['events', 'cancel', '-', '--yes', ...options];
    const { code, requests } = await rig.svc(line, { stdin });
    expect(code).toBe(6);
    const cancels = requests.filter(({ line }) => line.startsWith('DELETE'));
    expect(new Set(cancels.map(({ line }) => line))).toEqual(
      new Set(['DELETE /v1/events/trigger/txn_1']),
    );
  });

  it('do not make a different id: the second event with the same transaction id is invalid', async () => {
    const rig = await openRig();
    const event = (transactionId: string) => json({ name: 'welcome', to: 'u1', transactionId });
    const stdin = `${event('t1')}\n${event(id('t1'))}\n`;
    const { stdout } = await rig.svc([...events, ...ndjson, '--json'], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ triggered: 1, invalid: 1 });
  });

  it.each<[string, string]>([
    ['CSV', `subscriberId\n${cell('')}\n`],
    ['lines', `${id('')}\n`],
    ['ndjson', json({ subscriberId: id('') })],
  ])('alone are not a valid id in %s', async (format, stdin) => {
    const rig = await openRig();
    const { code, requests } = await rig.svc([...imports, '--format', format], { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});

describe('an id on the command line with a blank', () => {
  it.each<[string, string[], string]>([
    ['an argument', ['subscribers', 'create', ' u1'], 'subscriber-id: ` u1`'],
    ['a later argument', ['topics', 'subscribe', 'k', 'u1', 'u2\t'], 'subscriber-id: `u2\\u0009`'],
    ['a topic', ['topics', 'get', '\u00a0k'], 'topic-key: `\\u00a0k`'],
    ['an invisible blank', ['topics', 'get', 'k\u200b'], 'topic-key: `k\\u200b`'],
    ['an option', ['events', 'trigger', 'w', '--to', 'u1 '], '--to: `u1 `'],
    [
      '--transaction-id',
      ['events', 'trigger', 'w', '--to', 'u1', '--transaction-id', ' t'],
      '--transaction-id: ` t`',
    ],
  ])('is a usage error: %s', async (_name, line, expected) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(line);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(
      `${expected} starts or ends with whitespace or an invisible character.`,
    );
    expect(stderr).toContain('Use this id: ');
  });

  it('is allowed inside the id, and around texts other than ids', async () => {
    const { svc } = await openRig();
    const { requests } = await svc(['subscribers', 'create', 'u 1', '--first-name', ' Ada ']);
    expect(requests[0]?.body).toEqual({
      subscribers: [{ subscriberId: 'u 1', firstName: ' Ada ' }],
    });
  });
});

// Ids with an invisible or control character: an error of their row, because the character may be a copy error or part
// of the id. svc never removes it, so that no command acts on another person.
import { describe, expect, it } from 'vitest';
import { openRig, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const invisible = 'u1\u200b';
const json = (value: unknown) => `${JSON.stringify(value)}\n`;
const ndjson = ['--format', 'ndjson'];
const imports = ['subscribers', 'bulk-import', '-'];
const recipients = ['events', 'trigger', 'welcome', '--recipients', '-'];
const events = ['events', 'trigger', '--file', '-', ...ndjson];
const message = 'a'.repeat(24);

const isWrite = ({ line }: Awaited<ReturnType<Rig['svc']>>['requests'][number]) =>
  !line.startsWith('GET ');

describe('an id in a file that ends with a zero-width space', () => {
  it.each<[name: string, line: string[], stdin: string]>([
    ['CSV to import', imports, `subscriberId\n${invisible}\n`],
    ['NDJSON to import', [...imports, ...ndjson], json({ subscriberId: invisible })],
    ['lines to import', [...imports, '--format', 'lines'], `${invisible}\n`],
    ['lines to erase', ['subscribers', 'erase', '-'], `${invisible}\n`],
    [
      'CSV to erase',
      ['subscribers', 'erase', '-', '--format', 'csv'],
      `subscriberId\n${invisible}\n`,
    ],
    [
      'NDJSON to erase',
      ['subscribers', 'erase', '-', ...ndjson],
      json({ subscriberId: invisible }),
    ],
    ['lines to delete', ['subscribers', 'delete', '-'], `${invisible}\n`],
    [
      'lines to subscribe',
      ['topics', 'subscribe', 'announcements', '--file', '-'],
      `${invisible}\n`,
    ],
    ['lines to unsubscribe', ['topics', 'unsubscribe', 'announcements', '-'], `${invisible}\n`],
    [
      'topic keys',
      ['topics', 'subscribe', '--file', '-', ...ndjson, '--create'],
      json({ subscriberId: 'u1', topicKey: 'k\u200b' }),
    ],
    ['lines to sync', ['topics', 'sync', 'announcements', '-'], `${invisible}\n`],
    ['messages to mark', ['inbox', 'mark', 'u1', 'read', '-'], `${message}\u200b\n`],
    ['transactions to cancel', ['events', 'cancel', '-'], `txn_1\u200b\n`],
    ['CSV of recipients', recipients, `subscriberId\n${invisible}\n`],
    ['NDJSON of recipients', [...recipients, ...ndjson], json({ subscriberId: invisible })],
    ['recipients of events', events, json({ name: 'welcome', to: [invisible] })],
    ['recipients as objects', events, json({ name: 'welcome', to: { subscriberId: invisible } })],
    [
      'topics of events',
      events,
      json({ name: 'welcome', to: [{ type: 'Topic', topicKey: 'k\u200b' }] }),
    ],
    ['the actor of an event', events, json({ name: 'welcome', to: 'u1', actor: invisible })],
    [
      'the tenant of an event',
      events,
      json({ name: 'welcome', to: 'u1', tenant: { identifier: 't\u200b' } }),
    ],
    [
      'the context of an event',
      events,
      json({ name: 'welcome', to: 'u1', context: { tenant: 't\u200b' } }),
    ],
    [
      'the transaction of an event',
      events,
      json({ name: 'welcome', to: 'u1', transactionId: 't\u200b' }),
    ],
    [
      'CSV of credentials',
      ['subscribers', 'credentials', 'import', '-'],
      `subscriberId,provider,deviceTokens\n${invisible},fcm,token\n`,
    ],
    [
      'CSV of preferences',
      ['subscribers', 'preferences', 'import', '-'],
      `subscriberId,workflow,email\n${invisible},,off\n`,
    ],
    [
      'people whose choices are copied',
      words`
        subscribers preferences copy --file - --from-workflow welcome --to-workflow
        comment-digest
      `,
      `${invisible}\n`,
    ],
    ['workflows to delete', ['workflows', 'delete', '-'], 'welcome\u200b\n'],
    ['messages to delete', ['messages', 'delete', '-'], `${message}\u200b\n`],
  ])('is an error of its row: %s', async (_name, line, stdin) => {
    const rig = await openRig();
    const { code, requests, stderr } = await rig.svc([...line, '--yes', '--json'], { stdin });
    expect({ code, writes: requests.filter(isWrite) }).toEqual({ code: 2, writes: [] });
    expect(stderr).toContain('contains the invisible character U+200B');
  });

  it('does not stop the other rows, and is in the rejects as it was', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'former.csv', `subscriberId\n${invisible}\n u2\u00a0\nu3\n`);
    const rejects = `${rig.folder}/rejects.csv`;
    const { code, stdout, requests } = await rig.svc([
      ...['subscribers', 'erase', '--file', file, '--yes', '--json', '--rejects', rejects],
    ]);
    expect({ code, summary: JSON.parse(stdout) }).toMatchObject({
      code: 3,
      summary: { rows: 3, erased: 2, invalid: 1 },
    });
    const deleted = requests.filter(({ line }) => /^DELETE \/v2\/subscribers\/[^/]+$/.test(line));
    expect(deleted.map(({ line }) => line).sort()).toEqual([
      'DELETE /v2/subscribers/u2',
      'DELETE /v2/subscribers/u3',
    ]);
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(rejects, 'utf8')).toContain(`,${invisible}\n`);
  });
});

describe('the characters of an id in a file', () => {
  const codes: [name: string, character: string][] = [
    ['U+0000', '\u0000'],
    ['U+0009', '\t'],
    ['U+001B', '\u001b'],
    ['U+007F', '\u007f'],
    ['U+0085', '\u0085'],
    ['U+00AD', '\u00ad'],
    ['U+180E', '\u180e'],
    ['U+2028', '\u2028'],
    ['U+202E', '\u202e'],
    ['U+2060', '\u2060'],
    ['U+2066', '\u2066'],
    ['U+FEFF', '\ufeff'],
  ];

  it.each(codes)('must not include %s', async (name, character) => {
    const rig = await openRig();
    const ids = [
      `a${character}b`,
      ...(character === '\t' ? [] : [`${character}a`, `a${character}`]),
    ];
    for (const subscriberId of ids) {
      const stdin = json({ subscriberId });
      const ran = await rig.svc([...imports, ...ndjson, '--json'], { stdin });
      expect({ code: ran.code, requests: ran.requests }).toEqual({ code: 2, requests: [] });
      expect(ran.stderr).toContain(`subscriberId: contains the invisible character ${name}`);
    }
  });

  it.each([
    ['a space', 'ada lovelace'],
    ['an emoji of several characters', '👩\u200d💻'],
    ['a joiner inside a Persian word', 'کتاب\u200cها'],
    ['a direction mark inside', 'א\u200fa'],
    ['an emoji with a variation selector', '❤\ufe0f'],
  ])('may include %s, which is sent as it is', async (_name, subscriberId) => {
    const rig = await openRig();
    for (const [options, stdin] of [
      [[...imports, ...ndjson], json({ subscriberId })],
      [imports, `subscriberId\n${subscriberId}\n`],
    ] as const) {
      const { code, requests } = await rig.svc(options, { stdin });
      expect(code).toBe(0);
      expect(requests.at(-1)?.body).toEqual({ subscribers: [{ subscriberId }] });
    }
    const created = await rig.svc(['subscribers', 'create', subscriberId]);
    expect(created.requests.at(-1)?.body).toEqual({ subscribers: [{ subscriberId }] });
  });
});

describe('an id on the command line with an invisible character inside', () => {
  it('is a usage error that shows the character', async () => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['subscribers', 'get', 'u\u200b1']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toBe(
      'Error: subscriber-id: `u\\u200b1` contains the invisible character U+200B.\nUse this id: u1.\n',
    );
  });
});

it('an e-mail address and a phone number lose invisible characters around them', async () => {
  const { svc } = await openRig();
  const stdin = 'subscriberId,email,phone\nu1,a@example.com\u200b,\u202a+491701234567\u202c\n';
  const { requests } = await svc(imports, { stdin });
  expect(requests[0]?.body).toEqual({
    subscribers: [{ subscriberId: 'u1', email: 'a@example.com', phone: '+491701234567' }],
  });
});

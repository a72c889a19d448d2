// Every identifier is sent as exactly one path segment, or svc exits with 2 and sends nothing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NetworkRig, openNetworkRig } from '../support/network-rig.ts';
import { type FakeService, json, openService } from '../support/service.ts';

/** A command line with the placeholder `ID`, and the paths that it may request. */
type Line = readonly [line: string, ...paths: string[]];
/** Read to find an integration by its identifier, and its environment. */
const integrationLists = ['/v1/integrations', '/v1/environments'];

const commands: Line[] = [
  ['topics get -- ID', '/v2/topics/ID'],
  ['topics rename -- ID News', '/v2/topics/ID'],
  ['topics subscribe -- ID u1', '/v2/topics/ID', '/v2/topics/ID/subscriptions', '/v2/topics'],
  ['workflows get -- ID', '/v2/workflows/ID'],
  ['workflows step -- welcome ID', '/v2/workflows/welcome/steps/ID'],
  ['contexts get -- tenant ID', '/v2/contexts/tenant/ID'],
  ['contexts get -- ID acme', '/v2/contexts/ID/acme'],
  ['inbox list -- ID', '/v1/subscribers/ID/notifications/feed'],
  ['subscribers preferences get -- ID', '/v2/subscribers/ID/preferences'],
  ['subscribers credentials delete --yes -- ID fcm', '/v1/subscribers/ID/credentials/fcm'],
  ['integrations delete --yes -- ID', '/v1/integrations/ID', ...integrationLists],
  ['integrations enable --yes -- ID', '/v1/integrations/ID', ...integrationLists],
  ['events cancel --yes -- ID', '/v1/events/trigger/ID'],
];

const traversals = ['..', '%2e%2e', 'a/../../b?c#d'];

const difficultIds = [
  ...['', '...', '%2E', '%2e.', '.%2e', '%2f', '%252e%252e', '%', '%zz', '%00', '/', '//', '/..'],
  ...['\\', '..\\..', '#', '?', '&a=b', ';a=b', '@elsewhere.test', 'http://elsewhere.test/', ':1'],
  ...[
    ' ',
    '. .',
    '\t..',
    '..\n',
    '\r\n',
    '\u001b[2J',
    '+',
    '*',
    '{id}',
    '-',
    '--yes',
    'ключ',
    '🔑',
  ],
  ...[
    '\u2024\u2024',
    '\uff0e\uff0e',
    '\u202e',
    '\ufeff',
    'e\u0301',
    '\ud7ff\ue000',
    'a'.repeat(2_000),
  ],
];

let cases = 0;

/** Runs a command line with an identifier and checks the requests that arrive. */
async function expectOneSegment(
  { svc }: NetworkRig,
  { baseUrl, seen, env }: FakeService,
  [line, ...paths]: Line,
  id: string,
) {
  cases += 1;
  // A separate path prefix identifies the requests of each of the concurrent command lines.
  const prefix = `/case-${cases}`;
  const words = line.split(' ').map((word) => (word === 'ID' ? id : word));
  const { code, stderr } = await svc(words, {
    env: { ...env, SVC_BASE_URL: baseUrl + prefix, SVC_RETRIES: '0' },
  });
  const targets = seen
    .map(({ target }) => target)
    .filter((target) => target.startsWith(prefix))
    .map((target) => target.slice(prefix.length).split('?')[0] ?? '');
  const what = JSON.stringify({ line, id, code, stderr, targets });
  if (targets.length === 0) return void expect(code, what).toBe(2);
  for (const target of targets) {
    expect(
      paths.map((path) => path.replace('ID', encodeURIComponent(id))),
      what,
    ).toContain(target);
    // A URL parser must not normalize the path to another one.
    expect(new URL(target, 'http://service.test').pathname, what).toBe(target);
  }
}

const openAnyService = () =>
  openService(({ target }, response) => {
    const isList = integrationLists.some((path) => target.endsWith(path));
    json(response, 200, isList ? [] : target.includes('/events/') || {});
  });

/** An id that every command accepts: ids of integrations have 24 hex digits. */
const plainId = '6'.repeat(24);

describe('an identifier on the command line', () => {
  it.each(commands.map((command) => [command[0], command] as const))(
    'is sent as one path segment: svc %s',
    async (_line, command) => {
      const home = openNetworkRig();
      const service = await openAnyService();
      await Promise.all(traversals.map((id) => expectOneSegment(home, service, command, id)));
      await expectOneSegment(home, service, command, plainId);
      const expected = command[1]?.replace('ID', plainId) ?? '';
      expect(service.seen.map(({ target }) => target.split('?')[0])).toContain(
        `/case-${cases}${expected}`,
      );
    },
  );

  it('is sent as one path segment or rejected, for difficult ids', {}, async () => {
    const home = openNetworkRig();
    const service = await openAnyService();
    const lines = commands.filter(([line]) => !line.startsWith('events'));
    for (let at = 0; at < difficultIds.length; at += 4) {
      const some = difficultIds.slice(at, at + 4);
      await Promise.all(
        some.map((id, index) =>
          expectOneSegment(home, service, lines[(at + index) % lines.length] as Line, id),
        ),
      );
    }
    expect(service.seen.length).toBeGreaterThan(difficultIds.length / 2);
  });

  it('is sent as one path segment or rejected, for random ids', { timeout: 60_000 }, async () => {
    const home = openNetworkRig();
    const service = await openAnyService();
    const pieces = [
      '.',
      '/',
      '\\',
      '%2e',
      '%2F',
      '%',
      '?',
      '#',
      ';',
      '@',
      ':',
      ' ',
      '\t',
      '\n',
      'a',
    ];
    const id = fc.oneof(
      fc
        .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
        .map((all) => all.join('')),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    );
    // Arguments cannot contain NUL, and some commands read standard input for `-`.
    const possible = id.filter((text) => !text.includes('\0') && text !== '-');
    const one = fc.tuple(fc.constantFrom(...commands), possible);
    await fc.assert(
      fc.asyncProperty(fc.tuple(one, one, one, one), async (some) => {
        await Promise.all(
          some.map(([command, text]) => expectOneSegment(home, service, command, text)),
        );
      }),
      { numRuns: 25 },
    );
    expect(service.seen.length).toBeGreaterThan(25);
  });
});

describe('an identifier in a file', () => {
  it.each(['.', '..', '\\ud800', 'a\\udc00b'])(
    'that is not valid in a path makes its row invalid, and the other rows are sent: "%s"',
    async (id) => {
      const service = await openService((_seen, response) => json(response, 200, true));
      const rows = ['first', id, '%2e%2e', 'a/b'].map(
        (transactionId) => `{"transactionId":"${transactionId}"}\n`,
      );
      const { code, stdout, stderr } = await openNetworkRig().svc(
        ['events', 'cancel', '-', '--yes', '--format', 'ndjson', '--json', '--concurrency', '1'],
        { env: service.env, stdin: rows.join('') },
      );
      expect(code, stderr).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({ rows: 4, cancelled: 3, invalid: 1, failed: 0 });
      expect(service.seen.map(({ target }) => target).sort()).toEqual([
        '/v1/events/trigger/%252e%252e',
        '/v1/events/trigger/a%2Fb',
        '/v1/events/trigger/first',
      ]);
    },
  );
});

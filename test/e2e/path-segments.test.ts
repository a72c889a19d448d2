// Any identifier reaches the service as exactly one segment of the path, as the server itself reads it, or the
// built program ends with 2 and sends nothing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { type FakeService, json, openService } from '../support/service.ts';

/** Command lines that put an identifier, `ID`, into a path, and what may be asked because of it. */
type Line = readonly [line: string, ...paths: string[]];
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
  ['integrations delete --yes -- ID', '/v1/integrations/ID'],
  ['integrations enable --yes -- ID', '/v1/integrations/ID'],
  ['events cancel --yes -- ID', '/v1/events/trigger/ID'],
];

const worst = ['..', '%2e%2e', 'a/../../b?c#d'];

const nasty = [
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

/** Runs one command line with one identifier and judges it by what arrived. */
async function judge(
  { svc }: Home,
  { baseUrl, seen, env }: FakeService,
  [line, ...paths]: Line,
  id: string,
) {
  cases += 1;
  // A prefix of its own tells the requests of processes that run side by side apart.
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
    // As any other reader of URLs sees it: nothing is resolved away.
    expect(new URL(target, 'http://service.test').pathname, what).toBe(target);
  }
}

const answering = () =>
  openService(({ target }, response) => json(response, 200, target.includes('/events/') || {}));

/** An id that every command accepts: integrations have 24 hex digits. */
const plainId = '6'.repeat(24);

describe('an identifier on the command line', () => {
  it.each(commands.map((command) => [command[0], command] as const))(
    'is one segment: svc %s',
    async (_line, command) => {
      const home = openHome();
      const service = await answering();
      await Promise.all(worst.map((id) => judge(home, service, command, id)));
      await judge(home, service, command, plainId);
      const wanted = command[1]?.replace('ID', plainId) ?? '';
      expect(service.seen.map(({ target }) => target.split('?')[0])).toContain(
        `/case-${cases}${wanted}`,
      );
    },
  );

  it('is one segment or refused, however nasty it is', { timeout: 60_000 }, async () => {
    const home = openHome();
    const service = await answering();
    const lines = commands.filter(([line]) => !line.startsWith('events'));
    for (let at = 0; at < nasty.length; at += 4) {
      const some = nasty.slice(at, at + 4);
      await Promise.all(
        some.map((id, index) =>
          judge(home, service, lines[(at + index) % lines.length] as Line, id),
        ),
      );
    }
  });

  it('is one segment or refused, whatever it is', { timeout: 60_000 }, async () => {
    const home = openHome();
    const service = await answering();
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
    // No operating system carries a NUL in an argument; `-` alone is standard input to some.
    const carried = id.filter((text) => !text.includes('\0') && text !== '-');
    const one = fc.tuple(fc.constantFrom(...commands), carried);
    await fc.assert(
      fc.asyncProperty(fc.tuple(one, one, one, one), async (some) => {
        await Promise.all(some.map(([command, text]) => judge(home, service, command, text)));
      }),
      { numRuns: 10 },
    );
  });
});

describe('an identifier in a file', () => {
  it.each(['.', '..', '\\ud800', 'a\\udc00b'])(
    'that no path can carry is a row that is not valid, and the others are sent: "%s"',
    async (id) => {
      const service = await openService((_seen, response) => json(response, 200, true));
      const rows = ['first', id, '%2e%2e', 'a/b'].map((one) => `{"transactionId":"${one}"}\n`);
      const { code, stdout, stderr } = await openHome().svc(
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

// Pulls from servers that lack operations, and from servers with unusual data.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { record, specifiedIds } from '../../src/service/operations/index.ts';
import { personal, personalState } from '../commands/sandbox/personal-state.ts';
import { pullState, stateIn } from '../commands/sandbox/pull-rig.ts';
import { type Answerer, openRig, parsed } from '../support/rig.ts';
import type { SandboxState } from '../support/sandbox-311.ts';

const specified = specifiedIds.map((id) => {
  const { method, path } = record(id);
  return `${method} ${path.replace(/\{\w+\}/g, '[^/]+')}`;
});

/** A server with only the 23 operations of the specification. */
const lacksOthers: Answerer = ({ method, url: { pathname } }) =>
  specified.some((route) => new RegExp(`^${route}$`).test(`${method} ${pathname}`))
    ? undefined
    : { status: 404, body: { statusCode: 404, message: `Cannot ${method} ${pathname}` } };

const pullAll = ['sandbox', 'pull', '--file', 'state.yaml', '--json', '--sample', '9'];

describe('a server with the 23 operations', () => {
  it('is pulled without the other parts, and the summary names them', async () => {
    const rig = await openRig({ seed: personalState() });
    rig.answerBy(lacksOthers);
    const [email] = personal.ids as [string];
    const line = [...pullAll, '--topic', 'announcements', '--subscriber', email];
    const { code, stdout } = await rig.svc(line);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({
      counts: { layouts: 1, workflows: 4, subscribers: 1, preferences: 1, topics: 3 },
      notOffered: [
        'The integrations are not readable. The file has one for each channel.',
        'The layouts are not readable. The file has a plain one for each that an e-mail uses.',
        'The subscribers cannot be listed. The file has no sample of them.',
        'The subscribers of topic announcements cannot be listed.',
        'The profiles of subscribers are not readable. The file has only the ids.',
        'The subscriptions of topics are not readable.',
      ],
      leftOut: [],
    });
    const state = stateIn(rig);
    expect(state.integrations.map(({ channel }) => channel)).toEqual([
      ...['in_app', 'email', 'sms', 'chat', 'push'],
    ]);
    const [{ subscriberId = '', ...rest } = {}] = state.subscribers;
    expect(subscriberId).toMatch(/@example\.com$/);
    expect(Object.keys(rest)).toEqual(['preferences']);
    const other = await openRig({ seed: { version: 1, environments: [state] } });
    const { code: sent } = await other.svc([
      ...['events', 'trigger', 'welcome', '--to-data', '{"subscriberId":"n","email":"n@n.test"}'],
      ...['--payload', '{"plan":"pro"}', '--wait'],
    ]);
    expect(sent).toBe(0);
  });

  it('does not have a subscriber that is unknown', async () => {
    const rig = await openRig({ seed: personalState() });
    rig.answerBy(lacksOthers);
    const line = ['sandbox', 'pull', '--file', 'state.yaml', '--subscriber', 'unknown'];
    expect((await rig.svc(line)).code).toBe(5);
    expect(readdirSync(rig.folder)).not.toContain('state.yaml');
  });
});

it('a server that forbids contexts and integrations is pulled without them', async () => {
  const rig = await openRig({ seed: personalState() });
  rig.answerBy(({ url: { pathname } }) =>
    ['/v2/contexts', '/v1/integrations'].includes(pathname)
      ? { status: 403, body: { statusCode: 403, message: 'Context feature is not enabled' } }
      : undefined,
  );
  const { code, stdout } = await rig.svc(pullAll);
  expect(code).toBe(0);
  expect(parsed(stdout).notOffered).toEqual([
    'The integrations are not readable. The file has one for each channel.',
    'The contexts are not readable.',
  ]);
});

it('integrations whose credentials the server does not show deliver in the sandbox', async () => {
  const rig = await openRig({ seed: personalState() });
  const { stdout } = await rig.svc(['integrations', 'list', '--json']);
  const listed = (JSON.parse(stdout) as object[]).map((integration) => ({
    ...integration,
    credentials: {},
  }));
  rig.answerBy(({ url: { pathname } }) =>
    pathname === '/v1/integrations' ? { status: 200, body: listed } : undefined,
  );
  await rig.svc(pullAll);
  const mail = stateIn(rig).integrations.find(({ identifier }) => identifier === 'mail');
  expect(mail?.credentials).toEqual({
    ...{ apiKey: 'not-a-secret', from: 'sandbox@example.com', senderName: 'Sandbox' },
  });
});

describe('unusual data', () => {
  const odd = [
    ...['__proto__', 'constructor', 'null', '~', '1e3', '0x1F', 'yes', '- x', 'a: b', '# c', '!!x'],
    ...['&a', '*a', '%YAML', '---', '...', '"', "'", '{', '[a', '|', '>', '@x', '`', '\\', ' '],
    ...['\u0001\u001b[31m', 'a\rb', 'a\r\nb', 'a\tb', ' lead', 'trail ', '\u0085\u2028\u2029'],
    ...['\ufeffbom', 'right\u202eleft', '\u{1f600}', '\ufffe', 'x'.repeat(5_000), 'two\nlines\n\n'],
  ];

  it('survives in every place, in a sandbox with the file and in the next file', async () => {
    const named = odd.map((text, index) => ({ text, id: `id-${index}` }));
    const seed: SandboxState = {
      version: 1,
      environments: [
        {
          name: 'Development',
          layouts: named.map(({ text, id }) => ({ layoutId: id, name: `${text}.`, body: text })),
          workflows: named.map(({ text, id }) => ({
            ...{ workflowId: id, name: `.${text}`, description: text, tags: [text] },
            steps: [
              {
                ...{ stepId: 'one', name: `.${text}`, type: 'custom' },
                controlValues: JSON.parse(`{${JSON.stringify(text)}: ${JSON.stringify([text])}}`),
              },
            ],
          })),
          subscribers: odd
            .filter((text) => text.trim() !== '' && !text.includes('@'))
            .map((text) => ({
              ...{ subscriberId: text, firstName: text },
              data: JSON.parse(`{${JSON.stringify(text)}: ${JSON.stringify({ a: text })}}`),
            })),
          topics: [{ key: '__proto__', name: odd.join(''), subscribers: ['__proto__', 'null'] }],
          contexts: [{ type: '__proto__', id: 'constructor', data: { a: odd } }],
        },
      ],
    };
    const more = ['--sample', '999', '--with-personal-data'];
    const { text, content } = await pullState(seed, more);
    const expected = seed.environments[0];
    expect(content.subscribers).toEqual(expected?.subscribers);
    expect(content.topics).toEqual(expected?.topics);
    expect(content.contexts).toEqual(expected?.contexts);
    expect(content.workflows).toMatchObject(expected?.workflows ?? []);
    expect(content.layouts).toMatchObject(expected?.layouts ?? []);
    const again = await pullState({ version: 1, environments: [content] }, more);
    expect(again.text).toBe(text);
    // A listing of 30 subscribers with long names: still one line each.
    expect(text).not.toMatch(/[\u0000\u001b\u2028\u202e\ufeff]/);
  });

  it('that a state file or a request cannot contain is left out, and the exit code is 3', async () => {
    const rig = await openRig({ seed: personalState() });
    const { stdout } = await rig.svc(['subscribers', 'get', 'plain-id', '--json']);
    const given = JSON.parse(stdout) as object;
    const subscribers = [
      { ...given, _id: '1', subscriberId: '..' },
      { ...given, _id: '2', subscriberId: 'lone\ud800' },
      { ...given, _id: '3', subscriberId: 'masked', firstName: '********' },
      {
        ...given,
        _id: '4',
        email: 'not an address',
        locale: 'x',
        timezone: 'Mars/Phobos',
        phone: 7,
      },
      { ...given, _id: '5' },
    ];
    rig.answerBy(({ url: { pathname } }) =>
      pathname === '/v2/subscribers'
        ? { status: 200, body: { data: subscribers, next: null, previous: null, totalCount: 5 } }
        : pathname === '/v2/topics'
          ? {
              status: 200,
              body: {
                data: [
                  { _id: '1', key: 'a/b' },
                  { _id: '2', key: 'ok' },
                  { _id: '3', key: 'ok' },
                ],
                ...{ next: null, previous: null, totalCount: 3 },
              },
            }
          : pathname.endsWith('/preferences')
            ? { status: 200, body: { global: { enabled: true, channels: {} }, workflows: [] } }
            : undefined,
    );
    const { code, stdout: printed } = await rig.svc([...pullAll, '--with-personal-data']);
    expect(code).toBe(3);
    expect(parsed(printed)).toMatchObject({
      counts: { subscribers: 1, topics: 1 },
      dropped: { invalidFields: 4 },
      leftOut: [
        { kind: 'subscriber', id: '..', reason: 'a request cannot contain its identifier' },
        { kind: 'subscriber', reason: 'a request cannot contain its identifier' },
        { kind: 'subscriber', id: 'masked', reason: /masked secret/ },
        { kind: 'topic', id: 'a/b', reason: /is not a valid topic key/ },
        { kind: 'topic', id: 'ok', reason: 'the service lists another one with this identifier' },
      ].map(({ reason, ...one }) => ({
        ...one,
        reason: reason instanceof RegExp ? expect.stringMatching(reason) : reason,
      })),
    });
    expect(stateIn(rig).subscribers).toHaveLength(1);
  });

  it('of numbers that a double cannot represent is kept', async () => {
    const rig = await openRig({ seed: personalState() });
    const { stdout } = await rig.svc(['contexts', 'list', '--json']);
    const body = JSON.stringify({
      data: JSON.parse(stdout),
      next: null,
      previous: null,
      totalCount: 2,
    });
    rig.answerBy(({ url: { pathname } }) =>
      pathname === '/v2/contexts'
        ? { status: 200, text: body.replace('"Navy-contract"', '12345678901234567890') }
        : undefined,
    );
    await rig.svc([...pullAll, '--keep-data']);
    const deals = stateIn(rig).contexts.map(({ data }) => String(data?.deal));
    expect(deals).toContain('12345678901234567890');
  });
});

// Malformed responses to writes, such as lists that contain null or numbers. svc must not crash, and must not report a
// success that the response does not confirm.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

const malformedLists = {
  created: [null, 5, { subscriberId: null }],
  updated: [null],
  failed: [null, { subscriberId: 7, message: {} }],
};

const writes: [name: string, args: string[], stdin: string | undefined][] = [
  ['subscribers bulk-import', ['subscribers', 'bulk-import', '-', '--json'], 'subscriberId\nu1\n'],
  ['subscribers create', ['subscribers', 'create', 'u1', '--json'], undefined],
  ['topics subscribe', ['topics', 'subscribe', 'announcements', 'u1', '--json'], undefined],
  [
    'topics subscribe --file',
    ['topics', 'subscribe', 'announcements', '--file', '-', '--json'],
    'u1\n',
  ],
  ['inbox mark', ['inbox', 'mark', 'u1', 'read', 'a'.repeat(24), '--json'], undefined],
  ['inbox mark -', ['inbox', 'mark', 'u1', 'read', '-', '--json'], `${'a'.repeat(24)}\n`],
  ['events cancel -', ['events', 'cancel', '-', '--yes', '--json'], 'txn_1\n'],
  [
    'events trigger --recipients',
    ['events', 'trigger', 'welcome', '--recipients', '-', '--yes', '--json'],
    'subscriberId\nu1\n',
  ],
];

describe.each(writes)('svc %s with a malformed response', (_name, args, stdin) => {
  // `topics subscribe` first reads the topic, a trigger the workflow: the sandbox responds to that request.
  const readsFirst = args.includes('subscribe') || args.includes('--recipients');

  it.each<[string, unknown]>([
    [
      'an object with lists of null and numbers',
      { ...malformedLists, data: [null, 4], errors: [null, [], 'x'], meta: null },
    ],
    ['a list of null, a number and a malformed entry', [null, 7, { _id: 5, status: { a: 1 } }]],
    ['null', null],
    ['a string', 'done'],
    ['a number', 3],
  ])('exits with 6 or 7: %s', async (_name, body) => {
    const rig = await openRig();
    if (readsFirst) rig.pass(1);
    rig.answer({ status: 200, body });
    const { code, stderr } = await rig.svc(args, stdin === undefined ? {} : { stdin });
    // 7 if svc can use no part of the response, 6 if the response confirms no item.
    expect([6, 7]).toContain(code);
    expect(stderr).toContain(`"code":${code}`);
  });

  it('does not crash, whatever JSON the response contains', async () => {
    const rig = await openRig();
    const value = fc.jsonValue({ maxDepth: 2 });
    const body = fc.oneof(
      value,
      fc.array(fc.record({ _id: value, status: value }, { requiredKeys: [] }), { maxLength: 2 }),
      fc.record(
        { created: value, updated: value, failed: fc.array(value), data: fc.array(value) },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (responseBody, tty) => {
        if (readsFirst) rig.pass(1);
        rig.answer({ status: 200, body: responseBody });
        const line = tty ? args.filter((arg) => arg !== '--json') : args;
        const ran = await rig.svc(line, { tty, ...(stdin === undefined ? {} : { stdin }) });
        rig.clearResponses();
        expect([0, 3, 6, 7], ran.stderr).toContain(ran.code);
      }),
      { seed: 20_260_115, numRuns: 60 },
    );
  });
});

// Creations of one resource. The reads before them get the responses of the sandbox.
const single = [
  'topics create news --name News',
  'contexts create tenant acme',
  'events broadcast welcome --yes',
];

describe.each(single)('svc %s with a success that has no result', (line) => {
  it.each<[string, unknown]>([
    ['an empty object', {}],
    ['an object of another service', { ok: true }],
    ['an envelope of null', { data: null }],
    ['a text', 'done'],
  ])('exits with 6 and reports that the outcome is not known: %s', async (_name, body) => {
    const rig = await openRig();
    rig.answerWrites({ status: 200, body });
    const { code, stdout, stderr, requests } = await rig.svc(line.split(' '));
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toMatch(/not known whether .+: the response has no result/);
    expect(requests.filter((request) => !request.line.startsWith('GET'))).toHaveLength(1);
  });
});

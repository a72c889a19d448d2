// Responses to writes whose lists hold null, numbers or odd entries: never a crash, never a success that they do not
// state.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

const lists = {
  created: [null, 5, { subscriberId: null }],
  updated: [null],
  failed: [null, { subscriberId: 7, message: {} }],
};

const lines: [string, string[], string | undefined][] = [
  ['an import', ['subscribers', 'bulk-import', '-', '--json'], 'subscriberId\nu1\n'],
  ['a single subscriber', ['subscribers', 'create', 'u1', '--json'], undefined],
  ['a subscription', ['topics', 'subscribe', 'announcements', 'u1', '--json'], undefined],
  [
    'a list of subscriptions',
    ['topics', 'subscribe', 'announcements', '--file', '-', '--json'],
    'u1\n',
  ],
  ['a mark', ['inbox', 'mark', 'u1', 'read', 'a'.repeat(24), '--json'], undefined],
  ['a list of marks', ['inbox', 'mark', 'u1', 'read', '-', '--json'], `${'a'.repeat(24)}\n`],
  ['a list of cancellations', ['events', 'cancel', '-', '--yes', '--json'], 'txn_1\n'],
  [
    'a list of events',
    ['events', 'trigger', 'welcome', '--to-file', '-', '--yes', '--json'],
    'subscriberId\nu1\n',
  ],
];

describe.each(lines)('an odd response to %s', (_name, line, stdin) => {
  const isSubscription = line.includes('subscribe');
  it.each<[string, unknown]>([
    [
      'lists of null and numbers',
      { ...lists, data: [null, 4], errors: [null, [], 'x'], meta: null },
    ],
    ['a list of null', [null, 7, { _id: 5, status: { a: 1 } }]],
    ['null', null],
    ['a text', 'done'],
    ['a number', 3],
  ])('is no success and no crash: %s', async (_what, body) => {
    const rig = await openRig();
    if (isSubscription) rig.pass(1);
    rig.answer({ status: 200, body });
    const { code, stderr } = await rig.svc(line, stdin === undefined ? {} : { stdin });
    // 7 where nothing of the response can be shown.
    expect([6, 7]).toContain(code);
    expect(stderr).toContain(`"code":${code}`);
  });

  it('never ends with a crash', async () => {
    const rig = await openRig();
    const inner = fc.jsonValue({ maxDepth: 2 });
    const body = fc.oneof(
      inner,
      fc.array(fc.record({ _id: inner, status: inner }, { requiredKeys: [] }), { maxLength: 2 }),
      fc.record(
        { created: inner, updated: inner, failed: fc.array(inner), data: fc.array(inner) },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (answer, tty) => {
        if (isSubscription) rig.pass(1);
        rig.answer({ status: 200, body: answer });
        const plain = tty ? line.filter((word) => word !== '--json') : line;
        const ran = await rig.svc(plain, { tty, ...(stdin === undefined ? {} : { stdin }) });
        rig.clearResponses();
        expect([0, 3, 6, 7], ran.stderr).toContain(ran.code);
      }),
      { seed: 20_260_115, numRuns: 60 },
    );
  });
});

// Runs for whose idempotency key the service replays a stored error: 503 with Idempotency-Replay.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filterWrites, idempotencyKeys } from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { ledgerFile } from '../../support/runs.ts';

const replay = {
  status: 503,
  headers: { 'idempotency-replay': 'true' },
  body: { statusCode: 503, message: 'Service Unavailable' },
};
const keyVersions = (rig: Rig, runId: unknown) =>
  readFileSync(ledgerFile(rig, runId), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { epoch?: number })
    .flatMap(({ epoch }) => (epoch === undefined ? [] : [epoch]));

const commands: [string, string[], string, number, string][] = [
  ['an import', ['subscribers', 'bulk-import', '-'], 'subscriberId\na\nb\n', 0, 'created'],
  [
    'a list of subscribers',
    ['topics', 'subscribe', 'announcements', '--file', '-'],
    'u1\nu2\n',
    1,
    'subscribed',
  ],
  [
    'a file of events',
    ['events', 'trigger', '--file', '-', '--yes'],
    '{"name":"welcome","to":"u1"}\n{"name":"welcome","to":"u2"}\n',
    0,
    'triggered',
  ],
  [
    'one event a row',
    ['events', 'trigger', 'welcome', '--to-file', '-', '--yes'],
    'subscriberId\nu1\nu2\n',
    // Of the workflow.
    1,
    'triggered',
  ],
  [
    'a list of notifications',
    ['inbox', 'mark', 'u1', 'read', '-'],
    '67748580259aa8ef98259b2b\n',
    0,
    'marked',
  ],
];

describe('a replayed stored error', () => {
  it.each(commands)(
    'is retried with a new key, recorded before it is sent: %s',
    async (_name, line, stdin, reads, word) => {
      const rig = await openRig();
      rig.pass(reads);
      rig.answer(replay, replay);
      const ran = await rig.svc([...line, '--json'], { stdin });
      const summary = parsed(ran.stdout);
      expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
      expect(summary).toMatchObject({ [word]: summary.rows, failed: 0, stopped: null });
      expect(new Set(idempotencyKeys(filterWrites(ran.requests))).size).toBe(3);
      const bodies = new Set(filterWrites(ran.requests).map(({ body }) => JSON.stringify(body)));
      expect(bodies.size).toBe(1);
      expect(keyVersions(rig, summary.runId)).toEqual([0, 1, 2]);
    },
  );

  it('for every new key stops the run with exit code 7, and the resumed run tries further keys', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    rig.answer(...Array(20).fill(replay));
    const first = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    expect(first.code).toBe(7);
    expect(idempotencyKeys(filterWrites(first.requests))).toHaveLength(6);
    const { runId } = parsed(first.stdout);
    expect(first.stderr).toContain('replays a stored error for every new idempotency key');
    expect(first.stderr).toContain(`svc runs resume ${runId}`);
    rig.clearResponses();
    rig.answer(replay);
    const again = await rig.svc(['runs', 'resume', String(runId), '--json']);
    expect(again.code).toBe(0);
    expect(
      new Set([
        ...idempotencyKeys(filterWrites(first.requests)),
        ...idempotencyKeys(filterWrites(again.requests)),
      ]).size,
    ).toBe(7);
    expect(keyVersions(rig, runId)).toEqual([0, 1, 2, 3, 4, 5, 5, 6]);
  });

  it('does not count as a failure, regardless of earlier failures', async () => {
    const rig = await openRig();
    const down = { status: 503, body: { statusCode: 503, message: 'down' } };
    // One failed request below the limit that stops the run.
    rig.answer(...Array(4).fill(down), ...Array(5).fill(replay));
    const line = ['subscribers', 'bulk-import', '-', '--json', '--retries', '0'];
    const { code, stdout } = await rig.svc(line, { stdin: 'subscriberId\na\n' });
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ created: 1, stopped: null });
  });

  it('is also retried with a new key for a part of a batch', async () => {
    const rig = await openRig();
    const rejected = { status: 422, body: { statusCode: 422, message: 'Validation Error' } };
    rig.answer(rejected, replay);
    const ran = await rig.svc(['subscribers', 'bulk-import', '-', '--json'], {
      stdin: 'subscriberId\na\nb\n',
    });
    expect(ran.code).toBe(0);
    expect(new Set(idempotencyKeys(filterWrites(ran.requests))).size).toBe(4);
    expect(parsed(ran.stdout)).toMatchObject({ created: 2, failed: 0 });
  });
});

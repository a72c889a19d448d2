// The service creates recipients that do not exist. A mistyped id must not become a subscriber unnoticed.
import { describe, expect, it } from 'vitest';
import { idempotencyKeys } from '../../support/requests.ts';
import { openRig, type Rig } from '../../support/rig.ts';

const trigger = (...more: string[]) => ['events', 'trigger', 'welcome', ...more];

/** A rig with the subscriber ada2. */
async function openWithAda(): Promise<Rig> {
  const rig = await openRig();
  await rig.svc(['subscribers', 'create', 'ada2']);
  return rig;
}

const linesOf = ({ requests }: { requests: readonly { line: string }[] }) =>
  requests.map(({ line }) => line);

describe('svc events trigger --to with a subscriber that does not exist', () => {
  const warning =
    'Warning: ada22 did not exist and was created without an address; did you mean ada2? To reject unknown subscribers, use --existing-only.\n';

  it('warns on a terminal and names similar ids', async () => {
    const { svc } = await openWithAda();
    const ran = await svc(trigger('--to', 'ada22'), { tty: true, columns: 300 });
    expect(ran).toMatchObject({ code: 0, stderr: warning });
    expect(ran.stdout).toMatch(/^Triggered welcome for ada22 at .*\n$/);
    expect(linesOf(ran)).toEqual([
      'GET /v2/subscribers/ada22/preferences',
      'GET /v2/subscribers?limit=100',
      'POST /v1/events/trigger/bulk',
    ]);
    expect((await svc(['subscribers', 'get', 'ada22'])).code).toBe(0);
  });

  it('warns in JSON, with the ids as a member of the result', async () => {
    const { svc } = await openWithAda();
    const { code, stdout, stderr } = await svc(trigger('--to', 'ada22', '--json'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: warning });
    expect(JSON.parse(stdout)).toEqual([
      {
        acknowledged: true,
        status: 'processed',
        transactionId: expect.any(String),
        createdSubscribers: ['ada22'],
      },
    ]);
    const waited = await svc(trigger('--to', 'ada23', '--wait', '--json'));
    expect(waited.stderr).toContain('ada23 did not exist');
    expect(JSON.parse(waited.stdout)).toMatchObject({ createdSubscribers: ['ada23'] });
    const chosen = await svc(trigger('--to', 'x1', '--json', '--fields', 'createdSubscribers'));
    expect(JSON.parse(chosen.stdout)).toEqual([{ createdSubscribers: ['x1'] }]);
  });

  it('keeps the columns', async () => {
    const { svc } = await openWithAda();
    const { stdout, stderr } = await svc(trigger('--to', 'ada22', '-o', 'tsv', '--no-header'));
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringMatching(/^true\tprocessed\ttxn_\w+\t\n$/),
      stderr: warning,
    });
  });

  it('names all of several unknown ids', async () => {
    const { svc } = await openWithAda();
    const { stderr } = await svc(trigger('--to', 'ada22', '--to', 'u1', '--to', 'zz', '--yes'));
    expect(stderr).toContain(
      'ada22 and zz did not exist and were created without an address; did you mean ada2?',
    );
  });
});

describe('svc events trigger --to', () => {
  it('sends one request more and does not warn if the subscriber exists', async () => {
    const { svc } = await openWithAda();
    const ran = await svc(trigger('--to', 'ada2', '--json'));
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)[0]).not.toHaveProperty('createdSubscribers');
    expect(linesOf(ran)).toEqual([
      'GET /v2/subscribers/ada2/preferences',
      'POST /v1/events/trigger/bulk',
    ]);
  });

  it('triggers the event without a retry of the check if the check fails', async () => {
    const { svc, answer } = await openWithAda();
    answer({ status: 503, body: { statusCode: 503, message: 'busy' } });
    const ran = await svc(trigger('--to', 'ada22'));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(linesOf(ran)).toEqual([
      'GET /v2/subscribers/ada22/preferences',
      'POST /v1/events/trigger/bulk',
    ]);
  });

  it('sends the event with the key of --idempotency-key, also when it is repeated', async () => {
    const { svc } = await openWithAda();
    const line = trigger('--to', 'ada22', '--transaction-id', 't1', '--idempotency-key', 'mine');
    for (const lookUps of [2, 1]) {
      const { requests } = await svc(line);
      expect(idempotencyKeys(requests)).toEqual([...Array(lookUps).fill(undefined), 'mine']);
    }
  });

  it('leaves an id that cannot be looked up to the service', async () => {
    const { svc } = await openWithAda();
    const { stderr, requests } = await svc(trigger('--to', '..'));
    expect(requests.map(({ line }) => line)).toEqual(['POST /v1/events/trigger/bulk']);
    expect(stderr).not.toContain('did not exist');
  });

  it('does not warn if the event is not triggered', async () => {
    const { svc } = await openWithAda();
    const { code, stderr } = await svc(['events', 'trigger', 'nope', '--to', 'ada22', '--json']);
    expect(code).toBe(6);
    expect(stderr).not.toContain('did not exist');
  });

  it.each([
    ['more than 10 ids', Array.from({ length: 11 }, (_, at) => ['--to', `n${at}`]).flat()],
    ['the fields of the subscriber', ['--to-data', '{"subscriberId":"ada22"}']],
    ['--dry-run', ['--to', 'ada22', '--dry-run']],
  ])('does not check with %s', async (_, words) => {
    const { svc } = await openWithAda();
    const { code, requests } = await svc(trigger(...words, '--yes'));
    expect(code).toBe(0);
    expect(requests.filter(({ line }) => line.startsWith('GET'))).toEqual([]);
  });

  it('names similar ids with --existing-only', async () => {
    const { svc } = await openWithAda();
    const { code, stderr } = await svc(trigger('--to', 'ada22', '--existing-only'));
    expect(code).toBe(5);
    expect(stderr).toContain('Subscriber `ada22` does not exist. Did you mean `ada2`?');
    for (const id of ['bob11', 'bob12', 'bob13']) await svc(['subscribers', 'create', id]);
    const three = await svc(trigger('--to', 'bob1', '--existing-only'));
    expect(three.stderr).toMatch(/Did you mean `bob1\d`, `bob1\d` or `bob1\d`\?/);
    const two = await svc(trigger('--to', 'ada22', '--to', 'ada23', '--existing-only', '--yes'));
    expect(two.stderr).toContain('ada23: did you mean `ada2`?');
  });
});

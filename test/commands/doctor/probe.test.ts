// `svc doctor --probe`: one event, and how long the service takes to create and finish its jobs.
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { lateJobs } from '../../support/late-jobs.ts';
import { openRig, type Ran } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const probe = ['doctor', '--probe', '--workflow', 'welcome', '--to', 'u1'];

const probeFinding = ({ stdout }: Pick<Ran, 'stdout'>) =>
  (JSON.parse(stdout) as { name: string }[]).find(({ name }) => name === 'probe');

/** A rig whose service accepts every event. */
async function openLateService(...event: Parameters<typeof lateJobs>) {
  const rig = await openRig();
  const answer = lateJobs(...event);
  rig.answerBy((request) =>
    request.url.pathname === '/v1/events/trigger/bulk'
      ? { status: 201, body: { data: [{ acknowledged: true, status: 'processed' }] } }
      : answer(request),
  );
  return rig;
}

describe('svc doctor --probe', () => {
  it('reports when the jobs were created and when they had finished', async () => {
    const event = { afterMs: 300, statuses: ['queued'], doneMs: 1_000 };
    const { svc } = await openLateService({}, () => event);
    const ran = await svc([...probe, '--yes', '--json']);
    expect(ran.code).toBe(0);
    expect(probeFinding(ran)).toEqual({
      name: 'probe',
      status: 'ok',
      message:
        'event welcome for u1 at http://sandbox.localhost: accepted after 0.0 s, jobs created after 0.5 s, finished after 1.3 s, delivered',
      fix: null,
    });
  });

  it('works with a sandbox', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc([...probe, '--yes'], { tty: true, columns: 200 });
    expect(code).toBe(0);
    expect(stdout).toContain('✓ ok       probe          event welcome for u1 at http://sandbox');
  });

  it('exits with 9 if no job is created within 30 seconds', async () => {
    const { svc } = await openLateService({});
    const ran = await svc([...probe, '--yes', '--json']);
    expect(ran.code).toBe(9);
    expect(ran.slept).toBeLessThan(32_000);
    expect(probeFinding(ran)).toEqual({
      name: 'probe',
      status: 'problem',
      message: expect.stringMatching(/accepted, but no job after 30 s: is the worker running\?$/),
      fix: expect.stringMatching(/svc activity get txn_/),
    });
  });

  it('exits with 9 if a job does not finish', async () => {
    const { svc } = await openLateService({}, () => ({ afterMs: 0, statuses: ['queued'] }));
    const ran = await svc([...probe, '--yes', '--json']);
    expect(ran.code).toBe(9);
    expect(probeFinding(ran)).toMatchObject({
      message: expect.stringContaining('but delay is queued after 30 s: is the worker running?'),
    });
  });

  it('does not wait for a delay or digest', async () => {
    const { svc } = await openLateService({}, () => ({
      afterMs: 0,
      statuses: ['delayed', 'pending'],
    }));
    const ran = await svc([...probe, '--yes', '--json']);
    expect(ran).toMatchObject({ code: 0, slept: 0 });
    expect(probeFinding(ran)).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('the steps after its delay were not waited for'),
    });
  });

  it('exits with 9 and the reason if the message is not delivered', async () => {
    const { svc } = await openRig();
    await svc(['subscribers', 'create', 'silent']);
    for (const channel of ['--in-app', '--email'])
      await svc(['subscribers', 'preferences', 'update', 'silent', channel, 'off']);
    const line = words`doctor --probe --workflow welcome --to silent --yes --json`;
    const ran = await svc(line);
    expect(ran.code).toBe(9);
    expect(probeFinding(ran)).toMatchObject({
      message: expect.stringContaining('not delivered'),
      fix: expect.stringMatching(/^svc activity explain silent --transaction txn_/),
    });
  });

  it('creates no subscriber and reports an event that is not triggered', async () => {
    const { svc } = await openRig();
    const missing = await svc([...probe.slice(0, -1), 'unknown', '--yes']);
    expect(missing.code).toBe(5);
    expect(missing.requests.map(({ line }) => line)).toEqual([
      'GET /v1/environments',
      'GET /v1/health-check',
      'GET /v2/subscribers/unknown/preferences',
    ]);
    const none = ['doctor', '--probe', '--workflow', 'nope', '--to', 'u1', '--yes', '--json'];
    expect((await svc(none)).code).not.toBe(0);
  });

  it('asks before any request', async () => {
    const { svc } = await openRig();
    const asked = await svc(probe);
    expect(asked).toMatchObject({ code: 2, requests: [] });
    expect(asked.stderr).toContain('to trigger welcome for u1 at http://sandbox.localhost.');
    const dry = await svc([...probe, '--dry-run', '--json']);
    expect(dry.requests.filter(({ line }) => line.startsWith('POST'))).toEqual([]);
    expect(dry.stdout).toContain('/v1/events/trigger/bulk');
  });

  it('respects a protected and a read-only profile, as other writes do', async () => {
    const { svc } = await openRig({ bare: true });
    const login = ['login', '--base-url', baseUrl, '--profile', 'live', '--with-key', '--protect'];
    await svc(login, { stdin: testKey });
    const refused = await svc([...probe, '--yes']);
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toContain('--confirm live');
    expect((await svc([...probe, '--yes', '--confirm', 'live'])).code).toBe(0);
    await svc(['profiles', 'read-only', 'live']);
    const readOnly = await svc([...probe, '--yes', '--confirm', 'live']);
    expect(readOnly).toMatchObject({ code: 2, requests: [] });
    expect((await svc(['doctor'])).code).toBe(0);
  });

  it('is skipped after a problem, without a question', async () => {
    const { svc } = await openRig({ bare: true });
    const ran = await svc([...probe, '--json']);
    expect(ran).toMatchObject({ code: 4, requests: [] });
    expect(probeFinding(ran)).toMatchObject({ status: 'skipped' });
  });

  it.each([
    [['doctor', '--probe'], '--probe needs --workflow and --to.'],
    [['doctor', '--probe', '--to', 'u1'], '--probe needs --workflow and --to.'],
    [['doctor', '--to', 'u1'], '--to is only for --probe.'],
    [['doctor', '--workflow', 'welcome'], '--workflow is only for --probe.'],
  ])('%j is a usage error', async (line, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(line);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('shows how to use --probe if it lacks options', async () => {
    const { svc } = await openRig();
    expect((await svc(['doctor', '--probe', '--to', 'u1'])).stderr).toContain(
      'svc doctor --probe --workflow <workflow-id> --to u1',
    );
  });
});

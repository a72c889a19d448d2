// `svc events cancel`: Ctrl-C while it waits for jobs that the service has not created yet, and a kill.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, nothing, openService } from '../support/service.ts';

/** Runs a cancel against a service that has only jobs of `t1`, and interrupts it when it polls for the other jobs. */
async function runInterrupted(line: readonly string[], stdin?: string) {
  const home = openHome();
  let onPoll = () => undefined as unknown;
  const polled = new Promise<void>((resolve) => {
    onPoll = resolve;
  });
  let isLate = true;
  const service = await openService((seen, response, number) => {
    if (seen.method === 'DELETE')
      return json(response, 200, !isLate || seen.target.endsWith('/t1'));
    nothing(seen, response, number);
    onPoll();
  });
  const run = home.start(line, {
    env: { ...home.env, ...service.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  run.process.stdin?.end(stdin);
  await polled;
  run.process.kill('SIGINT');
  const ended = await run.ended;
  isLate = false;
  return { ...ended, svc: (nextLine: string[]) => home.svc(nextLine, { env: service.env }) };
}

describe('svc events cancel, interrupted while it waits,', () => {
  it('reports what it has cancelled so far', async () => {
    const { code, stdout } = await runInterrupted(['events', 'cancel', 't1', 't2', '-y', '--json']);
    expect({ code, value: JSON.parse(stdout) }).toEqual({
      code: 130,
      value: [
        { transactionId: 't1', cancelled: true, state: 'cancelled' },
        { transactionId: 't2', cancelled: null, state: 'unknown' },
      ],
    });
  });

  it('prints the summary of a run and leaves the rest to svc runs resume', async () => {
    const line = ['events', 'cancel', '-', '-y', '--spool', '--json'];
    const { code, stdout, stderr, svc } = await runInterrupted(line, 't1\nt2\n');
    const summary = JSON.parse(stdout);
    expect({ code, ...summary }).toMatchObject({ code: 130, rows: 1, cancelled: 1, unknown: 0 });
    expect(stderr).toContain(`svc runs resume ${summary.runId}`);
    const resumed = await svc(['runs', 'resume', summary.runId, '--json']);
    expect({ code: resumed.code, ...JSON.parse(resumed.stdout) }).toMatchObject({
      code: 0,
      rows: 2,
      cancelled: 2,
    });
  });
});

describe('svc events cancel, killed before the response,', () => {
  it('has the state unknown when its run is resumed', async () => {
    const home = openHome();
    let onRequest = () => {};
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const { env, seen } = await openService((request, response, number) => {
      if (number === 1) return onRequest();
      if (request.method === 'GET') return nothing(request, response, number);
      json(response, 200, false);
    });
    const line = ['events', 'cancel', '-', '--spool', '--yes', '--wait-timeout', '0'];
    const run = home.start(line, { env: { ...home.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    run.process.stdin?.end('t1\n');
    await requested;
    run.process.kill('SIGKILL');
    await run.ended;
    const [{ runId }] = JSON.parse((await home.svc(['runs', 'list', '--json'])).stdout);
    const { stdout } = await home.svc(['runs', 'resume', runId, '--yes', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ unknown: 1, notPending: 0 });
    expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'GET']);
  });
});

// A trigger whose response was lost: svc checks the activity before it sends the event again, because a service without
// idempotency keys drops a repeated event only after it has created the jobs of the first one.
import { describe, expect, it } from 'vitest';
import { lateJobs } from '../../support/late-jobs.ts';
import { printedError } from '../../support/printed-error.ts';
import { type Answerer, openRig } from '../../support/rig.ts';

const triggers = ({ requests }: { requests: { line: string }[] }) =>
  requests.filter(({ line }) => line.startsWith('POST')).length;

/** Fails the first trigger and accepts all later ones. Jobs appear after some time. */
function loseFirstResponse(jobs: Answerer, headers: Record<string, string> = {}): Answerer {
  let posts = 0;
  return (request) => {
    if (request.method !== 'POST') return jobs(request);
    posts += 1;
    if (posts === 1) return { status: 500, headers };
    const { events } = request.body as { events: { transactionId: string }[] };
    const data = events.map(({ transactionId }) => ({
      ...{ acknowledged: true, status: 'processed', transactionId },
    }));
    return { status: 201, body: { data } };
  };
}

describe('svc events trigger', () => {
  const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--transaction-id', 't1', '--json'];

  it('does not send the event again if the activity contains it', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(loseFirstResponse(lateJobs({ t1: { afterMs: 500 } })));
    const ran = await svc(line);
    expect({ code: ran.code, triggers: triggers(ran) }).toEqual({ code: 0, triggers: 1 });
    expect(JSON.parse(ran.stdout)).toEqual([
      { acknowledged: true, status: 'processed', transactionId: 't1' },
    ]);
  });

  it('does not warn of a second event if no connection was made', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(() => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    });
    const { code, stderr } = await svc([...line, '--retries', '1']);
    expect(code).toBe(7);
    expect(printedError(stderr)).toMatchObject({
      message: expect.stringContaining('the connection was refused'),
      hint: 'Start the service, or check the base URL.',
    });
  });

  it('sends the event again if the activity does not contain it within 5 s', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(loseFirstResponse(lateJobs({})));
    const ran = await svc(line);
    expect({ code: ran.code, triggers: triggers(ran) }).toEqual({ code: 0, triggers: 2 });
    expect(ran.slept).toBeLessThan(6_000);
  });

  it('sends the event again immediately to a service that honors idempotency keys', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(loseFirstResponse(lateJobs({ t1: { afterMs: 0 } }), { 'idempotency-key': 'k' }));
    const ran = await svc(line);
    const methods = ran.requests.map(({ line: sent }) => sent.split(' ')[0]);
    expect(methods).toEqual(['GET', 'POST', 'POST']);
    expect(ran.code).toBe(0);
  });
});

describe('svc events trigger --recipients', () => {
  it('sends a batch without response again only after the service has processed it', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(loseFirstResponse(lateJobs({}, () => ({ afterMs: 500 }))));
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--yes', '--json'];
    const ran = await svc(line, { stdin: 'subscriberId\nu1\n' });
    expect(ran.code).toBe(0);
    const order = ran.requests.map(({ line: sent }) => sent.split(' ')[0]);
    // The first request reads the steps of the workflow.
    expect(order.slice(0, 2)).toEqual(['GET', 'POST']);
    expect(order.at(-1)).toBe('POST');
    expect(order.filter((method) => method === 'GET').length).toBeGreaterThan(2);
    expect(
      new Set(ran.requests.filter(({ body }) => body).map(({ body }) => JSON.stringify(body))).size,
    ).toBe(1);
  });
});

it('a write without response reports how to check its result', async () => {
  const { svc, answer } = await openRig();
  answer(
    { status: 503, headers: { 'idempotency-replay': 'true' } },
    { status: 503, headers: { 'idempotency-replay': 'true' } },
  );
  const create = await svc(['environments', 'create', 'Staging', '--color', '#fff', '--json']);
  expect(create.code).toBe(7);
  expect(printedError(create.stderr).next).toEqual(['svc environments list']);
  const raw = await svc(['api', 'POST', '/v1/environments', '-f', 'name=x', '--json']);
  expect(raw.code).toBe(7);
  expect(printedError(raw.stderr).next).toEqual(['svc api GET /v1/environments']);
});

import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

const line = ['events', 'broadcast', 'welcome'];

describe('svc events broadcast', () => {
  it('asks with the number of subscribers; without a terminal it needs --yes', async () => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(line);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'to trigger welcome for all 9 subscribers at http://sandbox.localhost.',
    );
    expect(requests.map((request) => request.line)).toEqual([
      'GET /v2/workflows/welcome',
      'GET /v2/subscribers?limit=1',
    ]);
  });

  it('asks without a number if the server does not list subscribers', async () => {
    const { svc, pass, answer } = await openRig();
    pass(1);
    const message = 'Cannot GET /v2/subscribers?limit=1';
    answer({ status: 404, body: { statusCode: 404, message, error: 'Not Found' } });
    const { code, stderr } = await svc(line);
    expect(code).toBe(2);
    expect(stderr).toContain('to trigger welcome for every subscriber at');
  });

  it('sends one request with a payload and a transaction id', async () => {
    const { svc } = await openRig();
    const more = ['-f', 'product=Lamp', '--transaction-id', 'all-1', '--yes'];
    const { stdout, requests } = await svc([...line, ...more], { tty: true });
    expect(requests.at(-1)).toMatchObject({
      line: 'POST /v1/events/trigger/broadcast',
      body: { name: 'welcome', payload: { product: 'Lamp' }, transactionId: 'all-1' },
    });
    expect(stdout).toContain('Triggered welcome for every subscriber at http://sandbox.localhost');
    const activity = await svc([
      ...['activity', 'list', '--transaction', 'all-1', '--all', '--json'],
    ]);
    expect(JSON.parse(activity.stdout)).toHaveLength(9);
    const json = await svc([...line, '--yes', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: 'processed',
      transactionId: expect.stringMatching(/^txn_/),
    });
    expect(json.requests.at(-1)?.body).toMatchObject({ payload: {} });
  });

  it.each([
    ['legacy-newsletter', 'is not active', 6],
    ['draft', 'has no steps', 6],
    ['welcom', 'Did you mean `welcome`?', 5],
  ])('refuses workflow %s: %s', async (workflow, message, exitCode) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['events', 'broadcast', workflow, '--yes']);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(message);
    expect(requests.filter((request) => request.line.startsWith('POST'))).toEqual([]);
  });

  it('does not send the event again if the activity shows it', async () => {
    const { svc, pass, answer, answerBy } = await openRig();
    await svc([...line, '--transaction-id', 'all-2', '--yes']);
    pass(1);
    answer(new Error('connection reset'));
    answerBy(() => undefined);
    const { code, requests } = await svc([...line, '--transaction-id', 'all-2', '--yes']);
    expect(code).toBe(0);
    expect(requests.filter((request) => request.line.startsWith('POST'))).toHaveLength(1);
  });

  it('says that a server does not offer the operation', async () => {
    const { svc, pass, answer } = await openRig();
    pass(1);
    const message = 'Cannot POST /v1/events/trigger/broadcast';
    answer({ status: 404, body: { statusCode: 404, message, error: 'Not Found' } });
    const { code, stderr } = await svc([...line, '--yes']);
    expect(code).toBe(5);
    expect(stderr).toContain('This server does not offer POST /v1/events/trigger/broadcast.');
  });
});

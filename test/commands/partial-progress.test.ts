// Commands that fail after some of their requests: they report what is done and name what is uncertain.
import { describe, expect, it } from 'vitest';
import { openNetworkRig } from '../support/network-rig.ts';
import { printedError } from '../support/printed-error.ts';
import { json, openService, type Seen } from '../support/service.ts';

const errorBody = (status: number) => ({ statusCode: status, message: `status ${status}` });
/** The transaction id of the event that was sent. */
const sentId = (seen: readonly Seen[]) =>
  JSON.parse(seen.find(({ method }) => method === 'POST')?.body ?? '').events[0].transactionId;

const trigger = ['events', 'trigger', 'welcome', '--to', 'u1'];

/** Opens a service that accepts every event and responds to requests for its activity with this status. */
const openTriggerService = (status: number) =>
  openService(({ method, target, body }, response) => {
    if (target.endsWith('/preferences')) return json(response, 200, {});
    if (method !== 'POST') return json(response, status, errorBody(status));
    const [{ transactionId }] = JSON.parse(body).events;
    json(response, 201, [{ acknowledged: true, status: 'processed', transactionId }]);
  });

describe('a command that sends several requests', () => {
  it('validates all of them before it sends the first one', async () => {
    const { env, seen } = await openService((_seen, response) => json(response, 200, true));
    const line = ['events', 'cancel', 't1', '..', 't3', '--yes'];
    expect((await openNetworkRig().svc(line, { env })).code).toBe(2);
    expect(seen).toEqual([]);
  });

  it('continues after a rejected request and reports the result of each', async () => {
    const { env, seen } = await openService(({ target }, response) =>
      target.endsWith('t2') ? json(response, 400, errorBody(400)) : json(response, 200, true),
    );
    const line = ['events', 'cancel', 't1', 't2', 't3', '--yes', '--json'];
    const { code, stdout, stderr } = await openNetworkRig().svc(line, { env });
    expect({ code, requests: seen.length }).toEqual({ code: 3, requests: 3 });
    expect(JSON.parse(stdout)).toEqual([
      { transactionId: 't1', cancelled: true, state: 'cancelled' },
      { transactionId: 't2', cancelled: null, state: 'unknown', error: 'status 400' },
      { transactionId: 't3', cancelled: true, state: 'cancelled' },
    ]);
    expect(printedError(stderr)).toMatchObject({
      code: 3,
      name: 'partial',
      message: 'The service did not cancel 1 of 3 transactions.',
      details: [{ field: 't2', message: 'status 400' }],
    });
  });

  it('stops if the key is no longer valid, and shows what was done before', async () => {
    const { env, seen } = await openService(({ target }, response) =>
      target.endsWith('t2') ? json(response, 401, errorBody(401)) : json(response, 200, true),
    );
    const line = ['events', 'cancel', 't1', 't2', 't3', '--yes'];
    const { code, stdout } = await openNetworkRig().svc(line, { env });
    expect({ code, requests: seen.length }).toEqual({ code: 4, requests: 2 });
    expect(stdout).toContain('t1: cancelled.\nt2: not cancelled: status 401');
  });

  it('shows the notifications that it marked before a request was rejected', async () => {
    const ids = Array.from({ length: 150 }, (_unused, n) => String(n).padStart(24, '0'));
    const { env } = await openService(({ body }, response, requests) => {
      if (requests > 1) return json(response, 400, errorBody(400));
      const { messageId } = JSON.parse(body);
      json(response, 201, { data: messageId.map((_id: string) => ({ _id })) });
    });
    const line = ['inbox', 'mark', 'u1', 'read', ...ids, '-o', 'ids'];
    const { code, stdout } = await openNetworkRig().svc(line, { env });
    expect({ code, marked: stdout.trim().split('\n').length }).toEqual({ code: 3, marked: 100 });
  });
});

describe('an event whose outcome cannot be read', () => {
  it.each([401, 404, 500])('is unfinished, not failed (status %i)', async (status) => {
    const { env, seen } = await openTriggerService(status);
    const line = [...trigger, '--wait', '--retries', '0', '--json'];
    const { code, stdout, stderr } = await openNetworkRig().svc(line, { env });
    const transactionId = sentId(seen);
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({ transactionId, outcome: 'unfinished' });
    expect(printedError(stderr).next).toEqual([`svc activity get ${transactionId}`]);
  });

  it('is named by its transaction id if the response is lost', async () => {
    const { env, seen } = await openService(() => undefined);
    const line = [...trigger, '--timeout', '600ms', '--retries', '0', '--json'];
    const { code, stderr } = await openNetworkRig().svc(line, { env });
    const transactionId = sentId(seen);
    expect(code).toBe(7);
    expect(printedError(stderr)).toMatchObject({
      hint: expect.stringMatching(
        new RegExp(
          `Check the activity first\\. .* --transaction-id ${transactionId}\\. If you do so earlier, `,
        ),
      ),
      next: [`svc activity get ${transactionId}`],
    });
  });
});

describe('an environment whose key cannot be stored', () => {
  it('is reported as created', async () => {
    const { env } = await openService((_seen, response) =>
      json(response, 201, { data: { _id: '1'.repeat(24), name: 'Staging', apiKeys: [] } }),
    );
    const words = ['environments', 'create', 'Staging', '--color', '#2f9e44'];
    const line = [...words, '--save-profile', 'stg', '-o', 'ids'];
    const { code, stdout, stderr } = await openNetworkRig().svc(line, { env });
    expect({ code, stdout }).toEqual({ code: 8, stdout: `${'1'.repeat(24)}\n` });
    expect(stderr).toContain('Profile stg was not saved');
  });
});

// Headers and errors of requests with an idempotency key.
import { describe, expect, test, vi } from 'vitest';
import { noon, openSandbox } from '../open.ts';

const bulk = 'POST /v1/subscribers/bulk';
const body = { subscribers: [{ subscriberId: 'once' }] };
const withKey = { 'idempotency-key': 'k' };
const invalid = { subscribers: [] };

describe('an idempotency key', () => {
  const cacheHeaders = (headers: Headers) => ({
    key: headers.get('idempotency-key'),
    replay: headers.get('idempotency-replay'),
    link: headers.get('link') !== null,
    retryAfter: headers.get('retry-after'),
  });

  test('is returned with the response and with its replay', async () => {
    const { ask } = await openSandbox();
    const first = await ask(bulk, body, withKey);
    const second = await ask(bulk, body, withKey);
    const headers = { key: 'k', replay: null, link: false, retryAfter: null };
    expect(cacheHeaders(first.headers)).toEqual(headers);
    expect(cacheHeaders(second.headers)).toEqual({ ...headers, replay: 'true' });
    expect(second).toMatchObject({ status: 201, body: first.body });
  });

  test.each([
    ['a validation error', bulk, invalid, 422],
    ['another error', 'PATCH /v2/topics/nope', { name: 'x' }, 404],
  ])('of %s replays 503', async (_error, line, sent, status) => {
    const { ask } = await openSandbox();
    const first = await ask(line, sent, withKey);
    expect(first.status).toBe(status);
    const second = await ask(line, sent, withKey);
    expect(second.body).toEqual({
      statusCode: 503,
      timestamp: '2026-01-15T12:00:00.000Z',
      path: line.split(' ')[1],
      message: 'Service Unavailable',
      ctx: { statusCode: 503 },
    });
    expect(second.status).toBe(503);
    expect([cacheHeaders(first.headers), cacheHeaders(second.headers)]).toEqual([
      { key: 'k', replay: null, link: false, retryAfter: null },
      { key: 'k', replay: 'true', link: false, retryAfter: null },
    ]);
  });

  test('with another body has a link to the documentation', async () => {
    const { ask } = await openSandbox();
    await ask(bulk, body, withKey);
    const response = await ask(bulk, invalid, withKey);
    expect(response).toMatchObject({
      status: 422,
      body: {
        error: 'Unprocessable Entity',
        message: 'Request with key "k" is being reused for a different body',
      },
    });
    const headers = { key: 'k', replay: null, link: true, retryAfter: null };
    expect(cacheHeaders(response.headers)).toEqual(headers);
  });

  test('in progress is reported before the body is compared, with a link', async () => {
    const waiting: (() => void)[] = [];
    const { ask } = await openSandbox({
      now: () => noon,
      faults: { latency: 50 },
      startTimer: (delay, call) => {
        if (delay === 50) waiting.push(call);
        return () => undefined;
      },
    });
    const first = ask(bulk, body, withKey);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const second = await ask(bulk, { subscribers: [{ subscriberId: 'other' }] }, withKey);
    for (const finish of waiting) finish();
    expect((await first).status).toBe(201);
    expect(second).toMatchObject({
      status: 409,
      body: {
        message: 'Request with key "k" is currently being processed. Please retry after 1 second',
      },
    });
    const headers = { key: 'k', replay: null, link: true, retryAfter: '1' };
    expect(cacheHeaders(second.headers)).toEqual(headers);
  });

  test.each(['GET /v2/topics', 'DELETE /v1/events/trigger/x'])('is ignored by %s', async (line) => {
    const { ask } = await openSandbox();
    await ask(line, undefined, withKey);
    const { status, headers } = await ask(line, undefined, withKey);
    expect(status).toBe(200);
    expect(cacheHeaders(headers)).toEqual({
      key: null,
      replay: null,
      link: false,
      retryAfter: null,
    });
  });
});

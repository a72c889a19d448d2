// The control routes of the sandbox itself: status, stop and reset.
import { describe, expect, test } from 'vitest';
import { openSandbox } from './open.ts';

describe('the control routes', () => {
  test('report the status of the sandbox', async () => {
    const { ask } = await openSandbox();
    expect((await ask('GET /__sandbox/status')).body).toEqual({
      name: 'svc-sandbox',
      startedAt: '2026-01-15T12:00:00.000Z',
      storage: 'memory',
      seed: 'built-in',
      compat: 'novu',
      service: '3.11',
      envelope: false,
      page: null,
      environments: 2,
      subscribers: 9,
      topics: 3,
      workflows: 12,
      events: 15,
      pendingJobs: 1,
      nextJobAt: '2026-01-16T12:00:00.000Z',
      notEmulated: [],
    });
  });

  test('require an API key', async () => {
    const { ask } = await openSandbox();
    const headers = { authorization: 'ApiKey wrong' };
    expect((await ask('POST /__sandbox/reset', undefined, headers)).status).toBe(401);
  });

  test('stop the sandbox through onStop', async () => {
    let stopped = 0;
    const { ask } = await openSandbox({ onStop: () => (stopped += 1) });
    expect((await ask('POST /__sandbox/stop')).body).toEqual({ stopping: true });
    expect(stopped).toBe(1);
  });

  test('reset the sandbox to its seed data and keep the API keys', async () => {
    const { ask } = await openSandbox();
    const keysBefore = (await ask('GET /v1/environments')).body;
    await ask('POST /v1/environments', { name: 'Staging', color: '#abc' });
    await ask('POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'new' }] });
    await ask('PATCH /v2/topics/announcements', { name: 'Changed' });
    expect((await ask('POST /__sandbox/reset')).body).toEqual({ reset: true });
    expect((await ask('GET /v1/environments')).body).toEqual(keysBefore);
    expect((await ask('GET /v2/topics/announcements')).body.name).toBe('Announcements');
    expect((await ask('GET /__sandbox/status')).body.subscribers).toBe(9);
  });
});

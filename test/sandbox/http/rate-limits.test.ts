// Rate limits: off by default, otherwise the limits of a plan.
import { describe, expect, test } from 'vitest';
import { noon, openSandbox } from '../open.ts';

const bulk = 'POST /v1/subscribers/bulk';
const body = { subscribers: [{ subscriberId: 'limited' }] };
const event = { events: [{ name: 'welcome', to: 'u1', payload: {} }] };

describe('rate limits', () => {
  test('are off by default', async () => {
    const { ask } = await openSandbox();
    const { status, headers } = await ask('GET /v2/topics');
    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });

  test('of the free plan allow one bulk request per window', async () => {
    let now = noon;
    const { ask } = await openSandbox({ now: () => now, faults: { rateLimit: 'free' } });
    const first = await ask(bulk, body);
    expect(first.status).toBe(201);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'ratelimit-limit': '110',
      'ratelimit-remaining': '10',
      'ratelimit-reset': '5',
      'ratelimit-policy':
        '100;w=5;burst=110;comment="token bucket";category="configuration";cost="100"',
    });
    now += 1500;
    const second = await ask(bulk, body);
    expect(second).toMatchObject({ status: 429, body: { message: 'API rate limit exceeded' } });
    expect(Object.fromEntries(second.headers)).toMatchObject({
      'retry-after': '4',
      'ratelimit-remaining': '10',
      'ratelimit-reset': '4',
    });
    expect((await ask('GET /v2/topics')).status).toBe(200);
    now += 3500;
    expect((await ask(bulk, body)).status).toBe(201);
  });

  test('count categories and environments separately', async () => {
    const { ask } = await openSandbox({ faults: { rateLimit: 'free' } });
    const environments = (await ask('GET /v1/environments')).body as {
      name: string;
      apiKeys: { key: string }[];
    }[];
    const key = environments.find(({ name }) => name === 'Production')?.apiKeys[0]?.key;
    const inProduction = { authorization: `ApiKey ${key}` };
    expect((await ask(bulk, body)).status).toBe(201);
    expect((await ask(bulk, body)).status).toBe(429);
    expect((await ask(bulk, body, inProduction)).status).toBe(201);
    for (const status of [201, 201, 201, 429]) {
      expect((await ask('POST /v1/events/trigger/bulk', event)).status).toBe(status);
    }
  });

  test('report the remaining tokens on errors too', async () => {
    const { ask } = await openSandbox({ faults: { rateLimit: 'enterprise' } });
    const { status, headers } = await ask('GET /v2/topics/nope');
    expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
      404,
      '11000',
      '10999',
    ]);
  });
});

// Invalid queries, and values that the service accepts.
import { describe, expect, test } from 'vitest';
import { hours, shareSandbox, workflow } from './shared-sandbox.ts';

const ask = shareSandbox();

const bulk = '/v1/subscribers/bulk';
const preferences = '/v2/subscribers/u1/preferences';

describe('a list as the size of a page', () => {
  test.each([
    ['/v2/topics?limit[]=', 200],
    ['/v2/topics?limit[]=1', 200],
    ['/v2/topics?limit=1&limit=2', 422],
    ['/v2/topics/announcements/subscriptions?limit[]=', 200],
    ['/v1/messages?limit[]=', 200],
    ['/v1/subscribers/u1/notifications/unseen?limit[]=', 200],
    ['/v2/workflows?limit[]=', 422],
    ['/v2/workflows?limit[]=1', 200],
    ['/v2/contexts?limit[]=1', 422],
    ['/v1/notifications?limit[]=', 422],
    ['/v1/notifications?limit[]=1', 422],
    ['/v1/subscribers/u1/notifications/feed?limit[]=1', 422],
    ['/v1/subscribers?page[]=0', 422],
  ])('%s: %i', async (path, expected) => {
    expect((await ask(`GET ${path}`)).status).toBe(expected);
  });

  test('with one value limits the page', async () => {
    expect((await ask('GET /v2/topics?limit[]=1')).body.data).toHaveLength(1);
    const count = await ask('GET /v1/subscribers/u1/notifications/unseen?limit[]=1');
    expect(count.body.data).toEqual({ count: 1 });
  });
});

describe('a value is rejected under its own name', () => {
  const limits = ['limit must not be less than 1'];
  test.each<[string, unknown, object]>([
    ['GET /v2/topics?limit=-1', undefined, { limit: { messages: limits, value: -1 } }],
    ['GET /v2/contexts?limit=-1', undefined, { limit: { messages: limits, value: -1 } }],
    ['GET /v2/subscribers?limit=-1', undefined, { limit: { messages: limits, value: -1 } }],
    [
      'GET /v1/notifications?search=a&search=b',
      undefined,
      { search: { messages: ['search must be a string'], value: ['a', 'b'] } },
    ],
    [
      'POST /v2/workflows',
      workflow({ preferences: { user: { all: { enabled: 'x' }, channels: {} } } }),
      {
        'workflowDto.preferences.user.all.enabled': {
          messages: ['enabled must be a boolean value'],
          value: 'x',
        },
      },
    ],
    [
      'PUT /v2/workflows/welcome',
      workflow({ workflowId: 5 }),
      { 'workflowDto.workflowId': { messages: ['workflowId must be a string'], value: 5 } },
    ],
  ])('%s %j', async (line, sent, errors) => {
    const { status, body } = await ask(line, sent);
    expect({ status, message: body.message, errors: body.errors }).toEqual({
      status: 422,
      message: 'Validation failed',
      errors,
    });
  });
});

describe('the query of a listing is rejected', () => {
  test.each([
    ['/v2/topics?key[x]=a', 'key must be a string'],
    ['/v2/topics?orderBy=a&orderBy=b', 'orderBy must be a string'],
    ['/v2/contexts?search[]=a', 'search must be a string'],
    ['/v2/workflows?query=a&query=b', 'query must be a string'],
    ['/v2/layouts?query=a&query=b', 'query must be a string'],
    ['/v2/subscribers?after=a&after=b', 'after must be a string'],
    ['/v2/topics/announcements/subscriptions?subscriberId[]=a', 'subscriberId must be a string'],
    ['/v1/subscribers/u1/notifications/feed?page=x', 'page must be an integer number'],
    // The service has no text for it.
    ['/v1/notifications?severity=zzz', ''],
  ])('GET %s: %s', async (target, message) => {
    const { status, body } = await ask(`GET ${target}`);
    expect({ status, messages: body.errors.general.messages }).toEqual({
      status: 422,
      messages: [message],
    });
  });
});

describe('the service accepts', () => {
  test.each<[string, unknown, number]>([
    ['GET /v2/topics?limit=1.5', undefined, 200],
    ['GET /v2/contexts?limit=1.5', undefined, 200],
    ['GET /v1/messages?limit=1.5', undefined, 200],
    ['GET /v1/notifications?channels=&templates=', undefined, 200],
    [`PATCH ${preferences}`, { channels: null }, 200],
    [`PATCH ${preferences}`, hours([{ start: '9:00AM', end: '05:00 pm' }]), 200],
    [
      `PATCH ${preferences}`,
      { schedule: { isEnabled: false, weeklySchedule: { someday: 1 } } },
      200,
    ],
    ['PATCH /v2/topics/announcements', { name: ' ' }, 200],
    [`POST ${bulk}`, { subscribers: [{ subscriberId: ' ' }] }, 201],
  ])('%s %j', async (line, sent, expected) => {
    const { status } = await ask(line, sent);
    expect(status).toBe(expected);
  });

  test('values that it cannot use, where it does not check them', async () => {
    const { status, body } = await ask('POST /v2/topics/announcements/subscriptions', {
      subscriberIds: [{}],
    });
    expect({ status, message: body.message }).toEqual({ status: 422, message: 'Validation Error' });
  });
});

describe('the contexts of an event in a list', () => {
  test.each<[object, string]>([
    [{ tenant: 'acme' }, 'processed'],
    [{ tenant: { id: 'acme', other: 1 } }, 'processed'],
    [{}, 'error'],
    [{ tenant: 'a:b' }, 'error'],
    [{ tenant: { id: 'x'.repeat(101) } }, 'error'],
  ])('%j: %s', async (context, status) => {
    const events = [{ name: 'welcome', to: 'u1', payload: {}, context }];
    const { body } = await ask('POST /v1/events/trigger/bulk', { events });
    const error = status === 'error' ? [['Validation failed']] : [undefined];
    expect(body.data.map((result: { status: string }) => result.status)).toEqual([status]);
    expect(body.data.map((result: { error?: string[] }) => result.error)).toEqual(error);
  });
});

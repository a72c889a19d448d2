// Listing and creating environments, and the separation of their data.
import { describe, expect, test } from 'vitest';
import { developmentId, organizationId, productionId } from '../../src/sandbox/store/ids.ts';
import { type Ask, key, openSandbox } from './open.ts';

const create = (ask: Ask, name: string, more: object = {}) =>
  ask('POST /v1/environments', { name, color: '#12ab34', ...more });

/** The header with the key of an environment, which the listing has. */
async function authorize(ask: Ask, name: string) {
  const { body } = await ask('GET /v1/environments');
  const environment = body.find((environment: { name: string }) => environment.name === name);
  return { authorization: `ApiKey ${environment.apiKeys[0].key}` };
}

describe('environments', () => {
  test('include Development, with the key of the caller, and Production', async () => {
    const { ask } = await openSandbox();
    const { body } = await ask('GET /v1/environments');
    expect(body).toMatchObject([
      {
        _id: developmentId,
        name: 'Development',
        type: 'dev',
        apiKeys: [{ key }],
        _organizationId: organizationId,
      },
      { _id: productionId, name: 'Production', type: 'prod', _parentId: developmentId },
    ]);
    expect(body.map(({ slug }: { slug: string }) => slug.split('_')[0])).toEqual(['dev', 'prod']);
    expect(body[1].apiKeys[0].key).toMatch(/^[0-9a-f]{32}$/);
    expect(body[0].apiKeys[0].hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('are empty when they are created; the listing has their key', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await create(ask, 'Staging');
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Staging', _organizationId: organizationId });
    const headers = await authorize(ask, 'Staging');
    expect((await ask('GET /v2/topics', undefined, headers)).body).toMatchObject({
      data: [],
      totalCount: 0,
    });
    expect((await ask('GET /v1/environments', undefined, headers)).body).toHaveLength(3);
  });

  test('have separate data', async () => {
    const { ask } = await openSandbox();
    await create(ask, 'Staging');
    const headers = await authorize(ask, 'Staging');
    const subscribers = [{ subscriberId: 'u1', firstName: 'Other' }];
    const bulk = await ask('POST /v1/subscribers/bulk', { subscribers }, headers);
    expect(bulk.body.created).toEqual([{ subscriberId: 'u1' }]);
    await ask('POST /v2/topics/announcements/subscriptions', { subscriberIds: ['u1'] }, headers);
    expect((await ask('GET /v2/topics', undefined, headers)).body.totalCount).toBe(1);
    expect(
      (await ask('GET /v1/subscribers/u1/notifications/feed', undefined, headers)).body.data,
    ).toEqual([]);
    expect((await ask('GET /v2/workflows/welcome', undefined, headers)).status).toBe(404);
    expect(
      (await ask(`GET /v2/workflows/welcome?environmentId=${developmentId}`, undefined, headers))
        .status,
    ).toBe(200);
    expect(
      (await ask('GET /v1/notifications?subscriberIds=u1')).body.data[0].subscriber.firstName,
    ).toBe('Ada');
  });

  test.each([
    ['Development', {}, 422, 'Environment name cannot be Development or Production'],
    ['production', {}, 422, 'Environment name cannot be Development or Production'],
    ['Staging', {}, 400, 'Environment name must be unique'],
    ['Other', { parentId: 'nope' }, 422, 'Validation Error'],
    ['Other', { color: 'red' }, 422, 'Validation Error'],
    ['Other', { color: '#12345' }, 422, 'Validation Error'],
  ])('cannot be created with name %j and %j', async (name, more, status, message) => {
    const { ask } = await openSandbox();
    await create(ask, 'Staging');
    const response = await create(ask, name, more);
    expect({ status: response.status, message: response.body.message }).toEqual({
      status,
      message,
    });
  });

  test('are limited to ten', async () => {
    const { ask } = await openSandbox();
    for (let index = 3; index <= 10; index += 1) {
      expect((await create(ask, `Stage ${index}`)).status).toBe(201);
    }
    expect((await create(ask, 'Stage 11')).status).toBe(400);
  });
});

// The responses of the sandbox to requests about environments: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import {
  expectFields,
  expectItems,
  expectList,
  type Rule,
  valueAt,
} from './support/wire-fields.ts';

describe('sandbox API for environments', () => {
  const environment: Record<string, Rule> = {
    _id: 'string',
    name: 'string',
    _organizationId: 'string',
    identifier: 'string',
    type: ['dev', 'prod', null, undefined],
    apiKeys: 'array?',
    _parentId: 'string?',
    slug: 'string?',
  };

  it('creates an environment with a parent', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('POST', '/v1/environments', {
      name: 'Staging of wire',
      parentId: ids.environment,
      color: '#ff8800',
    });
    expect(status).toBe(201);
    expectFields(body, environment);
    expect(body).toMatchObject({ name: 'Staging of wire', _parentId: ids.environment });
    const after = await ask('GET', '/v1/environments');
    expect(expectList(after.body).map((environment) => valueAt(environment, '_id'))).toContain(
      valueAt(body, '_id'),
    );
  });

  it('lists environments with their keys as an array without an envelope', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('GET', '/v1/environments');
    expect(status).toBe(200);
    for (const one of expectItems(body)) {
      expectFields(one, environment);
      for (const key of expectItems(valueAt(one, 'apiKeys'))) {
        expectFields(key, { key: 'string', _userId: 'string', hash: 'string?' });
      }
    }
    expect(body).toContainEqual(
      expect.objectContaining({ _id: ids.environment, name: 'Development' }),
    );
    expect(body).toContainEqual(expect.objectContaining({ name: 'Production' }));
  });
});

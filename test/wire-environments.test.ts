// Requests and results of the client for environments, as literals from the API specification.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';

describe('environments', () => {
  it('creates an environment with POST and returns it', async () => {
    await expectExchange({
      operation: 'createEnvironment',
      input: { body: { name: 'Staging', parentId: '65a000000000000000000001', color: '#ff8800' } },
      sends: 'POST /v1/environments',
      status: 201,
      returns: {
        _id: '65a000000000000000000003',
        name: 'Staging',
        _organizationId: '65c000000000000000000001',
        identifier: 'staging-1',
        type: 'dev',
        apiKeys: [{ key: 'key-1', _userId: '65d000000000000000000001', hash: 'hash-1' }],
        _parentId: '65a000000000000000000001',
        slug: 'staging_env_1',
      },
    });
  });

  it('lists environments without a query', async () => {
    await expectExchange({
      operation: 'listEnvironments',
      sends: 'GET /v1/environments',
      status: 200,
      returns: [
        {
          _id: '65a000000000000000000001',
          name: 'Development',
          _organizationId: '65c000000000000000000001',
          identifier: 'development-1',
          type: 'dev',
          apiKeys: [{ key: 'key-1', _userId: '65d000000000000000000001' }],
          slug: 'development_env_1',
        },
        {
          _id: '65a000000000000000000002',
          name: 'Production',
          _organizationId: '65c000000000000000000001',
          identifier: 'production-1',
          type: 'prod',
          _parentId: '65a000000000000000000001',
        },
        {
          _id: '65a000000000000000000003',
          name: 'Staging',
          _organizationId: '65c000000000000000000001',
          identifier: 'staging-1',
          type: null,
        },
      ],
    });
  });
});

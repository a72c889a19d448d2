// Requests and results of the client for contexts, as literals from the API specification.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';
import { times } from './support/wire-bodies.ts';

describe('contexts', () => {
  it('lists contexts with all filters and returns the whole page', async () => {
    await expectExchange({
      operation: 'listContexts',
      input: {
        query: {
          after: 'cursor-after',
          before: 'cursor-before',
          limit: 20,
          orderDirection: 'ASC',
          orderBy: 'createdAt',
          includeCursor: false,
          id: 'org-acme',
          search: 'acme corp',
        },
      },
      sends: 'GET /v2/contexts',
      query: [
        ['after', 'cursor-after'],
        ['before', 'cursor-before'],
        ['limit', '20'],
        ['orderDirection', 'ASC'],
        ['orderBy', 'createdAt'],
        ['includeCursor', 'false'],
        ['id', 'org-acme'],
        ['search', 'acme corp'],
      ],
      status: 200,
      returns: {
        data: [
          { type: 'tenant', id: 'org-acme', data: { name: 'Acme', seats: 12 }, ...times },
          { type: 'app', id: 'jira', data: {}, ...times },
        ],
        next: null,
        previous: 'cursor-previous',
        totalCount: 2,
        totalCountCapped: false,
      },
    });
  });

  it('gets a context by type and id, whose `data` is not an envelope', async () => {
    await expectExchange({
      operation: 'getContext',
      input: { path: { type: 'tenant', id: 'org acme/eu' } },
      sends: 'GET /v2/contexts/tenant/org%20acme%2Feu',
      status: 200,
      returns: {
        type: 'tenant',
        id: 'org acme/eu',
        data: { name: 'Acme', address: { city: 'Paris' } },
        ...times,
      },
    });
  });
});

// Requests and results of the client for topics, as literals from the API specification.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';
import { times } from './support/wire-bodies.ts';

describe('topics', () => {
  it('subscribes subscribers with POST and returns data, meta and errors', async () => {
    await expectExchange({
      operation: 'subscribeToTopic',
      input: {
        path: { topicKey: 'release notes/2026' },
        body: { subscriberIds: ['u1', 'u2', 'unknown-id'] },
      },
      sends: 'POST /v2/topics/release%20notes%2F2026/subscriptions',
      status: 201,
      returns: {
        data: [
          {
            _id: '667000000000000000000001',
            topic: { _id: '668000000000000000000001', key: 'release notes/2026', name: 'Releases' },
            subscriber: {
              _id: '65e000000000000000000001',
              subscriberId: 'u1',
              avatar: 'https://example.com/ada.png',
              firstName: 'Ada',
              lastName: 'Lovelace',
              email: 'ada@example.com',
            },
            createdAt: '2026-01-15T12:00:00.000Z',
            updatedAt: '2026-01-15T12:00:00.000Z',
          },
          {
            _id: '667000000000000000000002',
            topic: { _id: '668000000000000000000001', key: 'release notes/2026' },
            subscriber: {
              _id: '65e000000000000000000002',
              subscriberId: 'u2',
              avatar: null,
              firstName: null,
              lastName: null,
              email: null,
            },
            createdAt: '2026-01-15T12:00:00.000Z',
            updatedAt: '2026-01-15T12:00:00.000Z',
          },
        ],
        meta: { totalCount: 3, successful: 2, failed: 1 },
        errors: [
          {
            subscriberId: 'unknown-id',
            code: 'SUBSCRIBER_NOT_FOUND',
            message: 'No such subscriber',
          },
        ],
      },
    });
  });

  it('lists topics with all filters and returns the whole page', async () => {
    await expectExchange({
      operation: 'listTopics',
      input: {
        query: {
          after: 'cursor+after==',
          before: 'cursor/before',
          limit: 100,
          orderDirection: 'DESC',
          orderBy: 'createdAt',
          includeCursor: true,
          key: 'announce',
          name: 'News & more',
        },
      },
      sends: 'GET /v2/topics',
      query: [
        ['after', 'cursor+after=='],
        ['before', 'cursor/before'],
        ['limit', '100'],
        ['orderDirection', 'DESC'],
        ['orderBy', 'createdAt'],
        ['includeCursor', 'true'],
        ['key', 'announce'],
        ['name', 'News & more'],
      ],
      status: 200,
      returns: {
        data: [
          {
            _id: '668000000000000000000001',
            key: 'announcements',
            name: 'Announcements',
            ...times,
          },
          { _id: '668000000000000000000002', key: 'beta-testers' },
        ],
        next: 'cursor-next',
        previous: null,
        totalCount: 50000,
        totalCountCapped: true,
      },
    });
  });

  it('gets a topic by its key', async () => {
    await expectExchange({
      operation: 'getTopic',
      input: { path: { topicKey: 'tenant:acme/news' } },
      sends: 'GET /v2/topics/tenant%3Aacme%2Fnews',
      status: 200,
      returns: { _id: '668000000000000000000001', key: 'tenant:acme/news', name: 'News', ...times },
    });
  });

  it('renames a topic with PATCH and returns it', async () => {
    await expectExchange({
      operation: 'renameTopic',
      input: { path: { topicKey: 'announcements' }, body: { name: 'Product news' } },
      sends: 'PATCH /v2/topics/announcements',
      status: 200,
      returns: {
        _id: '668000000000000000000001',
        key: 'announcements',
        name: 'Product news',
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-15T12:00:00.000Z',
      },
    });
  });
});

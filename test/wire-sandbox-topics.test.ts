// The responses of the sandbox to requests about topics: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import {
  cursorPage,
  expectFields,
  expectList,
  fieldValues,
  pageItems,
  type Rule,
  valueAt,
} from './support/wire-fields.ts';

describe('sandbox API for topics', () => {
  const topic: Record<string, Rule> = {
    _id: 'string',
    key: 'string',
    name: 'string?',
    createdAt: 'string?',
    updatedAt: 'string?',
  };

  it('creates a missing topic on subscribe and returns the subscription', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('POST', '/v2/topics/wire-news/subscriptions', {
      subscriberIds: ['u1'],
    });
    expect(status).toBe(201);
    expectFields(body, { data: 'array', meta: 'object', errors: 'array?' });
    expect(valueAt(body, 'meta')).toEqual({ totalCount: 1, successful: 1, failed: 0 });
    expect(valueAt(body, 'errors') ?? []).toEqual([]);
    expect(expectList(valueAt(body, 'data'))).toHaveLength(1);
    expectFields(valueAt(body, 'data', 0), {
      _id: 'string',
      topic: 'object',
      subscriber: 'object',
      createdAt: 'string',
      updatedAt: 'string',
    });
    expectFields(valueAt(body, 'data', 0, 'topic'), {
      _id: 'string',
      key: ['wire-news'],
      name: 'string?',
    });
    expectFields(valueAt(body, 'data', 0, 'subscriber'), {
      _id: 'string',
      subscriberId: ['u1'],
      avatar: 'string|null?',
      firstName: 'string|null?',
      lastName: 'string|null?',
      email: 'string|null?',
    });
    const created = await ask('GET', '/v2/topics/wire-news');
    expect(created.status).toBe(200);
    expect(valueAt(created.body, '_id')).toBe(valueAt(body, 'data', 0, 'topic', '_id'));
  });

  it('lists topics page by page', async () => {
    const { ask } = await startSeeded();
    const first = await ask('GET', '/v2/topics?limit=2&orderDirection=ASC&orderBy=createdAt');
    expect(first.status).toBe(200);
    expectFields(first.body, cursorPage);
    expect(pageItems(first)).toHaveLength(2);
    for (const one of pageItems(first)) expectFields(one, topic);
    expect(valueAt(first.body, 'totalCount')).toBeGreaterThanOrEqual(3);
    expect(valueAt(first.body, 'totalCountCapped')).toBe(false);
    expect(valueAt(first.body, 'next')).toBeTypeOf('string');
    expect(valueAt(first.body, 'previous')).toBeNull();

    const next = encodeURIComponent(String(valueAt(first.body, 'next')));
    const second = await ask(
      'GET',
      `/v2/topics?limit=2&orderDirection=ASC&orderBy=createdAt&after=${next}`,
    );
    expect(second.status).toBe(200);
    const keys = fieldValues(second, 'key');
    expect(keys.length).toBeGreaterThan(0);
    for (const key of fieldValues(first, 'key')) expect(keys).not.toContain(key);
  });

  it('returns one topic by its key', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/topics/announcements');
    expect(status).toBe(200);
    expectFields(body, topic);
    expect(valueAt(body, 'key')).toBe('announcements');
  });

  it('returns the renamed topic', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('PATCH', '/v2/topics/announcements', {
      name: 'Product news',
    });
    expect(status).toBe(200);
    expectFields(body, topic);
    expect(body).toMatchObject({ key: 'announcements', name: 'Product news' });
    const after = await ask('GET', '/v2/topics/announcements');
    expect(valueAt(after.body, 'name')).toBe('Product news');
  });
});

// The responses of the sandbox to requests about in-app notifications: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import {
  expectFields,
  expectItems,
  expectList,
  expectOptional,
  valueAt,
} from './support/wire-fields.ts';
import { channels, messageStatuses } from './support/wire-values.ts';

describe('sandbox API for in-app notifications', () => {
  it('returns a page of the feed with every field of its items', async () => {
    const { feed } = await startSeeded();
    const { status, body } = await feed('page=0&limit=100');
    expect(status).toBe(200);
    expectFields(body, {
      totalCount: 'number?',
      hasMore: 'boolean',
      data: 'array',
      pageSize: 'number',
      page: 'number',
    });
    expect(valueAt(body, 'page')).toBe(0);
    expect(valueAt(body, 'pageSize')).toBe(expectList(valueAt(body, 'data')).length);
    const items = expectItems(valueAt(body, 'data'));
    for (const item of items) {
      expectFields(item, {
        _id: 'string',
        _templateId: 'string',
        _environmentId: 'string',
        _messageTemplateId: 'string?',
        _organizationId: 'string',
        _notificationId: 'string',
        _subscriberId: 'string',
        _feedId: 'string|null?',
        _jobId: 'string',
        createdAt: 'string|null?',
        updatedAt: 'string|null?',
        actor: 'object?',
        subscriber: 'object?',
        transactionId: 'string',
        templateIdentifier: 'string|null?',
        providerId: 'string|null?',
        subject: 'string|null?',
        content: 'string',
        channel: channels,
        read: 'boolean',
        seen: 'boolean',
        deviceTokens: 'array|null?',
        cta: 'object',
        status: messageStatuses,
        payload: 'object?',
        data: 'object|null?',
        overrides: 'object?',
        tags: 'array|null?',
      });
      expect(valueAt(item, 'channel')).toBe('in_app');
      expectFields(valueAt(item, 'cta'), { type: 'string?', data: 'object?', action: 'object?' });
    }
    expectOptional(
      items.map((item) => valueAt(item, 'actor')),
      { data: 'string|null', type: ['none', 'user', 'system_icon', 'system_custom'] },
    );
    expectOptional(
      items.map((item) => valueAt(item, 'subscriber')),
      {
        _id: 'string?',
        firstName: 'string?',
        lastName: 'string?',
        avatar: 'string?',
        subscriberId: ['u1'],
      },
    );
  });

  it('returns 201 and every field of the marked messages', async () => {
    const { feed, mark } = await startSeeded();
    const page = await feed();
    const id = valueAt(page.body, 'data', 0, '_id');
    const { status, body } = await mark({ messageId: [id], markAs: 'read' });
    expect(status).toBe(201);
    expect(expectList(body)).toHaveLength(1);
    expect(body).toMatchObject([{ _id: id, read: true, channel: 'in_app' }]);
    expectFields(valueAt(body, 0), {
      _id: 'string?',
      _templateId: 'string|null?',
      _environmentId: 'string',
      _messageTemplateId: 'string|null?',
      _organizationId: 'string',
      _notificationId: 'string',
      _subscriberId: 'string',
      subscriber: 'object?',
      template: 'object?',
      templateIdentifier: 'string?',
      createdAt: 'string',
      deliveredAt: 'array?',
      lastSeenDate: 'string?',
      lastReadDate: 'string?',
      content: 'string|array?',
      transactionId: 'string',
      subject: 'string?',
      channel: channels,
      read: 'boolean',
      seen: 'boolean',
      snoozedUntil: 'string?',
      email: 'string?',
      phone: 'string?',
      directWebhookUrl: 'string?',
      providerId: 'string?',
      deviceTokens: 'array?',
      title: 'string?',
      cta: 'object',
      _feedId: 'string|null?',
      status: messageStatuses,
      errorId: 'string?',
      errorText: 'string?',
      payload: 'object?',
      overrides: 'object?',
      contextKeys: 'array?',
    });
  });

  it.each([
    ['read', 'read', true],
    ['unread', 'read', false],
    ['seen', 'seen', true],
    ['unseen', 'seen', false],
  ])('accepts a single id as a string and marks it %s', async (markAs, flag, value) => {
    const { feed, mark } = await startSeeded();
    const page = await feed();
    const id = valueAt(page.body, 'data', 0, '_id');
    const { status, body } = await mark({ messageId: id, markAs });
    expect(status).toBe(201);
    expect(body).toMatchObject([{ _id: id, [flag]: value }]);
    const after = await feed('limit=100');
    expect(valueAt(after.body, 'data')).toContainEqual(
      expect.objectContaining({ _id: id, [flag]: value }),
    );
  });
});

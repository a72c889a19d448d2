// Requests and results of the client for in-app notifications, as literals from the API specification.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';
import { commentTrigger, owner, subscriberRecord } from './support/wire-bodies.ts';

const messageIds = {
  ...owner,
  _id: '65f000000000000000000001',
  _templateId: '660000000000000000000001',
  _messageTemplateId: '661000000000000000000001',
  _notificationId: '662000000000000000000001',
  _subscriberId: '65e000000000000000000001',
  _feedId: '663000000000000000000001',
};

describe('in-app notifications', () => {
  it('lists the feed of a subscriber and returns the whole page', async () => {
    await expectExchange({
      operation: 'listInboxNotifications',
      input: {
        path: { subscriberId: 'user@example.com/1' },
        query: { page: 0, limit: 2, read: false, seen: true, payload: 'eyJvcmRlcklkIjoiNDIifQ==' },
      },
      sends: 'GET /v1/subscribers/user%40example.com%2F1/notifications/feed',
      query: [
        ['page', '0'],
        ['limit', '2'],
        ['read', 'false'],
        ['seen', 'true'],
        ['payload', 'eyJvcmRlcklkIjoiNDIifQ=='],
      ],
      status: 200,
      returns: {
        totalCount: 12,
        hasMore: true,
        data: [
          {
            ...messageIds,
            _jobId: '664000000000000000000001',
            createdAt: '2026-01-15T10:00:00.000Z',
            updatedAt: '2026-01-15T10:00:01.000Z',
            actor: { data: 'https://example.com/ada.png', type: 'system_custom' },
            subscriber: {
              _id: '65e000000000000000000001',
              subscriberId: 'user@example.com/1',
              firstName: 'Ada',
              lastName: 'Lovelace',
              avatar: 'https://example.com/ada.png',
            },
            transactionId: 'txn-1',
            templateIdentifier: 'comment-digest',
            providerId: 'svc',
            subject: 'New comments',
            content: 'You have 3 new comments',
            channel: 'in_app',
            read: false,
            seen: true,
            deviceTokens: ['token-1'],
            cta: {
              type: 'redirect',
              data: { url: '/comments' },
              action: {
                status: 'pending',
                buttons: [
                  { type: 'primary', content: 'Open', resultContent: 'Opened' },
                  { type: 'secondary', content: 'Later' },
                ],
                result: { payload: { opened: true }, type: 'primary' },
              },
            },
            status: 'sent',
            payload: { orderId: '42' },
            data: { colour: 'red' },
            overrides: { fcm: { data: { badge: '1' } } },
            tags: ['comments'],
          },
          {
            _id: '65f000000000000000000002',
            _templateId: '660000000000000000000001',
            ...owner,
            _notificationId: '662000000000000000000002',
            _subscriberId: '65e000000000000000000001',
            _feedId: null,
            _jobId: '664000000000000000000002',
            createdAt: null,
            updatedAt: null,
            actor: { data: null, type: 'none' },
            subscriber: { subscriberId: 'user@example.com/1' },
            transactionId: 'txn-2',
            templateIdentifier: null,
            providerId: null,
            subject: null,
            content: '',
            channel: 'in_app',
            read: false,
            seen: false,
            deviceTokens: null,
            cta: {},
            status: 'warning',
            data: null,
            tags: null,
          },
        ],
        pageSize: 2,
        page: 0,
      },
    });
  });

  it('marks several notifications with POST and returns the messages', async () => {
    await expectExchange({
      operation: 'markInboxNotifications',
      input: {
        path: { subscriberId: 'user@example.com/1' },
        body: {
          messageId: ['65f000000000000000000001', '65f000000000000000000002'],
          markAs: 'read',
        },
      },
      sends: 'POST /v1/subscribers/user%40example.com%2F1/messages/mark-as',
      status: 201,
      returns: [
        {
          ...messageIds,
          subscriber: {
            _id: '65e000000000000000000001',
            subscriberId: 'u1',
            firstName: 'Ada',
            ...subscriberRecord,
          },
          template: {
            _id: '660000000000000000000001',
            name: 'Comment digest',
            description: 'Collects comments',
            active: true,
            draft: false,
            preferenceSettings: { email: true, sms: true, in_app: true, chat: true, push: true },
            critical: false,
            tags: ['comments'],
            steps: [
              {
                _id: '665000000000000000000001',
                uuid: '0d5c1f2e-0000-4000-8000-000000000001',
                name: 'Collect',
                _templateId: '661000000000000000000002',
                active: true,
                shouldStopOnFail: false,
                template: { type: 'digest' },
                filters: [
                  {
                    isNegated: true,
                    type: 'MULTI_LIST',
                    value: 'OR',
                    children: [
                      { field: 'locale', value: 'en_GB', operator: 'NOT_EQUAL', on: 'subscriber' },
                      { field: 'amount', value: '10', operator: 'LARGER_EQUAL', on: 'payload' },
                    ],
                  },
                ],
                _parentId: '665000000000000000000000',
                metadata: {
                  amount: 5,
                  unit: 'minutes',
                  digestKey: 'postId',
                  type: 'backoff',
                  backoff: true,
                  backoffAmount: 30,
                  backoffUnit: 'seconds',
                  updateMode: false,
                },
                replyCallback: { active: true, url: 'https://acme.test/reply' },
                variants: [
                  {
                    _id: '665000000000000000000002',
                    name: 'Collect monthly',
                    metadata: {
                      amount: 1,
                      unit: 'months',
                      digestKey: 'postId',
                      type: 'timed',
                      timed: {
                        atTime: '09:00',
                        weekDays: ['monday'],
                        monthDays: [1, 15],
                        ordinal: 'last',
                        ordinalValue: 'weekday',
                        monthlyType: 'on',
                      },
                    },
                  },
                ],
              },
              { name: 'Wait', metadata: { amount: 2, unit: 'hours', type: 'regular' } },
              { name: 'Wait until', metadata: { type: 'scheduled', delayPath: 'payload.sendAt' } },
            ],
            ...owner,
            _creatorId: '65d000000000000000000001',
            triggers: [commentTrigger],
            _notificationGroupId: '666000000000000000000001',
            _parentId: '660000000000000000000000',
            deleted: false,
            deletedAt: '2026-01-14T09:00:00.000Z',
            deletedBy: '65d000000000000000000001',
            notificationGroup: {
              _id: '666000000000000000000001',
              name: 'General',
              ...owner,
              _parentId: '666000000000000000000000',
            },
            data: { owner: 'growth' },
            workflowIntegrationStatus: { hasActiveIntegrations: true },
          },
          templateIdentifier: 'comment-digest',
          createdAt: '2026-01-15T10:00:00.000Z',
          deliveredAt: ['2026-01-15T10:00:01.000Z', '2026-01-15T11:00:00.000Z'],
          lastSeenDate: '2026-01-15T11:30:00.000Z',
          lastReadDate: '2026-01-15T12:00:00.000Z',
          content: [
            { type: 'text', content: 'Hello', styles: { textAlign: 'center' } },
            { type: 'button', content: 'Open', url: 'https://acme.test/open' },
          ],
          transactionId: 'txn-1',
          subject: 'New comments',
          channel: 'in_app',
          read: true,
          seen: true,
          snoozedUntil: '2026-01-15T11:00:00.000Z',
          email: 'ada@example.com',
          phone: '+15550100',
          directWebhookUrl: 'https://acme.test/hook',
          providerId: 'svc',
          deviceTokens: ['token-1'],
          title: 'Comments',
          cta: { type: 'redirect', data: { url: '/comments' }, action: { status: 'done' } },

          status: 'error',
          errorId: 'E1',
          errorText: 'mailbox full',
          payload: { orderId: '42' },
          overrides: { fcm: { data: {} } },
          contextKeys: ['tenant:org-acme'],
        },
        {
          _templateId: null,
          ...owner,
          _messageTemplateId: null,
          _notificationId: '662000000000000000000002',
          _subscriberId: '65e000000000000000000001',
          createdAt: '2026-01-15T10:00:00.000Z',
          content: 'You have 3 new comments',
          transactionId: 'txn-2',
          channel: 'in_app',
          read: true,
          seen: true,
          cta: {},
          _feedId: null,
          status: 'sent',
        },
      ],
    });
  });

  it('marks one notification by a single id', async () => {
    await expectExchange({
      operation: 'markInboxNotifications',
      input: {
        path: { subscriberId: 'u1' },
        body: { messageId: '65f000000000000000000001', markAs: 'unseen' },
      },
      sends: 'POST /v1/subscribers/u1/messages/mark-as',
      status: 201,
      returns: [],
    });
  });
});

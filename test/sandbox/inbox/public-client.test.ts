// Every call of the public inbox client `@novu/js`, in the version of the recorded service and the newest one, with a
// sandbox on a port. The client reports an error as a result, so a call succeeds if it has none.
import { Novu } from '@novu/js';
import { Novu as LatestNovu } from 'novu-js-latest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SandboxVersion, sandboxVersions } from '../../../src/service/versions.ts';
import { serveInbox } from './served-inbox.ts';

type Call = (novu: Novu, id: string) => Promise<{ error?: unknown; data?: unknown }>;

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const monday = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };

const calls: Record<string, Call> = {
  'notifications.list': ({ notifications }) => notifications.list(),
  'notifications.list by state, tags, severity and data': ({ notifications }) =>
    notifications.list({
      ...{ read: false, seen: false, archived: false, snoozed: false, tags: ['news'] },
      ...{ severity: 'high' as never, data: { kind: 'k1' }, limit: 5, offset: 0 },
    }),
  'notifications.list after a notification': ({ notifications }, after) =>
    notifications.list({ after, useCache: false } as never),
  'notifications.count': ({ notifications }) => notifications.count(),
  'notifications.count by filters': ({ notifications }) =>
    notifications.count({ filters: [{ read: false }, { tags: ['news'] }, { snoozed: true }] }),
  'notifications.read': ({ notifications }, notificationId) =>
    notifications.read({ notificationId }),
  'notifications.unread': ({ notifications }, notificationId) =>
    notifications.unread({ notificationId }),
  'notifications.seen': async ({ notifications }) => {
    const { data } = await notifications.list();
    return notifications.seen({ notification: data?.notifications[0] as never });
  },
  'notifications.archive': ({ notifications }, notificationId) =>
    notifications.archive({ notificationId }),
  'notifications.unarchive': ({ notifications }, notificationId) =>
    notifications.unarchive({ notificationId }),
  'notifications.snooze': ({ notifications }, notificationId) =>
    notifications.snooze({ notificationId, snoozeUntil: inAnHour() }),
  'notifications.unsnooze': ({ notifications }, notificationId) =>
    notifications.unsnooze({ notificationId }),
  'notifications.completePrimary': ({ notifications }, notificationId) =>
    notifications.completePrimary({ notificationId }),
  'notifications.revertPrimary': ({ notifications }, notificationId) =>
    notifications.revertPrimary({ notificationId }),
  'notifications.completeSecondary': ({ notifications }, notificationId) =>
    notifications.completeSecondary({ notificationId }),
  'notifications.revertSecondary': ({ notifications }, notificationId) =>
    notifications.revertSecondary({ notificationId }),
  'notifications.seenAll': ({ notifications }) => notifications.seenAll(),
  'notifications.seenAll by tags and data': ({ notifications }) =>
    notifications.seenAll({ tags: ['news'], data: { kind: 'k1' } }),
  'notifications.seenAll by ids': ({ notifications }, id) =>
    notifications.seenAll({ notificationIds: [id] }),
  'notifications.readAll': ({ notifications }) => notifications.readAll(),
  'notifications.readAll by tags and data': ({ notifications }) =>
    notifications.readAll({ tags: ['news'], data: { kind: 'k1' } }),
  'notifications.archiveAllRead': ({ notifications }) => notifications.archiveAllRead(),
  'notifications.archiveAll': ({ notifications }) => notifications.archiveAll({ tags: ['none'] }),
  'preferences.list': ({ preferences }) => preferences.list(),
  'preferences.list by tags, severity and criticality': ({ preferences }) =>
    preferences.list({ tags: ['news'], severity: 'high', criticality: 'all' } as never),
  'preferences.update of all workflows': async ({ preferences }) => {
    const [preference] = (await preferences.list()).data ?? [];
    return preferences.update({ preference: preference as never, channels: { email: false } });
  },
  'preferences.update of a workflow': ({ preferences }) =>
    preferences.update({ workflowId: 'note', channels: { in_app: true } }),
  'preferences.bulkUpdate': ({ preferences }) =>
    preferences.bulkUpdate([{ workflowId: 'note', channels: { in_app: true } }]),
  'preferences.schedule.get': ({ preferences }) => preferences.schedule.get(),
  'preferences.schedule.update': ({ preferences }) =>
    preferences.schedule.update({ isEnabled: true, weeklySchedule: { monday } }),
  'notifications.delete': ({ notifications }, notificationId) =>
    notifications.delete({ notificationId }),
  'notifications.deleteAll': ({ notifications }) => notifications.deleteAll({ tags: ['none'] }),
  'socket.connect': ({ socket }) => socket.connect(),
  'socket.disconnect': ({ socket }) => socket.disconnect(),
};

const clients: readonly [version: string, client: typeof Novu][] = [
  ['3.11.0', Novu],
  ['3.19.2', LatestNovu as unknown as typeof Novu],
];
const pairs = sandboxVersions.flatMap((service) =>
  clients.map(([version, client]) => [version, service, client] as const),
);

async function openClient<Client extends { socket: { disconnect(): Promise<unknown> } }>(
  Client: new (options: ConstructorParameters<typeof Novu>[0]) => Client,
  service: SandboxVersion,
  more: object = {},
) {
  const inbox = await serveInbox({ service });
  const { applicationIdentifier, baseUrl } = inbox;
  const novu = new Client({
    ...{ applicationIdentifier, subscriber: { subscriberId: 'u1', firstName: 'Ada' } },
    ...{ apiUrl: baseUrl, socketUrl: baseUrl, useCache: false, ...more },
  });
  onTestFinished(async () => void (await novu.socket.disconnect()));
  return { ...inbox, novu };
}

describe.each(pairs)('@novu/js %s with version %s', (_version, service, Client) => {
  const open = () => openClient(Client, service);

  it('succeeds in every call', async () => {
    const { novu, trigger } = await open();
    await novu.notifications.list();
    await trigger('u1');
    await trigger('u1', 2);
    const { data } = await novu.notifications.list();
    const id = data?.notifications[0]?.id ?? '';
    const failed: Record<string, unknown> = {};
    for (const [name, call] of Object.entries(calls)) {
      const { error } = await call(novu, id);
      if (error) failed[name] = error;
    }
    expect(failed).toEqual({});
  });

  it('hears of a new notification and of changed counts, live', async () => {
    const { novu, trigger } = await open();
    const heard: [event: string, result: unknown][] = [];
    const connected = new Promise((resolve) => novu.on('socket.connect.resolved', resolve));
    novu.on('notifications.notification_received', ({ result }) =>
      heard.push(['new', result.subject]),
    );
    novu.on('notifications.unseen_count_changed', ({ result }) => heard.push(['unseen', result]));
    const unread = new Promise((resolve) =>
      novu.on('notifications.unread_count_changed', ({ result }) => resolve(result)),
    );
    await connected;
    await trigger('u1', 7);
    expect(await unread).toEqual({
      ...{ total: 1, severity: { high: 1, medium: 0, low: 0, none: 0 } },
    });
    expect(heard).toEqual([
      ['new', 'Note 7'],
      ['unseen', 1],
    ]);
  });
});

describe('@novu/js 3.19.2 with the topics and channels of version 3.19', () => {
  type Result = Promise<{ data?: unknown; error?: unknown }>;
  /** Returns the data; fails with the error of the client. */
  const succeed = async <R extends Result>(result: R) => {
    const { data, error } = await result;
    expect(error).toBeUndefined();
    return data as Awaited<R>['data'];
  };
  const topicKey = 'news';

  it('subscribes to a topic, and decides which events arrive', async () => {
    const { novu, trigger } = await openClient(LatestNovu, '3.19');
    const { subscriptions, notifications } = novu;
    expect(await succeed(subscriptions.get({ topicKey }))).toBeNull();
    const name = 'Новости';
    const created = await succeed(
      subscriptions.create({ topicKey, name, topicName: 'News', preferences: ['note'] }),
    );
    expect(created).toMatchObject({ identifier: 'tk_news:si_u1', topicKey });
    expect(created?.preferences).toMatchObject([
      { enabled: true, workflow: { identifier: 'note' }, subscriptionId: 'tk_news:si_u1' },
    ]);
    const listed = await succeed(subscriptions.list({ topicKey }));
    expect(listed?.map(({ id }) => id)).toEqual([created?.id]);
    const workflowId = 'note';
    const publish = (n: number) => trigger([{ type: 'Topic', topicKey }], n);
    const change = async (value: boolean | object) =>
      succeed(created?.updatePreference({ workflowId, value: value as boolean }) as Result);
    await publish(1);
    await change(false);
    await publish(2);
    await change({ '==': [{ var: 'payload.n' }, 4] });
    await publish(3);
    await publish(4);
    await succeed(
      created?.bulkUpdatePreferences([{ workflowId, value: { '!': [false] } as never }]) as Result,
    );
    await publish(5);
    const changed = await succeed(
      subscriptions.update({
        ...{ topicKey, identifier: 'tk_news:si_u1', name: 'Other' },
        preferences: [{ workflowId, enabled: false }],
      }),
    );
    expect(changed?.preferences).toMatchObject([{ enabled: false }]);
    await publish(6);
    const shown = await succeed(
      subscriptions.get({ topicKey, workflowIds: ['note-and-email'], tags: ['news'] }),
    );
    expect(shown?.preferences).toMatchObject([{ enabled: false }, { enabled: true }]);
    await succeed(subscriptions.delete({ topicKey, identifier: 'tk_news:si_u1' }));
    await publish(7);
    expect(await succeed(subscriptions.list({ topicKey }))).toEqual([]);
    const { data } = await notifications.list();
    expect(data?.notifications.map(({ subject }) => subject)).toEqual([
      'Note 5',
      'Note 4',
      'Note 1',
    ]);
  });

  it('keeps the subscriptions of contexts apart', async () => {
    const { novu, trigger } = await openClient(LatestNovu, '3.19', { context: { tenant: 'acme' } });
    const { subscriptions, notifications } = novu;
    const created = await succeed(subscriptions.create({ topicKey }));
    expect(created?.identifier).toBe('tk_news:si_u1:ctx_tenant:acme');
    expect((await succeed(subscriptions.get({ topicKey })))?.id).toBe(created?.id);
    await trigger([{ type: 'Topic', topicKey }], 1);
    await trigger([{ type: 'Topic', topicKey }], 2, { context: { tenant: 'acme' } });
    const { data } = await notifications.list();
    expect(data?.notifications.map(({ subject }) => subject)).toEqual(['Note 2']);
  });

  it('lists, shows and deletes connections and endpoints', async () => {
    const { novu, ask } = await openClient(LatestNovu, '3.19');
    const { channelConnections, channelEndpoints } = novu;
    expect(await succeed(channelConnections.list())).toEqual([]);
    const integrationIdentifier = 'slack';
    await ask('POST /v1/integrations', {
      ...{ providerId: 'slack', channel: 'chat', name: 'Slack', credentials: {} },
      identifier: integrationIdentifier,
    });
    await ask('POST /v1/channel-connections', {
      ...{ identifier: 'own', subscriberId: 'u1', integrationIdentifier },
      ...{ workspace: { id: 'T1' }, auth: { accessToken: 'x' } },
    });
    await ask('POST /v1/channel-endpoints', {
      ...{ identifier: 'end', subscriberId: 'u1', integrationIdentifier },
      ...{ type: 'slack_user', endpoint: { userId: 'U1' } },
    });
    expect(await succeed(channelConnections.list())).toMatchObject([{ identifier: 'own' }]);
    // The client does not remove the envelope of this response.
    expect(await succeed(channelConnections.get({ identifier: 'own' }))).toMatchObject({
      data: { workspace: { id: 'T1' } },
    });
    expect(await succeed(channelEndpoints.list({ integrationIdentifier }))).toEqual([
      { identifier: 'end', type: 'slack_user' },
    ]);
    await succeed(channelEndpoints.delete({ identifier: 'end' }));
    await succeed(channelConnections.delete({ identifier: 'own' }));
    expect(await succeed(channelEndpoints.list())).toEqual([]);
    expect(await succeed(channelConnections.list())).toEqual([]);
  });

  it('fails in version 3.11', async () => {
    const { novu } = await openClient(LatestNovu, '3.11');
    for (const result of [
      await novu.subscriptions.list({ topicKey }),
      await novu.subscriptions.create({ topicKey }),
      await novu.channelConnections.list(),
      await novu.channelEndpoints.list(),
    ])
      expect(result.error).toBeDefined();
  });
});

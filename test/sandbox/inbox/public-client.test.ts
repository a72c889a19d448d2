// Every call of the public inbox client `@novu/js`, in the version of the recorded service and the newest one, with a
// sandbox on a port. The client reports an error as a result, so a call succeeds if it has none.
import { Novu } from '@novu/js';
import { Novu as LatestNovu } from 'novu-js-latest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sandboxVersions } from '../../../src/service/versions.ts';
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

describe.each(pairs)('@novu/js %s with version %s', (_version, service, Client) => {
  const open = async () => {
    const inbox = await serveInbox({ service });
    const { applicationIdentifier, baseUrl } = inbox;
    const novu = new Client({
      ...{ applicationIdentifier, subscriber: { subscriberId: 'u1', firstName: 'Ada' } },
      ...{ apiUrl: baseUrl, socketUrl: baseUrl, useCache: false },
    });
    onTestFinished(async () => void (await novu.socket.disconnect()));
    return { ...inbox, novu };
  };

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

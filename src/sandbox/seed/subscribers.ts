// Seeded subscribers: u1 has everything; the others lack things that a delivery may need.
import type { Schedule } from '../../api/schemas/preferences.ts';
import type { ChannelCredentials } from '../store/credentials.ts';
import type { ChannelSwitches } from '../store/preferences.ts';
import type { Profile } from '../store/subscribers.ts';

export interface SeedSubscriber {
  subscriberId: string;
  profile: Profile;
  /** Keyed by integration identifier. */
  credentials?: Record<string, ChannelCredentials>;
  schedule?: Schedule;
  channels?: ChannelSwitches;
}

const officeHours = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };

export const seedSubscribers: readonly SeedSubscriber[] = [
  {
    subscriberId: 'u1',
    profile: {
      firstName: 'Ada',
      lastName: 'Okafor',
      email: 'ada@example.com',
      phone: '+15550101',
      avatar: 'https://example.com/avatars/ada.png',
      locale: 'en-US',
      timezone: 'America/New_York',
      data: { plan: 'team', seats: 5 },
    },
    credentials: {
      'fcm-push': { deviceTokens: ['ada-phone', 'ada-tablet'] },
      'slack-chat': { webhookUrl: 'https://hooks.slack.example.com/services/ada' },
    },
  },
  {
    subscriberId: 'u2',
    profile: { firstName: 'Bruno', lastName: 'Silva', phone: '+15550102', locale: 'pt-BR' },
  },
  {
    subscriberId: 'u3',
    profile: { firstName: 'Chiyo', lastName: 'Tanaka', email: 'chiyo@example.com', locale: 'ja' },
  },
  {
    subscriberId: 'u4',
    profile: {
      firstName: 'Dieter',
      lastName: 'Berg',
      email: 'dieter@example.com',
      phone: '+15550104',
      locale: 'de',
      timezone: 'Europe/Berlin',
    },
    schedule: {
      isEnabled: true,
      weeklySchedule: {
        monday: officeHours,
        tuesday: officeHours,
        wednesday: officeHours,
        thursday: officeHours,
        friday: officeHours,
      },
    },
  },
  {
    subscriberId: 'u5',
    profile: { firstName: 'Efua', lastName: 'Mensah', email: 'efua@example.com' },
    credentials: { 'fcm-push': { deviceTokens: ['efua-phone'] } },
  },
  {
    subscriberId: 'u6',
    profile: { firstName: 'Farid', lastName: 'Haddad', email: 'farid@example.com' },
    credentials: {
      'slack-chat': { webhookUrl: 'https://hooks.slack.example.com/services/farid' },
    },
    channels: { email: false },
  },
  {
    subscriberId: 'u7',
    profile: {
      firstName: 'Grete',
      lastName: 'Lindqvist',
      email: 'grete@example.com',
      phone: '+15550107',
      data: { plan: 'free' },
    },
  },
  { subscriberId: 'u8', profile: {} },
  {
    subscriberId: 'u9',
    // No provider can deliver to the domain .invalid.
    profile: { firstName: 'Iris', email: 'iris@mail.invalid', phone: '+15550109' },
  },
];

// Opens a session: finds the environment and the subscriber, and checks the hashes that the inbox integration requires.
import { createHmac } from 'node:crypto';
import { isObject } from '../../core/objects.ts';
import type { SessionBody } from '../../service/schemas/inbox-client.ts';
import { updateGlobal } from '../api/preferences.ts';
import { isSameSecret } from '../http/authorization.ts';
import { badRequest, notFound, unprocessable } from '../http/http-error.ts';
import { ensureContexts } from '../store/contexts.ts';
import { listStoredEnvironments } from '../store/environments.ts';
import { activeIntegrations } from '../store/integrations.ts';
import { findPreferences, globalPreferenceKey } from '../store/preferences.ts';
import type { Scope, Store } from '../store/scope.ts';
import {
  findSubscriber,
  type Profile,
  type StoredSubscriber,
  upsertSubscriber,
} from '../store/subscribers.ts';
import { unreadCounts } from './filters.ts';

interface OpenedSession {
  scope: Scope;
  subscriber: StoredSubscriber;
  contextKeys: string[];
  /** The response without the token. */
  response: Record<string, unknown>;
}

/** Throws the errors of the service. */
export function openSession(
  body: SessionBody,
  { sql, scope: open }: Pick<Store, 'sql' | 'scope'>,
): OpenedSession {
  const { applicationIdentifier, subscriberHash, context, contextHash } = body;
  const profile = body.subscriber?.subscriberId ? body.subscriber : undefined;
  const subscriberId = profile?.subscriberId ?? body.subscriberId;
  if (!applicationIdentifier && subscriberId)
    throw unprocessable(
      'A valid application identifier is required when providing subscriber information',
    );
  if (!applicationIdentifier) throw badRequest('Keyless is not supported in community edition');
  if (!subscriberId) throw unprocessable('Subscriber ID is required');
  const environment = listStoredEnvironments(sql).find(
    ({ identifier }) => identifier === applicationIdentifier,
  );
  if (!environment) throw badRequest('Please provide a valid application identifier');
  const scope = open(environment.id);
  const [integration] = activeIntegrations(scope, 'in_app');
  if (!integration) throw notFound('The active in-app integration could not be found');
  const keys = environment.keys.map(({ key }) => key);
  const isProven = isHashOf(keys, subscriberId, subscriberHash);
  if (integration.credentials.hmac) {
    if (!isProven) throw badRequest('Please provide a valid HMAC hash');
    if (context && !isHashOf(keys, canonicalJson(context), contextHash))
      throw badRequest('Please provide a valid context HMAC hash');
  }
  const contextKeys = ensureContexts(scope, context);
  const subscriber = saveSubscriber(scope, subscriberId, profile, isProven);
  const schedule = saveDefaultSchedule(scope, subscriber.id, contextKeys, body.defaultSchedule);
  const unreadCount = unreadCounts(scope, subscriber.id, contextKeys);
  return {
    scope,
    subscriber,
    contextKeys,
    response: {
      applicationIdentifier: environment.identifier,
      totalUnreadCount: unreadCount.total,
      unreadCount,
      removeNovuBranding: false,
      maxSnoozeDurationHours: 0,
      isDevelopmentMode: scope.dialect.hasSessionDetails
        ? environment.type === 'dev'
        : environment.name.toLowerCase() !== 'production',
      ...(schedule ? { schedule } : {}),
      contextKeys,
    },
  };
}

/** Like the service, changes an existing subscriber only if the hash proves who asks. */
function saveSubscriber(
  scope: Scope,
  subscriberId: string,
  profile: SessionBody['subscriber'],
  isProven: boolean,
): StoredSubscriber {
  const existing = findSubscriber(scope, subscriberId);
  if (!existing || isProven) upsertSubscriber(scope, subscriberId, toProfile(scope, profile));
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw new Error(`The subscriber ${subscriberId} was not stored.`);
  return subscriber;
}

const profileMembers = [
  'firstName',
  'lastName',
  'phone',
  'email',
  'avatar',
  'data',
  'timezone',
  'locale',
] as const;

/** Earlier versions do not take the locale from a session. */
const toProfile = ({ dialect }: Scope, profile: SessionBody['subscriber']): Profile =>
  Object.fromEntries(
    profileMembers.flatMap((name) => {
      const value = profile?.[name];
      const isLeft = name === 'locale' && !dialect.hasSessionDetails;
      return value === undefined || value === null || isLeft ? [] : [[name, value]];
    }),
  );

/** The default applies until the subscriber has a schedule with these contexts. Returns the schedule that applies. */
function saveDefaultSchedule(
  scope: Scope,
  subscriber: string,
  contextKeys: string[],
  schedule: SessionBody['defaultSchedule'],
) {
  const find = () =>
    findPreferences(scope, subscriber, contextKeys).get(globalPreferenceKey)?.schedule;
  if (schedule && !find()) updateGlobal(scope, subscriber, { schedule, contextKeys });
  return find();
}

/** Whether the hash is the HMAC of the text with one of the keys. */
const isHashOf = (keys: readonly string[], text: string, hash = ''): boolean =>
  keys.some((key) => isSameSecret(hash, createHmac('sha256', key).update(text).digest('hex')));

/** JSON with sorted members, as the hash of a context is computed. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

// Converts subscribers, topics and contexts of a response to the form of a state file. Replaces personal data, drops free
// data, and counts both.

import { isObject } from '../core/objects.ts';
import { plainNumbers } from '../environment/normal-form.ts';
import type { EnvironmentState, SubscriberState, TopicState } from '../sandbox/state/schema.ts';
import { subscriberRow } from '../service/schemas/subscribers.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import type { TopicSubscription } from './subscriptions.ts';

export type ContextState = NonNullable<EnvironmentState['contexts']>[number];

export interface GivenSubscriber {
  subscriberId: string;
  channels?: unknown;
  [field: string]: unknown;
}

export type PersonalDataFilter = ReturnType<typeof createPersonalDataFilter>;

/** Without `pseudonyms`, personal data is kept. */
export function createPersonalDataFilter({
  pseudonyms,
  keepData,
}: {
  pseudonyms: Pseudonyms | undefined;
  keepData: boolean;
}) {
  /** How many values were replaced, by kind. */
  const replaced = {
    subscriberIds: 0,
    names: 0,
    emails: 0,
    phones: 0,
    avatars: 0,
    topicKeys: 0,
    topicNames: 0,
    contextIds: 0,
  };
  /** How many values were dropped, by kind. */
  const dropped = {
    /** Subscribers with data. */
    subscriberData: 0,
    /** Contexts with data. */
    contextData: 0,
    /** Subscribers with credentials: device tokens and webhook addresses. */
    credentials: 0,
    /** Fields of subscribers that a state file cannot contain, such as an invalid time zone. */
    invalidFields: 0,
  };
  const replace = (
    kind: keyof typeof replaced,
    how: Exclude<keyof Pseudonyms, 'text'>,
    original: string,
  ) => {
    if (!pseudonyms || original === '') return original;
    const replacement = pseudonyms[how](original);
    if (replacement !== original) replaced[kind] += 1;
    return replacement;
  };
  const keptData = (data: unknown, kind: 'subscriberData' | 'contextData') => {
    if (!isObject(data) || Object.keys(data).length === 0) return undefined;
    if (keepData) return mapTexts(plainNumbers(data), pseudonyms?.text) as Record<string, unknown>;
    dropped[kind] += 1;
    return undefined;
  };
  return {
    replaced,
    dropped,
    subscriber(profile: GivenSubscriber): SubscriberState {
      const { subscriberId, channels, data } = profile;
      if (Array.isArray(channels) && channels.length > 0) dropped.credentials += 1;
      const fields = profileFields.flatMap(([field, kind, how]) => {
        const value = profile[field];
        if (value === undefined) return [];
        const isText = typeof value === 'string';
        const changed = isText && kind && how ? replace(kind, how, value) : value;
        if (subscriberRow.shape[field].safeParse(changed).success) return [[field, changed]];
        dropped.invalidFields += 1;
        return [];
      });
      const kept = keptData(data, 'subscriberData');
      return {
        subscriberId: replace('subscriberIds', 'identifier', subscriberId),
        ...Object.fromEntries(fields),
        ...(kept ? { data: kept } : {}),
      };
    },
    topic(
      key: string,
      name: string | null | undefined,
      subscriptions: readonly TopicSubscription[],
    ): TopicState {
      const isPlain = (subscription: object) => Object.keys(subscription).length === 1;
      const changed = (text: string) => pseudonyms?.identifier(text) ?? text;
      const others = subscriptions.filter((subscription) => !isPlain(subscription));
      return {
        key: replace('topicKeys', 'identifier', key),
        name: typeof name === 'string' ? replace('topicNames', 'identifier', name) : null,
        subscribers: subscriptions.filter(isPlain).map(({ subscriberId }) => changed(subscriberId)),
        ...(others.length > 0
          ? {
              subscriptions: others.map(({ subscriberId, ...rest }) => ({
                subscriberId: changed(subscriberId),
                ...(mapTexts(plainNumbers(rest), pseudonyms?.text) as object),
              })),
            }
          : {}),
      };
    },
    context({ type, id, data }: { type: string; id: string; data?: unknown }): ContextState {
      const kept = keptData(data, 'contextData');
      return { type, id: replace('contextIds', 'identifier', id), ...(kept ? { data: kept } : {}) };
    },
  };
}

/** The fields of a profile, and how each is replaced. */
const profileFields = [
  ['firstName', 'names', 'name'],
  ['lastName', 'names', 'name'],
  ['email', 'emails', 'email'],
  ['phone', 'phones', 'phone'],
  ['avatar', 'avatars', 'avatar'],
  ['locale', undefined, undefined],
  ['timezone', undefined, undefined],
] as const;

/** The value with other texts, also as the names of members. */
export function mapTexts(value: unknown, map: ((text: string) => string) | undefined): unknown {
  if (map === undefined) return value;
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isObject(value) || 'isLosslessNumber' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [map(name), mapTexts(inner, map)]),
  );
}

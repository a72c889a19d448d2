// Reads the query of a request as the service does: repeated keys and `key[]` are lists, numbers and flags are
// converted, and values that a listing ignores are left out.
import type { OperationId } from '../../api/operations/index.ts';

export type Query = Record<string, unknown>;

/** `tags=a&tags=b` and `tags[]=a` are lists, and `tags[x]=a` is an object; a single plain value is text. */
export function parseQuery(parameters: URLSearchParams): Query {
  const query: Query = Object.create(null);
  for (const key of new Set(parameters.keys())) {
    const [, name = key, member] = /^([^[]+)\[(\D[^\]]*)\]$/.exec(key) ?? [
      key,
      key.replace(/\[\d*\]$/, ''),
    ];
    const given = parameters.getAll(key);
    const values = [...toList(query[name]), ...given];
    const isList = name !== key || values.length > 1;
    if (member !== undefined) query[name] = { [member]: given[0] ?? '' };
    else query[name] = isList ? values : (values[0] ?? '');
  }
  return query;
}

/** Converts the values of a query. Returns a copy. */
export function normalizeQuery(id: OperationId, query: Query): Query {
  const converted = { ...query };
  for (const [name, convert] of Object.entries(converters[id] ?? {})) {
    if (!Object.hasOwn(query, name)) continue;
    const value = convert(query[name]);
    if (value === undefined) delete converted[name];
    else converted[name] = value;
  }
  return converted;
}

type Convert = (value: unknown) => unknown;

/** Empty text is ignored. */
const toListIfGiven: Convert = (value) => (value === '' ? undefined : toList(value));
const toList = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
/** Some listings reject every list, and others take a list with one value. */
const toSingleNumber: Convert = (value) => (Array.isArray(value) ? Number.NaN : Number(value));
const toNumber: Convert = (value) => Number(value);
/** Text that is not a number is ignored. */
const toNumberOrNone: Convert = (value) => {
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
};
/** Zero, and text that is not a number, stand for the default. Digits after the decimal point are ignored. */
const toLimitOrDefault: Convert = (value) => {
  if (Array.isArray(value)) return Number.NaN;
  const number = Number(value) || undefined;
  return number !== undefined && number > 1 ? Math.floor(number) : number;
};
/** Text that is not a number is rejected by the rules. */
const toLimit: Convert = (value) =>
  Number.isNaN(Number(value)) ? Number.NaN : toLimitOrDefault(Number(value));
const isTrue: Convert = (value) => value === 'true';
const isTrueIfGiven: Convert = (value) => (value === '' ? undefined : value === 'true');
/** Everything but `DESC` sorts upwards. */
const toDirection: Convert = (value) => (value === 'DESC' ? 'DESC' : 'ASC');
const knownOrder =
  (...orders: string[]): Convert =>
  (value) =>
    typeof value !== 'string' || orders.includes(value) ? value : undefined;

/** Everything but `ASC` sorts downwards. */
const toDescending: Convert = (value) => (value === 'ASC' ? 'ASC' : 'DESC');
const emptyToNone: Convert = (value) => (value === '' ? undefined : value);
const subscriptionsQuery: Record<string, Convert> = {
  limit: toLimit,
  orderDirection: toDescending,
  includeCursor: isTrue,
  after: emptyToNone,
  before: emptyToNone,
};

const cursorQuery = (...orders: string[]) => ({
  orderDirection: toDirection,
  orderBy: knownOrder(...orders),
  includeCursor: isTrue,
});

const converters: { [Id in OperationId]?: Record<string, Convert> } = {
  listTopics: {
    limit: toLimit,
    ...cursorQuery('_id', 'key', 'name', 'createdAt', 'updatedAt'),
  },
  listContexts: {
    limit: toLimitOrDefault,
    ...cursorQuery('createdAt', 'updatedAt', 'id', 'type'),
  },
  listWorkflows: { limit: toNumberOrNone, offset: toNumberOrNone },
  listLayouts: { limit: toNumberOrNone, offset: toNumberOrNone },
  listActivity: {
    page: toSingleNumber,
    limit: toSingleNumber,
    channels: toListIfGiven,
    templates: toListIfGiven,
    emails: toListIfGiven,
    subscriberIds: toListIfGiven,
    severity: toList,
    transactionId: toListIfGiven,
    contextKeys: (value) => toList(value).filter((key) => key !== ''),
  },
  listSubscribers: {
    limit: toLimitOrDefault,
    orderDirection: toDirection,
    includeCursor: isTrue,
    after: emptyToNone,
    before: emptyToNone,
  },
  listTopicSubscriptions: subscriptionsQuery,
  listSubscriberTopics: subscriptionsQuery,
  listSubscribersV1: { page: toSingleNumber, limit: toSingleNumber },
  getSubscriberV1: { includeTopics: isTrue },
  createSubscriber: { failIfExists: isTrue },
  createTopic: { failIfExists: isTrue },
  countInboxNotifications: {
    limit: (value) => toLimitOrDefault(Number(value)),
  },
  listMessages: {
    page: toNumber,
    limit: (value) => Math.floor(Number(value)),
    transactionId: toListIfGiven,
    contextKeys: (value) => toList(value).filter((key) => key !== ''),
  },
  listInboxNotifications: {
    page: toSingleNumber,
    limit: toSingleNumber,
    read: isTrueIfGiven,
    seen: isTrueIfGiven,
  },
};

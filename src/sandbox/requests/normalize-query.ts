// Reads the query of a request as the service does: repeated keys and `key[]` are lists, numbers and flags are
// converted, and values that a listing ignores are left out.
import type { OperationId } from '../../api/operations/index.ts';
import { badRequest } from '../http/http-error.ts';

export type Query = Record<string, unknown>;

/** `tags=a&tags=b` and `tags[]=a` are lists; a single plain value is text. */
export function parseQuery(parameters: URLSearchParams): Query {
  const query: Query = Object.create(null);
  for (const key of new Set(parameters.keys())) {
    const name = key.replace(/\[\d*\]$/, '');
    const values = [...toList(query[name]), ...parameters.getAll(key)];
    const isList = name !== key || values.length > 1;
    query[name] = isList ? values : (values[0] ?? '');
  }
  return query;
}

/** Converts the values of a query. Returns a copy. */
export function normalizeQuery(id: OperationId, query: Query, compat: boolean): Query {
  const converted = { ...query };
  const all = { ...converters[id], ...(compat ? {} : specified[id]) };
  for (const [name, convert] of Object.entries(all)) {
    if (!Object.hasOwn(query, name)) continue;
    const value = convert(query[name]);
    if (value === undefined) delete converted[name];
    else converted[name] = value;
  }
  return converted;
}

type Convert = (value: unknown) => unknown;

const toList = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
const toNumber: Convert = (value) => Number(value);
/** Text that is not a number is ignored. */
const toNumberOrNone: Convert = (value) => {
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
};
/** Zero, and text that is not a number, stand for the default. */
const toLimitOrDefault: Convert = (value) => {
  const number = Number(value);
  return Number.isNaN(number) || number <= 0 ? undefined : number;
};
const isTrue: Convert = (value) => value === 'true';
const isTrueIfGiven: Convert = (value) => (value === '' ? undefined : value === 'true');
/** Everything but `DESC` sorts upwards. */
const toDirection: Convert = (value) => (value === 'DESC' ? 'DESC' : 'ASC');
const knownOrder =
  (...orders: string[]): Convert =>
  (value) =>
    typeof value === 'string' && orders.includes(value) ? value : undefined;

/** Returns the stored format, UTC with milliseconds. A time without a zone is read as UTC. */
const toTime =
  (name: string): Convert =>
  (value) => {
    const text = String(value);
    const hasZone = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T');
    const date = new Date(hasZone ? text : `${text}Z`);
    if (Number.isNaN(date.getTime())) {
      throw badRequest(
        `Invalid date format for parameter '${name}': ${text}. Please provide a valid ISO 8601 date string.`,
        { hasNoContext: true },
      );
    }
    return date.toISOString();
  };

/** Everything but `ASC` sorts downwards. */
const toDescending: Convert = (value) => (value === 'ASC' ? 'ASC' : 'DESC');
const emptyToNone: Convert = (value) => (value === '' ? undefined : value);
/** A whole number; zero, and text that is not a number, stand for the default. */
const toWholeOrNone: Convert = (value) => Number.parseInt(String(value), 10) || undefined;
const subscriptionsQuery: Record<string, Convert> = {
  limit: (value) => (Number(value) === 0 ? undefined : Number(value)),
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
    // The rule for the limit comes first, so that text is rejected; zero stands for the default.
    limit: (value) => (Number(value) <= 0 ? undefined : Number(value)),
    ...cursorQuery('_id', 'key', 'name', 'createdAt', 'updatedAt'),
  },
  listContexts: {
    limit: toLimitOrDefault,
    ...cursorQuery('createdAt', 'updatedAt', 'id', 'type'),
  },
  listWorkflows: { limit: toNumberOrNone, offset: toNumberOrNone },
  listLayouts: { limit: toNumberOrNone, offset: toNumberOrNone },
  listActivity: {
    page: toNumber,
    limit: toNumber,
    channels: toList,
    templates: toList,
    emails: toList,
    subscriberIds: toList,
    severity: toList,
    transactionId: toList,
    after: toTime('after'),
    before: toTime('before'),
    contextKeys: (value) => toList(value).filter((key) => key !== ''),
  },
  listSubscribers: {
    limit: toWholeOrNone,
    orderDirection: toDirection,
    includeCursor: isTrue,
    after: emptyToNone,
    before: emptyToNone,
  },
  listTopicSubscriptions: subscriptionsQuery,
  listSubscriberTopics: subscriptionsQuery,
  createSubscriber: { failIfExists: isTrue },
  createTopic: { failIfExists: isTrue },
  countInboxNotifications: { limit: toWholeOrNone },
  listMessages: {
    page: toNumber,
    limit: toNumber,
    transactionId: toList,
    contextKeys: (value) => toList(value).filter((key) => key !== ''),
  },
  listInboxNotifications: {
    page: toNumber,
    limit: toNumber,
    read: isTrueIfGiven,
    seen: isTrueIfGiven,
  },
};

/** By the specification, a list may be a single plain value, which the service rejects. */
const specified: { [Id in OperationId]?: Record<string, Convert> } = {
  listWorkflows: { tags: toList, status: toList },
};

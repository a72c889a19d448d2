// The checks of the service on contexts, integrations, environments and topics that the specification does not have.

import { isObject as isObjectValue } from '../../core/objects.ts';
import { limits } from '../limits.ts';
import type { OperationId } from '../operations/index.ts';
import { integrationCredentialsBody } from '../schemas/integrations.ts';
import { channelTypes } from '../schemas/vocabulary.ts';
import * as rules from './rules.ts';
import { type Fields, nested, optional, type RequestRules, type Rule, required } from './rules.ts';

const { isArray, isBoolean, isDefined, isNotEmpty, isObject, isString } = rules;

const textLength = (value: unknown) => (typeof value === 'string' ? value.length : undefined);
const isLongest = (count: number): Rule =>
  rules.satisfies(
    (value) => (textLength(value) ?? Number.POSITIVE_INFINITY) <= count,
    (name) => `${name} must be shorter than or equal to ${count} characters`,
  );
const isShortest = (count: number): Rule =>
  rules.satisfies(
    (value) => (textLength(value) ?? -1) >= count,
    (name) => `${name} must be longer than or equal to ${count} characters`,
  );

/** One message, for a value that is too long, too short, or without a length. */
const hasLength =
  (least: number, most: number): Rule =>
  (value, name) => {
    const length = textLength(value);
    if (length !== undefined && length >= least && length <= most) return undefined;
    const longer = `${name} must be longer than or equal to ${least}`;
    const shorter = `shorter than or equal to ${most} characters`;
    const items = Array.isArray(value) ? value.length : length;
    if (!value || (items !== undefined && items < least)) return `${longer} characters`;
    return items !== undefined && items > most
      ? `${name} must be ${shorter}`
      : `${longer} and ${shorter}`;
  };

const contextPart = (label: string) =>
  required(
    isDefined(),
    rules.matches(
      /^[a-zA-Z0-9_-]+$/,
      () => `${label} must be lowercase alphanumeric with optional ., _, or - separators`,
    ),
    isLongest(limits.contextName),
    isShortest(1),
    isString(),
  );

const sizeOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
const isSmall: Rule = (value) =>
  sizeOf(value) <= limits.contextData
    ? undefined
    : `Data is too large: ${Math.round(sizeOf(value) / 1024)}KB exceeds ${limits.contextData / 1024}KB limit`;
const isContextData = rules.satisfies(isObjectValue, () => 'Context data must be an object');

/** Only one message for data that is missing. */
const isDataIfGiven: Rule = (value, name, context) =>
  value === undefined || value === null ? undefined : isContextData(value, name, context);

const flags = new Set(['secure', 'requireTls', 'ignoreTls', 'hmac', 'authenticateByToken']);
const credentialFields: Fields = Object.fromEntries(
  Object.keys(integrationCredentialsBody.shape).map((name) => [
    name,
    optional(flags.has(name) ? isBoolean : name === 'tlsOptions' ? isObject : isString()),
  ]),
);
/** The members that an integration is created and updated with. */
const integrationNames: Fields = {
  name: optional(isString()),
  identifier: optional(isString()),
  _environmentId: optional(rules.isObjectId()),
};
const integrationSettings: Fields = {
  credentials: nested(credentialFields),
  active: optional(isBoolean),
  check: optional(isBoolean),
  conditions: { ...nested({}, isArray), isList: true },
  configurations: optional(isObject),
};

const subscriptionsQuery = (filter: string): RequestRules => {
  const texts = ['after', 'before', 'orderBy', filter].map((name) => [name, optional(isString())]);
  return {
    query: {
      fields: { ...Object.fromEntries(texts), limit: optional(rules.max(limits.page.default)) },
    },
  };
};

export const resourceRules: { [Id in OperationId]?: RequestRules } = {
  createContext: {
    body: {
      fields: {
        type: contextPart('Type'),
        id: contextPart('ID'),
        data: optional(isContextData, isSmall),
      },
    },
  },
  updateContext: {
    body: {
      fields: { data: required(isDefined(), isDataIfGiven, isSmall) },
    },
  },
  createIntegration: {
    body: {
      fields: {
        ...integrationNames,
        providerId: required(isDefined(), isString()),
        channel: required(isDefined(), rules.isOneOf(channelTypes)),
        ...integrationSettings,
      },
    },
  },
  updateIntegration: { body: { fields: { ...integrationNames, ...integrationSettings } } },
  updateEnvironment: {
    body: {
      fields: {
        name: optional(isString()),
        identifier: optional(isString()),
        parentId: optional(rules.isObjectId()),
        color: optional(
          rules.matches(
            /^#?(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
            (name) => `${name} must be a hexadecimal color`,
          ),
        ),
      },
    },
  },
  createTopic: {
    body: {
      fields: {
        key: required(hasLength(1, 100), isNotEmpty, isString()),
        name: optional(hasLength(0, 100), isString()),
      },
    },
  },
  listTopicSubscriptions: subscriptionsQuery('subscriberId'),
  listSubscriberTopics: subscriptionsQuery('key'),
  unsubscribeFromTopic: {
    body: {
      fields: {
        subscriberIds: required(
          isDefined(),
          rules.hasItems('At least one subscriber identifier is required'),
          rules.hasAtMost(
            limits.subscribersPerTopicRequest,
            `Cannot unsubscribe more than ${limits.subscribersPerTopicRequest} subscribers at once`,
          ),
          isArray,
        ),
      },
    },
  },
};

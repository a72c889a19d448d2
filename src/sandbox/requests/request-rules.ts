// The checks of the service on the query and body of each operation. `fields` are checked together and reported as
// "Validation Error"; `deep` ones only if those are valid, and reported by field as "Validation failed".
import type { OperationId } from '../../api/operations/index.ts';
import { channelProviders } from '../../api/schemas/providers.ts';
import {
  channelTypes,
  criticalities,
  markStates,
  orderDirections,
  severities,
  workflowOrders,
  workflowStatuses,
} from '../../api/schemas/vocabulary.ts';
import { definitionRules } from './definition-rules.ts';
import { peopleRules } from './people-rules.ts';
import { profileFields } from './profile-rules.ts';
import { resourceRules } from './resource-rules.ts';
import * as rules from './rules.ts';
import { type Fields, optional, type RequestRules, required } from './rules.ts';
import { scheduleFields } from './schedule-rules.ts';

const { isArray, isBoolean, isDefined, isInteger, isNotEmpty, isObject, isString, max, min } =
  rules;

const page = optional(min(0), isInteger);
const limit = (greatest: number) => optional(max(greatest), min(1), isInteger);

const subscriberFields: Fields = {
  ...profileFields,
  subscriberId: required(
    isDefined(),
    rules.satisfies(
      (value) => value !== undefined && value !== null && value !== '',
      () => 'SubscriberId is required',
    ),
    isString(),
  ),
  channels: optional(isArray),
};

/** The service fails with 500 for another value, and makes a list of a text. */
const credentialFields: Fields = {
  deviceTokens: optional(
    rules.satisfies(
      (value) => Array.isArray(value) || typeof value === 'string',
      (name) => `${name} must be an array`,
    ),
  ),
};

const texts = (...names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, optional(isString())]));

const messageIds =
  'messageId must be a valid MongoDB ObjectId or an array of valid MongoDB ObjectIds';

export const requestRules: { [Id in OperationId]?: RequestRules } = {
  ...definitionRules,
  ...peopleRules,
  ...resourceRules,
  listTopics: {
    query: { fields: { limit: optional(max(100)), ...texts('after', 'before', 'key', 'name') } },
  },
  renameTopic: { body: { fields: { name: required(isNotEmpty, isString()) } } },
  subscribeToTopic: {
    body: {
      fields: {
        subscriberIds: required(
          isDefined(),
          rules.hasItems('At least one subscriber identifier is required'),
          rules.hasAtMost(100, 'Cannot subscribe more than 100 subscribers at once'),
          isArray,
        ),
      },
    },
  },
  listContexts: { query: { deep: { limit: limit(100) } } },
  listWorkflows: {
    query: {
      fields: {
        limit: optional(min(1), isInteger),
        offset: optional(min(0), isInteger),
        orderDirection: optional(rules.isOneOf(orderDirections)),
        orderBy: optional(rules.isOneOf(workflowOrders)),
        tags: optional(rules.areStrings, isArray),
        status: optional(isArray, rules.areOneOf(workflowStatuses)),
      },
    },
  },
  listActivity: {
    query: {
      fields: {
        severity: optional(rules.areOneOf(severities)),
        page,
        limit: limit(50),
        ...texts('topicKey', 'search'),
      },
      deep: {
        channels: optional(rules.areOneOf(channelTypes)),
        templates: optional(rules.areObjectIds),
      },
    },
  },
  listInboxNotifications: { query: { fields: { page, limit: limit(100) } } },
  markInboxNotifications: {
    body: {
      fields: {
        messageId: required(
          isDefined(),
          rules.satisfies(areMessageIds, () => messageIds),
        ),
        markAs: required(isDefined(), rules.isOneOf(markStates)),
      },
    },
  },
  bulkCreateSubscribers: {
    body: {
      fields: {
        subscribers: { ...required(rules.hasItems(), isArray), fields: subscriberFields },
      },
      deep: { subscribers: required(rules.hasAtMost(500)) },
    },
  },
  triggerEvents: {
    body: {
      deep: {
        events: required(rules.hasAtMost(100), rules.hasItems(), isArray),
      },
    },
  },
  setSubscriberCredentials: {
    body: {
      fields: {
        providerId: required(
          isDefined(),
          rules.isOneOf(channelProviders, 'providerId must be a valid provider ID'),
        ),
        integrationIdentifier: optional(isString()),
        credentials: { ...required(isDefined(), isObject), fields: credentialFields },
      },
    },
  },
  getSubscriberPreferences: {
    query: { fields: { criticality: optional(rules.isOneOf(criticalities)) } },
  },
  updateSubscriberPreferences: {
    body: {
      fields: { workflowId: optional(isString()), schedule: { rules: [], fields: scheduleFields } },
    },
  },
  createEnvironment: {
    body: {
      fields: {
        name: required(
          isDefined('Environment name is required'),
          isString('Environment name must be a string'),
        ),
        parentId: optional(rules.isObjectId('Parent ID must be a valid MongoDB ObjectId')),
        color: required(
          isDefined('Environment color is required'),
          rules.matches(
            /^#?(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
            () => 'Color must be a valid hex color code',
          ),
        ),
      },
    },
  },
};

/** The channels of a preference update are checked one by one, each under its own name. */
export const preferenceChannels: Fields = Object.fromEntries(
  channelTypes.map((channel) => [channel, optional(isBoolean)]),
);

function areMessageIds(value: unknown): boolean {
  const ids = Array.isArray(value) ? value : [value];
  return ids.length > 0 && ids.every((id) => typeof id === 'string' && /^[0-9a-f]{24}$/i.test(id));
}

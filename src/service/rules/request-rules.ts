// The checks of the service on the query and body of each operation. `fields` are checked together and reported as
// "Validation Error"; `deep` ones only if those are valid, and reported by field as "Validation failed".

import { isObject as isObjectValue } from '../../core/objects.ts';
import { limits } from '../limits.ts';
import type { OperationId } from '../operations/index.ts';
import {
  channelTypes,
  criticalities,
  markStates,
  orderDirections,
  severities,
  workflowOrders,
  workflowStatuses,
} from '../schemas/vocabulary.ts';
import { definitionRules } from './definition-rules.ts';
import { peopleRules } from './people-rules.ts';
import { credentialFields, subscriberFields } from './profile-rules.ts';
import { resourceRules } from './resource-rules.ts';
import * as rules from './rules.ts';
import { type Fields, nested, optional, type RequestRules, required } from './rules.ts';
import { scheduleFields } from './schedule-rules.ts';

const { isArray, isBoolean, isDefined, isInteger, isNotEmpty, isObject, isString, max, min } =
  rules;
const { offsetPaging, pageSize } = rules;

const page = optional(min(0), isInteger);
/** The service fails with 500 for a negative page. */
const feedPage = optional(
  (value, name, context) => (Number.isInteger(value) ? min(0)(value, name, context) : undefined),
  isInteger,
);
const limit = (greatest: number) => optional(max(greatest), min(1), isInteger);

/** The service fails with 500 for another value, and makes a list of a text. */
const hasTokenList: rules.Rule = (value, name) => {
  const tokens: unknown = isObjectValue(value) ? (value.deviceTokens ?? []) : [];
  return Array.isArray(tokens) || typeof tokens === 'string'
    ? undefined
    : `${name}.deviceTokens must be an array`;
};

/** For an unknown severity, the service has no text. */
const isSeverity: rules.Rule = (value, name, context) => {
  const message = rules.areOneOf(severities)(value, name, context);
  return message === undefined ? undefined : '';
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
    query: {
      fields: {
        ...texts('key', 'name', 'after', 'before'),
        limit: optional(max(limits.page.default)),
        ...texts('orderBy'),
      },
      deep: { limit: pageSize },
    },
  },
  renameTopic: { body: { fields: { name: required(isNotEmpty, isString()) } } },
  subscribeToTopic: {
    body: {
      fields: {
        subscriberIds: required(
          isDefined(),
          rules.hasItems('At least one subscriber identifier is required'),
          rules.hasAtMost(
            limits.subscribersPerTopicRequest,
            `Cannot subscribe more than ${limits.subscribersPerTopicRequest} subscribers at once`,
          ),
          isArray,
        ),
      },
    },
  },
  listContexts: {
    query: {
      fields: texts('type', 'id', 'search', 'after', 'before', 'orderBy'),
      deep: { limit: pageSize },
    },
  },
  listWorkflows: {
    query: {
      fields: {
        ...texts('query'),
        tags: optional(rules.areStrings, isArray),
        status: optional(rules.areOneOf(workflowStatuses), isArray),
        ...offsetPaging,
        orderDirection: optional(rules.isOneOf(orderDirections)),
        orderBy: optional(rules.isOneOf(workflowOrders), isString()),
      },
    },
  },
  listActivity: {
    query: {
      fields: {
        severity: optional(isSeverity),
        page,
        limit: limit(limits.page.activity),
        ...texts('topicKey'),
      },
      deep: {
        channels: optional(rules.areOneOf(channelTypes)),
        templates: optional(rules.areObjectIds),
        ...texts('search', 'after', 'before'),
      },
    },
  },
  listInboxNotifications: {
    query: {
      fields: { page: feedPage, limit: limit(limits.page.default) },
      deep: texts('payload'),
    },
  },
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
        subscribers: {
          ...required(rules.hasItems(), isArray),
          fields: subscriberFields,
          isList: true,
        },
      },
      deep: { subscribers: required(rules.hasAtMost(limits.subscribersPerRequest)) },
    },
  },
  triggerEvents: {
    body: {
      deep: {
        events: required(rules.hasAtMost(limits.eventsPerRequest), rules.hasItems(), isArray),
      },
    },
  },
  setSubscriberCredentials: {
    body: {
      fields: credentialFields(isObject, hasTokenList),
    },
  },
  getSubscriberPreferences: {
    query: { fields: { criticality: optional(rules.isOneOf(criticalities)) } },
  },
  updateSubscriberPreferences: {
    body: {
      fields: { schedule: nested(scheduleFields) },
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

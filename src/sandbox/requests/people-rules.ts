// The checks of the service on subscribers, messages and events that the specification does not have.
import type { OperationId } from '../../api/operations/index.ts';
import { channelProviders } from '../../api/schemas/providers.ts';
import { profileFields } from './profile-rules.ts';
import * as rules from './rules.ts';
import { type Fields, optional, type RequestRules, required } from './rules.ts';

const { isArray, isDefined, isObject, isString, max, min } = rules;

const isNotBlank = rules.satisfies(
  (value) =>
    typeof value !== 'string' ? value !== undefined && value !== null : value.trim() !== '',
  () => 'SubscriberId is required',
);
const isNumber = rules.satisfies(
  (value) => typeof value === 'number' && Number.isFinite(value),
  (name) => `${name} must be a number conforming to the specified constraints`,
);
const channelIds = ['in_app', 'email', 'sms', 'chat', 'push'];

const isContext = rules.satisfies(
  isContextValue,
  () =>
    'Invalid context payload structure. Expected object with context types as keys and string IDs or {id, data} objects as values',
);

function isContextValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (one: unknown) =>
      typeof one === 'string' ||
      (typeof one === 'object' && one !== null && typeof Reflect.get(one, 'id') === 'string'),
  );
}

const eventFields = (payload: rules.Field): Fields => ({
  name: required(isDefined(), isString()),
  payload,
  bridgeUrl: optional(isString()),
  overrides: optional(isObject),
});

export const peopleRules: { [Id in OperationId]?: RequestRules } = {
  listSubscribers: {
    query: {
      fields: {
        email: optional(isString()),
        name: optional(isString()),
        phone: optional(isString()),
        subscriberId: optional(isString()),
      },
      deep: { limit: optional(max(100), min(1)) },
    },
  },
  createSubscriber: {
    body: {
      fields: { ...profileFields, subscriberId: required(isDefined(), isNotBlank, isString()) },
    },
  },
  updateSubscriber: { body: { fields: profileFields } },
  updateManyPreferences: {
    body: {
      fields: {
        preferences: {
          ...required(isDefined(), rules.hasAtMost(100), isArray),
          fields: {
            workflowId: required(isDefined(), isString()),
            // The service fails with 500 without them.
            channels: required(isObject),
          },
        },
      },
    },
  },
  replaceSubscriberCredentials: {
    body: {
      fields: {
        providerId: required(
          isDefined(),
          rules.isOneOf(channelProviders, 'providerId must be a valid provider ID'),
        ),
        integrationIdentifier: optional(isString()),
        credentials: required(isDefined(), isObject),
      },
    },
  },
  countInboxNotifications: { query: { deep: { limit: optional(max(1000)) } } },
  markAllInboxNotifications: { body: { deep: { markAs: required(isDefined()) } } },
  listMessages: {
    query: {
      fields: { page: optional(isNumber), limit: optional(isNumber) },
    },
  },
  deleteTransactionMessages: {
    query: { fields: { channel: optional(rules.isOneOf(channelIds)) } },
  },
  triggerEvent: {
    body: {
      fields: {
        ...eventFields(optional(isObject)),
        to: required(isDefined()),
        transactionId: optional(isString()),
        context: optional(isContext),
      },
    },
  },
  broadcastEvent: {
    body: {
      fields: {
        ...eventFields(required(isObject)),
        transactionId: optional(isString()),
        context: optional(isContext),
      },
    },
  },
};

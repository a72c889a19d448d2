// The checks of the service on subscribers, messages and events that the specification does not have.

import { limits } from '../limits.ts';
import type { OperationId } from '../operations/index.ts';
import { channelTypes } from '../schemas/vocabulary.ts';
import { eventFields } from './event-rules.ts';
import {
  createdSubscriberFields,
  credentialFields,
  profileFields,
  subscriberFields,
} from './profile-rules.ts';
import * as rules from './rules.ts';
import { optional, type RequestRules, required } from './rules.ts';

const { isArray, isBoolean, isDefined, isInteger, isNumber, isObject, isString, max, min } = rules;

const isGiven = rules.satisfies(
  (value) => value !== undefined && value !== null,
  (name) => `${name} must be an object`,
);

const cursorTexts = Object.fromEntries(
  ['after', 'before', 'orderBy'].map((name) => [name, optional(isString())]),
);

export const peopleRules: { [Id in OperationId]?: RequestRules } = {
  listSubscribers: {
    query: {
      fields: {
        email: optional(isString()),
        name: optional(isString()),
        phone: optional(isString()),
        subscriberId: optional(isString()),
        ...cursorTexts,
      },
      deep: { limit: rules.pageSize },
    },
  },
  createSubscriber: {
    body: { fields: createdSubscriberFields },
  },
  updateSubscriber: { body: { fields: profileFields } },
  setNotificationAction: {
    body: { fields: { status: required(isDefined(), isString()) } },
  },
  setOnlineStatus: { body: { fields: { isOnline: required(isDefined(), isBoolean) } } },
  listSubscribersV1: {
    query: {
      fields: {
        page: optional(isInteger),
        limit: optional(max(limits.page.default), min(1), isInteger),
      },
    },
  },
  createSubscriberV1: { body: { fields: subscriberFields } },
  updateSubscriberV1: {
    body: { fields: { channels: optional(isArray), ...profileFields } },
  },
  updateManyPreferences: {
    body: {
      fields: {
        preferences: {
          ...required(isDefined(), rules.hasAtMost(limits.preferencesPerRequest), isArray),
          fields: {
            workflowId: required(isDefined(), isString()),
            // The service fails with 500 without them.
            channels: required(isGiven),
          },
          isList: true,
        },
      },
    },
  },
  replaceSubscriberCredentials: {
    body: {
      fields: credentialFields(isObject),
    },
  },
  countInboxNotifications: {
    query: { deep: { limit: optional(max(limits.page.messages), min(1)) } },
  },
  markAllInboxNotifications: { body: { deep: { markAs: required(isDefined()) } } },
  listMessages: {
    query: {
      fields: { page: optional(isNumber), limit: optional(isNumber) },
    },
  },
  deleteTransactionMessages: {
    query: { fields: { channel: optional(rules.isOneOf(channelTypes)) } },
  },
  triggerEvent: { body: { fields: eventFields(optional(isObject), required(isDefined())) } },
  broadcastEvent: { body: { fields: eventFields(required(isObject)) } },
};

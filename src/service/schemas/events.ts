// Event triggers and their results (sections "Endpoints: Events" and "Events" of the specification).

import { z } from 'zod';
import { isObject as isObjectValue } from '../../core/objects.ts';
import { limits } from '../limits.ts';
import { checked, checksOfList, readFields, withSecondStage } from '../rules/checked.ts';
import { contextMessage } from '../rules/event-contexts.ts';
import {
  type Field,
  type Fields,
  hasAtMost,
  hasItems,
  inVersions,
  isArray,
  isDefined,
  isNotEmpty,
  isObject,
  isString,
  nested,
  optional,
  required,
  rule,
} from '../rules/rules.ts';
import type { Lifetime } from '../versions.ts';
import { unionError } from './plain-messages.ts';
import { subscriberRow } from './subscribers.ts';
import {
  checkedName,
  checkedText,
  filledList,
  jsonObject,
  nonEmptyText,
  openEnum,
  requiredName,
} from './values.ts';
import { triggerStatuses } from './vocabulary.ts';

/** A subscriber object: the service creates or updates the subscriber before the workflow runs. */
const subscriberRecipient = subscriberRow;

/** All subscribers of a topic, except the excluded subscriber ids. */
const topicRecipient = z.strictObject({
  type: z.literal('Topic', { error: 'not "Topic"' }),
  topicKey: nonEmptyText,
  exclude: z.array(nonEmptyText).optional(),
});

const recipientForms = 'not a subscriber id, a subscriber object or a topic {type, topicKey}';

export const recipient = z.union([nonEmptyText, subscriberRecipient, topicRecipient], {
  error: unionError(recipientForms),
});

/** One recipient, or a list of 1 to 100 recipients. */
export const recipients = z.union(
  [
    nonEmptyText,
    subscriberRecipient,
    topicRecipient,
    z
      .array(recipient)
      .min(1, 'no recipients: at least 1 is needed')
      .max(
        limits.recipientsPerEvent,
        `too many recipients: at most ${limits.recipientsPerEvent} in an event`,
      ),
  ],
  { error: unionError(`${recipientForms}, or a list of them`) },
);

const contextValue = z.union(
  [nonEmptyText, z.strictObject({ id: nonEmptyText, data: jsonObject.optional() })],
  { error: unionError('not a context id or {id, data}') },
);

/** Maps each context type to a context id or object. At most 5 entries. */
const triggerContext = z
  .record(z.string(), contextValue, { error: 'not an object of context ids by type' })
  .refine(
    (contexts) => Object.keys(contexts).length <= limits.contextsPerEvent,
    `too many contexts: at most ${limits.contextsPerEvent}`,
  )
  .meta({ maxProperties: limits.contextsPerEvent });

const tenant = z.looseObject({ identifier: nonEmptyText });
const idOr = (fields: Fields): Field => ({ ...nested(fields), isTextAllowed: true });

/** Since this version, one invalid event makes the whole request invalid. */
const strict: Lifetime = { since: '3.17' };

const isRecipient = (value: unknown): boolean => {
  if (typeof value === 'string') return value !== '';
  if (!isObjectValue(value)) return false;
  const isTopic = value.type === 'Topic' || !('subscriberId' in value);
  const id = isTopic ? value.topicKey : value.subscriberId;
  return typeof id === 'string' && id !== '';
};

const isReadable = inVersions(
  strict,
  rule(
    (to) => (Array.isArray(to) ? to.length > 0 && to.every(isRecipient) : isRecipient(to)),
    (name) =>
      `${name} must be a non-empty subscriberId string, an object with a non-empty subscriberId, a topic object with a non-empty topicKey, or a non-empty array of those`,
  ),
);

const eventMembers = {
  bridgeUrl: checkedText,
  overrides: checked(jsonObject.optional(), optional(isObject)),
  agentId: checked(z.string().nullable().optional(), {
    rules: [isNotEmpty, isString()],
    versions: { since: '3.19' },
  }),
  to: recipients.optional(),
  transactionId: checkedName,
  actor: checked(
    z
      .union([nonEmptyText, subscriberRecipient], {
        error: unionError('not a subscriber id or a subscriber object'),
      })
      .optional(),
    idOr(readFields(subscriberRow)),
  ),
  tenant: checked(
    z
      .union([nonEmptyText, tenant], {
        error: unionError('not a tenant identifier or an object with one'),
      })
      .optional(),
    idOr({ identifier: optional(isString()), name: optional(isString()) }),
  ),
  context: checked(triggerContext.optional(), optional(contextMessage)),
};

const listedEvent = z.strictObject({
  name: requiredName,
  payload: checked(jsonObject.optional(), optional(isObject)),
  ...eventMembers,
});

/** One event. `name` is the identifier of the workflow; the keys of `overrides` are provider ids. */
export const triggerEvent = listedEvent.omit({ agentId: true, bridgeUrl: true });

const strictEvent = z.strictObject({
  name: requiredName,
  payload: triggerEvent.shape.payload,
  ...eventMembers,
  to: checked(recipients, required(isDefined(), isReadable)),
});

/** Body of POST `/v1/events/trigger/bulk`: 1 to 100 events. Older versions check each event on its own. */
export const bulkTriggerBody = withSecondStage(
  z.strictObject({
    events: checked(filledList(listedEvent, 'events', limits.eventsPerRequest), {
      ...checksOfList(required(hasItems(), isArray), strictEvent),
      versions: strict,
    }),
  }),
  'ProcessBulkTriggerCommand',
  { events: required(hasAtMost(limits.eventsPerRequest), hasItems(), isArray) },
);

export const triggerResult = z.looseObject({
  acknowledged: z.boolean(),
  status: openEnum(triggerStatuses),
  error: z.array(z.string()).optional(),
  transactionId: z.string().optional(),
});

/** One result for each event, in order. */
export const triggerResponse = z.array(triggerResult);

/** True if the transaction had jobs that could be canceled. */
export const cancelResponse = z.boolean();

export const singleEvent = strictEvent;

export const broadcastBody = z
  .strictObject({
    name: requiredName,
    payload: checked(jsonObject, required(isObject)),
    ...eventMembers,
  })
  .omit({ to: true });

export type Recipient = z.input<typeof recipient>;
export type TriggerResult = z.output<typeof triggerResult>;

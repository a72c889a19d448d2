// Requests of an inbox client, which has the session of one subscriber.
import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  checked,
  checkedObject,
  checksOfList,
  convertIn,
  isTrue,
  parameter,
  toListIfGiven,
  toSingleNumber,
} from '../rules/checked.ts';
import { contextMessage } from '../rules/event-contexts.ts';
import {
  areObjectIds,
  areStrings,
  hasAtMost,
  isArray,
  isBoolean,
  isDefined,
  isInteger,
  isObject,
  isObjectId,
  isOneOf,
  isString,
  max,
  min,
  optional,
  type Rule,
  required,
  rule,
} from '../rules/rules.ts';
import { listConnectionsQuery } from './channels.ts';
import { scheduleMember } from './preferences.ts';
import { named, subscriptionChoice } from './topics.ts';
import { checkedFlag, checkedText, jsonObject, requiredText } from './values.ts';
import {
  buttonTypes,
  type Channel,
  channelOrders,
  criticalities,
  severities,
} from './vocabulary.ts';

/** A rule for the values of a list, which anything but a list breaks, too. */
const each =
  (ofList: Rule): Rule =>
  (value, name, context) =>
    ofList(Array.isArray(value) ? value : Number.NaN, name, context);

/** One severity or a list of them. The service reports another value without a text. */
const severity = checked(
  z.union([z.string(), z.array(z.string())]).optional(),
  optional(
    rule(
      (value) => [value].flat().every((item) => (severities as readonly unknown[]).includes(item)),
      () => '',
    ),
  ),
);

/**
 * Tags of which a notification has one. Clients of later versions of the service also send lists of lists: it has one of
 * each.
 */
const tagFilter = z.unknown().optional();
const areTags: Rule = (value, name, context) =>
  Array.isArray(value) && value.every(Array.isArray)
    ? areStrings(value.flat(), name, context)
    : each(areStrings)(value, name, context);
/** Later versions take a single text as a list. */
const toTags = convertIn({ since: '3.15' }, (value) =>
  typeof value === 'string' ? [value] : value,
);
const tags = parameter(tagFilter, toTags, optional(areTags, isArray));

const flagParameter = parameter(z.boolean().optional(), isTrue, optional(isBoolean));
const time = parameter(z.number().optional(), toSingleNumber, optional(isInteger));

/** `data` is a JSON object; `after` is the id of a notification. */
export const notificationsQuery = z.strictObject({
  tags,
  read: flagParameter,
  archived: flagParameter,
  snoozed: flagParameter,
  seen: flagParameter,
  data: checkedText,
  severity,
  createdGte: time,
  createdLte: time,
  limit: parameter(
    z.number().optional(),
    toSingleNumber,
    optional(max(limits.page.default), min(1), isInteger),
  ),
  after: checked(
    z.string().optional(),
    optional(isObjectId('The after cursor must be a valid MongoDB ObjectId')),
  ),
  offset: parameter(z.number().optional(), toSingleNumber, optional(min(0), isInteger)),
});

const countFilter = z.looseObject({
  tags: checked(tagFilter, optional(areTags, isArray)),
  read: checkedFlag,
  archived: checkedFlag,
  snoozed: checkedFlag,
  seen: checkedFlag,
  severity,
  contextKeys: checked(z.array(z.string()).optional(), optional(each(areStrings), isArray)),
});

/** After its JSON text is read. */
export const notificationCountQuery = z.strictObject({
  filters: checked(
    z.array(countFilter),
    checksOfList(required(isDefined(), hasAtMost(limits.inboxCounts), isArray), countFilter),
  ),
});

const tagList = checked(z.array(z.string()).optional(), optional(each(areStrings), isArray));

/** Body of the requests that change all notifications with certain tags or data. */
export const changeAllBody = z.strictObject({ tags: tagList, data: checkedText });

export const seenBody = z.strictObject({
  notificationIds: checked(z.array(z.string()).optional(), optional(each(areObjectIds), isArray)),
  tags: tagList,
  data: checkedText,
});

/** The time depends on the clock, so the handler checks it. */
export const snoozeBody = z.strictObject({ snoozeUntil: z.unknown() });

export const buttonBody = z.strictObject({
  actionType: checked(z.enum(buttonTypes), required(isDefined(), isOneOf(buttonTypes))),
});

export const inboxPreferencesQuery = z.strictObject({
  criticality: checked(z.enum(criticalities).optional(), optional(isOneOf(criticalities))),
  tags: checked(z.array(z.string()).optional(), optional(each(areStrings), isArray)),
  severity,
});

const channelMembers = Object.fromEntries(
  channelOrders.workflowPreferences.map((channel) => [channel, checkedFlag]),
) as Record<Channel, typeof checkedFlag>;

/** Of a workflow, for a subscription to a topic. */
const choiceMembers = {
  enabled: checked(z.boolean().optional(), { ...optional(isBoolean), versions: named }),
  condition: checked(jsonObject.nullable().optional(), { ...optional(isObject), versions: named }),
};

export const changePreferencesBody = z.strictObject({
  ...channelMembers,
  schedule: scheduleMember,
  ...choiceMembers,
});

const changeOfWorkflow = z.strictObject({
  workflowId: requiredText,
  subscriptionIdentifier: checked(z.string().optional(), {
    ...optional(isString()),
    versions: named,
  }),
  ...channelMembers,
  ...choiceMembers,
});

export const changeManyPreferencesBody = z.strictObject({
  preferences: checked(
    z.array(changeOfWorkflow),
    checksOfList(required(isDefined(), isArray), changeOfWorkflow),
  ),
});

// The subscriptions and channels of the subscriber of a session.

/** Unlike with an API key, a text stands for a workflow. */
const preferences = checked(
  z.array(z.union([z.string(), subscriptionChoice])).optional(),
  optional(isArray),
);

const isShort = rule(
  (value) => typeof value === 'string' && value.length <= limits.subscriptionIdentifier,
  () => `Subscription identifier must not exceed ${limits.subscriptionIdentifier} characters`,
);

/** Body of POST `/v1/inbox/topics/{topicKey}/subscriptions`. The service makes an identifier if it is absent. */
export const ownSubscriptionBody = z.strictObject({
  identifier: checked(z.string().optional(), optional(isShort, isString())),
  name: checkedText,
  topic: checkedObject(z.strictObject({ name: checkedText })),
  preferences,
});

/** The preferences replace all. */
export const updateOwnSubscriptionBody = z.strictObject({ name: checkedText, preferences });

const texts = parameter(z.array(z.string()).optional(), toListIfGiven, optional(areStrings));

/** The response also has the preferences for these workflows, and for those with one of the tags. */
export const ownSubscriptionQuery = z.strictObject({ workflowIds: texts, tags: texts });

export const ownConnectionQuery = listConnectionsQuery.pick({ connectionMode: true });

export { listConnectionsQuery, listEndpointsQuery } from './channels.ts';

// The session of an inbox client: an application asks for it in the name of one subscriber.

/** The shapes of responses are those of the client, which checks none. */
export const anything = z.unknown();
export const nothing = z.void();

const sessionSubscriber = z.strictObject({
  id: checkedText,
  subscriberId: requiredText,
  firstName: checkedText,
  lastName: checkedText,
  email: checkedText,
  phone: checkedText,
  avatar: checkedText,
  data: jsonObject.optional(),
  timezone: checkedText,
  locale: checkedText,
});

/** Body of POST `/v1/inbox/session`. The older `subscriberId` names a subscriber without a profile. */
export const sessionBody = z.strictObject({
  applicationIdentifier: checkedText,
  subscriberId: checkedText,
  subscriberHash: checkedText,
  subscriber: checkedObject(sessionSubscriber),
  defaultSchedule: scheduleMember,
  context: checked(jsonObject.optional(), optional(contextMessage)),
  contextHash: checkedText,
});

export type SessionBody = z.output<typeof sessionBody>;

// Workflows in version 1 of the routes, which were also called notification templates.
import { z } from 'zod';
import { checked } from '../rules/checked.ts';
import {
  areStrings,
  hasAtMostCharacters,
  isArray,
  isBoolean,
  isDefined,
  isInteger,
  isString,
  isText,
  optional,
  required,
} from '../rules/rules.ts';
import { countedPage, numberedPaging, queryBoolean, textFilter } from './query.ts';
import { checkedFlag, checkedText, jsonObject, requiredText } from './values.ts';

/** The content of a step and its timing. */
const stepV1 = z.looseObject({
  _id: z.string().optional(),
  uuid: z.string().optional(),
  name: z.string().optional(),
  active: z.boolean().optional(),
  shouldStopOnFail: z.boolean().optional(),
  template: z.looseObject({ type: z.string() }).optional(),
  metadata: jsonObject.optional(),
});

export const workflowV1 = z.looseObject({
  _id: z.string(),
  name: z.string(),
  active: z.boolean(),
  steps: z.array(stepV1),
  triggers: z.array(z.looseObject({ identifier: z.string() })),
});

export const workflowQueryV1 = z.strictObject({
  ...numberedPaging(100, optional(isInteger)),
  query: textFilter,
});

export const workflowListV1 = countedPage(workflowV1);

const shared = {
  tags: checked(z.array(z.string()).optional(), optional(isArray)),
  description: checked(z.string().optional(), optional(hasAtMostCharacters(1000), isString())),
  critical: checkedFlag,
  preferenceSettings: jsonObject.optional(),
  data: jsonObject.optional(),
};

export const createWorkflowV1Body = z.strictObject({
  name: requiredText,
  notificationGroupId: checked(
    z.string(),
    required(isDefined('Notification group must be provided '), isString()),
  ),
  ...shared,
  steps: checked(z.array(stepV1), required(isArray, isDefined())),
  active: checkedFlag,
  draft: checkedFlag,
});

export const updateWorkflowV1Body = z.strictObject({
  name: checkedText,
  identifier: checkedText,
  notificationGroupId: checkedText,
  ...shared,
  steps: checked(z.array(stepV1).optional(), optional(isArray)),
});

export const workflowStatusBody = z.strictObject({
  active: checked(z.boolean(), required(isDefined(), isBoolean)),
});

export const isDeleted = z.boolean();

export type StepV1 = z.output<typeof stepV1>;

// Groups of workflows, feeds of notifications, and changes to be promoted, in version 1 of the routes.

const named = z.looseObject({ _id: z.string(), name: z.string() });

export const notificationGroup = named;
export const notificationGroupList = z.array(notificationGroup);
export const feed = named.extend({ identifier: z.string() });
export const feedList = z.array(feed);

export const nameBody = z.strictObject({ name: requiredText });

export const changesQuery = z.strictObject({
  ...numberedPaging(100, { rules: [] }),
  promoted: queryBoolean().optional(),
});

export const changeList = z.looseObject({
  data: z.array(z.looseObject({})),
  totalCount: z.number(),
  page: z.number(),
  pageSize: z.number(),
});

export const changeCount = z.number();

export const applyChangesBody = z.strictObject({
  changeIds: checked(z.array(z.string()), required(areStrings)),
});

export const appliedChanges = z.array(z.unknown());

export { acknowledgement } from './values.ts';

// The endpoint of an application that defines workflows by code.

export const syncQuery = z.strictObject({ source: z.string().optional() });

/** Body of POST `/v1/bridge/sync` and `/v1/bridge/diff`. The workflows are read from the endpoint. */
export const bridgeBody = z.strictObject({
  bridgeUrl: checkedText,
  workflows: z.unknown().optional(),
});

export const syncedWorkflows = z.array(workflowV1);

export const bridgeDifference = z.looseObject({
  current: z.looseObject({ workflows: z.array(z.unknown()), bridgeUrl: z.string() }),
  new: jsonObject,
});

export const validateBody = z.strictObject({
  bridgeUrl: checked(
    z.string(),
    required(
      isDefined(),
      isText(URL.canParse, (name) => `${name} must be a URL address`),
    ),
  ),
});

export const bridgeHealth = z.looseObject({ isValid: z.boolean(), error: z.string().optional() });

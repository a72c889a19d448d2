// Contexts (specification: Resources, Context; Endpoints, Contexts).
import { z } from 'zod';
import { isObject } from '../../core/objects.ts';
import { limits } from '../limits.ts';
import { checked, checkedObject, withSecondStage } from '../rules/checked.ts';
import { contextNamePattern } from '../rules/formats.ts';
import {
  hasAtLeastCharacters,
  hasAtMostCharacters,
  isDefined,
  isInteger,
  isString,
  matches,
  optional,
  type Rule,
  required,
  rule,
} from '../rules/rules.ts';
import {
  cursorLimit,
  cursorPage,
  cursors,
  numberedPage,
  numberedPaging,
  pageSize,
  sorting,
  textFilter,
} from './query.ts';
import { checkedFlag, checkedText, jsonObject, nonEmptyText, requiredText } from './values.ts';

export const context = z.looseObject({
  type: z.string(),
  id: z.string(),
  data: jsonObject,
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const contextPage = cursorPage(context);

/** Query of GET `/v2/contexts`. `type` and `id` match exactly, `search` matches part of `type:id`. */
export const listContextsQuery = withSecondStage(
  z.strictObject({
    type: textFilter,
    id: textFilter,
    search: textFilter,
    ...cursors,
    ...sorting('createdAt', 'updatedAt', 'id', 'type'),
    limit: cursorLimit,
  }),
  'ListContextsCommand',
  pageSize,
);

const identifier = (label: string) =>
  checked(
    nonEmptyText
      .max(limits.contextName, `longer than ${limits.contextName} characters`)
      .regex(contextNamePattern, 'not letters, digits, _ and -'),
    required(
      isDefined(),
      matches(
        contextNamePattern,
        () => `${label} must be lowercase alphanumeric with optional ., _, or - separators`,
      ),
      hasAtMostCharacters(limits.contextName),
      hasAtLeastCharacters(1),
      isString(),
    ),
  );

const jsonLength = (data: unknown) => JSON.stringify(data)?.length ?? 0;
const isSmall: Rule = (data) =>
  jsonLength(data) <= limits.contextData
    ? undefined
    : `Data is too large: ${Math.round(jsonLength(data) / 1024)}KB exceeds ${limits.contextData / 1024}KB limit`;
const isContextData = rule(isObject, () => 'Context data must be an object');
/** Data that is missing has only one message. */
const isDataIfGiven: Rule = (data, name, context) =>
  data === undefined || data === null ? undefined : isContextData(data, name, context);

export const createContextBody = z.strictObject({
  type: identifier('Type'),
  id: identifier('ID'),
  data: checked(jsonObject.nullable().optional(), optional(isContextData, isSmall)),
});

/** Body of PATCH `/v2/contexts/{type}/{id}`. Replaces the data as a whole. */
export const updateContextBody = z.strictObject({
  data: checked(jsonObject, required(isDefined(), isDataIfGiven, isSmall)),
});

export { emptyResponse } from './values.ts';

export type Context = z.output<typeof context>;

// Tenants, and the settings of workflows for single tenants, in version 1 of the routes.

export const tenant = z.looseObject({
  _id: z.string(),
  identifier: z.string(),
  name: z.string().optional(),
  data: jsonObject.optional(),
});

export const numberedQuery = z.strictObject(numberedPaging(100, optional(isInteger)));
export const tenantList = numberedPage(tenant);

export const createTenantBody = z.strictObject({
  identifier: requiredText,
  name: requiredText,
  data: jsonObject.optional(),
});

export const updateTenantBody = z.strictObject({
  identifier: checkedText,
  name: checkedText,
  data: jsonObject.optional(),
});

const channels = z.strictObject({
  email: checkedFlag,
  sms: checkedFlag,
  in_app: checkedFlag,
  chat: checkedFlag,
  push: checkedFlag,
});

export const updateOverrideBody = z.strictObject({
  active: checkedFlag,
  preferenceSettings: checkedObject(channels),
});

export const createOverrideBody = z.strictObject({
  workflowId: requiredText,
  tenantId: requiredText,
  ...updateOverrideBody.shape,
});

export const override = z.looseObject({
  _id: z.string(),
  _workflowId: z.string(),
  _tenantId: z.string(),
  active: z.boolean().optional(),
  preferenceSettings: channels.partial().optional(),
});
export const overrideList = numberedPage(override);
export const isDeleted = z.boolean();

// Tenants, and the settings of workflows for single tenants, in version 1 of the routes.
import { z } from 'zod';
import { checked, readFields } from '../rules/checked.ts';
import {
  isDefined,
  isInteger,
  isString,
  nested,
  optional,
  required,
  text,
} from '../rules/rules.ts';
import { numberedPage } from './pages.ts';
import { numberedPaging } from './query.ts';
import { checkedFlag, jsonObject } from './values.ts';

export const tenant = z.looseObject({
  _id: z.string(),
  identifier: z.string(),
  name: z.string().optional(),
  data: jsonObject.optional(),
});

/** Query of GET `/v1/tenants` and `/v1/workflow-overrides`. */
export const numberedQuery = z.strictObject(numberedPaging(100, optional(isInteger)));
export const tenantList = numberedPage(tenant);

/** Body of POST `/v1/tenants`. */
export const createTenantBody = z.strictObject({
  identifier: checked(z.string(), required(isDefined(), isString())),
  name: checked(z.string(), required(isDefined(), isString())),
  data: jsonObject.optional(),
});

/** Body of PATCH `/v1/tenants/{identifier}`. */
export const updateTenantBody = z.strictObject({
  identifier: checked(z.string().optional(), text()),
  name: checked(z.string().optional(), text()),
  data: jsonObject.optional(),
});

const channels = z.strictObject({
  email: checkedFlag,
  sms: checkedFlag,
  in_app: checkedFlag,
  chat: checkedFlag,
  push: checkedFlag,
});

/** Body of PUT `/v1/workflow-overrides/{overrideId}`. */
export const updateOverrideBody = z.strictObject({
  active: checkedFlag,
  preferenceSettings: checked(channels.optional(), nested(readFields(channels))),
});

/** Body of POST `/v1/workflow-overrides`. */
export const createOverrideBody = z.strictObject({
  workflowId: checked(z.string(), required(isDefined(), isString())),
  tenantId: checked(z.string(), required(isDefined(), isString())),
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

export { emptyResponse } from './values.ts';

// Groups of workflows, feeds of notifications, and changes to be promoted, in version 1 of the routes.
import { z } from 'zod';
import { checked } from '../rules/checked.ts';
import { areStrings, isDefined, isString, required } from '../rules/rules.ts';
import { numberedPaging, queryBoolean } from './query.ts';

const named = z.looseObject({ _id: z.string(), name: z.string() });

export const notificationGroup = named;
export const notificationGroupList = z.array(notificationGroup);
export const feed = named.extend({ identifier: z.string() });
export const feedList = z.array(feed);

/** Body of POST `/v1/notification-groups` and `/v1/feeds`, and of PATCH `/v1/notification-groups/{id}`. */
export const nameBody = z.strictObject({
  name: checked(z.string(), required(isDefined(), isString())),
});

/** Query of GET `/v1/changes`. */
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

/** Body of POST `/v1/changes/bulk/apply`. */
export const applyChangesBody = z.strictObject({
  changeIds: checked(z.array(z.string()), required(areStrings)),
});

export const appliedChanges = z.array(z.unknown());

export { acknowledgement } from './values.ts';

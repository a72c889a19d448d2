// Layouts in version 1 of the routes: HTML with `{{{body}}}`.
import { z } from 'zod';
import { checked, parameter } from '../rules/checked.ts';
import { toNumberOrNone } from '../rules/conversions.ts';
import { isDefined, isString, required, text } from '../rules/rules.ts';
import { pageAndSize, textFilter } from './query.ts';
import { checkedFlag } from './values.ts';

export const layoutV1 = z.looseObject({
  _id: z.string(),
  name: z.string(),
  identifier: z.string(),
  isDefault: z.boolean(),
});

export const createdLayout = z.looseObject({ _id: z.string() });

/** Query of GET `/v1/layouts`. */
export const layoutQuery = z.strictObject({
  ...pageAndSize,
  sortBy: textFilter,
  orderBy: parameter(z.number().optional(), toNumberOrNone),
});

export const layoutListV1 = z.looseObject({
  data: z.array(layoutV1),
  page: z.number(),
  pageSize: z.number(),
  totalCount: z.number(),
});

const shared = {
  description: checked(z.string().optional(), text()),
  variables: z.unknown().optional(),
  isDefault: checkedFlag,
};

/** Body of POST `/v1/layouts`. */
export const createLayoutV1Body = z.strictObject({
  name: checked(z.string(), required(isDefined(), isString())),
  identifier: checked(z.string(), required(isDefined(), isString())),
  content: checked(z.string(), required(isDefined())),
  ...shared,
});

/** Body of PATCH `/v1/layouts/{layoutId}`. */
export const updateLayoutV1Body = z.strictObject({
  name: checked(z.string().optional(), text()),
  identifier: checked(z.string().optional(), text()),
  content: z.string().optional(),
  ...shared,
});

export { emptyResponse } from './values.ts';

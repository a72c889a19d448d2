// Contexts (specification: Resources, Context; Endpoints, Contexts).

import { z } from 'zod';
import { limits } from '../limits.ts';
import { cursorPage } from './pages.ts';
import { cursorParameters } from './query.ts';
import { jsonObject, nonEmptyText } from './values.ts';

export const context = z.looseObject({
  type: z.string(),
  id: z.string(),
  data: jsonObject,
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const contextPage = cursorPage(context);

/** Query of GET `/v2/contexts`. `type` and `id` match exactly, `search` matches part of `type:id`. */
export const listContextsQuery = z.strictObject({
  ...cursorParameters,
  type: z.string().optional(),
  id: z.string().optional(),
  search: z.string().optional(),
});

const identifier = nonEmptyText
  .max(limits.contextName, `longer than ${limits.contextName} characters`)
  .regex(/^[a-zA-Z0-9_-]+$/, 'not letters, digits, _ and -');

/** Body of POST `/v2/contexts`. */
export const createContextBody = z.strictObject({
  type: identifier,
  id: identifier,
  data: jsonObject.nullable().optional(),
});

/** Body of PATCH `/v2/contexts/{type}/{id}`. Replaces the data as a whole. */
export const updateContextBody = z.strictObject({ data: jsonObject });

export { emptyResponse } from './values.ts';

export type Context = z.output<typeof context>;

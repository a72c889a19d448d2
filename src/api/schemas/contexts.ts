// Contexts (specification: Resources, Context; Endpoints, Contexts).
import { z } from 'zod';
import { cursorPage } from './pages.ts';
import { cursorParameters } from './query.ts';
import { jsonObject } from './values.ts';

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

export type Context = z.output<typeof context>;
export type ContextPage = z.output<typeof contextPage>;

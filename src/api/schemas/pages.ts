// The two page forms that several listings share.
import { z } from 'zod';

/** A page continued by a cursor (Endpoints, Topics and Contexts). `totalCount` stops at 50,000. */
export const cursorPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    data: z.array(item),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    totalCount: z.number(),
    totalCountCapped: z.boolean(),
  });

/** A page continued by its number, from 0 (Endpoints, Subscribers and Events). */
export const numberedPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    hasMore: z.boolean(),
    data: z.array(item),
    pageSize: z.number(),
    page: z.number(),
  });

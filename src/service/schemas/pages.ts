// The two page formats that several listings share.
import { z } from 'zod';

/** A page with cursors (Endpoints, Topics and Contexts). `totalCount` is at most 50,000. */
export const cursorPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    data: z.array(item),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    totalCount: z.number(),
    totalCountCapped: z.boolean(),
  });

/** A page with a number, starting at 0 (Endpoints, Subscribers and Events). */
export const numberedPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    hasMore: z.boolean(),
    data: z.array(item),
    pageSize: z.number(),
    page: z.number(),
  });

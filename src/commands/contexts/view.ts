// Table of contexts.

import type { Column } from '../../output/result.ts';
import type { Context } from '../../service/schemas/contexts.ts';

export const contextColumns: readonly Column<Context>[] = [
  { field: 'type', header: 'TYPE' },
  { field: 'id', header: 'ID', tone: () => 'strong' },
  { field: 'data', header: 'DATA', shrink: true, drop: 3 },
  { field: 'createdAt', header: 'CREATED', time: true, drop: 2 },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 1 },
];

export const contextId = ({ type, id }: Context) => `${type}:${id}`;

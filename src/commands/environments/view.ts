// Table of environments.

import type { Column } from '../../output/result.ts';
import type { Environment } from '../../service/schemas/environments.ts';

export const environmentColumns: readonly Column<Environment>[] = [
  { field: '_id', header: 'ID' },
  { field: 'name', header: 'NAME', tone: () => 'strong' },
  { field: 'type', header: 'TYPE', tone: ({ type }) => (type === 'prod' ? 'warn' : 'plain') },
  { field: 'identifier', header: 'IDENTIFIER', drop: 2 },
  { field: '_parentId', header: 'PARENT', drop: 3 },
  { field: 'apiKeys.key', header: 'KEYS', drop: 1 },
];

export const environmentId = ({ _id }: Environment) => _id;

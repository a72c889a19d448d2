import type { Column } from '../../output/result.ts';
import type { Layout } from '../../service/schemas/layouts.ts';

export const layoutColumns: readonly Column<Layout>[] = [
  { field: 'layoutId', header: 'LAYOUT', tone: () => 'strong' },
  { field: 'name', header: 'NAME', shrink: true },
  {
    field: 'isDefault',
    header: 'DEFAULT',
    value: ({ isDefault }) => (isDefault ? 'yes' : 'no'),
    tone: ({ isDefault }) => (isDefault ? 'good' : 'muted'),
  },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 3 },
  { field: 'slug', header: 'SLUG', drop: 5 },
  { field: '_id', header: 'ID', drop: 6, tone: () => 'muted' },
];

// Table of integrations.

import type { Column } from '../../output/result.ts';
import type { Integration } from '../../service/schemas/integrations.ts';

const yesNo = (value: boolean) => (value ? 'yes' : 'no');

export const integrationColumns: readonly Column<Integration>[] = [
  { field: '_id', header: 'ID' },
  { field: 'identifier', header: 'IDENTIFIER', tone: () => 'strong' },
  { field: 'name', header: 'NAME', shrink: true, drop: 3 },
  { field: 'providerId', header: 'PROVIDER' },
  { field: 'channel', header: 'CHANNEL' },
  {
    field: 'active',
    header: 'ACTIVE',
    value: ({ active }) => yesNo(active),
    tone: ({ active }) => (active ? 'good' : 'muted'),
  },
  { field: 'primary', header: 'PRIMARY', value: ({ primary }) => yesNo(primary), drop: 2 },
];

export const integrationFields: readonly Column<Integration>[] = [
  ...integrationColumns,
  { field: '_environmentId', header: 'ENVIRONMENT' },
  { field: 'credentials', header: 'CREDENTIALS' },
  { field: 'configurations', header: 'CONFIGURATIONS' },
  { field: 'conditions', header: 'CONDITIONS' },
];

export const integrationId = ({ _id }: Integration) => _id ?? '';

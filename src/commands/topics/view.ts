// The columns of topics.
import type { Topic } from '../../api/schemas/topics.ts';
import type { Column } from '../../output/result.ts';

export const topicColumns: readonly Column<Topic>[] = [
  { field: 'key', header: 'KEY', tone: () => 'strong' },
  { field: 'name', header: 'NAME', shrink: true },
  { field: 'createdAt', header: 'CREATED', time: true, drop: 3 },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 2 },
  { field: '_id', header: 'ID', drop: 1, tone: () => 'muted' },
];

export const topicId = ({ key }: Topic) => key;

import type { Group } from '../../cli/command.ts';
import { count } from './count.ts';
import { list } from './list.ts';
import { mark } from './mark.ts';
import { action, archive, deleteNotifications, snooze, unarchive, unsnooze } from './states.ts';

export const group: Group = {
  summary: 'The inbox contains the in-app notifications of a subscriber',
  commands: {
    list,
    count,
    mark,
    archive,
    unarchive,
    snooze,
    unsnooze,
    delete: deleteNotifications,
    action,
  },
};

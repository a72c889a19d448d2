import type { Group } from '../../cli/command.ts';
import { deleteMessages } from './delete.ts';
import { list } from './list.ts';

export const group: Group = {
  summary: 'List and delete the messages that the service has created for all channels',
  details:
    'Not every server offers these commands. `svc inbox list` shows the in-app messages of a subscriber on every server; `svc activity get` shows what happened to an event.',
  commands: { list, delete: deleteMessages },
};

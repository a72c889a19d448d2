import type { Group } from '../../cli/command.ts';
import { deleteLayout } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';

export const group: Group = {
  summary: 'List, show and delete layouts, the frames of e-mails',
  details:
    'To create and change layouts, edit their files: `svc workflows pull` and `svc environments pull` write them. Not offered by every server.',
  commands: { list, get, delete: deleteLayout },
};

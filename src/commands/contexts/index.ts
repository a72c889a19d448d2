import type { Group } from '../../cli/command.ts';
import { create } from './create.ts';
import { deleteContext } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { update } from './update.ts';

export const group: Group = {
  summary: 'Contexts are typed records, such as a tenant, that notifications refer to',
  details:
    'The service creates a context when an event first refers to it. create, update and delete are not offered by every server.',
  commands: { list, get, create, update, delete: deleteContext },
};

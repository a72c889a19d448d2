// `svc environments`
import type { Group } from '../../cli/command.ts';
import { create } from './create.ts';
import { deleteEnvironment } from './delete.ts';
import { list } from './list.ts';
import { update } from './update.ts';

export const group: Group = {
  summary: 'Environments separate the stages of an application; each has its own API keys',
  details: 'update and delete are not offered by every server.',
  commands: { list, create, update, delete: deleteEnvironment },
};

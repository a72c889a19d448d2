import type { Group } from '../../cli/command.ts';
import { create } from './create.ts';
import { deleteEnvironment } from './delete.ts';
import { list } from './list.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { update } from './update.ts';
import { group as variables } from './variables/index.ts';

export const group: Group = {
  summary: 'Environments separate the stages of an application; each has its own API keys',
  details:
    '`svc environments pull` writes a whole environment to files that you can edit and keep in Git; `svc environments push` writes them back. update and delete are not offered by every server.',
  commands: { list, pull, push, create, update, delete: deleteEnvironment, variables },
};

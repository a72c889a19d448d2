// `svc workflows`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { preview } from './preview.ts';
import { promote } from './promote.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { step } from './step.ts';

export const group: Group = {
  summary: 'Show workflows, keep them as files, and copy them between environments',
  details:
    'A workflow defines the steps of a notification. `svc workflows pull` writes workflows to files that you can edit and keep in Git; `svc workflows push` writes them back.',
  commands: { list, get, step, preview, pull, push, promote },
};

import type { Group } from '../../cli/command.ts';
import { deleteWorkflows } from './delete.ts';
import { disable, enable } from './enable-disable.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { preview } from './preview.ts';
import { promote } from './promote.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { replay } from './replay.ts';
import { step } from './step.ts';
import { types } from './types.ts';
import { validate } from './validate.ts';

export const group: Group = {
  summary: 'List, change and delete workflows, keep them as files, copy them to environments',
  details:
    'A workflow defines the steps of a notification. `pull` writes workflows to files that you can edit and keep in Git; `push` writes them back. Commands that change workflows are not offered by every server.',
  commands: {
    list,
    get,
    step,
    preview,
    replay,
    validate,
    types,
    pull,
    push,
    promote,
    enable,
    disable,
    delete: deleteWorkflows,
  },
};

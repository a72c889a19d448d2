// `svc workflows`
import type { Group } from '../../cli/command.ts';
import { deleteWorkflows } from './delete.ts';
import { disable, enable } from './enable-disable.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { step } from './step.ts';

export const group: Group = {
  summary: 'List, show, enable, disable and delete workflows',
  details:
    'A workflow defines the steps of a notification. enable, disable and delete are not offered by every server.',
  commands: { list, get, step, enable, disable, delete: deleteWorkflows },
};

import type { Group } from '../../../cli/command.ts';
import { deleteSnapshot, list, restore, save } from './snapshot.ts';

export const group: Group = {
  summary: 'Save the whole state of a sandbox, and return to it',
  details:
    'A snapshot has all data of the sandbox with its pending jobs, clock, faults and log of requests. Keys and sessions stay those of the running sandbox. The snapshots of a sandbox with a data folder are in that folder; others end with the sandbox.',
  commands: { save, restore, list, delete: deleteSnapshot },
};

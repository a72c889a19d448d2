// `svc runs`
import type { Group } from '../../cli/command.ts';
import { deleteRun } from './delete.ts';
import { list } from './list.ts';
import { resume } from './resume.ts';
import { show } from './show.ts';

export const group: Group = {
  summary: 'Bulk runs of this machine: what they did, going on with one that ended early',
  details:
    'Every command that sends many items keeps a journal in the state folder. A run that was interrupted, killed or stopped by the service goes on where it was; finished runs are forgotten after thirty days.',
  commands: { list, show, resume, delete: deleteRun },
};

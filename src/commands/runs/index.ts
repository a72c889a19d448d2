import type { Group } from '../../cli/command.ts';
import { deleteRun } from './delete.ts';
import { fix } from './fix.ts';
import { list } from './list.ts';
import { merge } from './merge.ts';
import { prune } from './prune.ts';
import { resume } from './resume.ts';
import { show } from './show.ts';
import { watch } from './watch.ts';

export const group: Group = {
  summary: 'List, show, watch, resume and remove the bulk runs of this machine',
  details:
    'Each bulk run (`svc help bulk`) records its progress in a journal in the state folder. A run that was interrupted, killed or stopped by the service can be resumed where it stopped. When a new run starts, svc removes runs that finished more than 30 days ago, except for the newest ten.',
  commands: { list, show, watch, resume, fix, merge, delete: deleteRun, prune },
};

// `svc profiles`
import type { Group } from '../../cli/command.ts';
import { deleteProfile } from './delete.ts';
import { list } from './list.ts';
import { rename } from './rename.ts';
import { show } from './show.ts';
import { use } from './use.ts';

export const group: Group = {
  summary: 'Profiles hold the address and key of a service, under a name',
  details:
    '`svc login` and `svc sandbox start` make profiles; -p, --profile chooses one for a single command.',
  commands: { list, use, show, rename, delete: deleteProfile },
};

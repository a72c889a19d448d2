// `svc profiles`
import type { Group } from '../../cli/command.ts';
import { deleteProfile } from './delete.ts';
import { list } from './list.ts';
import { rename } from './rename.ts';
import { show } from './show.ts';
import { use } from './use.ts';

export const group: Group = {
  summary: 'List, choose, show, rename and delete profiles',
  details:
    'A profile stores the address and key of a service under a name. `svc login` and `svc sandbox start` create profiles. `svc profiles use` sets the current profile; -p, --profile selects another profile for one command.',
  commands: { list, use, show, rename, delete: deleteProfile },
};

import type { Group } from '../../cli/command.ts';
import { deleteProfile } from './delete.ts';
import { list } from './list.ts';
import { protect, unprotect } from './protect.ts';
import { readOnly } from './read-only.ts';
import { rename } from './rename.ts';
import { show } from './show.ts';
import { use } from './use.ts';

export const group: Group = {
  summary: 'List, choose, show, protect, rename and delete profiles',
  details:
    'A profile stores the address and key of a service under a name. `svc login` and `svc sandbox start` create profiles. `svc profiles use` sets the current profile, the stored default. A command uses the profile of -p or --profile, else of SVC_PROFILE, else the current profile. This is the active profile. -p takes precedence over SVC_BASE_URL and SVC_API_KEY; these take precedence over SVC_PROFILE and the current profile.',
  commands: {
    list,
    use,
    show,
    protect,
    unprotect,
    'read-only': readOnly,
    rename,
    delete: deleteProfile,
  },
};

// `svc config`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { path } from './path.ts';
import { reset } from './reset.ts';
import { set, unset } from './set.ts';

export const group: Group = {
  summary:
    'Show and change settings. An option overrides a variable, then the profile, the configuration file and the default',
  commands: { list, get, set, unset, path, reset },
};

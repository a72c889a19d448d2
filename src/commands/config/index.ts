import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { path } from './path.ts';
import { reset } from './reset.ts';
import { set, unset } from './set.ts';

export const group: Group = {
  summary: 'Show and change settings',
  details:
    'The value of a setting comes from the first of these that sets it: option, environment variable, profile, configuration file, default.',
  commands: { list, get, set, unset, path, reset },
};

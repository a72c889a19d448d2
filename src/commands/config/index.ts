// `svc config`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { path } from './path.ts';
import { reset } from './reset.ts';
import { set, unset } from './set.ts';

export const group: Group = {
  summary: 'Settings: option, then variable, then profile, then this file, then default',
  commands: { list, get, set, unset, path, reset },
};

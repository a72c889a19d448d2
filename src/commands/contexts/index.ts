// `svc contexts`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';

export const group: Group = {
  summary: 'Contexts are typed records, such as a tenant, that notifications refer to',
  details:
    'The service creates a context when an event first refers to it. svc has no command to create or delete contexts.',
  commands: { list, get },
};

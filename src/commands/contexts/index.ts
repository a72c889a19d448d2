// `svc contexts`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';

export const group: Group = {
  summary: 'Contexts are typed records, such as a tenant, that notifications refer to',
  details:
    'A context is created by the first event that names it. svc cannot create or delete one.',
  commands: { list, get },
};

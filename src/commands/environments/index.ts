// `svc environments`
import type { Group } from '../../cli/command.ts';
import { create } from './create.ts';
import { list } from './list.ts';

export const group: Group = {
  summary: 'Environments separate the stages of an application; each has its own API keys',
  commands: { list, create },
};

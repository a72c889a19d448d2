// `svc topics`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { rename } from './rename.ts';
import { subscribe } from './subscribe.ts';

export const group: Group = {
  summary: 'Topics group subscribers, so that one trigger reaches them all',
  details:
    'The service has no way to create a topic on its own (subscribing does), to delete one or to list its subscribers.',
  commands: { list, get, rename, subscribe },
};

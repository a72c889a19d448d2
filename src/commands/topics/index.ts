// `svc topics`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { rename } from './rename.ts';
import { subscribe } from './subscribe.ts';

export const group: Group = {
  summary: 'List, show and rename topics, and add subscribers to them',
  details:
    'A topic is a group of subscribers that one trigger can notify. The service has no operation to create an empty topic, delete a topic or list its subscribers. To create a topic with a subscriber, run `svc topics subscribe <topic-key> <subscriber-id> --create`.',
  commands: { list, get, rename, subscribe },
};

import type { Group } from '../../cli/command.ts';
import { create } from './create.ts';
import { deleteTopic } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { rename } from './rename.ts';
import { subscribe } from './subscribe.ts';
import { subscribers } from './subscribers.ts';
import { group as subscriptions } from './subscriptions.ts';
import { sync } from './sync.ts';
import { unsubscribe } from './unsubscribe.ts';

export const group: Group = {
  summary: 'List, create, rename and delete topics, add and remove subscribers',
  details:
    'A topic is a group of subscribers that one trigger can notify. create, delete, subscribers and unsubscribe are not offered by every server; `subscribe --create` creates a topic on every server.',
  alternative: 'svc topics subscribe <topic-key> <subscriber-id> --create',
  commands: {
    list,
    get,
    create,
    rename,
    delete: deleteTopic,
    subscribers,
    subscribe,
    unsubscribe,
    subscriptions,
    sync,
  },
};

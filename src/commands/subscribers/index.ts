import type { Group } from '../../cli/command.ts';
import { bulkImport } from './bulk-import.ts';
import { group as channels } from './channels/index.ts';
import { create } from './create.ts';
import { group as credentials } from './credentials/index.ts';
import { deleteSubscribers } from './delete.ts';
import { erase } from './erase.ts';
import { exportSubscribers } from './export.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { group as preferences } from './preferences/index.ts';
import { reportPerson } from './report.ts';
import { story } from './story.ts';
import { topics } from './topics.ts';
import { update } from './update.ts';

export const group: Group = {
  summary:
    'List, import, change and delete subscribers, their credentials, channels and preferences',
  details:
    'Subscribers are the recipients of notifications. `create` and `bulk-import` create a subscriber or change the given fields of an existing one; `update` fails for a subscriber that does not exist. list, get, update, delete and topics are not offered by every server.',
  commands: {
    list,
    get,
    create,
    'bulk-import': bulkImport,
    export: exportSubscribers,
    update,
    delete: deleteSubscribers,
    erase,
    topics,
    story,
    report: reportPerson,
    credentials,
    channels,
    preferences,
  },
};

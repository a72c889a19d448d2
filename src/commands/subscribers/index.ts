import type { Group } from '../../cli/command.ts';
import { bulkImport } from './bulk-import.ts';
import { group as channels } from './channels/index.ts';
import { create } from './create.ts';
import { deleteCredentials } from './credentials/delete.ts';
import { importCredentials } from './credentials/import.ts';
import { set as setCredentials } from './credentials/set.ts';
import { deleteSubscribers } from './delete.ts';
import { erase } from './erase.ts';
import { exportSubscribers } from './export.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { copy as copyPreferences } from './preferences/copy.ts';
import { exportPreferences } from './preferences/export.ts';
import { get as getPreferences } from './preferences/get.ts';
import { importPreferences } from './preferences/import.ts';
import { update as updatePreferences } from './preferences/update.ts';
import { reportPerson } from './report.ts';
import { story } from './story.ts';
import { topics } from './topics.ts';
import { update } from './update.ts';

const credentials: Group = {
  summary:
    'Set and delete the chat addresses and device tokens by which providers reach a subscriber',
  commands: { set: setCredentials, delete: deleteCredentials, import: importCredentials },
};

const preferences: Group = {
  summary: 'Show and change which channels and workflows notify a subscriber, and at which hours',
  commands: {
    get: getPreferences,
    update: updatePreferences,
    export: exportPreferences,
    import: importPreferences,
    copy: copyPreferences,
  },
};

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

// `svc subscribers`
import type { Group } from '../../cli/command.ts';
import { bulkImport } from './bulk-import.ts';
import { create } from './create.ts';
import { group as credentials } from './credentials/index.ts';
import { group as preferences } from './preferences/index.ts';

export const group: Group = {
  summary: 'Import and create subscribers, set credentials and preferences',
  details:
    'Subscribers are the recipients of notifications. The service has no operation to list, look up or delete subscribers. Creating an existing subscriber updates the given fields and keeps the others.',
  commands: { 'bulk-import': bulkImport, create, credentials, preferences },
};

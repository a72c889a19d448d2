import type { Group } from '../../../cli/command.ts';
import { deleteCredentials } from './delete.ts';
import { importCredentials } from './import.ts';
import { set } from './set.ts';

export const group: Group = {
  summary:
    'Set and delete the chat addresses and device tokens by which providers reach a subscriber',
  commands: { set, delete: deleteCredentials, import: importCredentials },
};

// `svc subscribers credentials`
import type { Group } from '../../../cli/command.ts';
import { deleteCredentials } from './delete.ts';
import { set } from './set.ts';

export const group: Group = {
  summary: 'Where a provider reaches a subscriber: chat addresses, device tokens',
  commands: { set, delete: deleteCredentials },
};

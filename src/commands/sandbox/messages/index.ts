import type { Group } from '../../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { wait } from './wait.ts';

export const group: Group = {
  summary: 'Show the messages that the sandbox captured instead of sending',
  details:
    'The sandbox never delivers messages. A message to a subscriber without an address has the status warning and is shown as skipped. A message to an address in the domain .invalid has the status error and is shown as failed, so that you can test how scripts handle failed deliveries. A service would deliver only messages with the status sent.',
  commands: { list, get, wait },
};

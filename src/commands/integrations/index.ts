import type { Group } from '../../cli/command.ts';
import { create } from './create.ts';
import { deleteIntegration } from './delete.ts';
import { disable, enable } from './enable-disable.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { setPrimary } from './set-primary.ts';
import { update } from './update.ts';

export const group: Group = {
  summary: 'Integrations connect the service to providers, which deliver messages',
  details:
    'list, get, create and set-primary are not offered by every server; the web interface of the service shows the ids too. `delete` also lists the remaining integrations.',
  commands: {
    list,
    get,
    create,
    update,
    enable,
    disable,
    'set-primary': setPrimary,
    delete: deleteIntegration,
  },
};

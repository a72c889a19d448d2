// `svc integrations`
import type { Group } from '../../cli/command.ts';
import { deleteIntegration } from './delete.ts';
import { disable, enable } from './enable-disable.ts';
import { update } from './update.ts';

export const group: Group = {
  summary: 'Integrations connect the service to providers, which deliver messages',
  details:
    'svc has no command to list or create integrations. The web interface of the service shows their ids. `svc integrations delete` also lists the remaining integrations.',
  commands: { update, enable, disable, delete: deleteIntegration },
};

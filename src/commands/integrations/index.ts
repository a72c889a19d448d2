// `svc integrations`
import type { Group } from '../../cli/command.ts';
import { deleteIntegration } from './delete.ts';
import { disable, enable } from './switch.ts';
import { update } from './update.ts';

export const group: Group = {
  summary: 'Integrations connect the service to providers that deliver',
  details:
    'The service has no operation to list or create integrations; their ids stand in its web interface. Deleting one answers with those that remain.',
  commands: { update, enable, disable, delete: deleteIntegration },
};

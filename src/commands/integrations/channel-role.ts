// Warns if a channel stops delivering without an integration, or does not deliver through it.

import type { Context } from '../../app/context.ts';
import { firstNames, joinSentences, listText, shellWord } from '../../core/text.ts';
import { readEnvironmentId } from '../../environment/environments.ts';
import type { Integration } from '../../service/schemas/integrations.ts';
import { hasPrimary } from '../../service/schemas/vocabulary.ts';
import { listedIntegration, listedIntegrations } from '../shared/affected-environments.ts';

/** Asks before the primary or the last active integration of a channel is deactivated. */
export async function confirmDeactivation(context: Context, integrationId: string): Promise<void> {
  if (context.globals.dryRun !== undefined) return;
  const integration = await listedIntegration(context, integrationId);
  if (!integration?.active) return;
  const all = (await listedIntegrations(context)) ?? [];
  const warning = deactivationWarning(context, integration, all);
  if (warning === undefined) return;
  const whole = joinSentences([warning, await stoppedText(context, integration)]);
  if (context.globals.yes) context.note(whole);
  await context.confirm(
    `Deactivate integration ${integration.identifier} (${integrationId})`,
    whole,
  );
}

/** Workflows that the question names; it counts the others. */
const maxNamed = 5;

/** Names the workflows that stop sending on the channel; empty if they cannot be listed with the key. */
async function stoppedText(
  { connection }: Context,
  { channel, _environmentId }: Integration,
): Promise<string> {
  const service = await connection.service();
  if ((await readEnvironmentId(service)) !== _environmentId) return '';
  const all = await service.listAll('listWorkflows', { query: {} });
  const names = all
    .filter(({ status, stepTypeOverviews = [] }) => {
      return status === 'ACTIVE' && stepTypeOverviews.some((type) => type === channel);
    })
    .map(({ workflowId }) => workflowId)
    .sort();
  if (names.length === 0) return `No active workflow sends ${channel}.`;
  const named = firstNames(names, maxNamed);
  return `${names.length === 1 ? 'Workflow' : 'Workflows'} ${listText(named)} ${names.length === 1 ? 'stops' : 'stop'} sending ${channel}.`;
}

function deactivationWarning(
  context: Context,
  integration: Integration,
  all: readonly Integration[],
): string | undefined {
  const { _id, _environmentId, channel, primary } = integration;
  const others = all.filter(
    (other) =>
      other.active &&
      other.channel === channel &&
      other._environmentId === _environmentId &&
      other._id !== _id,
  );
  if (others.length === 0)
    return `It is the last active integration for ${channel}: without it, the service delivers nothing on this channel.`;
  if (!primary) return undefined;
  const commands = others.map((other) => `\`${setPrimaryCommand(context, other)}\``);
  return `It is the primary integration for ${channel}: without it, the service delivers nothing on this channel until another integration becomes primary, with ${commands.join(' or ')}.`;
}

const setPrimaryCommand = ({ propose }: Context, { _id }: Pick<Integration, '_id'>) =>
  propose(
    `svc integrations set-primary ${_id === undefined ? '<integration-id>' : shellWord(_id)}`,
  );

/** Reports that an active integration delivers nothing yet, because the service uses the primary one. */
export function noteUnlessPrimary(
  context: Context,
  { _id, identifier, channel, active, primary }: Integration,
): void {
  if (!active || primary || channel === undefined || !hasPrimary(channel)) return;
  context.note(
    `Integration ${identifier} is active but not the primary one for ${channel}, and the service delivers ${channel} through the primary one. To make it primary: ${setPrimaryCommand(context, { _id })}`,
  );
}

// `svc integrations update`

import type { Context } from '../../app/context.ts';
import { command, type Values } from '../../cli/command.ts';
import { flag, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { listText } from '../../core/text.ts';
import { readJsonValue, textOrStdin } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { affectsIntegration } from '../shared/affected-environments.ts';
import { integrationArgument } from '../shared/arguments.ts';
import { perCommand } from '../shared/per-command.ts';
import { confirmDeactivation, noteUnlessPrimary } from './channel-role.ts';
import { contentOptions, promptForSecrets, readPairs } from './credentials.ts';
import { readIntegrationId } from './integration-id.ts';
import { integrationId as idOf, integrationColumns } from './view.ts';

const options = {
  name: text('--name <text>', 'New name'),
  identifier: text('--identifier <identifier>', 'New identifier, unique in the environment'),
  environmentId: text('--environment-id <id>', 'Move the integration to this environment'),
  active: flag(
    '--[no-]active',
    'Activate the integration, which checks its credentials, or deactivate it',
  ),
  check: flag('--[no-]check', 'Check the credentials, or skip the check'),
  ...contentOptions,
  body: text('--body <json|@file|->', 'The whole request body instead of these options'),
};

export const update = command({
  summary: 'Update an integration',
  details:
    'The service replaces all credentials at once and never returns them, so give all credentials that the provider needs. svc lists the credentials that would be removed and asks for confirmation. It also asks before --no-active deactivates the primary or the last active integration of a channel.',
  arguments: {
    integrationId: integrationArgument,
  },
  options,
  output: 'The updated integration with its credentials masked.',
  examples: [
    {
      line: 'svc integrations update 677485809bebc841f620134a --name "Mail, EU"',
      description: 'Rename an integration',
    },
    {
      line: 'svc integrations update 67748580895a497d12797983 --credential apiKey=@key.txt --credential from=news@example.com --credential senderName=News --yes',
      description: 'Replace the credentials',
    },
  ],
  operations: ['updateIntegration', 'listIntegrations', 'listEnvironments', 'listWorkflows'],
  skipsMissingOperations: true,
  writes: true,
  affects: async (context, { args, options: { body, environmentId } }) => {
    const integrationId = await readIntegrationId(context, args.integrationId);
    const { _environmentId = environmentId } =
      body === undefined ? {} : await givenBody(context, body);
    const movedTo = typeof _environmentId === 'string' ? _environmentId : undefined;
    return affectsIntegration(context, integrationId, movedTo);
  },
  async run(context, { args, options: given }) {
    const integrationId = await readIntegrationId(context, args.integrationId);
    const body = await readBody(context, integrationId, given);
    if (Object.keys(body).length === 0) {
      throw usageError('No changes are given.', { next: ['svc integrations update --help'] });
    }
    if (body.active === false) await confirmDeactivation(context, integrationId);
    const client = await context.client();
    const value = await client.call('updateIntegration', { path: { integrationId }, body });
    if (body.active === true) noteUnlessPrimary(context, value);
    const headline = `Updated integration ${integrationId}`;
    return result.one({ value, fields: integrationColumns, id: idOf, headline });
  },
});

/** The value of --body, which can be standard input. */
const givenBody = perCommand(async ({ host }, body: string) => {
  const value = await readJsonValue(await textOrStdin(body, host.stdin), '--body', host);
  if (!isObject(value)) throw usageError('--body is not a JSON object.');
  return value;
});

type Given = Partial<Values<typeof options>>;

async function readBody(
  context: Context,
  integrationId: string,
  { body, ...given }: Given,
): Promise<Record<string, unknown>> {
  if (body !== undefined) {
    if (Object.keys(given).length > 0)
      throw usageError('--body cannot be combined with other options for the body.');
    return givenBody(context, body);
  }
  const { environmentId, credential, configuration, conditions, ...others } = given;
  return {
    ...others,
    ...(environmentId === undefined ? {} : { _environmentId: environmentId }),
    ...(credential
      ? { credentials: await readCredentials(context, integrationId, credential) }
      : {}),
    ...(configuration ? { configurations: await readConfigurations(context, configuration) } : {}),
    ...(conditions === undefined
      ? {}
      : { conditions: await readJsonValue(conditions, '--conditions', context.host) }),
  };
}

/** Returns the names and types of the fields in a member of the request body. */
async function loadFieldNames(member: string) {
  const { bodyFields } = await import('../../api/body-fields.ts');
  return bodyFields('updateIntegration', member);
}

const readConfigurations = async (context: Context, assignments: readonly string[]) =>
  readPairs(assignments, await loadFieldNames('configurations'), context.host, '--configuration');

/** Reads the credentials, lists the fields that will be emptied and asks for confirmation. */
async function readCredentials(
  context: Context,
  integrationId: string,
  assignments: readonly string[],
) {
  const fields = await loadFieldNames('credentials');
  const given = await readPairs(
    await promptForSecrets(context, assignments),
    fields,
    context.host,
    '--credential',
  );
  const omitted = Object.keys(fields).filter((key) => !(key in given));
  context.note(
    `These credentials are missing from the command and will be removed: ${omitted.join(', ')}.`,
  );
  await context.confirm(
    `Replace all credentials of integration ${integrationId} with ${listText(Object.keys(given))}`,
  );
  return given;
}

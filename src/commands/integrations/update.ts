import type { Context } from '../../app/context.ts';
import { command, type Values } from '../../cli/command.ts';
import { flag, id, json, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { listText } from '../../core/text.ts';
import { perCommand } from '../../environment/environments.ts';
import { readJsonValue, textOrStdin } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import {
  missingCredentials,
  missingUnseenCredentials,
  showsCredentials,
} from '../../service/providers.ts';
import {
  affectsIntegration,
  listedIntegration,
  listedIntegrations,
} from '../shared/affected-environments.ts';
import { integrationArgument } from '../shared/arguments.ts';
import { confirmDeactivation, noteUnlessPrimary } from './channel-role.ts';
import { contentOptions, promptForSecrets, readPairs } from './credentials.ts';
import { integrationId as idOf, integrationColumns, readIntegrationId } from './view.ts';

const options = {
  name: text('--name <text>', 'New name'),
  identifier: text('--identifier <identifier>', 'New identifier, unique in the environment'),
  environmentId: id('--environment-id <id>', 'Move the integration to this environment'),
  active: flag(
    '--[no-]active',
    'Activate the integration, which checks its credentials, or deactivate it',
  ),
  check: flag('--[no-]check', 'Check the credentials, or skip the check'),
  ...contentOptions,
  clearOthers: flag(
    '--clear-others',
    'Remove the required credentials that the command does not give',
  ),
  clearCredentials: flag('--clear-credentials', 'Remove all credentials', {
    conflicts: ['credential', 'clearOthers'],
  }),
  body: json('--body <json|@file|->', 'The whole request body instead of these options'),
};

export const update = command({
  summary: 'Update an integration',
  details:
    'The service replaces all credentials at once, and from 3.17 on it never shows them. So give all credentials that the provider requires: svc refuses an update that lacks one, unless --clear-others is given, and an empty one unless --clear-credentials is given. It lists the credentials that would be removed, as far as the service shows them, and asks for confirmation. It also asks before --no-active deactivates the primary or the last active integration of a channel.',
  arguments: { integrationId: integrationArgument },
  options,
  output: 'The updated integration with its credentials masked.',
  examples: {
    'svc integrations update 677485809bebc841f620134a --name "Mail, EU"': 'Rename an integration',
    'svc integrations update 67748580895a497d12797983 --credential apiKey=@key.txt --credential from=news@example.com --credential senderName=News --yes':
      'Replace the credentials',
  },
  operations: ['updateIntegration', 'listIntegrations', 'listEnvironments', 'listWorkflows'],
  skipsMissingOperations: true,
  writes: true,
  affects: async (context, { args, options: { body, environmentId } }) => {
    const integrationId = await readIntegrationId(context, args.integrationId);
    const { _environmentId = environmentId } =
      body === undefined ? {} : await readBodyOption(context, body);
    const movedTo = typeof _environmentId === 'string' ? _environmentId : undefined;
    return affectsIntegration(context, integrationId, movedTo);
  },
  async run(context, { args, options }) {
    const integrationId = await readIntegrationId(context, args.integrationId);
    const { clearOthers = false, clearCredentials = false, ...fields } = options;
    const read = await readBody(context, fields);
    const body: Record<string, unknown> = {
      ...(clearCredentials ? { credentials: {} } : {}),
      ...read,
    };
    if (isObject(body.credentials))
      await confirmReplaced(context, integrationId, body.credentials, {
        clearOthers,
        clearCredentials,
        isAsked: fields.body === undefined,
      });
    if (Object.keys(body).length === 0) {
      throw usageError('No changes are given.', { next: ['svc integrations update --help'] });
    }
    if (body.active === false) await confirmDeactivation(context, integrationId);
    const value = await context.call('updateIntegration', { path: { integrationId }, body });
    if (body.active === true) noteUnlessPrimary(context, value);
    const headline = `Updated integration ${integrationId}`;
    return result.one({ value, fields: integrationColumns, id: idOf, headline });
  },
});

/** The value of --body, which can be standard input. */
const readBodyOption = perCommand(async ({ host }, body: string) => {
  const value = await readJsonValue(await textOrStdin(body, host.stdin), '--body', host);
  if (!isObject(value)) throw usageError('--body is not a JSON object.');
  return value;
});

type Options = Partial<Values<typeof options>>;

async function readBody(
  context: Context,
  { body, ...options }: Omit<Options, 'clearOthers' | 'clearCredentials'>,
): Promise<Record<string, unknown>> {
  if (body !== undefined) {
    if (Object.keys(options).length > 0)
      throw usageError('--body cannot be combined with other options for the body.');
    return readBodyOption(context, body);
  }
  const { environmentId, credential, configuration, conditions, ...others } = options;
  return {
    ...others,
    ...(environmentId === undefined ? {} : { _environmentId: environmentId }),
    ...(credential ? { credentials: await readCredentials(context, credential) } : {}),
    ...(configuration ? { configurations: await readConfigurations(context, configuration) } : {}),
    ...(conditions === undefined
      ? {}
      : { conditions: await readJsonValue(conditions, '--conditions', context.host) }),
  };
}

/** Returns the names and types of the fields in a member of the request body. */
async function loadFieldNames(member: string) {
  const { bodyFields } = await import('../../api/operation-fields.ts');
  return bodyFields('updateIntegration', member);
}

const readConfigurations = async (context: Context, assignments: readonly string[]) =>
  readPairs(assignments, await loadFieldNames('configurations'), context.host, '--configuration');

const readCredentials = async (context: Context, assignments: readonly string[]) =>
  readPairs(
    await promptForSecrets(context, assignments),
    await loadFieldNames('credentials'),
    context.host,
    '--credential',
  );

interface Replacing {
  clearOthers: boolean;
  clearCredentials: boolean;
  isAsked: boolean;
}

/** Refuses an update that removes required credentials, lists those that will be removed and asks for confirmation. */
async function confirmReplaced(
  context: Context,
  integrationId: string,
  credentials: Record<string, unknown>,
  { clearOthers, clearCredentials, isAsked }: Replacing,
): Promise<void> {
  const names = Object.keys(credentials);
  if (clearCredentials && names.length > 0)
    throw usageError('--clear-credentials cannot be combined with credentials in --body.');
  if (!clearCredentials && names.length === 0)
    throw usageError('An update with empty credentials would remove all of them.', {
      hint: 'To remove them, add --clear-credentials. To keep them, leave out credentials.',
    });
  if (clearCredentials)
    return context.confirm(`Remove all credentials of integration ${integrationId}`);
  const integration = await listedIntegration(context, integrationId);
  const isShown = showsCredentials((await listedIntegrations(context)) ?? []);
  const missingIn = isShown ? missingCredentials : missingUnseenCredentials;
  const missing = integration ? missingIn(integration.providerId, credentials) : [];
  if (integration && missing.length > 0 && !clearOthers)
    throw usageError(
      `The service replaces all credentials, and ${integration.providerId} requires ${listText(missing)}, which ${missing.length === 1 ? 'is' : 'are'} not given.`,
      { hint: 'Give all of them, or add --clear-others to remove those that are not given.' },
    );
  if (!isAsked) return;
  const stored: Record<string, unknown> | undefined =
    integration && isShown ? (integration.credentials ?? {}) : undefined;
  const removed = Object.keys(stored ?? {}).filter(
    (name) => stored?.[name] && !(name in credentials),
  );
  if (!stored) context.note('The service shows no credentials; all others will be removed.');
  else if (removed.length > 0)
    context.note(
      `${removed.length === 1 ? 'This credential' : 'These credentials'} will be removed: ${removed.join(', ')}.`,
    );
  await context.confirm(
    `Replace all credentials of integration ${integrationId} with ${listText(names)}`,
  );
}

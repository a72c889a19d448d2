import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { choice, flag } from '../../cli/options.ts';
import { environmentOfKey } from '../../config/environment-facts.ts';
import { readKey } from '../../config/keys.ts';
import { openProfiles } from '../../config/profiles.ts';
import { explicitSetting, type Setting } from '../../config/settings.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import type { Choice } from '../../input/prompts.ts';
import * as result from '../../output/result.ts';
import { cloudRegions } from '../../service/servers.ts';
import { saveProtected } from '../shared/save-profile.ts';
import { isSandboxRunning, readServiceVersion } from '../shared/server-facts.ts';

export const login = command({
  summary: 'Store the address and key of a service as a profile',
  details:
    'Prompts for the base URL, the API key and the profile name if they are not given; the addresses of the cloud regions and of a running sandbox are proposed. The key is verified with the service, then stored in a file that only you can read or, with --keychain, in the system keychain. Without a keychain, --keychain fails, and --keychain=optional uses the file. If the service does not show which environment the key belongs to, a stored profile keeps its environment and its protection. No option takes the key itself: enter it at the prompt, or pass it on standard input (--with-key), in a file (--api-key-file) or in SVC_API_KEY.',
  options: {
    withKey: flag('--with-key', 'Read the API key from standard input'),
    keychain: choice(
      '--keychain[=optional]',
      ['', 'optional'],
      'Store the key in the system keychain; =optional uses the configuration file without a keychain',
    ),
    protect: flag(
      '--[no-]protect',
      'Require --confirm <profile> for every write; the default for an environment named Production or of type prod',
    ),
  },
  output: '{profile, baseUrl, environment, keySource, current, serviceVersion}.',
  examples: {
    'svc login --base-url https://notifications.example.com': 'Prompt for the key',
    'svc login --profile ci --base-url https://notifications.example.com --with-key < key.txt':
      'Read the key from standard input, in a script',
    'svc login --profile staging --base-url https://notifications.example.com --api-key-file key.txt':
      'Read the key from a file',
  },
  unexpected: 'Name the profile with --profile.',
  operations: ['listEnvironments'],
  writes: false,
  localOnly: true,
  selectedBy: 'address',
  async run(context, { options }) {
    const profiles = openProfiles(context.configuration);
    const { address, sandbox } = await resolveAddress(context);
    const baseUrl = profiles.readBaseUrl(address.value, 'The base URL');
    const key = sandbox?.key ?? (await resolveKey(context, options.withKey === true));
    const client = await context.connection.clientFor(baseUrl, key, { address });
    const environments = await client.call('listEnvironments', {}).catch(rethrowForLogin);
    const environment = environmentOfKey(environments, key);
    const serviceVersion = await readServiceVersion(client);
    const name = await resolveProfileName(context, sandbox?.name ?? environment?.name);
    const saved = await saveProtected(
      context,
      name,
      {
        baseUrl,
        key,
        keychain: keychainChoice(options.keychain),
        ...(serviceVersion === undefined ? {} : { serviceVersion }),
      },
      environment,
      options.protect,
    );
    if (options.keychain !== undefined && saved.keySource === 'file') {
      context.warn(
        'The system keychain is not available. The key is stored in the configuration file, which only you can read.',
      );
    }
    const { environment: stored } = profiles.named(name);
    if (!environment && stored !== undefined) {
      context.note(
        `The service does not show which environment this key belongs to. Profile ${name} keeps environment ${stored} and its protection.`,
      );
    }
    const where = environment ? `, environment ${environment.name}` : '';
    return result.report({
      value: {
        profile: name,
        baseUrl,
        environment: stored ?? null,
        ...saved,
        serviceVersion: serviceVersion ?? null,
      },
      lines: [
        `Logged in to ${baseUrl}${where}, as profile ${name}.${serviceVersion === undefined ? '' : ` The server has version ${serviceVersion}.`}`,
      ],
      ids: [name],
    });
  },
});

function keychainChoice(option: '' | 'optional' | undefined) {
  return option === '' ? 'required' : option;
}

/** Replaces hints that do not apply before the profile is stored: to log in again, or to check the stored address. */
function rethrowForLogin(error: unknown): never {
  if (!(error instanceof SvcError)) throw error;
  const { status, next = [], hint } = error.details;
  if (status === 401) {
    const check = hint ?? 'Check that the key is complete and belongs to this service.';
    throw error.with({ hint: `Nothing was stored. ${check}` });
  }
  throw error.with({ next: next.filter((line) => line !== 'svc profiles show') });
}

interface ResolvedAddress {
  address: Setting<string>;
  sandbox?: ChosenAddress['sandbox'];
}

async function resolveAddress(context: Context): Promise<ResolvedAddress> {
  const { globals, host, prompt, profile } = context;
  const address =
    explicitSetting('baseUrl', { globals, env: host.env }) ??
    (globals.profile ? storedBaseUrl(profile) : undefined);
  if (address) return { address };
  if (prompt.isPossible) {
    const { baseUrl, ...chosen } = await chooseAddress(context);
    return { address: { value: baseUrl, from: 'option', source: 'the prompt' }, ...chosen };
  }
  throw usageError('The base URL of the service is missing.', {
    next: ['svc login --base-url https://notifications.example.com --with-key < key.txt'],
  });
}

/** The address of a stored profile, for logging in to it again. Undefined for a new profile. */
function storedBaseUrl(profile: Context['profile']): Setting<string> | undefined {
  try {
    const stored = profile();
    return (
      stored && {
        value: stored.profile.baseUrl,
        from: 'profile',
        source: `profile ${stored.value}`,
      }
    );
  } catch {
    return undefined;
  }
}

async function resolveKey(context: Context, withKey: boolean): Promise<string> {
  const { globals, host, prompt } = context;
  const { apiKeyFile } = globals;
  const promptForKey = async () => readKey(await prompt.secret('API key:'), 'The prompt');
  if (withKey || apiKeyFile === '-') {
    if (prompt.isPossible) return promptForKey();
    const { readKeyFromStdin } = await import('../../input/values.ts');
    const option = withKey ? '--with-key' : '--api-key-file -';
    return readKey(await readKeyFromStdin(host, option), 'Standard input');
  }
  if (apiKeyFile) {
    const { readTextFile } = await import('../../input/values.ts');
    return readKey(readTextFile(apiKeyFile, '--api-key-file', host), '--api-key-file');
  }
  if (host.env.SVC_API_KEY) return readKey(host.env.SVC_API_KEY, 'SVC_API_KEY');
  if (prompt.isPossible) return promptForKey();
  throw new SvcError('usage', 'The API key is missing.', {
    hint: 'Pass it on standard input with --with-key, or set SVC_API_KEY.',
  });
}

async function resolveProfileName(
  { globals, host, prompt }: Context,
  proposal: string | undefined,
) {
  const named = explicitSetting('profile', { globals, env: host.env })?.value;
  const suggested = proposal?.toLowerCase().replace(/[^a-z0-9]+/g, '-') || 'default';
  if (named) return named;
  return prompt.isPossible ? prompt.text('Name of the profile:', suggested) : suggested;
}

interface ChosenAddress {
  baseUrl: string;
  sandbox?: { name: string; key: string | undefined };
}

/** Asks for an address: one of the list, or any other that is typed. */
async function chooseAddress(context: Context): Promise<ChosenAddress> {
  const { prompt } = context;
  const sandboxes = await runningSandboxes(context);
  const choices: Choice[] = [
    ...cloudRegions.map(({ name, baseUrl }) => toChoice(name, baseUrl)),
    ...sandboxes.map(({ name, baseUrl }) => toChoice(`Running sandbox, profile ${name}`, baseUrl)),
    { value: '', name: 'Self-hosted: enter the address of its API' },
  ];
  const question = 'Base URL of the service:';
  const picked = await prompt.pick(question, async (input) => matching(choices, input.trim()));
  const baseUrl = picked || (await prompt.text(question));
  const sandbox = sandboxes.find((running) => running.baseUrl === baseUrl);
  return { baseUrl, ...(sandbox ? { sandbox } : {}) };
}

const toChoice = (name: string, baseUrl: string): Choice => ({
  value: baseUrl,
  name: `${name}  ${baseUrl}`,
});

/** The choices that contain the text, then the text itself as an address. */
function matching(choices: readonly Choice[], input: string): Choice[] {
  const text = input.toLowerCase();
  const matches = choices.filter(({ name = '' }) => name.toLowerCase().includes(text));
  const isOther = input !== '' && !choices.some(({ value }) => value === input);
  return isOther ? [...matches, { value: input }] : matches;
}

async function runningSandboxes(context: Context) {
  const profiles = Object.entries(context.configuration.read().profiles);
  const sandboxes = await Promise.all(
    profiles.map(async ([name, profile]) =>
      profile.sandbox && (await isSandboxRunning(context, profile))
        ? [{ name, baseUrl: profile.baseUrl, key: profile.key }]
        : [],
    ),
  );
  return sandboxes.flat();
}

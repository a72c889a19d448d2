// `svc login`
import type { Environment } from '../../api/schemas/environments.ts';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { flag } from '../../cli/options.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { protectionChoice } from '../shared/confirm-protect.ts';

export const login = command({
  summary: 'Store the address and key of a service as a profile',
  details:
    'Asks for what is missing: --base-url gives the address, --profile the name of the profile. The key is verified with the service before it is stored, in a file that only you can read or, with --keychain, in the keychain of the system. A key never stands on the command line: it is typed at the prompt, or comes from standard input (--with-key), a file (--api-key-file) or SVC_API_KEY.',
  options: {
    withKey: flag('--with-key', 'Read the API key from standard input'),
    keychain: flag('--keychain', 'Keep the key in the keychain of the system'),
    protect: flag(
      '--[no-]protect',
      'Every write to this profile needs its name; the default for an environment named Production',
    ),
  },
  output: '{profile, baseUrl, environment, keySource, current}.',
  examples: [
    {
      line: 'svc login --base-url https://notifications.example.com',
      description: 'Asks for the key',
    },
    {
      line: 'svc login --profile ci --base-url https://notifications.example.com --with-key < key.txt',
      description: 'In a script',
    },
    {
      line: 'svc login --profile staging --base-url https://notifications.example.com --api-key-file key.txt',
      description: 'With the key from a file',
    },
  ],
  unexpected: 'A profile is named with --profile.',
  operations: ['listEnvironments'],
  writes: false,
  localOnly: true,
  async run(context, { options }) {
    const profiles = await context.profiles();
    const baseUrl = profiles.readBaseUrl(await baseUrlFor(context), 'The base URL');
    const key = await keyFor(context, options.withKey === true);
    const client = await context.clientFor(baseUrl, key);
    const environments = await client.call('listEnvironments', {}).catch(refusedLogin);
    const environment = environments.find(({ apiKeys }) => apiKeys?.some((one) => one.key === key));
    const name = await nameFor(context, environment?.name);
    const protect = options.protect ?? (await protectionChoice(context, name, environment));
    const saved = await profiles.save(name, {
      baseUrl,
      key,
      keychain: options.keychain === true,
      ...(environment ? factsOf(environment) : {}),
      ...(protect === undefined ? {} : { protected: protect }),
    });
    if (options.keychain && saved.keySource === 'file') {
      context.note(
        'No keychain can be used here; the key is in the configuration file, which only you can read.',
      );
    }
    const where = environment ? `, environment ${environment.name}` : '';
    return result.report({
      value: { profile: name, baseUrl, environment: environment?.name ?? null, ...saved },
      lines: [`Logged in to ${baseUrl}${where}, as profile ${name}.`],
      ids: [name],
    });
  },
});

const factsOf = ({ name, _id, type }: Environment) => ({
  environment: name,
  environmentId: _id,
  ...(type ? { environmentType: type } : {}),
});

/** Nothing is stored yet: neither another login nor the stored address is a remedy. */
function refusedLogin(error: unknown): never {
  if (!(error instanceof SvcError)) throw error;
  const { exitReason, message, details } = error;
  const hint =
    details.status === 401
      ? 'Nothing was stored. Check that the key is whole, and that it is a key of this service.'
      : details.hint?.replace(' with `svc profiles show`', '');
  throw new SvcError(exitReason, message, { ...details, ...(hint === undefined ? {} : { hint }) });
}

async function baseUrlFor({ globals, host, canAsk, prompter, profile }: Context): Promise<string> {
  const known =
    globals.baseUrl || host.env.SVC_BASE_URL || (globals.profile ? savedUrl(profile) : undefined);
  if (known) return known;
  if (canAsk) return prompter().text('Base URL of the service:');
  throw usageError('The base URL of the service is missing.', {
    next: ['svc login --base-url https://notifications.example.com --with-key < key.txt'],
  });
}

/** Logging in again to a stored profile keeps its address; a name not stored yet has none. */
function savedUrl(profile: Context['profile']): string | undefined {
  try {
    return profile()?.profile.baseUrl;
  } catch {
    return undefined;
  }
}

async function keyFor(context: Context, withKey: boolean): Promise<string> {
  const { globals, host, canAsk, prompter } = context;
  const { apiKeyFile } = globals;
  const { readKey } = await context.profiles();
  const ask = async () => readKey(await prompter().secret('API key:'), 'The prompt');
  if (withKey || apiKeyFile === '-') {
    if (canAsk) return ask();
    const { readKeyFromStdin } = await import('../../input/stdin.ts');
    const option = withKey ? '--with-key' : '--api-key-file -';
    return readKey(await readKeyFromStdin(host, option), 'Standard input');
  }
  if (apiKeyFile) {
    const { readTextFile } = await import('../../input/values.ts');
    return readKey(readTextFile(apiKeyFile, '--api-key-file'), '--api-key-file');
  }
  if (host.env.SVC_API_KEY) return readKey(host.env.SVC_API_KEY, 'SVC_API_KEY');
  if (canAsk) return ask();
  throw new SvcError('usage', 'The API key is missing.', {
    hint: 'Pipe it in with --with-key, or set SVC_API_KEY.',
  });
}

async function nameFor(
  { globals, host, canAsk, prompter }: Context,
  environment: string | undefined,
) {
  const given = globals.profile || host.env.SVC_PROFILE;
  const suggested = environment?.toLowerCase().replace(/[^a-z0-9]+/g, '-') || 'default';
  if (given) return given;
  return canAsk ? prompter().text('Name of the profile:', suggested) : suggested;
}
